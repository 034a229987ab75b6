/** Times, measured by the clock of the server. */
import { useEffect, useState } from 'preact/hooks'
import { dashboard as words } from '../../words/en/dashboard.ts'
import { formatDay, formatMoment, locale } from '../locale.ts'
import { readNow } from './model.ts'

const ages = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

const minute = 60_000
/** The unit, its size, and the largest number of it that is shown. */
const units = [
  ['minute', minute, 59],
  ['hour', 60 * minute, 23],
  ['day', 24 * 60 * minute, 30],
] as const

/**
 * "3 hours ago", "in 2 days"; a date where it is more than a month away. Ages are whole units that have passed. What is
 * to come is rounded, so that an end in seven days reads so at once.
 */
export function writeAge(at: number, when = readNow()): string {
  const distance = at - when
  const size = Math.abs(distance)
  // The time of a recent action may be ahead by the delay of its answer.
  if (size < minute) return distance < 5_000 ? words.justNow : words.inAMoment
  for (const [unit, ms, most] of units) {
    const count = distance > 0 ? Math.round(size / ms) : -Math.trunc(size / ms)
    if (Math.abs(count) <= most) return ages.format(count, unit)
  }
  return formatDay(at)
}

/** Renders again each minute, so that ages stay true while a page is open. */
function useMinute(): void {
  const [, setCount] = useState(0)
  useEffect(() => {
    const ticking = setInterval(() => setCount((count) => count + 1), minute)
    return () => clearInterval(ticking)
  }, [])
}

/** `at` in Unix milliseconds. */
export function Time({ at }: { readonly at: number }) {
  useMinute()
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {writeAge(at)}
    </time>
  )
}
