/** `"600/1m"`: at most 600 in any one minute. Written as text because a pair of numbers is easily swapped. */
import { Type } from '@sinclair/typebox'
import type { About } from './setting.ts'

export interface Rate {
  readonly count: number
  readonly windowMs: number
}

const form = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,4})([smh])$/
const unitMs = { s: 1000, m: 60_000, h: 3_600_000 }
const longestWindowMs = 24 * unitMs.h

export function parseRate(text: string): Rate {
  const [, count, length, unit] = form.exec(text) ?? []
  if (!count || !length || !unit) throw new Error(`not a rate: ${text}`)
  return { count: Number(count), windowMs: Number(length) * unitMs[unit as keyof typeof unitMs] }
}

export const rate = (about: About<string>) =>
  Type.Transform(
    Type.String({
      pattern: form.source,
      expected: 'COUNT/WINDOW with a window of at most 24 hours in s, m or h',
      unit: 'count per window: s, m or h',
      accepts: (text: string) => parseRate(text).windowMs <= longestWindowMs,
      ...about,
    }),
  )
    .Decode(parseRate)
    .Encode(({ count, windowMs }) => `${count}/${windowMs / unitMs.s}s`)
