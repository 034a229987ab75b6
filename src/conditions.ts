/**
 * The server's present faults, each once. Health shows them, and the log has their beginning, every minute that they
 * last, and their end. The code that finds a fault begins a condition here, and ends it.
 */
import type { ConditionName } from './condition-names.ts'
import type { Log, LogFields } from './log.ts'

export interface Condition {
  /** Stays the same for tools that watch, while the words may change. */
  readonly name: ConditionName
  /** `failing`: the server cannot do its work, and is not ready. `warning`: it can, and the operator has to do something. */
  readonly level: 'failing' | 'warning'
  /** The event, without a full stop. Strangers read it too: no paths, no addresses. */
  readonly says: string
  /** The remedy, for the operator. */
  readonly mend: string
  /** It happened and is over, and only the operator does not know yet: logged once, not each minute. */
  readonly isPast?: boolean
  /**
   * Its figures become stale, so its measurement begins it again and again. It is logged again only with new figures.
   */
  readonly isMeasured?: boolean
  /** Another one is logged at once, as if it began. Without it, the words tell causes apart, and their figures do not. */
  readonly cause?: string
  /** For the log alone. */
  readonly details?: LogFields
}

export interface StandingCondition extends Omit<Condition, 'details' | 'isMeasured' | 'cause'> {
  /** Unix milliseconds. */
  readonly since: number
  /** How often it was met since. */
  readonly count: number
}

export interface Conditions {
  /** Met again, also within a minute after its end, it counts on. Its newest words stand. `since`, in Unix milliseconds, where it began before now. */
  begin(condition: Condition, since?: number): void
  end(name: ConditionName): void
  /** Whether it is present, or was within the last `withinMs` milliseconds: a later report may concern it. */
  stood(name: ConditionName, withinMs: number): boolean
  /** Failing ones first, then in the order in which they began. */
  list(): readonly StandingCondition[]
  /** Logs again what still stands and was logged more than a minute ago. */
  remind(): void
  /** The end has begun: later faults and endings follow from it, and are not logged. */
  silence(): void
}

const remindedEveryMs = 60_000
/** A condition that begins again so soon after its end is the same one. */
const sameWithinMs = 60_000
/** The log says that a condition has ended when it did not come back for so long. */
const usualSettledMs = 5_000

type Standing = Condition &
  StandingCondition & {
    readonly loggedAt: number
    /** When each cause was logged, so that two that take turns make no line each time. */
    readonly causes: Map<string, number>
    /** The log has this state already. */
    readonly isEndTold: boolean
  }

interface Ended {
  readonly condition: Standing
  /** By the process clock: the other one may have jumped. */
  readonly at: number
  telling?: ReturnType<typeof setTimeout> | undefined
}

interface ConditionTools {
  readonly log: Log
  readonly now: () => number
  readonly settledMs?: number
}

const findCause = ({ cause, says }: Condition): string => cause ?? says.replace(/\d+/g, '#')

export function openConditions({ log, now, settledMs = usualSettledMs }: ConditionTools): Conditions {
  const standing = new Map<string, Standing>()
  const ended = new Map<string, Ended>()

  let isSilent = false

  function tell({ name, level, says, mend, count, since, details }: Condition & StandingCondition): void {
    if (isSilent) return
    const fields = {
      event: 'condition-began' as const,
      condition: name,
      ...details,
      mend,
      ...(count > 1 ? { count, since: new Date(since).toISOString() } : {}),
    }
    if (level === 'failing') log.error(says, fields)
    else log.warn(says, fields)
  }

  function logNow(condition: Standing): void {
    const at = performance.now()
    for (const [cause, reportedAt] of condition.causes)
      if (at - reportedAt >= remindedEveryMs) condition.causes.delete(cause)
    condition.causes.set(findCause(condition), at)
    standing.set(condition.name, { ...condition, loggedAt: at, isEndTold: false })
    tell(condition)
  }

  function tellEnd(name: string): void {
    const last = ended.get(name)
    if (last?.telling === undefined) return
    clearTimeout(last.telling)
    const { says, count } = last.condition
    ended.set(name, { at: last.at, condition: { ...last.condition, isEndTold: true } })
    if (!isSilent) log.info(`this has ended: ${says}`, { event: 'condition-ended', condition: name, count })
  }

  /** The one that ended a moment ago, and has not ended after all. */
  function takeBack(name: string): Standing | undefined {
    const last = ended.get(name)
    if (!last || last.condition.isPast) return undefined
    if (performance.now() - last.at > sameWithinMs) {
      tellEnd(name)
      return undefined
    }
    clearTimeout(last.telling)
    last.telling = undefined
    return last.condition
  }

  const isDue = ({ loggedAt, isPast }: Standing): boolean => !isPast && performance.now() - loggedAt >= remindedEveryMs

  return {
    begin(condition, since = now()) {
      const stood = standing.get(condition.name)
      const known = stood ?? takeBack(condition.name)
      // A condition that returns with another cause begins now, and shares only its logged state.
      const goesOn = stood ?? (known && findCause(known) === findCause(condition) ? known : undefined)
      const next: Standing = {
        ...condition,
        since: goesOn?.since ?? since,
        count: (goesOn?.count ?? 0) + 1,
        loggedAt: known?.loggedAt ?? performance.now(),
        causes: known?.causes ?? new Map(),
        isEndTold: known?.isEndTold ?? false,
      }
      standing.set(condition.name, next)
      const reportedAt = next.causes.get(findCause(next)) ?? Number.NEGATIVE_INFINITY
      const isOther = known && findCause(known) !== findCause(next) && performance.now() - reportedAt >= remindedEveryMs
      if (known?.level !== condition.level || isOther || isDue(next)) logNow(next)
    },
    end(name) {
      const condition = standing.get(name)
      if (!condition || !standing.delete(name)) return
      const isReported = !condition.isPast && !condition.isEndTold
      const telling = isReported ? setTimeout(tellEnd, settledMs, name) : undefined
      telling?.unref()
      ended.set(name, { condition, at: performance.now(), telling })
    },
    stood: (name, withinMs) =>
      standing.has(name) || performance.now() - (ended.get(name)?.at ?? Number.NEGATIVE_INFINITY) <= withinMs,
    list: () =>
      [...standing.values()]
        .sort((one, other) => Number(one.level === 'warning') - Number(other.level === 'warning'))
        .map(
          ({
            loggedAt: _,
            details: __,
            causes: ___,
            isMeasured: ____,
            cause: _____,
            isEndTold: ______,
            ...condition
          }) => condition,
        ),
    remind() {
      for (const condition of [...standing.values()]) if (!condition.isMeasured && isDue(condition)) logNow(condition)
    },
    silence() {
      for (const name of ended.keys()) tellEnd(name)
      isSilent = true
    },
  }
}
