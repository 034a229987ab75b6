/** The lines of money that arrived, for an export: SQL and nothing else. */
import { standsFulfillment } from '../db/erasing.ts'
import { type Exporter, makeExporter, ownAccounts } from '../db/exporting.ts'
import { compose, label, pick, pickHash } from '../db/query.ts'

const gateId = pick('gates g', 'gateId')

export const paymentExporters: readonly Exporter[] = [
  makeExporter({
    name: 'payments',
    tables: ['payments'],
    select: compose`
      SELECT ${pick('payments y', 'identity', 'method')}, ${gateId}, ${pickHash('payments y', 'qHash')},
        ${pick('payments y', 'state', 'payer', 'amount', 'refunded', 'suspendedFor', 'details', 'paidAt', 'claimedAt', 'updatedAt')}
      FROM payments y JOIN gates g ON g.id = y.gate`,
    own: `y.id IN (SELECT f.payment FROM fulfillments f WHERE f.wallet IN (${ownAccounts}) AND ${standsFulfillment('f')})`,
    json: ['details'],
  }),
  makeExporter({
    name: 'unmatched-payments',
    tables: ['unmatched_payments'],
    select: compose`
      SELECT ${pick('unmatched_payments u', 'identity', 'method')}, ${gateId}, '0x' || lower(hex(u.q_hash)) AS ${label('qHash', 'text or null')},
        ${pick('unmatched_payments u', 'wallet', 'payer', 'amount', 'usdMicros', 'transactionHash', 'reason', 'state', 'details', 'paidAt', 'createdAt', 'updatedAt')}
      FROM unmatched_payments u JOIN gates g ON g.id = u.gate`,
    own: `u.wallet IN (${ownAccounts})`,
    json: ['details'],
  }),
  makeExporter({
    // The seller's view of the same rows: what is owed, without the buyers.
    name: 'owed-payments',
    tables: ['unmatched_payments'],
    only: 'person',
    select: compose`
      SELECT ${pick('unmatched_payments u', 'method')}, ${gateId},
        ${pick('unmatched_payments u', 'amount', 'usdMicros', 'reason', 'state', 'paidAt', 'createdAt', 'updatedAt')}
      FROM unmatched_payments u JOIN gates g ON g.id = u.gate`,
    own: `u.owner IN (${ownAccounts})`,
  }),
]
