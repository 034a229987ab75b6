/** Times that an earlier clock or another machine wrote, beside the clock of this machine. */

/** Between the clock of the machine that wrote a time and that of the one that reads it. */
const toleratedMs = 15 * 60_000

/** Written while a clock was ahead: such a time tells nothing of when it was. */
export const isAhead = (at: number, now: number): boolean => at > now + toleratedMs

/** The latest of these times that is not ahead, and now at most. 0 where there is none. */
export function findLatest(times: Iterable<number>, now: number): number {
  let latest = 0
  for (const at of times) if (at > latest && !isAhead(at, now)) latest = at
  return Math.min(latest, now)
}
