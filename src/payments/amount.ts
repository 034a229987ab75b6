/**
 * Converts prices in dollars to amounts of a token, in whole numbers throughout. A float would lose or add base units.
 */
import { formatUnits } from 'viem'

/**
 * The least number of base units that is worth `amountUsd`, a decimal text as in price.ts. Rounded up if the token has
 * fewer decimals than the price has digits, so no buyer pays less than it.
 */
export function convertUsd(amountUsd: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = amountUsd.split('.')
  const digits = BigInt(whole + fraction)
  const missing = decimals - fraction.length
  if (missing >= 0) return digits * 10n ** BigInt(missing)
  const divisor = 10n ** BigInt(-missing)
  return (digits + divisor - 1n) / divisor
}

/** `4.99 USDC`, exactly. */
export const formatAmount = (
  baseUnits: bigint,
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string },
) => `${formatUnits(baseUnits, decimals)} ${symbol}`
