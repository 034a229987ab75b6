/** The only error of the client module. module.d.ts documents its members. */
import type { ErrorFacts } from './module.d.ts'

export class ProofgateError extends Error {
  override readonly name = 'ProofgateError'
  // Declared only: class fields would make the module larger.
  declare readonly code: string
  declare readonly status: number
  declare readonly retryable: boolean
  declare readonly retryAfterSeconds?: number | undefined
  declare readonly details: Record<string, unknown>
  declare readonly uncertain: boolean
  declare readonly requestId?: string | undefined

  constructor(code: string, message: string, { retryable, details = {}, cause, ...facts }: ErrorFacts) {
    super(message, { cause })
    Object.assign(this, {
      code,
      retryable: retryable ?? isPassing(facts.status, code),
      details,
      uncertain: details.uncertain === true,
      ...facts,
    })
  }
}

/** No answer, too many calls, a server fault, or the one refusal that only time lifts (src/errors.ts). */
const isPassing = (status: number, code: string): boolean =>
  status === 0 || status === 429 || status >= 500 || code === 'GATE_NOT_STARTED'
