/**
 * The form of a proof that a caller keeps. It suffices to check, without this service, that a wallet signed exactly
 * this claim. It does not prove the findings of the verifiers.
 */
import { writeDid } from '../wallet/account.ts'
import { newestTitle, type SignedClaim } from './signer-string.ts'

/** Closed: these members and no others (CAIP-380). Exactly one of chainId and chain is present. */
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

/** The receipt of a claim without a portable form: it is valid only at this server. */
export const makeLocalReceipt = (brand: string) => ({ format: `${brand}-receipt`, portable: false }) as const

/**
 * The reason why a claim has no portable form. `older-title`: its first line is an older one, which the closed set of
 * portable members cannot carry. A reader would try the newest title. `older-title-within`: the same holds for a
 * signature within its data.
 */
export type NotPortable = 'unsigned' | 'older-title' | 'older-title-within'

/**
 * `title` is the signed first line, undefined without a signature; `within` lists the first lines of signatures in the
 * data.
 */
export function findPortabilityFault(title: string | undefined, within: readonly string[]): NotPortable | undefined {
  if (title === undefined) return 'unsigned'
  if (within.some((one) => one !== newestTitle)) return 'older-title-within'
  return title === newestTitle ? undefined : 'older-title'
}

/** The portable proof of a claim without a portability fault. */
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
