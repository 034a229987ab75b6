/** The periods of charts: how many hours or days they have, and where these begin. */
import { dayMs, hourMs, readDay, readHour } from './metrics.ts'

const periods = {
  '24h': { step: 'hour', length: 24 },
  '7d': { step: 'day', length: 7 },
  '30d': { step: 'day', length: 30 },
  '90d': { step: 'day', length: 90 },
} as const
export type Range = keyof typeof periods
export const ranges = ['24h', '7d', '30d', '90d'] as const satisfies readonly Range[]

/** The hours or days of a chart, and where their counts are. */
export interface Steps {
  readonly step: 'day' | 'hour'
  /** The number of the first one, as the counts of metrics have it. */
  readonly from: number
  readonly length: number
  readonly stepMs: number
  /** Unix milliseconds: when the first one begins. The others follow. */
  readonly firstAt: number
}

/** The current hour or day is the last one. */
export function chooseSteps(range: Range, now: number): Steps {
  const { step, length } = periods[range]
  const from = (step === 'hour' ? readHour(now) : readDay(now)) - length + 1
  const stepMs = step === 'hour' ? hourMs : dayMs
  return { step, from, length, stepMs, firstAt: from * stepMs }
}
