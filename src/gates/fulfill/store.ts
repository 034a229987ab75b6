/**
 * Fulfillments in the database: SQL and nothing else. One row says that a gate delivered its reward for a proof, once
 * and forever. It is written in one batch with its payment, if any, before the reward is read.
 */

import type { Db, Statement } from '../../db/db.ts'
import { standsFulfillment } from '../../db/erasing.ts'
import { compose, label, labelLike, pick, pickHash, pickOptional, query, type RowOf } from '../../db/query.ts'
import { forgetOfferedStatement } from '../../payments/offered-transfers-store.ts'
import { concludeStatement } from '../../payments/settlement-store.ts'
import { bindStatement, type NewPayment } from '../../payments/store.ts'
import { markUsedStatement } from '../../payments/unmatched-store.ts'
import { readFirst52Bits } from '../../proofs/proof.ts'
import { type Account, parseAccount, writeAccount } from '../../wallet/account.ts'
import { selectNamed } from '../guests/pass-store.ts'
import { holdGate } from '../hold-store.ts'
import { releaseStatement } from './reservation-store.ts'
import { forgiveStatement } from './unpaid-place-store.ts'

export interface Fulfillment {
  readonly gate: number
  readonly qHash: string
  readonly buyer: Account
  /** The version of the gate whose reward was given. */
  readonly version: number
  readonly receiptId: string
  readonly state: 'granted' | 'suspended'
  /** Unix milliseconds. */
  readonly fulfilledAt: number
  readonly payment: FulfillmentPayment | null
}

export interface FulfillmentPayment {
  readonly method: string
  readonly identity: string
  /** In base units of the token, or cents. */
  readonly amount: string | null
  /** How much of it was given back. Null: nothing. */
  readonly refunded: string | null
  /** By the holder of the card, and not decided yet. */
  readonly isDisputed: boolean
  /** By the chain, which may have it again: looked for, and its place is kept. */
  readonly isMissing: boolean
  /** For good, as far as it is known. */
  readonly isReversed: boolean
}

export interface NewFulfillment {
  readonly gate: number
  readonly qHash: string
  /** The buyer. */
  readonly buyer: Account
  readonly version: number
  readonly receiptId: string
  readonly now: number
  /** The value of the payment, in millionths of a US dollar; null without one. */
  readonly usdMicros: number | null
  readonly payment: Omit<NewPayment, 'gate' | 'qHash' | 'claimedAt'> | undefined
}

/** A place that is held for this proof of this wallet. A page of payment may be of a version before. */
const ownPlace = `EXISTS (
  SELECT 1 FROM reservations r
  WHERE r.gate = ?1 AND r.wallet = ?4 AND r.q_hash = unhex(?3) AND r.expires_at > ?8)`

/** A limit of the newest version, read in the write: its owner may change it while a payment is looked at. Null: none. */
const readLimit = (name: 'supply' | 'perWallet'): string =>
  `CAST(json_extract(newest.definition, '$.${name}') AS BIGINT)`

/**
 * Changes no row in these cases. The gate is closed or sold out, or the wallet has had its share. The proof is revoked,
 * expired or gone, the version was removed, or the pair was fulfilled before. Places held for others count as
 * delivered. A holder has been counted, and gets the reward even from a gate that was paused since.
 */
const insertFulfillment = `
  INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, payment, state, created_at, updated_at, owner,
    usd_micros)
  SELECT g.id, named.q_hash, ?4, ?5, ?6, (SELECT id FROM payments WHERE identity = ?7), 'granted', ?8, ?8, g.owner, ?9
  FROM gates g JOIN gate_versions newest ON newest.gate = g.id AND newest.version = g.version
    CROSS JOIN (${selectNamed('?8')}) named
  WHERE g.id = ?1 AND (g.status = 'active' OR (g.status = 'paused' AND ${ownPlace}))
    AND EXISTS (SELECT 1 FROM gate_versions v WHERE v.gate = ?1 AND v.version = ?5)
    AND (${ownPlace} OR (
      (${readLimit('supply')} IS NULL OR ${readLimit('supply')} > g.fulfilled_count + (
        SELECT count(*) FROM reservations r WHERE r.gate = ?1 AND r.expires_at > ?8))
      AND (${readLimit('perWallet')} IS NULL OR ${readLimit('perWallet')} > (
        SELECT count(*) FROM fulfillments f
        WHERE f.wallet = ?4 AND f.gate = ?1 AND f.state = 'granted' AND ${standsFulfillment('f')}) + (
        SELECT count(*) FROM reservations r WHERE r.gate = ?1 AND r.wallet = ?4 AND r.expires_at > ?8))))
  ON CONFLICT (gate, q_hash) DO NOTHING`

const countFulfillment = `
  UPDATE gates SET fulfilled_count = fulfilled_count + 1, paid_count = paid_count + CASE WHEN CAST(?2 AS BIGINT) IS NULL THEN 0 ELSE 1 END,
    paid_usd_micros = paid_usd_micros + coalesce(?2, 0)
  WHERE id = ?1`

/**
 * Binds the payment and stores the fulfillment. The caller must find the reason of a refusal afterwards: the payment,
 * the pair, the proof or a limit.
 */
export async function bind(db: Db, fulfillment: NewFulfillment): Promise<'bound' | 'payment-used' | 'refused'> {
  const { gate, qHash, now, payment, usdMicros } = fulfillment
  const buyer = writeAccount(fulfillment.buyer)
  const transactionHash = payment?.paid.details.transactionHash
  const paid = payment
    ? [markUsedStatement(payment.paid.identity, gate, now), bindStatement({ ...payment, gate, qHash, claimedAt: now })]
    : []
  const result = await db.write(
    [
      holdGate({ gate, buyer }),
      ...paid,
      insertStatement(fulfillment),
      forgiveStatement(gate, buyer),
      releaseStatement({ gate, buyer, qHash }),
      ...(payment ? [concludeStatement(payment.paid.identity)] : []),
      ...(typeof transactionHash === 'string' ? [forgetOfferedStatement(transactionHash, buyer)] : []),
      { sql: countFulfillment, params: [gate, usdMicros], must: true },
    ],
    'settle',
  )
  if ('changes' in result) return 'bound'
  return result.refusedAt > 0 && result.refusedAt <= paid.length ? 'payment-used' : 'refused'
}

const insertStatement = (made: NewFulfillment): Statement => ({
  sql: insertFulfillment,
  must: true,
  params: [
    made.gate,
    readFirst52Bits(made.qHash),
    made.qHash.slice(2),
    writeAccount(made.buyer),
    made.version,
    made.receiptId,
    made.payment?.paid.identity ?? null,
    made.now,
    made.usdMicros,
  ],
})

/**
 * A disputed payment, or one that the chain may restore, suspends its purchase and keeps its place. The row stays
 * granted, so that it counts.
 */
export const shownState = `CASE WHEN p.suspended_for IS NULL THEN f.state ELSE 'suspended' END`

const selectFulfillments = compose`
  SELECT ${pick('fulfillments f', 'gate', { buyer: 'wallet' }, 'version', 'receiptId', { fulfilledAt: 'createdAt' })},
    ${pickHash('fulfillments f', 'qHash')}, ${shownState} AS ${labelLike('fulfillments', 'state')},
    ${pickOptional('payments p', 'method', 'identity', 'amount', 'refunded')},
    CASE WHEN p.suspended_for = 'disputed' THEN 1 ELSE 0 END AS ${label('isDisputed', 'number')},
    CASE WHEN p.suspended_for = 'reorganized' THEN 1 ELSE 0 END AS ${label('isMissing', 'number')},
    CASE WHEN p.state = 'reversed' THEN 1 ELSE 0 END AS ${label('isReversed', 'number')}
  FROM fulfillments f LEFT JOIN payments p ON p.id = f.payment`

const selectOfPair = query<[gate: number, digits: string]>()`
  ${selectFulfillments} WHERE f.gate = ?1 AND f.q_hash = unhex(?2) AND ${standsFulfillment('f')}`
const selectOfReceipt = query<[receiptId: string]>()`
  ${selectFulfillments} WHERE f.receipt_id = ?1 AND ${standsFulfillment('f')}`
const countOfWallet = query<[string, number]>()`
  SELECT count(*) AS ${label('granted', 'number')}
  FROM fulfillments f
  WHERE f.wallet = ?1 AND f.gate = ?2 AND f.state = 'granted' AND ${standsFulfillment('f')}`

type RawFulfillment = RowOf<typeof selectFulfillments>

const makeFulfillment = (raw: RawFulfillment | null): Fulfillment | undefined => {
  if (!raw) return undefined
  const { method, identity, amount, refunded, isDisputed, isMissing, isReversed, buyer, ...rest } = raw
  return {
    ...rest,
    buyer: parseAccount(buyer),
    payment:
      method === null || identity === null
        ? null
        : {
            method,
            identity,
            amount,
            refunded,
            isDisputed: isDisputed === 1,
            isMissing: isMissing === 1,
            isReversed: isReversed === 1,
          },
  }
}

export const findFulfillment = async (db: Db, gate: number, qHash: string): Promise<Fulfillment | undefined> =>
  makeFulfillment(await db.read(selectOfPair).get(gate, qHash.slice(2)))

export const findByReceipt = async (db: Db, receiptId: string): Promise<Fulfillment | undefined> =>
  makeFulfillment(await db.read(selectOfReceipt).get(receiptId))

const selectOfWallet = query<[string, number, number]>()`
  SELECT ${pickHash('fulfillments f', 'qHash')},
    ${shownState} AS ${labelLike('fulfillments', 'state')},
    ${pick('fulfillments f', { fulfilledAt: 'createdAt' })}
  FROM fulfillments f LEFT JOIN payments p ON p.id = f.payment
  WHERE f.wallet = ?1 AND f.gate = ?2 AND ${standsFulfillment('f')} ORDER BY f.id DESC LIMIT ?3`

/** This account's fulfillments of the gate, the newest first. */
export const listOfWallet = (db: Db, buyer: Account, gate: number, limit: number) =>
  db.read(selectOfWallet).all(writeAccount(buyer), gate, limit)

/** How many this account has had of the gate. */
export const countGranted = async (db: Db, buyer: Account, gate: number): Promise<number> =>
  (await db.read(countOfWallet).get(writeAccount(buyer), gate))?.granted ?? 0
