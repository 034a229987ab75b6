import { AppError } from '../errors.ts'
import { type OwnerCredentials, requireSigner } from '../http/caller.ts'
import type { Parts } from '../parts.ts'
import { revokeAction } from './actions.ts'
import { isOwnedBy } from './owner.ts'
import { requireProof } from './read.ts'
import { markRevoked } from './store.ts'

/**
 * Revokes a proof for the wallet that controls it: its signer. Revoking again is not an error. The record stays
 * readable by id, and counts nowhere. Errors: those of requireSigner, NOT_FOUND, FORBIDDEN.
 */
export async function revokeProof(parts: Parts, qHash: string, credentials: OwnerCredentials) {
  const caller = await requireSigner(credentials, revokeAction(qHash), parts)
  const proof = requireProof(parts, qHash)
  if (!isOwnedBy(proof, caller))
    throw new AppError('FORBIDDEN', `only the wallet that signed this proof can revoke it; ${caller.wallet} did not`)

  return { alreadyRevoked: !(await markRevoked(parts.db, proof, parts.now())) }
}
