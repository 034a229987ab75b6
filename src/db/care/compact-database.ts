/**
 * Writes every table of a database anew. VACUUM leaves the bytes of deleted rows in the unused space of pages, until other
 * rows take it: only new files hold nothing of them.
 *
 * VACUUM FULL copies the long values of a row that was deleted a moment ago, where somebody may still see it, and nothing
 * removes those copies. So dead rows are removed first, and what is deleted meanwhile is told.
 */
import type { DatabaseUrl } from '../../config/database-url.ts'
import type { Hold } from '../db.ts'
import { openPrimary } from '../move/open-primary.ts'
import { type Connection, schemaName } from '../postgres/connection.ts'
import { describeError, isLost, readState } from '../postgres/errors.ts'
import { removeDeadRows } from '../postgres/remove-dead-rows.ts'
import { UnreachableError } from '../writer.ts'

export interface CompactedDatabase {
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Left as they were, with the reason in the words of the server. */
  readonly left: readonly { readonly table: string; readonly why: string }[]
  /** Something was erased meanwhile, and may be in the new files. */
  readonly isErasedMeanwhile: boolean
  /** Whether the server has begun a new file of its WAL, which needs a right. */
  readonly isWalSwitched: boolean
}

/**
 * A table is locked while it is written anew. `tell` receives each one before. Returns a hold where nothing was changed.
 * Errors: UnreachableError, PostgresError.
 */
export async function compactDatabase(
  url: DatabaseUrl,
  tell: (table: string, bytes: number) => void,
): Promise<CompactedDatabase | { readonly hold: Hold }> {
  const connection = await openPrimary(url)
  try {
    await connection.runPlain('SET statement_timeout = 0')
    const known = await listTraces(connection)
    const hold = await removeDeadRows(connection)
    if (hold) return { hold }
    const tables = await listTables(connection)
    const bytesBefore = sum(tables)
    const left: { table: string; why: string }[] = []
    for (const { table, bytes } of tables) {
      tell(table, bytes)
      const why = await rewrite(connection, table)
      if (why !== undefined) left.push({ table, why })
    }
    return {
      bytesBefore,
      bytesAfter: sum(await listTables(connection)),
      left,
      isErasedMeanwhile: (await listTraces(connection)).some((id) => !known.includes(id)),
      isWalSwitched: await switchWal(connection),
    }
  } catch (error) {
    throw isLost(error) ? new UnreachableError(describeError(error)) : error
  } finally {
    await connection.close()
  }
}

/** Of deletions that have ended, and of erasures that go on. No server forgets one while this is at work. */
async function listTraces(connection: Connection): Promise<readonly string[]> {
  const { rows } = await connection.runPlain('SELECT id FROM traces UNION ALL SELECT handle FROM erasures')
  return (rows as readonly { readonly id: string }[]).map(({ id }) => id)
}

interface Table {
  readonly table: string
  readonly bytes: number
}

const sum = (tables: readonly Table[]): number => tables.reduce((all, { bytes }) => all + bytes, 0)

/** The smallest first: where the disk becomes full, those are done. */
async function listTables(connection: Connection): Promise<readonly Table[]> {
  const { rows } = await connection.runPlain(
    `SELECT relname AS table, pg_total_relation_size(oid)::text AS bytes FROM pg_class
     WHERE relnamespace = '${schemaName}'::regnamespace AND relkind = 'r' ORDER BY pg_total_relation_size(oid), relname`,
  )
  return (rows as readonly { readonly table: string; readonly bytes: string }[]).map(({ table, bytes }) => ({
    table,
    bytes: Number(bytes),
  }))
}

/** Returns why not. */
async function rewrite(connection: Connection, table: string): Promise<string | undefined> {
  try {
    await connection.runPlain(`VACUUM (FULL, ANALYZE) ${schemaName}."${table}"`)
    return undefined
  } catch (error) {
    // lock_not_available, insufficient_privilege, disk_full
    if (/^(55P03|42501|53100)$/.test(readState(error) ?? '')) return describeError(error)
    throw error
  }
}

/** The files of before are recycled or removed by the second checkpoint. */
async function switchWal(connection: Connection): Promise<boolean> {
  try {
    for (const sql of ['CHECKPOINT', 'SELECT pg_switch_wal()', 'CHECKPOINT']) await connection.runPlain(sql)
    return true
  } catch (error) {
    if (readState(error) === '42501') return false
    throw error
  }
}
