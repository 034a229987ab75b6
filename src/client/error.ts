/** The one error of the client module: what went wrong, in words for programs and for people. */

export interface ErrorFacts {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly retryable?: boolean | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly details?: Record<string, unknown> | undefined
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** A call that did not do what it was asked. The message is a sentence for people, and may change; `code` does not. */
export class ProofgateError extends Error {
  override readonly name = 'ProofgateError'
  /**
   * The code of the server (`SIGNATURE_INVALID`, `PAYMENT_REQUIRED`, …), or one of the client's own: `NO_ANSWER`,
   * `TIMEOUT`, `REDIRECTED`, `NOT_PROOFGATE` (an answer that is not of the API), `NOT_OURS` (a text to sign that is not
   * what was asked for).
   */
  readonly code: string
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** Whether the same call may succeed later, without a change. */
  readonly retryable: boolean
  /** How long to wait before that, when the server said so. */
  readonly retryAfterSeconds?: number
  /** What belongs to the code: `reason`, `path`, `serverTime`, `accepts`, …; empty when there is nothing. */
  readonly details: Record<string, unknown>
  /** For whoever reads the log of the server. */
  readonly requestId?: string

  constructor(
    code: string,
    message: string,
    { status, retryable, retryAfterSeconds, details, requestId, cause }: ErrorFacts,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.retryable = retryable ?? isPassing(status, code)
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds
    this.details = details ?? {}
    if (requestId !== undefined) this.requestId = requestId
  }
}

/** No answer, too many calls, or a fault of the server; and the one refusal that only time lifts (src/errors.ts). */
const isPassing = (status: number, code: string): boolean =>
  status === 0 || status === 429 || status >= 500 || code === 'GATE_NOT_STARTED'
