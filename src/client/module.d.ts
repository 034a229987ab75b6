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
import type { CallOptions, EthereumProvider, ReadOptions, RequestOptions, Signer, SolanaWallet } from './calls.d.ts'
import type { CheckCriteria, CheckResult, Fulfilment, FulfilOrder, Gate, PaymentDue, TransferQuote } from './gates.d.ts'
import type {
  Claim,
  CreatedProof,
  EnvelopeVerdict,
  Erased,
  ListOptions,
  PollOptions,
  Prepared,
  Proof,
  ProofPage,
  SignedClaim,
  VerifierCatalog,
  VerifyOptions,
} from './proofs.d.ts'

export type * from './calls.d.ts'
export type * from './gates.d.ts'
export type * from './proofs.d.ts'

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
  /**
   * Deletes everything that the server has of a wallet. It cannot be undone. Answers after 20 seconds at the latest:
   * `erasure.state` says whether it is done, and `erasure.status` is the path that tells it later.
   */
  erase(signer: Signer, options?: CallOptions): Promise<Erased>

  /** The kinds of claims that the server checks: their ids, what each takes, and the chains it knows. */
  verifiers(options?: CallOptions): Promise<VerifierCatalog>
  /** Whether the server works. Errors: NO_ANSWER, SERVICE_UNAVAILABLE. */
  health(options?: CallOptions): Promise<Health>
}

export interface Health {
  readonly status: string
  readonly version: string
  /** Seconds since the start. */
  readonly uptime: number
  /** `conditions` as sentences. */
  readonly issues?: readonly string[]
  /** What is wrong now. Of a server that is not ready, the error has it in `details`. */
  readonly conditions?: readonly {
    readonly name: string
    readonly level: 'failing' | 'warning'
    readonly says: string
    /** ISO 8601. */
    readonly since: string
    readonly count: number
  }[]
  /** null: none yet since the start. */
  readonly lastCommit?: { readonly result: 'stored' | 'failed'; readonly ageMs: number } | null
  /** How long the oldest write waits, in milliseconds. */
  readonly waitingMs?: number
  readonly heartbeat?: { readonly ageMs: number } | null
}

/**
 * The signer of a browser wallet: asks for its accounts (`eth_requestAccounts`) and signs by `personal_sign`. Without
 * `address` it is the first account. Errors: those of the wallet; ProofgateError NO_ACCOUNT.
 */
export declare function ethereumSigner(provider: EthereumProvider, address?: string): Promise<Signer>

/** The signer of a Solana wallet. `chain` is CAIP-2, default `solana:mainnet`. Throws ProofgateError NO_ACCOUNT. */
export declare function solanaSigner(wallet: SolanaWallet, chain?: string): Signer

/**
 * Checks a portable proof without a server. It is `valid` when its id is the hash of its content, its DID names its
 * wallet, and that wallet signed exactly this; it is `undecided` when only the chain of a contract wallet can tell (or,
 * for Ed25519, when this page did not come by https), and is not to be relied on then. Valid does not mean that the claim
 * holds, nor that the proof was not revoked: its server says that. No JSON makes it reject.
 */
export declare function verifyEnvelope(proof: unknown, options?: VerifyOptions): Promise<EnvelopeVerdict>

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
  /**
   * The server failed while it stored this, and nobody knows whether it did. Make the same call again: it happens now, or the
   * answer says that it had happened.
   */
  readonly uncertain: boolean
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
