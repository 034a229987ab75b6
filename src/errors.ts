/**
 * The refusals Proofgate gives, and the one table that says what each means on the wire.
 *
 * Three answers stay apart. "The claim does not hold" is a value (verifiers/verifier.ts). "The caller must change
 * something" is an AppError. Anything else that is thrown is a fault of ours and leaves the process as an opaque 500.
 */

interface ErrorKind {
  readonly status: number
  readonly type: ErrorType
  /** True when the same request may succeed later without a change. */
  readonly retryable: boolean
  /** The name other generations of clients know this refusal by. */
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
