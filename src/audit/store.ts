/** The audit log as the operator reads it: SQL and nothing else. */

import type { Db } from '../db/db.ts'
import { pick, pickOptional, query, type RowOf } from '../db/query.ts'

export type AuditRow = RowOf<ReturnType<typeof selectAudit>>

export interface AuditFilter {
  readonly event: string | undefined
  /** profiles.id */
  readonly profile: number | undefined
}

/** The empty text that is added keeps the planner on the index of the person, whose lines are fewer. */
const writeFilter = ({ event, profile }: AuditFilter): string => {
  if (profile !== undefined) return `a.profile = ?2 AND (CAST(?1 AS TEXT) IS NULL OR a.event || '' = ?1)`
  return event !== undefined
    ? 'a.event = ?1 AND CAST(?2 AS BIGINT) IS NULL'
    : 'CAST(?1 AS TEXT) IS NULL AND CAST(?2 AS BIGINT) IS NULL'
}

const selectAudit = (filter: AuditFilter) => query<
  [event: string | null, profile: number | null, before: number, limit: number]
>()`
  SELECT ${pick('audit_events a', 'id', 'at', 'event', 'details')}, ${pickOptional('profiles p', { wallet: 'account' })}
  FROM audit_events a LEFT JOIN profiles p ON p.id = a.profile
  WHERE ${writeFilter(filter)} AND a.id < ?3 ORDER BY a.id DESC LIMIT ?4`

/** Older than `before`, the newest first. */
export const listAudit = (db: Db, filter: AuditFilter, before: number, limit: number): Promise<AuditRow[]> =>
  db.read(selectAudit(filter)).all(filter.event ?? null, filter.profile ?? null, before, limit)

const selectWriteCondition = query<[number]>()`
  SELECT ${pick('audit_events', 'id')}
  FROM audit_events WHERE at <= ?1 ORDER BY at DESC, id DESC LIMIT 1`

/** The newest line of before a time. */
export const writeCondition = async (db: Db, at: number): Promise<number | undefined> =>
  (await db.read(selectWriteCondition).get(at))?.id
