/** The audit entries for changes to a gate. */

import { type AuditEvent, makeAccountAuditStatement } from '../../audit/log-store.ts'
import type { Statement } from '../../db/db.ts'
import type { Change } from '../change.ts'
import type { GateStatus } from '../gate.ts'

/** Lines to be written with the change. */
export function listAuditStatements(change: Change, at: number): Statement[] {
  const { gateId, owner } = change.kind === 'create' ? change : change.base
  const version = change.kind === 'create' ? 1 : change.base.version + (change.kind === 'version' ? 1 : 0)
  const by = change.author === 'operator' ? 'command line' : 'owner'
  return listEvents(change).map(([event, more = {}]) =>
    makeAccountAuditStatement(event, owner, { at, gateId, version, by, ...more }),
  )
}

type Line = readonly [AuditEvent, object?]

function listEvents(change: Change): Line[] {
  if (change.kind === 'create') return [['gate_created', { status: change.status }], ...listPublished(change.status)]
  if (change.kind === 'status') return [[statusEvents[change.status]]]
  if (change.kind === 'archive') return [[change.isArchived ? 'gate_archived' : 'gate_unarchived']]
  const { restores, status, base } = change
  return [
    restores === undefined ? ['gate_changed'] : ['gate_rolled_back', { restored: restores }],
    ...(status === undefined || status === base.status ? [] : listPublished(status)),
  ]
}

const listPublished = (status: GateStatus): Line[] => (status === 'active' ? [['gate_published']] : [])

const statusEvents: Readonly<Record<GateStatus, AuditEvent>> = {
  draft: 'gate_changed',
  active: 'gate_published',
  paused: 'gate_paused',
  deleted: 'gate_deleted',
}
