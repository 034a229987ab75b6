/** The lines of money that arrived, for an export: SQL and nothing else. */
import { standsFulfillment } from '../db/erasing.ts'
import { type Exporter, makeExporter, ownAccounts, writeHashOrNull } from '../db/exporting.ts'
import { compose, label, pick, pickHash } from '../db/query.ts'

/** The gate, and when it was made: another server may have another gate of that name. */
const gateOf = pick('gates g', 'gateId', { gateCreatedAt: 'createdAt' })
const gateId = pick('gates g', 'gateId')

export const paymentExporters: readonly Exporter[] = [
  makeExporter({
    name: 'payments',
    tables: ['payments'],
    select: compose`
      SELECT ${pick('payments y', 'identity', 'method')}, ${gateOf}, ${pickHash('payments y', 'qHash')},
        ${pick('payments y', 'state', 'payer', 'amount', 'refunded', 'suspendedFor', 'details', 'paidAt', 'claimedAt', 'updatedAt', 'watchAt')}
      FROM payments y JOIN gates g ON g.id = y.gate`,
    order: 'y.id',
    own: `y.id IN (SELECT f.payment FROM fulfillments f WHERE f.wallet IN (${ownAccounts}) AND ${standsFulfillment('f')})`,
    json: ['details'],
  }),
  makeExporter({
    name: 'unmatched-payments',
    tables: ['unmatched_payments'],
    select: compose`
      SELECT ${pick('unmatched_payments u', 'identity', 'method')}, ${gateOf}, ${writeHashOrNull('u.q_hash')} AS ${label('qHash', 'text or null')},
        ${pick('unmatched_payments u', 'wallet', 'payer', 'amount', 'usdMicros', 'transactionHash', 'reason', 'state', 'details', 'paidAt', 'createdAt', 'updatedAt', 'nextAt')}
      FROM unmatched_payments u JOIN gates g ON g.id = u.gate`,
    order: 'u.id',
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
    order: 'u.id',
    own: `u.owner IN (${ownAccounts})`,
  }),
]
