/** Finds the excess of a payment by hand: no refund is automatic, so buyer and seller are told. */
import type { QuotedDetails } from './transfer-details.ts'

/**
 * In base units of the token. Undefined when the amount is the price, or the quoted amount, whose digits exceed the
 * price.
 */
export function findExcess(
  amount: string | null,
  { due, quoteId }: { readonly due?: unknown } & QuotedDetails,
): string | undefined {
  if (amount === null || typeof due !== 'string' || quoteId !== undefined) return undefined
  const above = BigInt(amount) - BigInt(due)
  return above > 0n ? String(above) : undefined
}
