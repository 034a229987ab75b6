/** How many rows a write changed, for those who only want to know that. */
import type { Db, SqlValue, WriteResult } from './db.ts'

/** By the statement at `index`; 0 where the write was refused. */
export const countRowsChanged = (result: WriteResult, index = 0): number =>
  'changes' in result ? (result.changes[index] ?? 0) : 0

/** Writes one statement. Returns how many rows it changed. */
export const change = async (db: Db, sql: string, params: readonly SqlValue[]): Promise<number> =>
  countRowsChanged(await db.write([{ sql, params }]))
