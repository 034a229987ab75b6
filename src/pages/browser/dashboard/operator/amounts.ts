/** Numbers with their units, as people read them in their language. */
import { operatorFrame as words } from '../../../words/en/operator.ts'
import { locale } from '../../locale.ts'

const whole = new Intl.NumberFormat(locale)
const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })
const percent = new Intl.NumberFormat(locale, { style: 'percent' })

export const count = (value: number): string => whole.format(value)

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export function formatBytes(value: number): string {
  const step = value < 1000 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(value) / 3))
  const format = { style: 'unit', unit: byteUnits[step]!, maximumSignificantDigits: 3 } as const
  return new Intl.NumberFormat(locale, format).format(value / 1000 ** step)
}

const spans = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** The largest unit, and the next one where it says something: "3 days 4 hours". */
export function formatDuration(seconds: number): string {
  const first = spans.findIndex(([, size]) => seconds >= size)
  if (first === -1) return words.underSecond
  let left = seconds
  return spans
    .slice(first, first + 2)
    .flatMap(([unit, size]) => {
      const times = Math.floor(left / size)
      left -= times * size
      const format = { style: 'unit', unit, unitDisplay: 'long' } as const
      return times === 0 ? [] : [new Intl.NumberFormat(locale, format).format(times)]
    })
    .join(' ')
}

export const formatMilliseconds = (ms: number): string =>
  ms >= 1000 ? `${short.format(ms / 1000)} s` : `${short.format(ms)} ms`

export const share = (part: number, all: number): string => percent.format(part / all)
