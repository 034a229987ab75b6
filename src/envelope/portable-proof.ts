/**
 * The form of a proof that a caller takes away: everything that is needed to check, without this service, that a wallet
 * signed exactly this claim. It does not prove what the verifiers found.
 */
import { writeDid } from '../wallet/account.ts'
import { newestTitle, type SignedClaim } from './signer-string.ts'

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

export const makeReceipt = (_proof: PortableProof) => ({ format: envelopeFormat, portable: true }) as const

/** Of a claim that has no portable form: it holds at this server and nowhere else. */
export const makeLocalReceipt = (brand: string) => ({ format: `${brand}-receipt`, portable: false }) as const

/**
 * Why a claim has no portable form. `older-title`: it was signed under an older first line, and the portable form is a
 * closed set of members, which cannot carry it; who takes it away tries the newest. `older-title-within`: so was a
 * signature within its data.
 */
export type NotPortable = 'unsigned' | 'older-title' | 'older-title-within'

/** `title` is the first line that was signed, undefined where nothing was; `within` those of signatures in the data. */
export function findPortabilityFault(title: string | undefined, within: readonly string[]): NotPortable | undefined {
  if (title === undefined) return 'unsigned'
  if (within.some((one) => one !== newestTitle)) return 'older-title-within'
  return title === newestTitle ? undefined : 'older-title'
}

/** Of a claim in whose portability there is no fault. */
export function makePortableProof(made: {
  readonly qHash: string
  readonly claim: SignedClaim
  readonly data: object
  readonly signature: string
  readonly signatureMethod: string
}): PortableProof {
  const { claim } = made
  return {
    qHash: made.qHash,
    did: writeDid(claim.context, claim.walletAddress),
    walletAddress: claim.walletAddress,
    verifierIds: claim.verifierIds,
    data: made.data,
    signedTimestamp: claim.signedTimestamp,
    ...claim.context,
    signature: made.signature,
    signatureMethod: made.signatureMethod,
  }
}
