/** The audit log as the operator reads it: SQL and nothing else. */
import type { Db } from '../db/db.ts'

export interface AuditRow {
  readonly id: number
  readonly at: number
  readonly event: string
  /** The primary account of the person; null where it is of nobody, or of somebody who is gone. */
  readonly wallet: string | null
  /** JSON. */
  readonly details: string
}

export interface AuditFilter {
  readonly event: string | undefined
  /** profiles.id */
  readonly profile: number | undefined
}

const columns = 'a.id, a.at, a.event, p.account AS wallet, a.details'
const from = 'FROM audit_events a LEFT JOIN profiles p ON p.id = a.profile'

/** The plus keeps the planner on the index of the person, whose lines are fewer. */
const whereFor = ({ event, profile }: AuditFilter): string => {
  if (profile !== undefined) return `a.profile = ?2 AND (?1 IS NULL OR +a.event = ?1)`
  return event !== undefined ? 'a.event = ?1 AND ?2 IS NULL' : '?1 IS NULL AND ?2 IS NULL'
}

/** Older than `before`, the newest first. */
export const listAudit = (db: Db, filter: AuditFilter, before: number, limit: number): AuditRow[] =>
  db
    .prepare<AuditRow, [string | null, number | null, number, number]>(
      `SELECT ${columns} ${from} WHERE ${whereFor(filter)} AND a.id < ?3 ORDER BY a.id DESC LIMIT ?4`,
    )
    .all(filter.event ?? null, filter.profile ?? null, before, limit)

/** The newest line of before a time. */
export const writeCondition = (db: Db, at: number): number | undefined =>
  db
    .prepare<{ id: number }, [number]>('SELECT id FROM audit_events WHERE at <= ?1 ORDER BY at DESC, id DESC LIMIT 1')
    .get(at)?.id
