/** Days that narrow a list: what the address of a view names, and the instants that it means where the reader is. */

export const dayPresets = ['today', 'week', 'thirty', 'month', 'last-month', 'year'] as const
type Preset = (typeof dayPresets)[number]

export interface Days {
  /** A preset, `days` for the two below, or empty for any time. */
  readonly when: string
  /** The first and the last day, as 2026-11-27. Empty: without this end. */
  readonly first: string
  readonly last: string
}

export interface Instants {
  /** Unix milliseconds, inclusive. */
  readonly from?: number
  /** Unix milliseconds, exclusive. */
  readonly before?: number
}

export const readDays = (query: URLSearchParams): Days => ({
  when: query.get('when') ?? '',
  first: query.get('from') ?? '',
  last: query.get('to') ?? '',
})

/** Midnight of a day, in the time zone of the browser. `date` may pass the ends of a month, and then is carried over. */
const findMidnight = (year: number, month: number, date: number): number => new Date(year, month, date).getTime()

/** The midnight that a day begins with, or the one some days later. Undefined for text that is no day. */
function findDay(text: string, later = 0): number | undefined {
  const [, year, month, date] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const midnight = new Date(year, month - 1, date)
  // February 30 would become a day of March.
  if (midnight.getMonth() !== month - 1 || midnight.getDate() !== date) return undefined
  return findMidnight(year, month - 1, date + later)
}

const presets: Readonly<Record<Preset, (year: number, month: number, date: number) => Instants>> = {
  today: (...day) => ({ from: findMidnight(...day) }),
  week: (year, month, date) => ({ from: findMidnight(year, month, date - 6) }),
  thirty: (year, month, date) => ({ from: findMidnight(year, month, date - 29) }),
  month: (year, month) => ({ from: findMidnight(year, month, 1) }),
  'last-month': (year, month) => ({ from: findMidnight(year, month - 1, 1), before: findMidnight(year, month, 1) }),
  year: (year) => ({ from: findMidnight(year, 0, 1) }),
}

const isPreset = (when: string): when is Preset => Object.hasOwn(presets, when)

/** Whether the last day is before the first one: the last one then counts for nothing, and its field says so. */
export const isBackwards = ({ first, last }: Days): boolean => first !== '' && last !== '' && last < first

/** The time from the midnight of the first day to the midnight after the last one, in the time zone of the browser. */
export function findInstants(days: Days, now: number): Instants {
  if (isPreset(days.when)) {
    const today = new Date(now)
    return presets[days.when](today.getFullYear(), today.getMonth(), today.getDate())
  }
  if (days.when !== 'days') return {}
  const from = findDay(days.first)
  const before = isBackwards(days) ? undefined : findDay(days.last, 1)
  return { ...(from === undefined ? {} : { from }), ...(before === undefined ? {} : { before }) }
}

export const hasInstants = ({ from, before }: Instants): boolean => from !== undefined || before !== undefined

/** As a query of the API names them. */
export const writeInstants = ({ from, before }: Instants): Record<string, string> => ({
  ...(from === undefined ? {} : { from: String(from) }),
  ...(before === undefined ? {} : { before: String(before) }),
})
