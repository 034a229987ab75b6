/** The age limit of a payment when it is submitted. */
import type { EvmReceipt } from '../../outside/chains/chain.ts'
import type { Standing } from '../finality.ts'
import { findFirstOffered } from '../offered-transfers-store.ts'
import type { PaymentOffer, PaymentTools } from '../payment.ts'
import { makeUnpaid, type Unpaid } from '../unpaid.ts'
import { nameBuyer } from './terms.ts'

/** Chains' clocks may be ahead by this much. */
const aheadMs = 60_000

export function refuseAge(
  { blockTime }: Pick<Standing, 'blockTime'>,
  { now, config }: Pick<PaymentTools, 'now' | 'config'>,
  extraMs = 0,
): Unpaid | undefined {
  const ageMs = now() - blockTime
  const quoteMinutes = config.payments.quoteMinutes + extraMs / 60_000
  if (ageMs > quoteMinutes * 60_000)
    return makeUnpaid(
      'PAYMENT_TOO_OLD',
      `the payment was made at ${new Date(blockTime).toISOString()}, and a payment can be offered for ${quoteMinutes} minutes`,
    )
  if (ageMs >= -aheadMs) return undefined
  return makeUnpaid(
    'PAYMENT_IN_FUTURE',
    `the block of the payment has the time ${new Date(blockTime).toISOString()}, which is not reached yet`,
    Math.ceil((-ageMs - aheadMs) / 1000),
  )
}

/**
 * Whether it was too old when the buyer first submitted it. A buyer told to repeat a request may do so later. A
 * reorganization may have moved its block to a later time.
 */
export async function judgeAge(
  { receipt }: { readonly receipt: Pick<EvmReceipt, 'transactionHash'> },
  standing: Standing,
  offer: PaymentOffer,
  { now, config, db }: PaymentTools,
  extraMs: number,
): Promise<Unpaid | undefined> {
  const first = await findFirstOffered(db, receipt.transactionHash, nameBuyer(offer))
  const judgedAt = first === undefined ? now() : Math.min(now(), Math.max(first, standing.blockTime))
  return refuseAge(standing, { now: () => judgedAt, config }, extraMs)
}
