/** Writes down money that arrived and bought nothing, and tells the operator: the row, the log and the numbers together. */

import type { Statement } from '../db/db.ts'
import type { Parts } from '../parts.ts'
import type { QuotedDetails, SettledDetails } from './transfer-details.ts'
import { findUnmatched, type NewUnmatched, recordUnmatched, type Unmatched } from './unmatched-store.ts'

/**
 * The row of this payment, written now or before; undefined when the payment was claimed. `also` goes with it in one
 * batch, and is written in either case.
 */
export async function writeUnmatched(
  { db, ...tellers }: Pick<Parts, 'db' | 'log' | 'numbers' | 'paymentMethods'>,
  made: NewUnmatched,
  also: readonly Statement[] = [],
): Promise<Unmatched | undefined> {
  const result = await db.write([recordUnmatched(made), ...also], 'settle')
  if ('changes' in result && (result.changes[0] ?? 0) > 0) tellUnmatched(tellers, { ...made, ...made.paid })
  return findUnmatched(db, made.paid.identity)
}

/** After the row is written. */
export function tellUnmatched(
  { log, numbers, paymentMethods }: Pick<Parts, 'log' | 'numbers' | 'paymentMethods'>,
  { identity, method, amount, reason, state }: Pick<Unmatched, 'identity' | 'method' | 'amount' | 'reason' | 'state'>,
): void {
  numbers.count('unmatched_payments', [method])
  log.warn('a payment arrived and bought nothing', {
    payment: identity,
    method: paymentMethods.find(({ id }) => id === method)?.name ?? method,
    amount: amount ?? '',
    reason,
    state,
    mend: 'the seller finds it among the sales of the gate, and pays it back unless the state says that this server does',
  })
}

/** By the exact amount of a quote somebody else may have paid for the buyer: it is theirs to use then, too. */
export const isBuyersOwn = ({ buyer, details }: Unmatched): boolean =>
  buyer !== null && (details as QuotedDetails).quoteId !== undefined

/** It came too late, or went to whom the gate does not name any more: only the seller can say what it was for. */
export const isForSeller = ({ details }: Pick<Unmatched, 'details'>): boolean =>
  (details as SettledDetails).onlySeller === true

/**
 * Who can use what is owed. Empty where nobody can: it is not owed, is for the seller alone to give back, or was paid by
 * card, which names no wallet.
 */
export const listUsers = (row: Unmatched): ('payer' | 'buyer')[] => {
  if (row.state !== 'owed' || row.payer === null || isForSeller(row)) return []
  return isBuyersOwn(row) ? ['payer', 'buyer'] : ['payer']
}
