/** Times, measured by the clock of the server. */
import { useEffect, useState } from 'preact/hooks'
import { dashboard as words } from '../../words/en/dashboard.ts'
import { formatDay, formatMoment, locale } from '../locale.ts'
import { readNow } from './model.ts'

const ages = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

const minute = 60_000
const units = [
  ['minute', minute, 60],
  ['hour', 60 * minute, 24],
  ['day', 24 * 60 * minute, 30],
] as const

/** "3 hours ago", "in 2 days"; a date where it is more than a month away. */
export function writeAge(at: number, when = readNow()): string {
  const distance = at - when
  const size = Math.abs(distance)
  // The time of a recent action may be ahead by the delay of its answer.
  if (size < minute) return distance < 5_000 ? words.justNow : words.inAMoment
  for (const [unit, ms, upTo] of units) if (size < ms * upTo) return ages.format(Math.trunc(distance / ms), unit)
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
