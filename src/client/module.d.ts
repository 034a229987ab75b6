/**
 * The client of a Proofgate, for browsers, Node (20 and later), Bun and Deno. One file without dependencies:
 *
 *     import { createClient } from 'https://proofs.example/client.js'
 *
 *     const client = createClient({ url: 'https://proofs.example' })
 *     const proof = await client.prove(signer, {
 *       verifierIds: ['ownership-basic'],
 *       data: { owner: signer.address, content: 'This is mine' },
 *     })
 *
 * Every time is in Unix milliseconds, every id of a proof is a qHash: `0x` and 64 hexadecimal digits. What a server
 * answers may grow members that are not named here.
 *
 * Pages of every origin may read the answers of the API, unless the operator of the server names some (`cors.origins`).
 */

/** A client of one server. Throws TypeError when `url` is no address of a server. */
export declare function createClient(options: ClientOptions): Client

export interface ClientOptions {
  /** Where the server is: `https://proofs.example`, with a path if it lies below one. In a page also `location.origin`. */
  readonly url: string
  /** Sent with every call, such as `{ authorization: 'Bearer npk_…' }`; a function is asked at each call. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** How long one request may take, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** The clock, in place of `Date.now`. A clock that is wrong by up to two days is found out by the first refused signature, and set right. */
  readonly now?: (() => number) | undefined
  /**
   * Which server the texts of owner actions are signed for: the host of its public address (`base_url`), with the port
   * where it is not the default one. Default the host of `url`; give it where the server is reached by another name. A
   * server refuses texts that are signed for another one (SIGNATURE_INVALID; `details.audience` is its own name).
   */
  readonly audience?: string | undefined
}

/**
 * Every call rejects with ProofgateError when it did not do what it was asked, and with the reason of `signal` when that
 * ended it. Nothing is sent twice on its own, but where a method says so.
 */
export interface Client {
  /** Any call of the API: the whole JSON answer. `path` begins with `/api/v1/`. */
  request<T>(method: string, path: string, options?: RequestOptions): Promise<T>

  /**
   * Phase 1: the exact text that a wallet signs for a claim. The claim needs `walletAddress` and `signedTimestamp`.
   * Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS, VERIFIER_NOT_FOUND, INVALID_VERIFIER_DATA.
   */
  standardize(claim: Claim, options?: CallOptions): Promise<Prepared>
  /**
   * The claim with its signature, ready to submit. Asks for the text, unless `prepared` is given, and holds it against
   * the claim: a text that says anything else is not shown to the wallet (NOT_OURS). Errors: those of standardize, and
   * whatever the signer throws, as it is.
   */
  sign(signer: Signer, claim: Claim, options?: CallOptions & { readonly prepared?: Prepared }): Promise<SignedClaim>
  /**
   * Phase 2: a signed claim becomes a proof. The same claim again answers with the proof it made, so that it may be sent
   * again after NO_ANSWER. For a wallet of whoever is signed in, or sends an access key, the signature may be left out.
   * Errors: SIGNATURE_INVALID, EXPIRED_SIGNATURE, VERIFICATION_FAILED (the claim does not hold), VERIFIER_UNAVAILABLE (it
   * could not be looked up; retryable), CONFLICT and others.
   */
  submit(claim: SignedClaim | Claim, options?: CallOptions): Promise<CreatedProof>
  /**
   * Standardize, sign and submit in one. A signature that was refused because the clock of this machine is wrong is made
   * once more with the time of the server. Errors: those of the three.
   */
  prove(signer: Signer, claim: Claim, options?: CallOptions): Promise<CreatedProof>
  /**
   * Reads a proof until its status is final, waiting longer each time and as long as the server asks (Retry-After).
   * Retryable errors are waited out. Errors: TIMEOUT (details.status is the last one seen), NOT_FOUND.
   */
  poll(qHash: string, options?: PollOptions): Promise<Proof>

  /**
   * One proof. A private one shows its status to everybody; with the signer of its owner, or of a wallet that it is
   * shared with, everything. Errors: NOT_FOUND.
   */
  proof(qHash: string, options?: ReadOptions & { readonly latestScope?: boolean }): Promise<Proof>
  /**
   * One page of the proofs of a wallet, the newest first: the listed public ones, and with its signer all. Pass
   * `nextCursor` as `cursor` for the page after it.
   */
  list(wallet: string, options?: ListOptions): Promise<ProofPage>
  /** Every proof of a wallet, page by page as they are asked for: `for await (const proof of client.listAll(wallet))`. */
  listAll(wallet: string, options?: ListOptions): AsyncGenerator<Proof, void, undefined>
  /**
   * Whether a wallet may pass, by a gate or by criteria. Public proofs count, and with a signer of `address` private ones
   * too. Of a gate only `gate.allRequiredSatisfied` says that somebody may be let in. Errors: GATE_NOT_FOUND,
   * VALIDATION_ERROR.
   */
  check(criteria: CheckCriteria, options?: ReadOptions): Promise<CheckResult>

  /** What a gate asks, costs and gives, as everybody may see it; with a signer its owner sees private ones. Errors: GATE_NOT_FOUND. */
  gate(gateId: string, options?: ReadOptions): Promise<Gate>
  /**
   * The exact amount of a transfer that pays a gate for a proof: its version and its price are kept, and a place is held.
   * The same one while it is open. Errors: those of fulfil, and CONFLICT.
   */
  quote(gateId: string, qHash: string, options?: ReadOptions): Promise<TransferQuote>
  /**
   * Gets the reward of a gate for a proof, once: the same call again gives the same answer. A payment that is missing or
   * not confirmed yet is no error but an answer, which says what to pay and why. Errors: GATE_REQUIREMENTS_NOT_MET,
   * GATE_NOT_STARTED, GATE_ENDED, GATE_SOLD_OUT, GATE_LIMIT_REACHED, PAYMENT_ALREADY_USED, SERVICE_UNAVAILABLE (the
   * payment could not be looked up; retryable) and others.
   */
  fulfil(gateId: string, order: FulfilOrder, options?: ReadOptions): Promise<Fulfilment | PaymentDue>

  /** Takes a proof back, for good. `alreadyRevoked` when that was done before. Errors: NOT_FOUND, FORBIDDEN. */
  revoke(qHash: string, options?: ReadOptions): Promise<{ readonly alreadyRevoked: boolean }>
  /** Deletes everything that the server has of a wallet. It cannot be undone. */
  erase(
    signer: Signer,
    options?: CallOptions,
  ): Promise<{ readonly erasedCount: number; readonly alreadyRevoked: boolean }>

  /** The kinds of claims that the server checks: their ids, what each takes, and the chains it knows. */
  verifiers(options?: CallOptions): Promise<VerifierCatalog>
  /** Whether the server works. Errors: NO_ANSWER, SERVICE_UNAVAILABLE. */
  health(options?: CallOptions): Promise<{ readonly status: string; readonly version: string; readonly uptime: number }>
}

export interface CallOptions {
  /** Ends the call; the promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

export interface RequestOptions extends CallOptions {
  /** Members that are undefined are left out; lists are joined by commas. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  /** Sent as JSON. */
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type QueryValue = string | number | boolean | readonly string[] | null | undefined

export interface ReadOptions extends CallOptions {
  /**
   * The wallet that asks. It signs a text that names the action; the signature is used again for four minutes, so that
   * pages and polls do not ask the person again. Not needed for whoever is signed in or sends an access key.
   */
  readonly signer?: Signer | undefined
}

/** What signs for a wallet. A viem account: `{ address, sign: (message) => account.signMessage({ message }) }`. */
export interface Signer {
  readonly address: string
  /** Signs the text as it is: EIP-191 for EVM wallets (`0x…`), Ed25519 over its UTF-8 bytes for others (base58 or hex). */
  sign(text: string): string | Promise<string>
  /** CAIP-2. Needed for wallets that are not EVM (`solana:mainnet`), and for contract wallets: the chain they are on. */
  readonly chain?: string | undefined
  /** `eip191`, `ed25519`, or `eip1271` for a contract wallet. Default by the chain. */
  readonly signatureMethod?: string | undefined
}

/** EIP-1193, as browser wallets provide it. */
export interface EthereumProvider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

/**
 * The signer of a browser wallet: asks for its accounts (`eth_requestAccounts`) and signs by `personal_sign`. Without
 * `address` it is the first account. Errors: those of the wallet; ProofgateError NO_ACCOUNT.
 */
export declare function ethereumSigner(provider: EthereumProvider, address?: string): Promise<Signer>

/** A wallet of the Wallet Standard with `solana:signMessage`, connected; or one with `publicKey` and `signMessage`. */
export type SolanaWallet =
  | {
      readonly publicKey: { toString(): string } | null
      signMessage(message: Uint8Array): Promise<Uint8Array | { readonly signature: Uint8Array }>
    }
  | {
      readonly accounts: readonly { readonly address: string }[]
      readonly features: object
    }

/** The signer of a Solana wallet. `chain` is CAIP-2, default `solana:mainnet`. Throws ProofgateError NO_ACCOUNT. */
export declare function solanaSigner(wallet: SolanaWallet, chain?: string): Signer

/** What somebody claims. `walletAddress`, `signedTimestamp` and the chain come from the signer where they are left out. */
export interface Claim {
  readonly verifierIds: readonly string[]
  /** As the verifiers ask for it: flat for one, by verifier id for several. JSON. */
  readonly data: object
  readonly walletAddress?: string | undefined
  readonly signedTimestamp?: number | undefined
  /** The EVM chain it is signed for; the hub chain of the server where nothing is said. */
  readonly chainId?: number | undefined
  /** CAIP-2, in place of `chainId`. */
  readonly chain?: string | undefined
  readonly signatureMethod?: string | undefined
  /** The wallet that the claim is about, where it is not the one that signs. */
  readonly subjectWallet?: string | undefined
  readonly options?: ClaimOptions | undefined
  readonly meta?: object | undefined
  readonly delegationQHash?: string | undefined
}

export interface ClaimOptions {
  /** Default `private`: only the owner, and those it is shared with, see more than the status. */
  readonly privacyLevel?: 'private' | 'public' | undefined
  /** List a public proof under its wallet. */
  readonly publicDisplay?: boolean | undefined
  /** Keep `data.content`, sealed for a private proof. */
  readonly storeOriginalContent?: boolean | undefined
  /** Record the qHash on the hub chain, on other chains, pin a public proof on IPFS: refused where it is not configured. */
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
  /** Six lines, to be signed as they are. */
  readonly signerString: string
  /** What was understood. */
  readonly bodyPreview: {
    readonly walletAddress: string
    readonly did: string
    /** The id that the proof will have. */
    readonly qHash: string
    readonly chainId?: number
    readonly chain?: string
    /** As it is signed: with the audience, where it is an owner action. */
    readonly data?: object
  }
}

/** A proof. Of a private one a stranger gets the first five members. */
export interface Proof {
  readonly qHash: string
  /**
   * `verified`, `partially_verified`, `revoked` and `expired`; on the way to chains `verified_crosschain_initiated` and
   * `verified_crosschain_propagating`, at the end of it `verified_crosschain_propagated` or `verified_propagation_failed`.
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
    /** What the verifier found. */
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
  /** Of proofs that were read from a chain: whether the blocks are final, or may still be replaced. */
  readonly final?: boolean
  /** `REORGANISED`: a block was replaced, and the claim did not hold when it was read again. */
  readonly revokedReason?: string
  /** Where claims were read again whose block was replaced. */
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
}

export interface CreatedProof extends Proof {
  readonly receipt: { readonly format: string; readonly portable: boolean }
  /** Only here, and only where a wallet signed: keep it. */
  readonly portableProof?: PortableProof
}

/** All that is needed to check a signed claim without a server (CAIP-380). Exactly one of `chainId` and `chain` is there. */
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
  /** Gives up after this time, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number | undefined
  /** The first wait, in milliseconds. Default 1,000; each next one is half as long again, up to 15,000. */
  readonly intervalMs?: number | undefined
  /** Told of every proof that was read. */
  readonly onProof?: ((proof: Proof) => void) | undefined
}

export interface ListOptions extends ReadOptions {
  /** 1 to 1000 on one page. Default 50, for the owner 1000. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
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
  /** null where a filter narrows the list, and for contract wallets. */
  readonly totalCount: number | null
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/** `gateId`, or what a proof must show: the parameters of GET /api/v1/proofs/check. */
export interface CheckCriteria {
  /** The wallet, or did:pkh of one. That of the signer where it is left out. */
  readonly address?: string | undefined
  readonly gateId?: string | undefined
  readonly qHash?: string | undefined
  readonly verifierIds?: readonly string[] | undefined
  /** One proof must hold all of verifierIds. */
  readonly requireAll?: boolean | undefined
  /** So many different claims must match. Default 1. */
  readonly minCount?: number | undefined
  /** Made at this time or later. */
  readonly since?: number | undefined
  readonly sinceDays?: number | undefined
  readonly tags?: readonly string[] | undefined
  /** Also which proof meets which requirement, and the ids of private proofs. */
  readonly includeQHashes?: boolean | undefined
  /** Also why, and what would help. */
  readonly explain?: boolean | undefined
  readonly [parameter: string]: QueryValue
}

export interface CheckResult {
  /** Whether the criteria are met. Of a gate ask `gate.allRequiredSatisfied`. */
  readonly eligible: boolean
  readonly matchedCount: number
  readonly matchedQHashes: readonly string[]
  readonly matchedTags: readonly string[]
  /** Of matches that were read from a chain: whether all of their blocks are final. */
  readonly final?: boolean
  readonly complete: boolean
  readonly gate?: {
    readonly gateId: string
    /** The only sign that the gate may let somebody in. */
    readonly allRequiredSatisfied: boolean
    readonly satisfiedVerifierIds: readonly string[]
    readonly missingVerifierIds: readonly string[]
    readonly matchedQHashes: readonly string[]
    readonly state: 'open' | 'not_started' | 'ended'
  }
  readonly explain?: readonly Readonly<Record<string, unknown>>[]
}

export interface Gate {
  readonly gateId: string
  readonly name: string
  readonly status: string
  /** Rises with every change of the gate. */
  readonly version: number
  readonly requirements: readonly {
    readonly id: string
    readonly verifierId: string
    readonly match: readonly Readonly<Record<string, unknown>>[]
    readonly optional: boolean
    readonly minCount: number
    readonly maxAgeMs?: number
    /** Only proofs whose blocks are final count. */
    readonly final?: boolean
    /** The chain is asked again before the reward is given. */
    readonly recheck?: boolean
  }[]
  readonly monetization: {
    /** null: free. */
    readonly charge: Readonly<Record<string, unknown>> | null
  }
  readonly schedule: { readonly startsAt: string | null; readonly endsAt: string | null }
  /** null: without a limit. `held` of those that are left are held right now for buyers who are paying. */
  readonly supply: { readonly total: number | null; readonly left: number | null; readonly held?: number | null }
  readonly [member: string]: unknown
}

/** A proof of the buyer, and how it was paid where the gate has a price. */
export interface FulfilOrder {
  readonly qHash: string
  /** The transaction that paid, where the gate takes stablecoins. */
  readonly paymentTxHash?: string | undefined
  /** The quote that the transfer was made for: POST /api/v1/payments/quote. */
  readonly paymentQuoteId?: string | undefined
  /** The checkout that paid, where it takes cards. */
  readonly paymentCheckoutSessionId?: string | undefined
  /** x402: the signed payment, base64 of JSON, sent as PAYMENT-SIGNATURE. */
  readonly paymentSignature?: string | undefined
}

export interface QuotedAmount {
  /** CAIP-2 id of the chain. */
  readonly network: string
  readonly asset: string
  readonly assetAddress: string
  readonly decimals: number
  /** Base units: exactly so much is to be transferred. */
  readonly amount: string
  /** The same for people, such as 4.993217. */
  readonly amountText: string
}

/** A transfer of exactly `amount` in its time pays, whoever sends it. */
export interface TransferQuote extends QuotedAmount {
  /** The paymentQuoteId for the fulfilment. */
  readonly quoteId: string
  readonly gateId: string
  readonly qHash: string
  /** Of the gate: its price holds, and its reward is bought. */
  readonly version: number
  readonly recipient: string
  /** All tokens that it may be paid in. */
  readonly tokens: readonly QuotedAmount[]
  readonly rewardAfter?: 'first_block' | 'confirmations' | 'final'
  /** Unix milliseconds. */
  readonly openedAt: number
  /** Until when the transfer must be in a block. */
  readonly expiresAt: number
  /** Until when a place at the gate is held. */
  readonly reservedUntil: number
}

export interface Delivery {
  readonly delivery: string
  readonly type: 'access' | 'redirect_url' | 'download_url' | 'text'
  /** The address or the text; null where access itself is the reward. */
  readonly value: string | null
  readonly label?: string
  readonly message?: string
}

export interface Fulfilment {
  readonly fulfilled: true
  readonly gateId: string
  readonly qHash: string
  readonly fulfillment: Delivery
  /** Further rewards of the gate. */
  readonly rewardPack: readonly Delivery[]
  /** What the buyer can show. */
  readonly rewardProof: { readonly receiptId: string; readonly receiptUrl: string; readonly [member: string]: unknown }
  readonly successReturnUrl?: string
  /** The payment that came along and was not needed, because another one was there before: what became of it. */
  readonly unmatched?: UnmatchedPayment
  /**
   * Another transfer than the one that bought this came along, and was not written down as a payment: not yet, where
   * `retryAfterSeconds` says when to send it again.
   */
  readonly secondPayment?: {
    readonly transactionHash: string
    readonly reason: string
    readonly message: string
    readonly retryAfterSeconds?: number
  }
}

/** Money that arrived and bought nothing: in a fulfilment, or as `details.unmatched` of a refusal. */
export interface UnmatchedPayment {
  readonly identity: string
  readonly method: string
  /** `owed` by the seller, `refunding` by the server, `refunded`, or `used` for another gate of the same seller. */
  readonly state: 'owed' | 'refunding' | 'refunded' | 'used'
  /** The code of the refusal, such as `GATE_SOLD_OUT`. */
  readonly reason: string
  readonly payer: string | null
  /** In base units of the token, or cents. */
  readonly amount: string | null
  readonly amountUsd: string | null
  /** To be sent as `paymentTxHash` at any gate of the same seller. */
  readonly transactionHash: string | null
  readonly paidAt: number | null
  /** Where it is `owed`: who can use it, once. `buyer`: the wallet whose quote it paid, whoever sent the money. */
  readonly usableBy?: readonly ('payer' | 'buyer')[]
  /** Where it is `refunded`. */
  readonly givenBackBy?: 'server' | 'seller'
  /** The transaction by which the seller gave it back, where the seller named it. */
  readonly returnTransactionHash: string | null
}

/** Pay in one of these ways, and ask again with the payment. */
export interface PaymentDue {
  readonly fulfilled: false
  /** `PAYMENT_MISSING`, `METHOD_NOT_ACCEPTED`, or what is wrong with the payment that was sent. */
  readonly reason: string
  /** A sentence for people. */
  readonly message: string
  /** US dollars, as a decimal text. */
  readonly amountUsd: string
  /** The ways to pay: `stablecoin`, `card` and `x402`, each with what belongs to it. */
  readonly accepts: readonly { readonly method: string; readonly [member: string]: unknown }[]
  /** When the reward of a payment on a chain is handed out. */
  readonly rewardAfter?: 'first_block' | 'confirmations' | 'final'
  /** `PAYMENT_MISSING`: a page of payment by card that is open for the same proof. Until it ends, finish it or wait. */
  readonly openCheckout?: { readonly paymentCheckoutSessionId: string; readonly expiresAt: number }
  /** It may be paid already, and is waited for: ask again after so many seconds. */
  readonly retryAfterSeconds?: number | undefined
  /** x402: the PAYMENT-REQUIRED header, base64 of JSON. */
  readonly paymentRequired?: string
}

export interface VerifierCatalog {
  readonly ids: readonly string[]
  /** By id: `flowType`, `dataSchema` (JSON Schema of `data`), `supportsDirectApi`, `judges` (who is asked, who may be named) and more. */
  readonly metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly meta: { readonly hubChainId: number; readonly [member: string]: unknown }
}

/**
 * Checks a portable proof without a server. It is `valid` when its id is the hash of its content, its DID names its
 * wallet, and that wallet signed exactly this; it is `undecided` when only the chain of a contract wallet can tell (or,
 * for Ed25519, when this page did not come by https), and is not to be relied on then. Valid does not mean that the claim
 * holds, nor that the proof was not revoked: its server says that. No JSON makes it reject.
 */
export declare function verifyEnvelope(proof: unknown, options?: VerifyOptions): Promise<EnvelopeVerdict>

export interface VerifyOptions {
  /** Default: the clock of this machine. Decides `fresh` and nothing else. */
  readonly now?: number | undefined
  /** How old, and how far ahead, a fresh signature may be, in milliseconds. Default 300,000 and 60,000. */
  readonly maxAgeMs?: number | undefined
  readonly maxAheadMs?: number | undefined
  /** Older first lines of the signed text to accept as well. */
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

/** A call that did not do what it was asked. The message is a sentence for people, and may change; `code` does not. */
export declare class ProofgateError extends Error {
  override readonly name: 'ProofgateError'
  /**
   * The code of the server (`SIGNATURE_INVALID`, `PAYMENT_REQUIRED`, …), or one of the client's own: `NO_ANSWER`,
   * `TIMEOUT`, `REDIRECTED`, `NOT_PROOFGATE` (an answer that is not of the API), `NOT_OURS` (a text to sign that is not
   * the one for the claim), `NO_ACCOUNT` (a wallet without one).
   */
  readonly code: string
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** Whether the same call may succeed later, without a change. */
  readonly retryable: boolean
  /** How long to wait before that, when the server said so. */
  readonly retryAfterSeconds?: number | undefined
  /** What belongs to the code: `reason`, `path`, `serverTime`, `accepts`, …; empty when there is nothing. */
  readonly details: Record<string, unknown>
  /** For whoever reads the log of the server. */
  readonly requestId?: string | undefined
  constructor(code: string, message: string, facts: ErrorFacts)
}

export interface ErrorFacts {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** By status and code, where nothing is said. */
  readonly retryable?: boolean | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly details?: Record<string, unknown> | undefined
  readonly requestId?: string | undefined
  readonly cause?: unknown
}
