/** The schedule of a gate: when it opens and closes, in ISO 8601 with an offset. Decided here, told everywhere else. */
import type { Gate, GateDefinition } from './gate.ts'

export const scheduleStates = ['open', 'not_started', 'ended'] as const
export type ScheduleState = (typeof scheduleStates)[number]
/** Whether a gate lets anybody in now: by its status, then by its schedule. */
export const gateStates = [...scheduleStates, 'paused'] as const
export type GateState = (typeof gateStates)[number]

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
export function judgeSchedule({ schedule }: Pick<GateDefinition, 'schedule'>, now: number): ScheduleState {
  const { startsAt, endsAt } = readSchedule(schedule)
  if (startsAt !== undefined && now < startsAt) return 'not_started'
  return endsAt !== undefined && now >= endsAt ? 'ended' : 'open'
}

/** A gate that is not stored yet has no status: it is judged as if it were published. */
export const judgeGate = (
  { status, definition }: Pick<Gate, 'definition'> & { readonly status?: Gate['status'] | undefined },
  now: number,
): GateState => (status === 'paused' ? 'paused' : judgeSchedule(definition, now))

/** Unix milliseconds, or undefined for a day or time that does not exist. */
export function parseMoment(text: string): number | undefined {
  const day = text.slice(0, 10)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Parsers take 30 February for 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
