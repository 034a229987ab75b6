/** The mark of the master key with which a database is used. It reveals nothing about the key. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { MasterKeyError } from '../master-key.ts'
import { type Connection, schemaName } from './connection.ts'
import type { Pool } from './pool.ts'

export const deriveMark = (key: Uint8Array): string =>
  createHmac('sha256', key).update('proofgate key mark').digest('hex')

export const isSameMark = (mark: string, key: Uint8Array): boolean => {
  const [found, own] = [Buffer.from(mark), Buffer.from(deriveMark(key))]
  return found.length === own.length && timingSafeEqual(found, own)
}

/** Undefined where no server has used the database yet. Errors: LostError, PostgresError. */
export async function readMark(connection: Connection): Promise<string | undefined> {
  const known = await connection.runPlain(`SELECT to_regclass('${schemaName}.master_key_mark') IS NOT NULL AS known`)
  if (!(known.rows[0] as { readonly known: boolean }).known) return undefined
  const { rows } = await connection.runPlain('SELECT mark FROM master_key_mark')
  return (rows as readonly { readonly mark: string }[])[0]?.mark
}

/** The first process leaves the mark. Errors: MasterKeyError, LostError. */
export async function requireSameKey(pool: Pool, key: Uint8Array): Promise<void> {
  const mark = await pool.use(async (connection) => {
    const put = 'INSERT INTO master_key_mark (id, mark) VALUES (1, ?1) ON CONFLICT DO NOTHING'
    await connection.run(put, [deriveMark(key)])
    return readMark(connection)
  })
  if (mark === undefined || !isSameMark(mark, key))
    throw new MasterKeyError(
      'the configured master key is not the one that this database is used with, so it cannot open the sealed contents',
      'set PROOFGATE_MASTER_KEY (setting "master_key") to the key of the other servers on this database. Nothing was changed',
    )
}
