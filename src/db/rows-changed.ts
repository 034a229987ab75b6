/** What a write tells: how many rows it changed, and what its queries found. */
import type { Db, SqlValue, Statement, WriteResult } from './db.ts'
import type { Query } from './query.ts'

/** By the statement at `index`; 0 where the write was refused. */
export const countRowsChanged = (result: WriteResult, index = 0): number =>
  'changes' in result ? (result.changes[index] ?? 0) : 0

/** Writes one statement. Returns how many rows it changed. */
export const change = async (db: Db, sql: string, params: readonly SqlValue[]): Promise<number> =>
  countRowsChanged(await db.write([{ sql, params }]))

/** Asks a query inside a write, so that no other write comes between its answer and the statements beside it. */
export const askInWrite = <Row, Params extends readonly SqlValue[]>(
  query: Query<Row, Params>,
  ...params: Params
): Statement => ({ sql: query, params, isAsked: true })

/** The answer to the only query that was asked in the write. Undefined where the write was refused. */
export const readAnswer = <Row, Params extends readonly SqlValue[]>(
  result: WriteResult,
  _query: Query<Row, Params>,
): Row | undefined => ('changes' in result ? ((result.rows?.[0] as Row | null | undefined) ?? undefined) : undefined)
