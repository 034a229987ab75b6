import { AppError } from '../errors.ts'
import { type Credentials, requireCaller } from '../http/caller.ts'
import type { Parts } from '../parts.ts'
import { revokeAction } from './actions.ts'
import { isOwnedBy } from './owner.ts'
import { ownerIn, requireProof } from './read.ts'
import { markRevoked } from './store.ts'

/**
 * Revokes a proof for the wallet that controls it: its signer. Revoking again is not an error. The record stays
 * readable by id, and counts nowhere. Errors: those of requireCaller, NOT_FOUND, FORBIDDEN.
 */
export async function revokeProof(parts: Parts, qHash: string, credentials: Credentials) {
  const caller = await requireCaller(credentials, revokeAction(qHash), parts, { about: ownerIn(parts, qHash) })
  const proof = requireProof(parts, qHash)
  if (!isOwnedBy(proof, caller))
    throw new AppError('FORBIDDEN', `only the wallet that signed this proof can revoke it; ${caller.wallet} did not`)

  return { alreadyRevoked: !(await markRevoked(parts.db, proof, parts.now())) }
}
