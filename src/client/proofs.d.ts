/** Claims, and the proofs that they become. */
import type { ReadOptions } from './calls.d.ts'

/** A claim. `walletAddress`, `signedTimestamp` and the chain default to the signer's. */
export interface Claim {
  readonly verifierIds: readonly string[]
  /** The verifiers' input: flat for one, by verifier id for several. JSON. */
  readonly data: object
  readonly walletAddress?: string | undefined
  readonly signedTimestamp?: number | undefined
  /** The EVM chain it is signed for. Default: the server's hub chain. */
  readonly chainId?: number | undefined
  /** CAIP-2, in place of `chainId`. */
  readonly chain?: string | undefined
  readonly signatureMethod?: string | undefined
  /** The wallet that the claim is about, if it is not the signer. */
  readonly subjectWallet?: string | undefined
  readonly options?: ClaimOptions | undefined
  readonly meta?: object | undefined
  readonly delegationQHash?: string | undefined
}

export interface ClaimOptions {
  /** Default `private`: only the owner, and the wallets it is shared with, see more than the status. */
  readonly privacyLevel?: 'private' | 'public' | undefined
  /** List a public proof under its wallet. */
  readonly publicDisplay?: boolean | undefined
  /** Keep `data.content`, sealed for a private proof. */
  readonly storeOriginalContent?: boolean | undefined
  /** Keep the portable form for the owner, sealed, without showing the content to anybody. */
  readonly keepPortable?: boolean | undefined
  /**
   * Record the qHash on the hub chain or on other chains, or pin a public proof on IPFS. The server refuses
   * unconfigured ones.
   */
  readonly publishToHub?: boolean | undefined
  readonly targetChains?: readonly number[] | undefined
  readonly enableIpfs?: boolean | undefined
  readonly meta?:
    | { readonly title?: string; readonly description?: string; readonly tags?: readonly string[] }
    | undefined
  readonly [name: string]: unknown
}

export interface SignedClaim extends Claim {
  readonly walletAddress: string
  readonly signedTimestamp: number
  readonly signature: string
}

export interface Prepared {
  /** Six lines, to be signed unchanged. */
  readonly signerString: string
  /** The request as the server understood it. */
  readonly bodyPreview: {
    readonly walletAddress: string
    readonly did: string
    /** The id of the future proof. */
    readonly qHash: string
    readonly chainId?: number
    readonly chain?: string
    /** The signed data, for an owner action with the audience. */
    readonly data?: object
  }
}

/** A proof. Strangers get the first five members of a private one. */
export interface Proof {
  readonly qHash: string
  /**
   * `verified`, `partially_verified`, `revoked` and `expired`. `imported`: it was made elsewhere, and no claim was
   * verified here. While it propagates to chains:
   * `verified_crosschain_initiated` and `verified_crosschain_propagating`. Afterwards: `verified_crosschain_propagated`
   * or `verified_propagation_failed`.
   */
  readonly status: string
  readonly privacyLevel: string
  readonly createdAt: number
  readonly lastUpdated: number
  readonly walletAddress?: string
  readonly did?: string
  readonly subjectWallet?: string
  readonly verifierIds?: readonly string[]
  readonly verifiedVerifiers?: readonly {
    readonly verifierId: string
    readonly verified: boolean
    readonly status: string
    /** The verifier's finding. */
    readonly data: Readonly<Record<string, unknown>>
  }[]
  readonly publicDisplay?: boolean
  readonly title?: string
  readonly tags?: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
  readonly chainId?: number
  readonly chain?: string
  readonly signedTimestamp?: number
  readonly completedAt?: number
  readonly revokedAt?: number | null
  readonly expiresAt?: number | null
  /** For proofs that were read from a chain: whether the blocks are final, or may still be replaced. */
  readonly final?: boolean
  /** `REORGANISED`: a block was replaced, and the claim did not hold when it was read again. */
  readonly revokedReason?: string
  /** The claims that were read again because their block was replaced. */
  readonly readAgain?: readonly {
    readonly verifierId: string
    readonly chain: string
    readonly blockNumber: number
    readonly blockHash: string
    readonly holds: boolean
    readonly readAt: number
  }[]
  readonly publicContent?: { readonly content: string }
  readonly crosschain?: Readonly<Record<string, unknown>>
  readonly proofUrl?: string
  /** The app that made it, as the client named it. */
  readonly appId?: string
}

export interface CreatedProof extends Proof {
  readonly receipt: { readonly format: string; readonly portable: boolean }
  /** Only here, and only when `receipt.portable` is true: keep it. */
  readonly portableProof?: PortableProof
}

/** The data to check a signed claim without a server (CAIP-380). Exactly one of `chainId` and `chain` is present. */
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

export interface PollOptions extends ReadOptions {
  /** The time limit, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number | undefined
  /** The first wait, in milliseconds. Default 1,000; each next one is half as long again, up to 15,000. */
  readonly intervalMs?: number | undefined
  /** Receives every proof that was read. */
  readonly onProof?: ((proof: Proof) => void) | undefined
}

export interface ListOptions extends ReadOptions {
  /** 1 to 1000 on one page. Default 50, for the owner 1000. */
  readonly limit?: number | undefined
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | null | undefined
  readonly status?: string | undefined
  readonly verifierIds?: readonly string[] | undefined
  /** With all of these tags. */
  readonly tags?: readonly string[] | undefined
  /** In title, description or a tag. */
  readonly q?: string | undefined
  readonly privacyLevel?: 'private' | 'public' | undefined
  /** Also revoked proofs, and those that a newer run of the same claim replaced. */
  readonly includeHistory?: boolean | undefined
}

export interface ProofPage {
  readonly proofs: readonly Proof[]
  /** null when a filter narrows a list with more than one page. */
  readonly totalCount: number | null
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

export interface VerifierCatalog {
  readonly ids: readonly string[]
  /**
   * By id: `flowType`, `dataSchema` (JSON Schema of `data`), `supportsDirectApi`, `judges` (the default and selectable
   * judges) and more.
   */
  readonly metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly meta: { readonly hubChainId: number; readonly [member: string]: unknown }
}

export interface VerifyOptions {
  /** Default: this machine's clock. It decides only `fresh`. */
  readonly now?: number | undefined
  /** How old, and how far ahead, a fresh signature may be, in milliseconds. Default 300,000 and 60,000. */
  readonly maxAgeMs?: number | undefined
  readonly maxAheadMs?: number | undefined
  /** Older first lines of the signed text that are accepted too. */
  readonly titles?: readonly string[] | undefined
}

export interface EnvelopeVerdict {
  readonly verdict: 'valid' | 'invalid' | 'undecided'
  readonly checks: { readonly qHash: boolean; readonly did: boolean; readonly signature: boolean }
  /** Whether it was signed just now. A proof does not become untrue with age. */
  readonly fresh: boolean
  /** A sentence for each check that fails. */
  readonly faults: readonly string[]
}

export interface Erased {
  /** Proofs deleted so far. */
  readonly erasedCount: number
  readonly alreadyRevoked: boolean
  readonly erasure?: {
    readonly id: string
    /** `traces-left`: deleted, but the files of the database may hold text still (`traces`). `done`: they do not. */
    readonly state: 'erasing' | 'traces-left' | 'done'
    readonly total: number
    readonly left: number
    readonly begunAt: string
    readonly deletedAt?: string
    readonly status: string
  }
  readonly traces?: { readonly pending: boolean; readonly since?: string }
}
