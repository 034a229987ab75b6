/** Says what cannot be looked at, each cause once in a while: many payments may wait for the same endpoint. */
import { OutsideError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'

/** The same cause is told again after this time. */
const tellAgainMs = 600_000

export interface Words {
  /** Of an outage, and of a fault of ours. */
  readonly outage: string
  readonly fault: string
}

export function openTeller(
  { log, now }: Pick<Parts, 'log' | 'now'>,
  { outage, fault }: Words,
): (error: unknown) => void {
  const toldAt = new Map<string, number>()
  return (error) => {
    const isOutage = error instanceof OutsideError
    const cause = isOutage ? `${error.source} ${error.fault}` : String(error)
    if (now() - (toldAt.get(cause) ?? Number.NEGATIVE_INFINITY) < tellAgainMs) return
    for (const [known, at] of toldAt) if (now() - at >= tellAgainMs) toldAt.delete(known)
    toldAt.set(cause, now())
    if (isOutage) log.warn(outage, { why: error.message, mend: error.mend })
    else log.error(fault, { error: error instanceof Error ? error.stack : cause })
  }
}
