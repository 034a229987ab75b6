/**
 * Verifies that a wallet signed a portable proof. The server, its command and the client module share this rule; they
 * differ in the code for hashes and signatures.
 */
import { type ChainContext, writeChain, writeDid } from '../wallet/account.ts'
import { type FreshnessWindow, isFresh } from '../wallet/freshness.ts'
import type { VerifySignature } from '../wallet/signature.ts'
import { isContractMethod } from '../wallet/signature-method.ts'
import { CanonicalJsonError, writeCanonicalJson } from './canonical-json.ts'
import type { PortableProof } from './portable-proof.ts'
import { type SignedClaim, writeSignerString } from './signer-string.ts'

export interface OfflineChecks {
  readonly qHash: boolean
  readonly did: boolean
  readonly signature: boolean
}

export interface OfflineVerdict {
  /** All three checks hold. Freshness is separate: a proof does not become untrue with age. */
  readonly valid: boolean
  readonly checks: OfflineChecks
  readonly fresh: boolean
  /** Only the chain of a contract wallet could decide the signature, and none was available. */
  readonly needsChain: boolean
  /** A sentence for each check that fails. */
  readonly faults: readonly string[]
}

/**
 * Checks a portable proof with nothing but the proof, and the chain of a contract wallet where `verifySignature` has it.
 * `titles` are the first lines to try, the newest first. Errors: OutsideError.
 */
export async function verifyPortableProof(
  proof: PortableProof,
  tools: {
    readonly deriveQHash: (claim: SignedClaim) => string
    readonly verifySignature: VerifySignature
    readonly titles: readonly string[]
    readonly now: number
    readonly window: FreshnessWindow
  },
): Promise<OfflineVerdict> {
  const context: ChainContext = proof.chain === undefined ? { chainId: proof.chainId ?? 0 } : { chain: proof.chain }
  const fresh = isFresh(proof.signedTimestamp, tools.now, tools.window)
  let qHash: string
  let texts: readonly string[]
  try {
    const claim: SignedClaim = {
      walletAddress: proof.walletAddress,
      verifierIds: proof.verifierIds,
      canonicalData: writeCanonicalJson(proof.data),
      signedTimestamp: proof.signedTimestamp,
      context,
    }
    qHash = tools.deriveQHash(claim)
    texts = tools.titles.map((title) => writeSignerString(claim, title))
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error
    return {
      valid: false,
      checks: { qHash: false, did: false, signature: false },
      fresh,
      needsChain: false,
      faults: [`data: ${error.message}`],
    }
  }
  const faults: string[] = []
  if (qHash !== proof.qHash.toLowerCase()) faults.push(`qHash: the content hashes to ${qHash}, not to ${proof.qHash}`)
  const did = writeDid(context, proof.walletAddress)
  if (did !== proof.did) faults.push(`did: wallet and chain give ${did}, not ${proof.did}`)
  const verdict = await tools.verifySignature(
    {
      address: proof.walletAddress,
      chain: writeChain(context),
      signature: proof.signature,
      method: proof.signatureMethod,
    },
    texts,
  )
  if (!verdict.signed) faults.push(`signature: ${verdict.message}`)
  return {
    valid: faults.length === 0,
    checks: { qHash: qHash === proof.qHash.toLowerCase(), did: did === proof.did, signature: verdict.signed },
    fresh,
    needsChain: !verdict.signed && verdict.reason === 'NO_CHAIN' && isContractMethod(proof.signatureMethod),
    faults,
  }
}
