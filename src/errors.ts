/**
 * The refusals of Proofgate, and the one table of their meaning on the wire.
 *
 * Three answers stay apart. "The claim does not hold" is a value (verifiers/verifier.ts). "The caller must change
 * something" is an AppError. Any other thrown value is a server fault and becomes an opaque 500.
 */

interface ErrorKind {
  readonly status: number
  readonly type: ErrorType
  /** True when the same request may succeed later without a change. */
  readonly retryable: boolean
  /** The name of this refusal in older clients. */
  readonly alias?: string
}

export type ErrorType =
  | 'validation'
  | 'auth'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'payment'
  | 'rate_limit'
  | 'verification'
  | 'unavailable'
  | 'internal'

const defineKind = (status: number, type: ErrorType, retryable = false, alias?: string): ErrorKind =>
  alias ? { status, type, retryable, alias } : { status, type, retryable }

export const errorKinds = {
  VALIDATION_ERROR: defineKind(400, 'validation'),
  INVALID_WALLET_ADDRESS: defineKind(400, 'validation', false, 'INVALID_WALLET'),
  INVALID_VERIFIER_DATA: defineKind(400, 'validation'),
  INVALID_VERIFIER_COMBINATION: defineKind(400, 'validation'),
  INVALID_VERIFIER_FLOW_COMBINATION: defineKind(400, 'validation'),
  VERIFIER_NOT_FOUND: defineKind(400, 'validation'),
  VERIFICATION_FAILED: defineKind(400, 'verification'),
  PROOF_NOT_VERIFIED: defineKind(400, 'verification'),
  GATE_REQUIREMENTS_NOT_MET: defineKind(400, 'verification'),
  GATE_CHECK_INCOMPLETE: defineKind(400, 'validation'),
  GATE_MISCONFIGURED: defineKind(400, 'validation'),
  GATE_PAUSED: defineKind(400, 'validation'),
  GATE_NOT_STARTED: defineKind(400, 'validation', true),
  GATE_ENDED: defineKind(400, 'validation'),
  SIGNATURE_INVALID: defineKind(401, 'auth', false, 'SIGNATURE_VERIFICATION_FAILED'),
  EXPIRED_SIGNATURE: defineKind(401, 'auth', false, 'SIGNATURE_EXPIRED'),
  WALLET_AUTH_REQUIRED: defineKind(401, 'auth'),
  PAYMENT_REQUIRED: defineKind(402, 'payment'),
  FORBIDDEN: defineKind(403, 'forbidden'),
  NOT_FOUND: defineKind(404, 'not_found'),
  PROOF_NOT_FOUND: defineKind(404, 'not_found', false, 'NOT_FOUND'),
  GATE_NOT_FOUND: defineKind(404, 'not_found', false, 'NOT_FOUND'),
  METHOD_NOT_ALLOWED: defineKind(405, 'validation'),
  CONFLICT: defineKind(409, 'conflict'),
  PAYMENT_ALREADY_USED: defineKind(409, 'conflict'),
  GATE_SOLD_OUT: defineKind(409, 'conflict'),
  GATE_LIMIT_REACHED: defineKind(409, 'conflict'),
  FULFILLMENT_SUSPENDED: defineKind(409, 'conflict'),
  PAYLOAD_TOO_LARGE: defineKind(413, 'validation'),
  UNSUPPORTED_MEDIA_TYPE: defineKind(415, 'validation'),
  RATE_LIMIT_EXCEEDED: defineKind(429, 'rate_limit', true, 'RATE_LIMITED'),
  HEADERS_TOO_LARGE: defineKind(431, 'validation'),
  INTERNAL_ERROR: defineKind(500, 'internal', true),
  SERVICE_UNAVAILABLE: defineKind(503, 'unavailable', true),
  STORAGE_FULL: defineKind(503, 'unavailable', true),
  VERIFIER_UNAVAILABLE: defineKind(503, 'unavailable', true),
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorKinds

/** The meaning of each code for a caller, as Markdown: the guide on errors shows it. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'A member, parameter or header is missing or malformed. `details` names it.',
  INVALID_WALLET_ADDRESS: 'An address is not one of the chain that the request names.',
  INVALID_VERIFIER_DATA: '`data` does not have the shape that the verifier asks for.',
  INVALID_VERIFIER_COMBINATION: '`verifierIds` names a verifier twice.',
  INVALID_VERIFIER_FLOW_COMBINATION: 'A verifier that needs a sign-in elsewhere must be asked for alone.',
  VERIFIER_NOT_FOUND: 'This server does not offer the verifier. The message says what is missing.',
  VERIFICATION_FAILED: 'The claim was checked and does not hold. `details` has the reason. Nothing is stored.',
  PROOF_NOT_VERIFIED: 'The proof is revoked or expired, so it opens no gate. Make a new one.',
  GATE_REQUIREMENTS_NOT_MET: 'The proofs do not satisfy the gate. `details` names the open requirements.',
  GATE_CHECK_INCOMPLETE: 'There are more proofs than one check may read. Name the proof with `qHash`.',
  GATE_MISCONFIGURED: 'The definition of the gate is wrong, or this server lacks a setting that it needs.',
  GATE_PAUSED: 'The owner has paused the gate.',
  GATE_NOT_STARTED: 'The gate opens later.',
  GATE_ENDED: 'The gate has closed.',
  SIGNATURE_INVALID: 'The signature does not fit the text and the wallet. Sign the text that `standardize` returns.',
  EXPIRED_SIGNATURE: '`signedTimestamp` is too old or too far ahead. Sign again.',
  WALLET_AUTH_REQUIRED: 'The request needs a session, an access key or the signature of the owner.',
  PAYMENT_REQUIRED: 'The gate has a price. The answer says what to pay and how.',
  FORBIDDEN: 'The credential is valid and does not allow this.',
  NOT_FOUND: 'There is nothing at this address, or nothing that the caller may see.',
  PROOF_NOT_FOUND: 'There is no proof with this `qHash` that the caller may see.',
  GATE_NOT_FOUND: 'There is no gate with this `gateId` that the caller may see.',
  METHOD_NOT_ALLOWED: 'The path exists, and does not take this method. `Allow` lists those it takes.',
  CONFLICT: 'The state has changed, or the signature was used before. The message says what to do.',
  PAYMENT_ALREADY_USED: 'This payment paid for something else already.',
  GATE_SOLD_OUT: 'All places of the gate are taken.',
  GATE_LIMIT_REACHED: 'This wallet has passed the gate as often as the gate allows.',
  FULFILLMENT_SUSPENDED: 'The payment was taken back, so the reward is withheld.',
  PAYLOAD_TOO_LARGE: 'The body is larger than this path takes.',
  UNSUPPORTED_MEDIA_TYPE: 'The body has another content type than this path reads, or is compressed.',
  RATE_LIMIT_EXCEEDED: 'Too many requests. `Retry-After` says when to go on.',
  HEADERS_TOO_LARGE: 'The headers are larger than this server reads.',
  INTERNAL_ERROR: 'A fault of this server. Its log has the `requestId`.',
  SERVICE_UNAVAILABLE: 'The server cannot answer now. With `uncertain: true` the change may be stored.',
  STORAGE_FULL: 'The disk is nearly full, so nothing new is stored.',
  VERIFIER_UNAVAILABLE: 'The claim could not be checked now: a chain or a provider does not answer. Nothing is stored.',
}

export type ErrorDetails = Readonly<Record<string, unknown>>

/** A refusal whose message tells the caller what happened, which input caused it, and what to do. */
export class AppError extends Error {
  override readonly name = 'AppError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    /** Response headers that belong to the refusal, such as Retry-After and Allow. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
  }

  get kind(): ErrorKind {
    return errorKinds[this.code]
  }
}
