/** Prices in dollars as amounts of a token, in whole numbers throughout: a float would lose or give away base units. */
import { formatUnits } from 'viem'

/**
 * The least number of base units that is worth `amountUsd`, a decimal text as in price.ts. Rounded up where the token has
 * fewer decimals than the price has digits: nobody pays less than the price.
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
