/** The audit log for the operator: page by page, and as a file. */
import type { Sealer } from '../db/seal.ts'
import { AppError } from '../errors.ts'
import { openCursor, sealCursor } from '../http/cursor.ts'
import type { Parts } from '../parts.ts'
import { findProfileByAccount, findProfileByDid } from '../profiles/store.ts'
import { parseAccountSetting } from '../wallet/account.ts'
import { type AuditEvent, auditEvents } from './log-store.ts'
import { type AuditFilter, type AuditRow, listAudit, writeCondition } from './store.ts'

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

type AuditTools = Pick<Parts, 'db' | 'sealer'>

/** Errors: VALIDATION_ERROR, for a cursor of another query and for an event that there is not. */
export async function auditPage(
  { db, sealer }: AuditTools,
  query: AuditQuery & { readonly limit: number; readonly cursor?: string | undefined },
): Promise<AuditPage> {
  const filter = await requireFilter(db, query)
  if (!filter) return { events: [], nextCursor: null }
  const identity = ['operator/audit', query.event ?? null, query.person ?? null, query.until ?? null] as const
  const before =
    query.cursor === undefined ? await findStart(db, query.until) : openCursor(sealer, identity, query.cursor)
  const rows = await listAudit(db, filter, before, query.limit + 1)
  const shown = rows.slice(0, query.limit)
  const hasMore = rows.length > shown.length
  return {
    events: shown.map((row) => viewEvent(sealer, row)),
    nextCursor: hasMore ? sealCursor(sealer, identity, shown.at(-1)!.id) : null,
  }
}

const exportedAtOnce = 250

/** All that fit, the newest first, a line of JSON each. Other requests are served between two slices of it. */
export async function auditFile({ db, sealer }: AuditTools, query: AuditQuery): Promise<ReadableStream<Uint8Array>> {
  const filter = await requireFilter(db, query)
  const encoder = new TextEncoder()
  let before = await findStart(db, query.until)
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(0)
      const rows = filter ? await listAudit(db, filter, before, exportedAtOnce) : []
      const last = rows.at(-1)
      if (!last) return controller.close()
      before = last.id
      controller.enqueue(encoder.encode(rows.map((row) => `${JSON.stringify(viewEvent(sealer, row))}\n`).join('')))
    },
  })
}

/** Undefined where nothing can fit: a person whom nobody knows. */
async function requireFilter(db: AuditTools['db'], { event, person }: AuditQuery): Promise<AuditFilter | undefined> {
  if (event !== undefined && !auditEvents.includes(event as AuditEvent))
    throw new AppError('VALIDATION_ERROR', `event must be one of ${auditEvents.join(', ')}`, { path: '/event' })
  if (person === undefined) return { event, profile: undefined }
  const profile = person.startsWith('did:')
    ? await findProfileByDid(db, person)
    : await findProfileByAccount(db, parseAccountSetting(person))
  return profile && { event, profile: profile.id }
}

const findStart = async (db: AuditTools['db'], until: number | undefined): Promise<number> =>
  until === undefined ? Number.MAX_SAFE_INTEGER : ((await writeCondition(db, until)) ?? 0) + 1

const viewEvent = (sealer: Sealer, { id, at, event, wallet, details }: AuditRow) => ({
  // Tells two events apart without their row number, which counts what everybody did.
  id: sealer.mac(String(id), 'audit event').slice(0, 24),
  at,
  event,
  wallet,
  details: JSON.parse(details) as object,
})
