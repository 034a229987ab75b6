/**
 * Checks a payment that x402 settled: like any transfer, except for reorganizations. After one, the same authorization
 * may go through in another transaction, because anybody who has seen it can send it.
 */
import type { BoundPayment, PaymentTools, Review } from '../payment.ts'
import { reviewTransfer, type TransferDetails } from '../token-transfers/review.ts'
import { findUse } from './search.ts'
import { findSettled, isSpent, usesAuthorization } from './settlement.ts'

/** Stored with the payment. */
export interface SettlementDetails extends TransferDetails {
  readonly nonce: `0x${string}`
}

const nextLookMs = 120_000

/** Errors: OutsideError. */
export async function reviewSettlement(payment: BoundPayment, tools: PaymentTools): Promise<Review> {
  const review = await reviewTransfer(payment, tools)
  if (review.state !== 'reversed' && review.state !== 'suspended') return review
  const details = payment.details as unknown as SettlementDetails
  const use = await findOtherUse(details, payment.paidAt ?? 0, tools)
  // Used in an unknown transaction, which is no proof that it paid nothing.
  if (use === 'unknown') return { state: 'waiting', nextLookMs }
  if (!use || use.value < BigInt(details.due)) return review
  if (payment.suspendedFor || payment.isReversed)
    return use.standing.isConfirmed ? { state: 'restored', nextLookMs } : { state: 'waiting', nextLookMs }
  return use.standing.isSettled ? { state: 'final' } : { state: 'waiting', nextLookMs }
}

/** Undefined if the authorization is now unused, or was used for something else. */
async function findOtherUse(details: SettlementDetails, paidAt: number, tools: PaymentTools) {
  const chain = tools.outside.chains.evm(Number(details.chain.slice('eip155:'.length)))
  if (!chain) return undefined
  const sought = {
    token: { chain, address: details.token, confirmations: details.confirmations },
    from: details.payer,
    nonce: details.nonce,
    payTo: details.recipient,
  }
  if (!(await isSpent(await chain.at(), sought))) return undefined
  const transaction = await findUse(sought, paidAt)
  if (transaction === undefined) return 'unknown'
  const settled = await findSettled(transaction, sought)
  // A transaction named by one endpoint may not use the authorization.
  return settled ?? ((await usesAuthorization(transaction, sought)) ? undefined : 'unknown')
}
