/** Reports failed looks, each cause once a minute: many payments may wait for the same endpoint. */
import { OutsideError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'

export interface Words {
  /** The messages for an outage, and for an internal fault. */
  readonly outage: string
  readonly fault: string
}

export const openTeller =
  ({ log }: Pick<Parts, 'log'>, { outage, fault }: Words): ((error: unknown) => void) =>
  (error) => {
    if (!(error instanceof OutsideError))
      return log.count({ level: 'error', event: 'payment-look-failed', message: fault, error })
    const { source, fault: kind, message, mend } = error
    log.count({
      level: 'warn',
      event: 'payments-unreachable',
      message: outage,
      kind: `${source} ${kind}`,
      fields: { why: message, mend },
    })
  }
