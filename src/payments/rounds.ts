/**
 * Rounds of looks at rows that are due: bounded, some at a time, and with one voice about outages. What is due stands in
 * the database, so a round may end at any moment.
 */
import { OutsideError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'

export interface Rounds {
  /** Looks at all that is due, within bounds, until it is told to stop. Errors: only those of the database. */
  runOnce(signal?: AbortSignal): Promise<void>
}

interface RoundsOf<Row> {
  /** In the words of the log: `checkouts`. */
  readonly named: string
  /** Rows that are due, the ones that have waited longest first. */
  list(limit: number): readonly Row[]
  lookAt(row: Row): Promise<void>
  /** The look failed: the row is to be looked at later. */
  postpone(row: Row): Promise<void>
}

const batch = 100
/** One round ends after so many looks, and the next one goes on. */
const mostLooks = 2_000
/** Looks that are under way at the same time: Stripe counts calls. */
const atOnce = 8
/** The same cause is told again after this time. */
const tellAgainMs = 600_000

export function openRounds<Row>(
  { log, now }: Pick<Parts, 'log' | 'now'>,
  { named, list, lookAt, postpone }: RoundsOf<Row>,
): Rounds {
  const toldAt = new Map<string, number>()
  let running: Promise<void> | undefined

  function tell(error: unknown): void {
    const isOutage = error instanceof OutsideError
    const cause = isOutage ? `${error.source} ${error.fault}` : String(error)
    if (now() - (toldAt.get(cause) ?? Number.NEGATIVE_INFINITY) < tellAgainMs) return
    for (const [known, at] of toldAt) if (now() - at >= tellAgainMs) toldAt.delete(known)
    toldAt.set(cause, now())
    if (isOutage) log.warn(`${named} cannot be looked at`, { why: error.message, mend: error.mend })
    else log.error(`a look at ${named} failed`, { error: error instanceof Error ? error.stack : cause })
  }

  async function tryLook(row: Row): Promise<void> {
    try {
      await lookAt(row)
    } catch (error) {
      tell(error)
      await postpone(row)
    }
  }

  async function run(signal: AbortSignal | undefined): Promise<void> {
    for (let looks = 0; looks < mostLooks; looks += batch) {
      const due = list(batch)
      const waiting = [...due]
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next && !signal?.aborted; next = waiting.shift()) await tryLook(next)
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      if (due.length < batch || signal?.aborted) return
    }
  }

  return {
    runOnce(signal) {
      running ??= run(signal).finally(() => {
        running = undefined
      })
      return running
    },
  }
}
