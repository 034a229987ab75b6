/**
 * The outcome of each source's calls, for the operator: the last success, and the last failure with its reason. It also
 * counts the failures of the last hour. It is in memory, and begins with this server's start.
 */
import { type Distribution, openDistribution, secondBounds } from '../distribution.ts'
import { findSpan, spanKinds, traceCall } from '../tracing/span.ts'
import { OutsideError, type OutsideFault } from './failure.ts'

export type Circuit = 'closed' | 'open' | 'half-open'

export interface SourceState {
  /** Path of the setting: `chains.base.rpc[0]`. */
  readonly setting: string
  /** `open`: it failed so often that it is skipped for a while. */
  readonly circuit: Circuit
  /** The source asked for fewer calls, and gets none until then. Unix milliseconds. */
  readonly pausedUntil: number | null
  readonly lastSuccessAt: number | null
  readonly lastFailure: { readonly at: number; readonly fault: OutsideFault; readonly happened: string } | null
  readonly lastHour: { readonly calls: number; readonly failures: number }
}

/** The source's own view of its state. */
export interface Restraint {
  circuit(): Circuit
  pausedForMs(): number
}

export interface Watched {
  /** Resolves and fails as `call` does. */
  around<Answer>(call: () => Promise<Answer>): Promise<Answer>
}

export interface Watch {
  /** A source that is opened again under its setting keeps its history. */
  over(setting: string, restraint: Restraint): Watched
  states(): readonly SourceState[]
  figures(): readonly SourceFigures[]
}

/** The calls of a source since the start. */
export interface SourceFigures {
  readonly setting: string
  readonly answered: number
  readonly failed: number
  readonly seconds: Distribution
}

const slotMs = 300_000
const slots = 12

interface Seen {
  readonly restraints: Restraint[]
  lastSuccessAt: number | null
  lastFailure: SourceState['lastFailure']
  /** Five minutes each, the newest last. */
  hour: { slot: number; calls: number; failures: number }[]
  answered: number
  failed: number
  readonly seconds: Distribution
}

const startHistory = (): Seen => ({
  restraints: [],
  lastSuccessAt: null,
  lastFailure: null,
  hour: [],
  answered: 0,
  failed: 0,
  seconds: openDistribution(secondBounds),
})

/** More sources of one setting are name servers of a network that changes all the time. */
const mostRestraints = 16

export function openWatch(now: () => number): Watch {
  const sources = new Map<string, Seen>()

  const selectRecent = (seen: Seen): Seen['hour'] => {
    const oldest = Math.floor(now() / slotMs) - slots
    return seen.hour.filter(({ slot }) => slot > oldest)
  }
  function count(seen: Seen, failures: 0 | 1, startedAt: number): void {
    seen.seconds.note((performance.now() - startedAt) / 1000)
    if (failures) seen.failed++
    else seen.answered++
    const slot = Math.floor(now() / slotMs)
    let last = seen.hour.at(-1)
    if (last?.slot !== slot) {
      last = { slot, calls: 0, failures: 0 }
      seen.hour = [...selectRecent(seen), last]
    }
    last.calls++
    last.failures += failures
  }

  return {
    over(setting, restraint) {
      const seen = sources.get(setting) ?? startHistory()
      sources.set(setting, seen)
      seen.restraints.push(restraint)
      if (seen.restraints.length > mostRestraints) seen.restraints.shift()
      return {
        async around(call) {
          const startedAt = performance.now()
          try {
            const span = findSpan()?.startChild(`call ${setting}`, spanKinds.client, { 'proofgate.source': setting })
            const answer = await (span ? traceCall(span, call) : call())
            seen.lastSuccessAt = now()
            count(seen, 0, startedAt)
            return answer
          } catch (error) {
            if (error instanceof OutsideError) {
              seen.lastFailure = { at: now(), fault: error.fault, happened: error.happened }
              count(seen, 1, startedAt)
            }
            throw error
          }
        },
      }
    },
    figures: () =>
      [...sources].map(([setting, { answered, failed, seconds }]) => ({ setting, answered, failed, seconds })),
    states: () =>
      [...sources].map(([setting, seen]) => {
        const hour = selectRecent(seen)
        const pausedMs = Math.max(0, ...seen.restraints.map(({ pausedForMs }) => pausedForMs()))
        const circuits = seen.restraints.map(({ circuit }) => circuit())
        return {
          setting,
          circuit: circuits.find((one) => one === 'open') ?? circuits.find((one) => one === 'half-open') ?? 'closed',
          pausedUntil: pausedMs > 0 ? now() + Math.ceil(pausedMs) : null,
          lastSuccessAt: seen.lastSuccessAt,
          lastFailure: seen.lastFailure,
          lastHour: {
            calls: hour.reduce((sum, { calls }) => sum + calls, 0),
            failures: hour.reduce((sum, { failures }) => sum + failures, 0),
          },
        }
      }),
  }
}
