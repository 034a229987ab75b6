/** The schedule of a gate: when it opens and closes, in ISO 8601 with an offset. Decided here, told everywhere else. */
import type { GateDefinition } from './gate.ts'

export type GateState = 'open' | 'not_started' | 'ended'

/** Unix milliseconds. Undefined: no limit, or a day or time that does not exist. */
export interface ScheduleTimes {
  readonly startsAt: number | undefined
  readonly endsAt: number | undefined
}

export const readSchedule = ({ startsAt, endsAt }: NonNullable<GateDefinition['schedule']> = {}): ScheduleTimes => ({
  startsAt: startsAt === undefined ? undefined : parseMoment(startsAt),
  endsAt: endsAt === undefined ? undefined : parseMoment(endsAt),
})

/** Opens at startsAt, closes at endsAt. */
export function judgeSchedule({ schedule }: Pick<GateDefinition, 'schedule'>, now: number): GateState {
  const { startsAt, endsAt } = readSchedule(schedule)
  if (startsAt !== undefined && now < startsAt) return 'not_started'
  return endsAt !== undefined && now >= endsAt ? 'ended' : 'open'
}

/** Unix milliseconds, or undefined for a day or time that does not exist. */
export function parseMoment(text: string): number | undefined {
  const day = text.slice(0, 10)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Parsers take 30 February for 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
