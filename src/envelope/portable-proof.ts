/**
 * The form of a proof that a caller takes away: everything that is needed to check, without this service, that a wallet
 * signed exactly this claim. It does not prove what the verifiers found.
 */
import { didOf } from '../wallet/account.ts'
import type { SignedClaim } from './signer-string.ts'

/** Closed: these members and no others (CAIP-380). Exactly one of chainId and chain is there. */
export interface PortableProof {
  readonly qHash: string
  readonly did: string
  readonly walletAddress: string
  readonly verifierIds: readonly string[]
  readonly data: object
  readonly signedTimestamp: number
  readonly signature: string
  readonly signatureMethod: string
  readonly chainId?: number
  readonly chain?: string
}

export const envelopeFormat = 'caip-380-envelope'

export const receiptOf = (_proof: PortableProof) => ({ format: envelopeFormat, portable: true }) as const

/** Of a claim that nobody signed: it holds at this server and nowhere else. */
export const localReceipt = (brand: string) => ({ format: `${brand}-receipt`, portable: false }) as const

export function portableProofOf(made: {
  readonly qHash: string
  readonly claim: SignedClaim
  readonly data: object
  readonly signature: string
  readonly signatureMethod: string
}): PortableProof {
  const { claim } = made
  return {
    qHash: made.qHash,
    did: didOf(claim.context, claim.walletAddress),
    walletAddress: claim.walletAddress,
    verifierIds: claim.verifierIds,
    data: made.data,
    signedTimestamp: claim.signedTimestamp,
    ...claim.context,
    signature: made.signature,
    signatureMethod: made.signatureMethod,
  }
}
