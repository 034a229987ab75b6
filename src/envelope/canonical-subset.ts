/** The part of an envelope that names the proof: its hash is the qHash (CAIP-380). */
import { didOf } from '../wallet/account.ts'
import { canonicalJson } from './canonical-json.ts'
import type { SignedClaim } from './signer-string.ts'

/**
 * The members in code-point order, written out so that the canonical form of `data` is computed only once. The
 * signature, the options and the wallet's spelling are not in it: the DID stands for the wallet.
 */
export function canonicalSubset(claim: SignedClaim): string {
  const { context } = claim
  const chain = context.chain === undefined ? `"chainId":${context.chainId}` : `"chain":${canonicalJson(context.chain)}`
  const did = canonicalJson(didOf(context, claim.walletAddress))
  const ids = canonicalJson(claim.verifierIds)
  return `{${chain},"data":${claim.canonicalData},"did":${did},"signedTimestamp":${claim.signedTimestamp},"verifierIds":${ids}}`
}
