/** The place of one buyer at a gate with limits, from before the payment until the claim. */
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import type { PaymentMethod } from '../payments/payment.ts'
import type { Place } from '../payments/purchase.ts'
import type { ProofRow } from '../proofs/proof.ts'
import { requireRoom } from './fulfill-checks.ts'
import type { Gate } from './gate.ts'
import { countHeld, findReservation, releaseIdleStatement, reserveStatement } from './reservation-store.ts'
import { findGateById } from './store.ts'

/** Undefined at a gate without limits: nobody can take anything away from the buyer there. */
export function placeOf(parts: Parts, gate: Gate, proof: ProofRow, method: PaymentMethod['id']): Place | undefined {
  const { supply = null, perWallet = null } = gate.definition
  if (supply === null && perWallet === null) return undefined
  const { now } = parts
  const { qHash, walletAddress } = proof
  const buyer = { gate: gate.id, walletAddress, qHash }
  return {
    hold: (until) =>
      reserveStatement({
        ...buyer,
        version: gate.version,
        method,
        expiresAt: until,
        now: now(),
        supply,
        perWallet,
      }),
    release: () => releaseIdleStatement(buyer, now()),
    refusal: () => refusalOf(parts, gate, proof),
  }
}

/** Finds out why the guarded statement found no place, by asking its conditions one by one. */
function refusalOf(parts: Parts, gate: Gate, { qHash, walletAddress }: ProofRow): AppError {
  const { db, now } = parts
  const { supply } = gate.definition
  const { fulfilledCount } = findGateById(parts, gate.id) ?? gate
  try {
    requireRoom(parts, { ...gate, fulfilledCount }, walletAddress)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  const own = findReservation(db, gate.id, walletAddress)
  if (own && own.expiresAt > now() && own.qHash !== qHash)
    return new AppError(
      'CONFLICT',
      'this wallet holds a place at this gate for another of its proofs: pay for that one, or wait until its place is free again. Nothing was charged',
      { reason: 'PLACE_HELD', qHash: own.qHash },
      { 'retry-after': String(retrySeconds) },
    )
  const held = countHeld(db, gate.id, walletAddress, now())
  if (supply !== undefined && fulfilledCount + held >= supply)
    return new AppError(
      'GATE_SOLD_OUT',
      `all ${supply} of this gate are given out or held for buyers who are paying right now: a place that is not paid is free again, so try later. Nothing was charged`,
      { supply, held },
      { 'retry-after': String(retrySeconds) },
    )
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'this gate is changing right now: try again. Nothing was charged',
    {},
    { 'retry-after': '1' },
  )
}

const retrySeconds = 60
