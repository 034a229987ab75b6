/**
 * Records money that arrived and bought nothing, and informs the operator: the row, the log and the metrics together.
 */

import type { Statement } from '../db/db.ts'
import type { Parts } from '../parts.ts'
import { leaveToSeller } from './lost-time.ts'
import type { QuotedDetails, SettledDetails } from './transfer-details.ts'
import { findUnmatched, type NewUnmatched, recordUnmatched, type Unmatched } from './unmatched-store.ts'

/**
 * The row of this payment, new or existing; undefined when the payment was bound. `also` belongs to the same batch, and
 * is written even for a payment that has a row. It may refuse the batch.
 */
export async function writeUnmatched(
  { db, ...tellers }: Pick<Parts, 'db' | 'log' | 'metrics' | 'paymentMethods'>,
  asMade: NewUnmatched,
  also: readonly Statement[] = [],
): Promise<Unmatched | undefined> {
  const made = leaveToSeller(asMade)
  const result = await db.write([recordUnmatched(made), ...also], 'settle')
  if ('changes' in result && (result.changes[0] ?? 0) > 0) tellUnmatched(tellers, { ...made, ...made.paid })
  return findUnmatched(db, made.paid.identity)
}

/** Called after the row is written. */
export function tellUnmatched(
  { log, metrics, paymentMethods }: Pick<Parts, 'log' | 'metrics' | 'paymentMethods'>,
  { identity, method, amount, reason, state }: Pick<Unmatched, 'identity' | 'method' | 'amount' | 'reason' | 'state'>,
): void {
  metrics.count('unmatched_payments', [method])
  log.warn('a payment arrived and bought nothing', {
    event: 'payment-unmatched',
    payment: identity,
    method: paymentMethods.find(({ id }) => id === method)?.name ?? method,
    amount: amount ?? '',
    reason,
    state,
    mend: 'the seller finds it among the sales of the gate, and pays it back unless the state says that this server does',
  })
}

/** Another person may have paid a quote's exact amount for the buyer, who may then use it, too. */
export const isBuyersOwn = ({ buyer, details }: Unmatched): boolean =>
  buyer !== null && (details as QuotedDetails).quoteId !== undefined

/** It came too late, or went to a former recipient: only the seller knows its purpose. */
export const isForSeller = ({ details }: Pick<Unmatched, 'details'>): boolean =>
  (details as SettledDetails).onlySeller === true

/**
 * The people who can use owed money. Empty for money that is not owed, that only the seller can refund, or that was
 * paid by card.
 */
export const listUsers = (row: Unmatched): ('payer' | 'buyer')[] => {
  if (row.state !== 'owed' || row.payer === null || isForSeller(row)) return []
  return isBuyersOwn(row) ? ['payer', 'buyer'] : ['payer']
}
