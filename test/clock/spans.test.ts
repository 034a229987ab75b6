/** The size of a clock error, in words. */
import { expect, test } from 'bun:test'
import { formatSpan } from '../../src/clock.ts'

const hour = 3_600_000
const day = 24 * hour

test.each([
  [93_599_708, '1 d 2 h'],
  [365 * day - 40_000, '365 d'],
  [day - 10_000, '1 d'],
  [hour - 400, '1 h'],
  [-(hour + 29_000), '1 h'],
  [61_000, '1 min 1 s'],
  [300, '0 s'],
])('%d ms is shown rounded as %s', (ms, told) => {
  expect(formatSpan(ms)).toBe(told)
})
