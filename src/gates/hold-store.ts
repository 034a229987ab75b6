/**
 * Holds the row of a gate until the write is done: SQL only. It stands first in every write that sells, keeps, gives back
 * or counts places. Such writes of several processes then run one after another for each gate, and what follows
 * sees the places of the one before. Where one process writes, it only finds the row.
 */

import type { Statement } from '../db/db.ts'
import { nameTurn } from '../db/turns.ts'
import type { AccountText } from '../wallet/account.ts'

/** With the buyer whose place it is: a wallet has limits over several gates, and may erase its data at this moment. */
export const holdGate = ({
  gate,
  buyer,
}: {
  /** gates.id */
  readonly gate: number
  readonly buyer: AccountText | null
}): Statement => ({
  sql: 'SELECT 1 FROM gates WHERE id = ?1',
  params: [gate],
  mustFind: true,
  holds: 'update',
  ...(buyer ? { turns: [nameTurn('account', buyer)] } : {}),
})

/** The gate of the purchase that this payment paid. */
export const holdGateOfPayment = (payment: number): Statement => ({
  sql: 'SELECT 1 FROM gates WHERE id = (SELECT gate FROM fulfillments WHERE payment = ?1)',
  params: [payment],
  mustFind: true,
  holds: 'update',
})
