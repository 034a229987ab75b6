/** The id of a proof: SHAKE-256 (256 bits) over the canonical subset of the envelope (CAIP-380). */
import { didOf } from '../wallet/account.ts'
import { canonicalJson } from './canonical-json.ts'
import type { SignedClaim } from './signer-string.ts'

export const qHashPattern = '^0x[a-fA-F0-9]{64}$'

/**
 * `0x` and 64 lower-case hexadecimal digits. The signature, the options and the wallet's spelling are not hashed: the
 * DID stands for the wallet.
 */
export function qHashOf(claim: SignedClaim): string {
  return `0x${Bun.CryptoHasher.hash('shake256', canonicalSubset(claim), 'hex')}`
}

/** The members in code-point order, written out so that the canonical form of `data` is computed only once. */
function canonicalSubset(claim: SignedClaim): string {
  const { context } = claim
  const chain = context.chain === undefined ? `"chainId":${context.chainId}` : `"chain":${canonicalJson(context.chain)}`
  const did = canonicalJson(didOf(context, claim.walletAddress))
  const ids = canonicalJson(claim.verifierIds)
  return `{${chain},"data":${claim.canonicalData},"did":${did},"signedTimestamp":${claim.signedTimestamp},"verifierIds":${ids}}`
}
