/**
 * Looks again at a payment that x402 settled: a transfer as any other, except that after a reorganisation the same
 * authorization may go through in another transaction, because everybody who has seen it can send it.
 */
import type { ClaimedPayment, PaymentTools, Review } from './payment.ts'
import { reviewTransfer, type TransferDetails } from './review-transfer.ts'
import { findUse } from './x402-search.ts'
import { isSpent, settledIn } from './x402-settlement.ts'

/** Kept with the payment. */
export interface SettlementDetails extends TransferDetails {
  readonly nonce: `0x${string}`
}

const nextLookMs = 120_000

/** Errors: OutsideError. */
export async function reviewSettlement(payment: ClaimedPayment, tools: PaymentTools): Promise<Review> {
  const review = await reviewTransfer(payment, tools)
  if (review.state !== 'reversed') return review
  const details = payment.details as unknown as SettlementDetails
  const settled = await settledElsewhere(details, payment.paidAt ?? 0, tools)
  if (!settled || settled.value < BigInt(details.due)) return review
  return settled.standing.isSettled ? { state: 'final' } : { state: 'waiting', nextLookMs }
}

async function settledElsewhere(details: SettlementDetails, paidAt: number, tools: PaymentTools) {
  const chain = tools.outside.chains.evm(Number(details.chain.slice('eip155:'.length)))
  if (!chain) return undefined
  const sought = {
    token: { chain, address: details.token, confirmations: details.confirmations },
    from: details.payer,
    nonce: details.nonce,
    payTo: details.recipient,
  }
  if (!(await isSpent(await chain.at(), sought))) return undefined
  const transaction = await findUse(sought, paidAt, tools)
  return transaction && settledIn(transaction, sought)
}
