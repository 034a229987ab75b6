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

const kind = (status: number, type: ErrorType, retryable = false, alias?: string): ErrorKind =>
  alias ? { status, type, retryable, alias } : { status, type, retryable }

export const errorKinds = {
  VALIDATION_ERROR: kind(400, 'validation'),
  INVALID_WALLET_ADDRESS: kind(400, 'validation', false, 'INVALID_WALLET'),
  INVALID_VERIFIER_DATA: kind(400, 'validation'),
  INVALID_VERIFIER_COMBINATION: kind(400, 'validation'),
  INVALID_VERIFIER_FLOW_COMBINATION: kind(400, 'validation'),
  VERIFIER_NOT_FOUND: kind(400, 'validation'),
  VERIFICATION_FAILED: kind(400, 'verification'),
  PROOF_NOT_VERIFIED: kind(400, 'verification'),
  GATE_REQUIREMENTS_NOT_MET: kind(400, 'verification'),
  GATE_CHECK_INCOMPLETE: kind(400, 'validation'),
  GATE_MISCONFIGURED: kind(400, 'validation'),
  GATE_NOT_STARTED: kind(400, 'validation', true),
  GATE_ENDED: kind(400, 'validation'),
  SIGNATURE_INVALID: kind(401, 'auth', false, 'SIGNATURE_VERIFICATION_FAILED'),
  EXPIRED_SIGNATURE: kind(401, 'auth', false, 'SIGNATURE_EXPIRED'),
  WALLET_AUTH_REQUIRED: kind(401, 'auth'),
  PAYMENT_REQUIRED: kind(402, 'payment'),
  FORBIDDEN: kind(403, 'forbidden'),
  NOT_FOUND: kind(404, 'not_found'),
  PROOF_NOT_FOUND: kind(404, 'not_found', false, 'NOT_FOUND'),
  GATE_NOT_FOUND: kind(404, 'not_found', false, 'NOT_FOUND'),
  METHOD_NOT_ALLOWED: kind(405, 'validation'),
  CONFLICT: kind(409, 'conflict'),
  PAYMENT_ALREADY_USED: kind(409, 'conflict'),
  GATE_SOLD_OUT: kind(409, 'conflict'),
  GATE_LIMIT_REACHED: kind(409, 'conflict'),
  FULFILLMENT_SUSPENDED: kind(409, 'conflict'),
  PAYLOAD_TOO_LARGE: kind(413, 'validation'),
  UNSUPPORTED_MEDIA_TYPE: kind(415, 'validation'),
  RATE_LIMIT_EXCEEDED: kind(429, 'rate_limit', true, 'RATE_LIMITED'),
  HEADERS_TOO_LARGE: kind(431, 'validation'),
  INTERNAL_ERROR: kind(500, 'internal', true),
  SERVICE_UNAVAILABLE: kind(503, 'unavailable', true),
  STORAGE_FULL: kind(503, 'unavailable', true),
  VERIFIER_UNAVAILABLE: kind(503, 'unavailable', true),
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
