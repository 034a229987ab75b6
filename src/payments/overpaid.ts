/** What was paid above a price by hand: nobody gives it back by itself, so that buyer and seller are told. */
import type { QuotedDetails } from './transfer-details.ts'

/** In base units of the token; undefined where it is the price, or what was quoted, whose digits are above it. */
export function findExcess(
  amount: string | null,
  { due, quoteId }: { readonly due?: unknown } & QuotedDetails,
): string | undefined {
  if (amount === null || typeof due !== 'string' || quoteId !== undefined) return undefined
  const above = BigInt(amount) - BigInt(due)
  return above > 0n ? String(above) : undefined
}
