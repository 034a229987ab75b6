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

/** Mebibytes and a window: `"512MiB/24h"`. Counted in bytes. */
const byteForm = /^([1-9][0-9]{0,6})MiB\/([1-9][0-9]{0,4})([smh])$/
const oneMiB = 1_048_576

export function parseByteRate(text: string): Rate {
  const [, mebibytes, length, unit] = byteForm.exec(text) ?? []
  if (!mebibytes || !length || !unit) throw new Error(`not an allowance of bytes: ${text}`)
  return { count: Number(mebibytes) * oneMiB, windowMs: Number(length) * unitMs[unit as keyof typeof unitMs] }
}

export const describeByteRate = (about: About<string>) =>
  Type.Transform(
    Type.String({
      pattern: byteForm.source,
      expected: 'SIZE/WINDOW, the size in MiB and the window at most 24 hours in s, m or h',
      unit: 'MiB per window: s, m or h',
      accepts: (text: string) => parseByteRate(text).windowMs <= longestWindowMs,
      ...about,
    }),
  )
    .Decode(parseByteRate)
    .Encode(({ count, windowMs }) => `${count / oneMiB}MiB/${windowMs / unitMs.s}s`)

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
