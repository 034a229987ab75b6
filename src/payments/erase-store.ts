/** The payment data that an erasure deletes, and the data that stays without the buyer: SQL only. */
import type { Statement } from '../db/db.ts'
import { type ErasureBounds, type ErasureStage, isFound, type Selection, selectEarlier } from '../db/erasing.ts'
import { type AccountText, parseAccount } from '../wallet/account.ts'

/**
 * The identity of a payment stays, so that it cannot be used again. The payer, the details and the proof are removed.
 */
export const erasePayments = ({ sql, params }: Selection): Statement => ({
  sql: `UPDATE payments SET payer = NULL, details = NULL, q_hash = zeroblob(32), watch_at = NULL WHERE id IN (${sql})`,
  params,
})

const selectUnmatched = (erasure: ErasureBounds): Selection =>
  selectEarlier(erasure, 'SELECT id FROM unmatched_payments')

/**
 * Money that bought nothing stays on record for the seller who owes it: its identity, amount and state. The payer and
 * the proof are removed. If another wallet paid, that wallet stays on record, so that its owner finds the money.
 */
const isPaidByOther = 'payer IS NOT NULL AND payer <> ?'

export const erasureOfUnmatched: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectUnmatched(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectUnmatched(erasure)
    const payer = [parseAccount(erasure.wallet as AccountText).wallet]
    return [
      {
        sql: `UPDATE unmatched_payments
              SET wallet = NULL, q_hash = NULL,
                payer = CASE WHEN ${isPaidByOther} THEN payer END,
                details = CASE WHEN ${isPaidByOther} THEN json_remove(details, '$.quoteId') END,
                transaction_hash = CASE WHEN ${isPaidByOther} THEN transaction_hash END
              WHERE id IN (${sql} ORDER BY id LIMIT ?)`,
        params: [...payer, ...payer, ...payer, ...params, rows],
      },
    ]
  },
}

const selectUnderWay = (erasure: ErasureBounds): Selection => selectEarlier(erasure, 'SELECT identity FROM settlements')

/** A payment that may be moving is followed to its end, without the wallet that it is for. */
export const erasureOfSettlements: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectUnderWay(erasure)),
  slice(erasure, rows) {
    const underWay = selectUnderWay(erasure)
    return [
      {
        sql: `UPDATE settlements SET wallet = '', q_hash = zeroblob(32)
              WHERE identity IN (SELECT identity FROM (${underWay.sql} LIMIT ?) chosen)`,
        params: [...underWay.params, rows],
      },
    ]
  },
}

const selectCheckouts = (erasure: ErasureBounds): Selection =>
  selectEarlier(erasure, 'SELECT session_id FROM checkouts')

/**
 * A session may still be paid, so its row stays without its buyer until the outcome is known. A payment for an erased
 * proof is refunded.
 */
export const erasureOfCheckouts: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectCheckouts(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectCheckouts(erasure)
    return [
      {
        sql: `UPDATE checkouts SET wallet = NULL WHERE session_id IN (${sql} LIMIT ?)`,
        params: [...params, rows],
      },
    ]
  },
}

const selectOffered = ({ wallet, erasedAt }: ErasureBounds): Selection => ({
  sql: 'SELECT transaction_hash, wallet FROM offered_transfers WHERE wallet = ? AND first_at <= ?',
  params: [wallet, erasedAt],
})
const selectQuotes = (erasure: ErasureBounds): Selection => selectEarlier(erasure, 'SELECT quote_id FROM quotes')

/**
 * Quotes of the wallet, for erased proofs. Another person may have paid one by now, so it stays until its end, without
 * its buyer. The times of offered transfers are deleted.
 */
export const erasureOfQuotes: ErasureStage = {
  isLeft: async (db, erasure) =>
    (await isFound(db, selectQuotes(erasure))) || (await isFound(db, selectOffered(erasure))),
  slice(erasure, rows) {
    const { sql, params } = selectQuotes(erasure)
    const offered = selectOffered(erasure)
    return [
      {
        sql: `DELETE FROM offered_transfers WHERE (transaction_hash, wallet) IN (${offered.sql} LIMIT ?)`,
        params: [...offered.params, rows],
      },
      {
        sql: `UPDATE quotes SET wallet = '', q_hash = zeroblob(32) WHERE quote_id IN (${sql} LIMIT ?)`,
        params: [...params, rows],
      },
    ]
  },
}
