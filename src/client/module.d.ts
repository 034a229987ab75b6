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
 * Every time is in Unix milliseconds, every id of a proof is a qHash: `0x` and 64 hexadecimal digits. A server's
 * answers may have further members.
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
  /**
   * The address of the server: `https://proofs.example`, with a path if it has one. In a page also `location.origin`.
   */
  readonly url: string
  /** Headers of every call, such as `{ authorization: 'Bearer npk_…' }`; a function runs at each call. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** The time limit of one request, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /**
   * The clock, in place of `Date.now`. The first refused signature detects and corrects a clock that is wrong by up to
   * two days.
   */
  readonly now?: (() => number) | undefined
  /**
   * The server that the texts of owner actions name: the host of its `base_url`, with any non-default port. Default:
   * the host of `url`; set it when the server is reached by another name. A server refuses texts for another one
   * (SIGNATURE_INVALID; `details.audience` is its own name).
   */
  readonly audience?: string | undefined
}

/**
 * Every call rejects with ProofgateError when it failed, and with the reason of `signal` when that ended it. No call is
 * repeated automatically, unless a method says so.
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
   * The claim with its signature, ready to submit. It requests the text, unless `prepared` is given, and compares it
   * with the claim. A text that says anything else never reaches the wallet (NOT_OURS). Errors: those of standardize,
   * and any error of the signer, unchanged.
   */
  sign(signer: Signer, claim: Claim, options?: CallOptions & { readonly prepared?: Prepared }): Promise<SignedClaim>
  /**
   * Phase 2: a signed claim becomes a proof. The same claim again returns the proof it made, so it may be repeated
   * after NO_ANSWER. With a session or an access key, the owner's wallets need no signature. Errors: SIGNATURE_INVALID,
   * EXPIRED_SIGNATURE, VERIFICATION_FAILED (the claim does not hold), VERIFIER_UNAVAILABLE (it could not be looked up;
   * retryable), CONFLICT and others.
   */
  submit(claim: SignedClaim | Claim, options?: CallOptions): Promise<CreatedProof>
  /**
   * Standardizes, signs and submits in one call. If this machine's wrong clock caused a refusal, it signs once more
   * with the server's time. Errors: those of the three.
   */
  prove(signer: Signer, claim: Claim, options?: CallOptions): Promise<CreatedProof>
  /**
   * Reads a proof until its status is final, waiting longer each time and as long as the server asks (Retry-After).
   * Retryable errors are waited out. Errors: TIMEOUT (details.status is the last one seen), NOT_FOUND.
   */
  poll(qHash: string, options?: PollOptions): Promise<Proof>

  /**
   * One proof. Everybody sees the status of a private one. The signer of its owner, or of a wallet that it is shared
   * with, sees everything. Errors: NOT_FOUND.
   */
  proof(qHash: string, options?: ReadOptions & { readonly latestScope?: boolean }): Promise<Proof>
  /**
   * One page of a wallet's proofs, the newest first: the listed public ones, and with its signer all. Pass `nextCursor`
   * as `cursor` for the next page.
   */
  list(wallet: string, options?: ListOptions): Promise<ProofPage>
  /** Every proof of a wallet, page by page as they are asked for: `for await (const proof of client.listAll(wallet))`. */
  listAll(wallet: string, options?: ListOptions): AsyncGenerator<Proof, void, undefined>
  /**
   * Whether a wallet may pass, by a gate or by criteria. Public proofs count, and with a signer of `address` private
   * ones too. For a gate only `gate.allRequiredSatisfied` allows admission. Errors: GATE_NOT_FOUND, VALIDATION_ERROR.
   */
  check(criteria: CheckCriteria, options?: ReadOptions): Promise<CheckResult>

  /**
   * The public view of a gate: its criteria, price and reward. With a signer, its owner sees private ones. Errors:
   * GATE_NOT_FOUND.
   */
  gate(gateId: string, options?: ReadOptions): Promise<Gate>
  /**
   * The exact amount of a transfer that pays a gate for a proof. It keeps the gate's version and price, and holds a
   * place. An open quote is returned again. Errors: those of fulfil, and CONFLICT.
   */
  quote(gateId: string, qHash: string, options?: ReadOptions): Promise<TransferQuote>
  /**
   * Gets the reward of a gate for a proof, once: the same call again returns the same answer. A missing or unconfirmed
   * payment is an answer, not an error: it names the amount and the reason. Errors: GATE_REQUIREMENTS_NOT_MET,
   * GATE_NOT_STARTED, GATE_ENDED, GATE_SOLD_OUT, GATE_LIMIT_REACHED, PAYMENT_ALREADY_USED, SERVICE_UNAVAILABLE (the
   * payment could not be looked up; retryable) and others.
   */
  fulfil(gateId: string, order: FulfilOrder, options?: ReadOptions): Promise<Fulfilment | PaymentDue>

  /** Revokes a proof, for good. `alreadyRevoked` when it was revoked before. Errors: NOT_FOUND, FORBIDDEN. */
  revoke(qHash: string, options?: ReadOptions): Promise<{ readonly alreadyRevoked: boolean }>
  /**
   * Deletes everything that the server has of a wallet. It cannot be undone. Answers after 20 seconds at the latest:
   * `erasure.state` says whether it is done, and `erasure.status` is the path that tells it later.
   */
  erase(signer: Signer, options?: CallOptions): Promise<Erased>

  /** The verifiers of the server: their ids, their inputs, and the chains they know. */
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
  /** The present faults. For a server that is not ready, `details` of the error holds them. */
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
  /** The age of the oldest waiting write, in milliseconds. */
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
 * Checks a portable proof without a server. It is `valid` when three conditions hold. Its id is the hash of its
 * content, its DID names its wallet, and that wallet signed exactly this. It is `undecided` for a contract wallet,
 * whose chain alone can tell. So it is for Ed25519 in a page without https. Do not rely on an undecided proof. Valid
 * does not mean that the claim holds, nor that the proof was not revoked: its server says that. No JSON makes it
 * reject.
 */
export declare function verifyEnvelope(proof: unknown, options?: VerifyOptions): Promise<EnvelopeVerdict>

/** A call that failed. The message is a sentence for people, and may change; `code` does not. */
export declare class ProofgateError extends Error {
  override readonly name: 'ProofgateError'
  /**
   * The server's code (`SIGNATURE_INVALID`, `PAYMENT_REQUIRED`, …), or one of the client's own. These are `NO_ANSWER`,
   * `TIMEOUT`, `REDIRECTED`, `NOT_PROOFGATE` (an answer outside the API), `NOT_OURS` (the text to sign differs from the
   * claim), and `NO_ACCOUNT` (a wallet without one).
   */
  readonly code: string
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** Whether the same call may succeed later, without a change. */
  readonly retryable: boolean
  /** The time to wait before a retry, when the server gave one. */
  readonly retryAfterSeconds?: number | undefined
  /** The details of the code: `reason`, `path`, `serverTime`, `accepts`, …; empty without any. */
  readonly details: Record<string, unknown>
  /**
   * The server failed while it stored this, and the outcome is unknown. Repeat the call: it happens now, or the answer
   * says that it had happened.
   */
  readonly uncertain: boolean
  /** For finding the call in the server's log. */
  readonly requestId?: string | undefined
  constructor(code: string, message: string, facts: ErrorFacts)
}

export interface ErrorFacts {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** Derived from status and code by default. */
  readonly retryable?: boolean | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly details?: Record<string, unknown> | undefined
  readonly requestId?: string | undefined
  readonly cause?: unknown
}
