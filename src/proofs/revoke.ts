import { type Credentials, requireCaller } from '../auth/caller.ts'
import type { Identity } from '../auth/identity.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { walletLinkId } from '../verifiers/roles.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import type { Account } from '../wallet/account.ts'
import { isContractMethod } from '../wallet/signature-method.ts'
import { revokeAction } from './actions.ts'
import { isProofOwner } from './owner.ts'
import type { ProofRow } from './proof.ts'
import { makeOwnerTest, requireProof } from './read.ts'
import { markRevoked } from './store.ts'

/**
 * Revokes a proof for the wallet that controls it: its signer. Revoking again is not an error. The record stays
 * readable by id, and counts nowhere. Errors: those of requireCaller, NOT_FOUND, FORBIDDEN.
 */
export async function revokeProof(parts: Parts, qHash: string, credentials: Credentials) {
  const caller = await requireCaller(credentials, revokeAction(qHash), parts, {
    about: await makeOwnerTest(parts, qHash),
  })
  const proof = await requireProof(parts, qHash)
  if (!isProofOwner(proof, caller))
    throw new AppError('FORBIDDEN', `only the wallet that signed this proof can revoke it; ${caller.wallet} did not`)
  if (caller.identity) requireOwnLink(proof, caller.identity)

  return { alreadyRevoked: !(await markRevoked(parts.db, proof, parts.now())) }
}

/** A link is dissolved by the primary wallet or by the linked wallet itself, as in people/wallets.ts. Errors: FORBIDDEN. */
function requireOwnLink({ record }: ProofRow, { via, signedInAs }: Identity): void {
  if (via === 'session') return
  const links = record.rows.filter(({ verifierId, verified }) => verifierId === walletLinkId && verified)
  if (links.every(({ data }) => signedInAs !== undefined && isSecond(signedInAs, data))) return
  throw new AppError(
    'FORBIDDEN',
    'a wallet is unlinked by the primary wallet or by itself: sign the request with one of them, or use a browser that it is signed in to',
  )
}

/** Whether the account is the linked one of a link, and not another one at its address. */
function isSecond(
  { wallet, contractOn }: Account,
  { secondaryWalletAddress, chain, signatureMethod }: Evidence,
): boolean {
  if (secondaryWalletAddress !== wallet) return false
  // Older links, without the method, may belong to either.
  if (contractOn === undefined) return !isContractMethod(String(signatureMethod))
  return contractOn === chain && (signatureMethod === undefined || isContractMethod(String(signatureMethod)))
}
