import { expect, test } from 'bun:test'
import { convertUsdMicros, formatUsd } from '../../src/payments/price.ts'

test.each([
  ['0.000001', 1, '0.000001'],
  ['4.99', 4_990_000, '4.99'],
  ['12.50', 12_500_000, '12.5'],
  ['9999999.999999', 9_999_999_999_999, '9999999.999999'],
  ['0', 0, '0'],
])('%s dollars are %d millionths', (amountUsd, micros, text) => {
  expect(convertUsdMicros({ amountUsd })).toBe(micros)
  expect(formatUsd(micros)).toBe(text)
})
