import { AppError } from '../errors.ts'
import { type Credentials, requireCaller } from '../http/caller.ts'
import type { Parts } from '../parts.ts'
import { addressOfIdentifier, looksLikeAddress, normalizeAddress } from '../wallet/account.ts'
import { grantAction } from './actions.ts'
import { insertAccessGrant } from './grant-store.ts'
import { isOwnedBy } from './owner.ts'
import { ownerIn, requireProof } from './read.ts'

export const grantDefaultSeconds = 900

export interface AccessGrant {
  readonly qHash: string
  readonly viewerWallet: string
  /** Null: until the proof is revoked. */
  readonly expiresInSeconds: number | null | undefined
}

/**
 * Lets another wallet read a private proof of the signer, with a signature of its own. The same signature grants once;
 * sent again it is refused, so that a captured request cannot renew a grant. Errors: those of requireCaller, NOT_FOUND,
 * FORBIDDEN, CONFLICT, INVALID_WALLET_ADDRESS.
 */
export async function grantAccess(parts: Parts, grant: AccessGrant, credentials: Credentials) {
  const { qHash, viewerWallet, expiresInSeconds } = grant
  const caller = await requireCaller(credentials, grantAction(qHash, viewerWallet, expiresInSeconds), parts, {
    about: ownerIn(parts, qHash),
    needs: 'profile',
  })
  const viewer = addressOfIdentifier(viewerWallet)
  if (viewer === undefined || !looksLikeAddress(viewer))
    throw new AppError('INVALID_WALLET_ADDRESS', 'viewerWallet is not a wallet address', { path: '/viewerWallet' })
  const proof = requireProof(parts, qHash)
  if (!isOwnedBy(proof, caller))
    throw new AppError('FORBIDDEN', `only the wallet that signed this proof can share it; ${caller.wallet} did not`)

  const now = parts.now()
  const seconds = expiresInSeconds === undefined ? grantDefaultSeconds : expiresInSeconds
  const expiresAt = seconds === null ? null : now + seconds * 1000
  const outcome = await insertAccessGrant(
    parts.db,
    { proofId: proof.id, viewer: normalizeAddress(viewer), createdAt: now, expiresAt },
    caller.signed,
  )
  if (outcome === 'spent')
    throw new AppError('CONFLICT', 'this signature was used for a grant already: sign again with a new signedTimestamp')
  if (outcome === 'gone') throw new AppError('CONFLICT', 'the proof is revoked and can no longer be shared')
  return { qHash: proof.qHash, viewerWallet: normalizeAddress(viewer), expiresAt }
}
