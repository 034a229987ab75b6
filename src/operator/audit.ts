/** The audit log for the operator: page by page, and as a file. */
import { AppError } from '../errors.ts'
import { cursorAt, positionOf, queryFingerprint } from '../http/page.ts'
import type { Parts } from '../parts.ts'
import { type AuditEvent, auditEvents } from '../sessions/audit.ts'
import { findProfileByAccount, findProfileByDid } from '../sessions/profile-store.ts'
import { type AuditFilter, type AuditRow, lastAuditBefore, listAudit } from './audit-store.ts'
import { accountOfSetting } from './operator.ts'

export interface AuditQuery {
  readonly event?: string | undefined
  /** A wallet or a did:pkh. */
  readonly person?: string | undefined
  /** Unix milliseconds: the list begins there, and goes back. */
  readonly until?: number | undefined
}

export interface AuditPage {
  readonly events: readonly object[]
  readonly nextCursor: string | null
}

type AuditTools = Pick<Parts, 'db'>

/** Errors: VALIDATION_ERROR, for a cursor of another query and for an event that there is not. */
export function auditPage(
  { db }: AuditTools,
  query: AuditQuery & { readonly limit: number; readonly cursor?: string | undefined },
): AuditPage {
  const filter = filterOf(db, query)
  if (!filter) return { events: [], nextCursor: null }
  const fingerprint = queryFingerprint(['audit', query.event, query.person, query.until])
  const before = query.cursor === undefined ? startOf(db, query.until) : positionOf(query.cursor, fingerprint)
  const rows = listAudit(db, filter, before, query.limit + 1)
  const shown = rows.slice(0, query.limit)
  const hasMore = rows.length > shown.length
  return {
    events: shown.map(viewOf),
    nextCursor: hasMore ? cursorAt(shown.at(-1)!.id, fingerprint) : null,
  }
}

const exportedAtOnce = 1000

/** All that fit, the newest first, a line of JSON each. Read as fast as it is taken. */
export function auditFile({ db }: AuditTools, query: AuditQuery): ReadableStream<Uint8Array> {
  const filter = filterOf(db, query)
  const encoder = new TextEncoder()
  let before = startOf(db, query.until)
  return new ReadableStream({
    pull(controller) {
      const rows = filter ? listAudit(db, filter, before, exportedAtOnce) : []
      const last = rows.at(-1)
      if (!last) return controller.close()
      before = last.id
      controller.enqueue(encoder.encode(rows.map((row) => `${JSON.stringify(viewOf(row))}\n`).join('')))
    },
  })
}

/** Undefined where nothing can fit: a person whom nobody knows. */
function filterOf(db: AuditTools['db'], { event, person }: AuditQuery): AuditFilter | undefined {
  if (event !== undefined && !auditEvents.includes(event as AuditEvent))
    throw new AppError('VALIDATION_ERROR', `event: there is ${auditEvents.join(', ')}`, { path: '/event' })
  if (person === undefined) return { event, profile: undefined }
  const profile = person.startsWith('did:')
    ? findProfileByDid(db, person)
    : findProfileByAccount(db, accountOfSetting(person))
  return profile && { event, profile: profile.id }
}

const startOf = (db: AuditTools['db'], until: number | undefined): number =>
  until === undefined ? Number.MAX_SAFE_INTEGER : (lastAuditBefore(db, until) ?? 0) + 1

const viewOf = ({ id, at, event, wallet, details }: AuditRow) => ({
  id,
  at,
  event,
  wallet,
  details: JSON.parse(details) as object,
})
