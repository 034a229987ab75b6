/** Deletes a wallet's fulfillments and held places for an erasure: SQL and nothing else. */

import { type ErasureBounds, type ErasureStage, isFound, type Selection, selectEarlier } from '../../db/erasing.ts'
import { isSomeInOrder } from '../../in-order.ts'
import { erasePayments } from '../../payments/erase-store.ts'

/** A wallet's fulfillments for deleted proofs. */
const selectFulfillments = ({ wallet, fulfillmentsUpTo }: ErasureBounds): Selection => ({
  sql: 'SELECT id FROM fulfillments WHERE wallet = ? AND id <= ?',
  params: [wallet, fulfillmentsUpTo],
})

export const erasureOfFulfillments: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectFulfillments(erasure)),
  slice(erasure, rows) {
    const found = selectFulfillments(erasure)
    const chosen = `(${found.sql} ORDER BY id LIMIT ?)`
    const params = [...found.params, rows]
    return [
      erasePayments({ sql: `SELECT payment FROM fulfillments WHERE id IN ${chosen}`, params }),
      { sql: `DELETE FROM fulfillments WHERE id IN ${chosen}`, params },
    ]
  },
}

const selectPlaces = (erasure: ErasureBounds): Selection =>
  selectEarlier(erasure, 'SELECT gate, wallet FROM reservations')
const selectUnpaid = (erasure: ErasureBounds): Selection =>
  selectEarlier(erasure, 'SELECT gate, wallet FROM unpaid_places')

export const erasureOfPlaces: ErasureStage = {
  isLeft: (db, erasure) => isSomeInOrder([selectPlaces, selectUnpaid], (select) => isFound(db, select(erasure))),
  slice(erasure, rows) {
    const places = selectPlaces(erasure)
    const unpaid = selectUnpaid(erasure)
    return [
      {
        sql: `DELETE FROM reservations WHERE (gate, wallet) IN (${places.sql} LIMIT ?)`,
        params: [...places.params, rows],
      },
      {
        sql: `DELETE FROM unpaid_places WHERE (gate, wallet) IN (${unpaid.sql} LIMIT ?)`,
        params: [...unpaid.params, rows],
      },
    ]
  },
}
