/** Prices as base units of tokens: exact in every digit, and never less than the price. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseUnits } from 'viem'
import { convertUsd, formatAmount } from '../../src/payments/amount.ts'

describe('a price in dollars', () => {
  test.each([
    ['4.99', 6, 4_990_000n],
    ['0.1', 6, 100_000n],
    ['0.000001', 6, 1n],
    ['9999999.999999', 6, 9_999_999_999_999n],
    ['1', 0, 1n],
    ['0', 6, 0n],
    ['0.000000', 6, 0n],
    ['1.10', 18, 1_100_000_000_000_000_000n],
    // 0.3 is no number that a float holds: it would be 300000000000000000 and some.
    ['0.3', 18, 300_000_000_000_000_000n],
    ['9007199.254741', 18, 9_007_199_254_741_000_000_000_000n],
    ['1', 36, 10n ** 36n],
  ])('converts %s in a token with %s decimals to %s base units', (amountUsd, decimals, baseUnits) => {
    expect(convertUsd(amountUsd, decimals)).toBe(baseUnits)
  })

  test.each([
    ['0.001', 2, 1n],
    ['4.991', 2, 500n],
    ['4.990', 2, 499n],
    ['4.99', 0, 5n],
    ['0.000001', 0, 1n],
  ])('rounds %s in a token with %s decimals up to %s', (amountUsd, decimals, baseUnits) => {
    expect(convertUsd(amountUsd, decimals)).toBe(baseUnits)
  })

  const prices = fc
    .tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.stringMatching(/^[0-9]{0,6}$/))
    .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`))

  test('equals the conversion of viem where the token has enough decimals', () => {
    fc.assert(
      fc.property(prices, fc.integer({ min: 6, max: 36 }), (amountUsd, decimals) => {
        expect(convertUsd(amountUsd, decimals)).toBe(parseUnits(amountUsd, decimals))
      }),
    )
  })

  test('is never paid with less, and one base unit less is always too little', () => {
    fc.assert(
      fc.property(prices, fc.integer({ min: 0, max: 6 }), (amountUsd, decimals) => {
        const millionths = parseUnits(amountUsd, 6)
        const worth = (baseUnits: bigint): bigint => baseUnits * 10n ** BigInt(6 - decimals)
        const due = convertUsd(amountUsd, decimals)
        expect(worth(due)).toBeGreaterThanOrEqual(millionths)
        if (due > 0n) expect(worth(due - 1n)).toBeLessThan(millionths)
      }),
    )
  })
})

test('amounts are shown with every digit and no more', () => {
  expect(formatAmount(1n, { decimals: 6, symbol: 'USDC' })).toBe('0.000001 USDC')
  expect(formatAmount(4_990_000n, { decimals: 6, symbol: 'USDC' })).toBe('4.99 USDC')
  expect(formatAmount(10n ** 36n, { decimals: 18, symbol: 'DAI' })).toBe('1000000000000000000 DAI')
})
