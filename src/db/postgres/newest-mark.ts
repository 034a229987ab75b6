/** The mark of the newest write: a server that has it follows the one that stored it. */
import { type Connection, schemaName } from './connection.ts'

/** Undefined where no server has used the database yet. Errors: LostError, PostgresError. */
export async function readNewestMark(connection: Connection): Promise<string | undefined> {
  if (!(await hasMarks(connection))) return undefined
  const { rows } = await connection.runPlain('SELECT id::text FROM write_marks ORDER BY id DESC LIMIT 1')
  return (rows as readonly { readonly id: string }[])[0]?.id
}

/** Errors: LostError, PostgresError. */
export async function hasMark(connection: Connection, mark: string): Promise<boolean> {
  if (!(await hasMarks(connection))) return false
  const { rows } = await connection.run('SELECT 1 FROM write_marks WHERE id = ?1::uuid', [mark])
  return rows.length > 0
}

async function hasMarks(connection: Connection): Promise<boolean> {
  const { rows } = await connection.runPlain(`SELECT to_regclass('${schemaName}.write_marks') IS NOT NULL AS known`)
  return (rows[0] as { readonly known: boolean }).known
}
