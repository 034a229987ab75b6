/** What a restore of an older state takes away from gates again: SQL and nothing else. */
import type { Statement } from '../db/db.ts'

/** A wallet that was taken off a guest list. */
export const removeGuestAgain = (gateId: string, wallet: string, chain: string): Statement[] => [
  {
    sql: `DELETE FROM gate_guests
          WHERE gate = (SELECT id FROM gates WHERE gate_id = ?1) AND wallet = ?2 AND chain = ?3`,
    params: [gateId, wallet, chain],
  },
  {
    sql: `UPDATE gates AS g SET guest_count = (SELECT count(*) FROM gate_guests l WHERE l.gate = g.id) WHERE gate_id = ?1`,
    params: [gateId],
  },
]

export interface GateState {
  readonly status: string
  readonly archivedAt: number | null
  readonly isListed: number
}

/** A gate that was paused or deleted stays so. One that was opened after the backup stays closed. */
export const closeGateAgain = (gateId: string, { status, archivedAt, isListed }: GateState): Statement => ({
  sql: `UPDATE gates SET status = ?2, archived_at = ?3, is_listed = CASE WHEN ?4 = 0 THEN 0 ELSE is_listed END
        WHERE gate_id = ?1 AND ?2 IN ('paused', 'deleted') AND status <> 'deleted'`,
  params: [gateId, status, archivedAt, isListed],
})
