/** The operator's revocations for clients. */

import { makeAuditStatement } from '../audit/log-store.ts'
import { askEndingOfClient, type EndsWith, readEnded } from '../auth/ending-store.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import type { Parts } from '../parts.ts'
import { deleteClient, findClientRow } from './client-store.ts'
import { dropCodes, revokeAllFamilies, revokeFamiliesOfClient, revokeSignedOut } from './family-store.ts'

export interface EndedGrants {
  readonly grants: number
  /** What had been made by these grants, and ended with them. */
  readonly ended: EndsWith
}

/** The grants that ended with it; undefined when there is no such client. */
export async function removeClient(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  id: string,
): Promise<EndedGrants | undefined> {
  if (!(await findClientRow(db, id))) return undefined
  const at = now()
  const result = await db.write(
    [
      askEndingOfClient(id, at),
      ...deleteClient(id),
      makeAuditStatement('client_removed', { profile: null, at, client: id }),
      revokeSignedOut(id, 'client_removed', at),
      revokeFamiliesOfClient(id, 'client_removed', at),
    ],
    'free',
  )
  return 'changes' in result ? { grants: result.changes.at(-1) ?? 0, ended: readEnded(result) } : undefined
}

/** A restored database copy holds codes and refresh tokens that were used since: they end with the grants. */
export async function endAllGrants({ db, now }: Pick<Parts, 'db' | 'now'>): Promise<EndedGrants> {
  const at = now()
  const result = await db.write(
    [
      askEndingOfClient(null, at),
      dropCodes(),
      revokeAllFamilies('revoked_by_operator', at),
      revokeSignedOut(null, 'revoked_by_operator', at),
      makeAuditStatement('grant_revoked', { profile: null, at, by: 'operator', client: null }),
    ],
    'free',
  )
  return { grants: countRowsChanged(result, 2), ended: readEnded(result) }
}
