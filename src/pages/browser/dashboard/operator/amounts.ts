/** Numbers with their units, as people read them. */

const whole = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

export const count = (value: number): string => whole.format(value)

export function formatBytes(value: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  return `${short.format(value / 1000 ** step)} ${units[step]}`
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
  if (first === -1) return 'less than a second'
  let left = seconds
  return spans
    .slice(first, first + 2)
    .flatMap(([name, size]) => {
      const times = Math.floor(left / size)
      left -= times * size
      return times === 0 ? [] : [`${times} ${name}${times === 1 ? '' : 's'}`]
    })
    .join(' ')
}

export const formatMilliseconds = (ms: number): string =>
  ms >= 1000 ? `${short.format(ms / 1000)} s` : `${short.format(ms)} ms`

export const share = (part: number, all: number): string => `${Math.round((100 * part) / all)} %`
