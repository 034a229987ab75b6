/** The part of an envelope that names the proof: its hash is the qHash (CAIP-380). */
import { writeDid } from '../wallet/account.ts'
import { writeCanonicalJson } from './canonical-json.ts'
import type { SignedClaim } from './signer-string.ts'

/**
 * The members in code-point order, written out so that the canonical form of `data` is computed only once. The
 * signature, the options and the wallet's spelling are not in it: the DID stands for the wallet.
 */
export function writeCanonicalSubset(claim: SignedClaim): string {
  const { context } = claim
  const chain =
    context.chain === undefined ? `"chainId":${context.chainId}` : `"chain":${writeCanonicalJson(context.chain)}`
  const did = writeCanonicalJson(writeDid(context, claim.walletAddress))
  const ids = writeCanonicalJson(claim.verifierIds)
  return `{${chain},"data":${claim.canonicalData},"did":${did},"signedTimestamp":${claim.signedTimestamp},"verifierIds":${ids}}`
}
