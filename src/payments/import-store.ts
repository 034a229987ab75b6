/** Makes payments from the lines of an export: SQL and nothing else. */
import { type Importer, isSameGate } from '../db/importing.ts'

const findGate = `(SELECT g.gate_id FROM gates g WHERE g.id = y.gate) AS "gateId"`

const gateHolder = `SELECT 1 FROM gates g WHERE ${isSameGate}`

export const paymentImporters: readonly Importer[] = [
  {
    name: 'payments',
    holder: gateHolder,
    find: {
      sql: `SELECT ${findGate}, '0x' || lower(hex(y.q_hash)) AS "qHash" FROM payments y WHERE y.identity = $identity`,
      describe: ({ identity }) => `the payment ${identity}`,
    },
    insert: [
      `INSERT INTO payments (identity, method, gate, q_hash, state, payer, amount, refunded, suspended_for, details,
         paid_at, claimed_at, updated_at, watch_at)
       SELECT $identity, $method, g.id, unhex(substr($qHash, 3)), $state, $payer, $amount, $refunded, $suspendedFor, $details,
         $paidAt, $claimedAt, $updatedAt, $watchAt FROM gates g WHERE ${isSameGate}`,
    ],
  },
  {
    name: 'unmatched-payments',
    holder: gateHolder,
    find: {
      sql: `SELECT ${findGate} FROM unmatched_payments y WHERE y.identity = $identity`,
      describe: ({ identity }) => `the payment ${identity} that bought nothing`,
    },
    insert: [
      `INSERT INTO unmatched_payments (identity, method, gate, owner, q_hash, wallet, payer, amount, usd_micros, details,
         transaction_hash, reason, state, paid_at, created_at, updated_at, next_at)
       SELECT $identity, $method, g.id, g.owner, unhex(substr($qHash, 3)), $wallet, $payer, $amount, $usdMicros, $details,
         $transactionHash, $reason, $state, $paidAt, $createdAt, $updatedAt, $nextAt FROM gates g WHERE ${isSameGate}`,
    ],
  },
]
