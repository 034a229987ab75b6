/**
 * Holds a place for a buyer while this server moves the payment. One guarded batch takes it together with the row that finds
 * the payment again, before any settlement. A buyer without a place learns the reason, and is not charged.
 */

import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import type { PaymentMethod, PaymentPlace, Settling } from '../../payments/payment.ts'
import { convertUsdMicros } from '../../payments/price.ts'
import {
  claimHandoverStatement,
  endHandoverStatement,
  findSettlement,
  findUnderWay,
  refuseSharedStatement,
  refuseStatement,
  type Settlement,
  writeSettlement,
} from '../../payments/settlement-store.ts'
import { findUnmatched } from '../../payments/unmatched-store.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { writeAccount } from '../../wallet/account.ts'
import type { Gate } from '../gate.ts'
import { holdGate } from '../hold-store.ts'
import { formatTime } from './checks.ts'
import { findReservation, releaseIdleStatement, reserveStatement } from './reservation-store.ts'
import { addUnderWay } from './under-way.ts'
import { addSentence, addUnmatched } from './unmatched.ts'
import { explainNoPlace } from './why-no-place.ts'

interface Buying {
  /** In the version whose price is paid. */
  readonly gate: Gate
  readonly proof: ProofRow
  readonly caller: Caller
}

export const notSettled = 'Your signed payment was not settled: no money moved'

export function makePaymentPlace(
  parts: Parts,
  buying: Buying,
  { id: method }: Pick<PaymentMethod, 'id'>,
): PaymentPlace {
  const { gate, proof, caller } = buying
  const { mark } = parts.processes
  const pair = { gate: gate.id, buyer: writeAccount(caller), qHash: proof.qHash }
  return {
    async hold(settling) {
      if (await isPlaceHeld(parts, buying, await findSettlement(parts.db, settling.identity))) return
      const now = parts.now()
      const { supply = null, perWallet = null, price } = gate.definition
      const { reservationMinutes, watchHours } = parts.config.payments
      const held = { ...pair, version: gate.version }
      const result = await parts.db.write(
        [
          holdGate(pair),
          writeSettlement({
            ...held,
            identity: settling.identity,
            usdMicros: convertUsdMicros(price),
            details: settling.details,
            createdAt: now,
            endsAt: Math.min(settling.endsAt, now + watchHours * 3_600_000),
          }),
          reserveStatement({
            ...held,
            method,
            now,
            expiresAt: now + reservationMinutes * 60_000,
            supply,
            perWallet,
          }),
        ],
        'settle',
      )
      if ('refusedAt' in result) throw await explainNotHeld(parts, buying, settling)
    },
    async release(identity) {
      const now = parts.now()
      const refuse = mark === null ? refuseStatement(identity, now) : refuseSharedStatement(identity, now, mark)
      return 'changes' in (await parts.db.write([holdGate(pair), refuse, releaseIdleStatement(pair, now)], 'free'))
    },
    async beginHandover(identity) {
      return mark === null || 'changes' in (await parts.db.write([claimHandoverStatement(identity, mark)], 'free'))
    },
    async endHandover(identity) {
      if (mark !== null) await parts.db.write([endHandoverStatement(identity, mark)], 'free')
    },
  }
}

/** A request before this one has held it for the same payment. */
async function isPlaceHeld(
  parts: Parts,
  { gate, proof, caller }: Buying,
  underWay: Settlement | undefined,
): Promise<boolean> {
  if (underWay?.gate !== gate.id || underWay.qHash !== proof.qHash || underWay.refusedAt !== null) return false
  const place = await findReservation(parts.db, gate.id, writeAccount(caller))
  return place?.qHash === proof.qHash && place.version === underWay.version && place.expiresAt > parts.now()
}

/**
 * Runs after the refusal, so the obstacle may have gone. It denies a movement of money only for a payment that was
 * never submitted.
 */
async function explainNotHeld(
  parts: Parts,
  { gate, proof, caller }: Buying,
  { identity }: Settling,
): Promise<AppError> {
  const { db } = parts
  const { qHash } = proof
  const same = await findSettlement(db, identity)
  if (same && same.refusedAt === null && (same.gate !== gate.id || same.qHash !== qHash))
    return new AppError(
      'PAYMENT_ALREADY_USED',
      'this signed payment is under way for another gate or another proof: sign a new payment, because each buys one reward',
      { identity },
    )
  const refusal = await explainNoPlace(parts, { gate, buyer: writeAccount(caller), qHash })
  if (same && same.refusedAt === null) return addUnderWay(parts, refusal, { caller, gate, qHash })
  const row = await findUnmatched(db, identity)
  if (row) return addUnmatched(refusal, row)
  const underWay = await findUnderWay(db, gate.id, qHash)
  if (!underWay || underWay.identity === identity) return addSentence(refusal, notSettled)
  return addSentence(
    new AppError(
      'CONFLICT',
      `another signed payment of yours for this proof is under way, and whether it moved money is not known yet: repeat the request with that payment, or ask again without one. It can move money until ${formatTime(underWay.endsAt)}`,
      { reason: 'PAYMENT_UNDER_WAY', payment: underWay.identity, endsAt: underWay.endsAt },
      { 'retry-after': '10' },
    ),
    notSettled,
  )
}
