/** Why the guarded statement found no place for a buyer: its conditions, asked one by one after it refused. */

import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { type AccountText, parseAccount } from '../../wallet/account.ts'
import { makeClosedGateError } from '../access.ts'
import type { Gate } from '../gate.ts'
import { findGateById } from '../store.ts'
import { formatTime, makeRetryHeader, requireProof, requireRoom, requireVerified } from './checks.ts'
import { findFreeTime, findReservation } from './reservation-store.ts'
import { findFulfillment } from './store.ts'
import { explainNoUnpaid } from './unpaid-place.ts'
import type { UnpaidBounds } from './unpaid-place-store.ts'

/** The reason in details of a refusal that means: ask again, it is there. */
export const alreadyFulfilled = 'ALREADY_FULFILLED'

export interface Buyer {
  /** In the version whose price is paid. */
  readonly gate: Gate
  readonly buyer: AccountText
  readonly qHash: string
}

/**
 * The refusal for the buyer. `unpaid`: the limits of a place without cost. The obstacle may have gone in the meantime.
 */
export async function explainNoPlace(parts: Parts, pair: Buyer, unpaid?: UnpaidBounds): Promise<AppError> {
  const { gate, buyer, qHash } = pair
  const { db } = parts
  const now = parts.now()
  if (await findFulfillment(db, gate.id, qHash))
    return new AppError(
      'CONFLICT',
      'this gate was fulfilled for this proof during this request: send it again to get the same answer',
      {
        reason: alreadyFulfilled,
      },
    )
  try {
    requireVerified(await requireProof(parts, qHash), now)
    const current = await findGateById(parts, gate.id)
    if (current?.status !== 'active') return makeClosedGateError(current)
    if (current.version !== gate.version)
      return new AppError(
        'CONFLICT',
        'the owner changed this gate during this request: send it again to see the present requirements and price',
        { reason: 'GATE_CHANGED', version: current.version },
      )
    await requireRoom(parts, current, parseAccount(buyer), qHash)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  const place = await findReservation(db, gate.id, buyer)
  if (place && place.qHash !== qHash && place.expiresAt > now) {
    const freeAt = (await findFreeTime(db, gate.id, buyer, now)) ?? place.expiresAt
    return new AppError(
      'CONFLICT',
      `this wallet holds a place at this gate for another of its proofs, and may hold one at a time: finish that payment, or try again at ${formatTime(freeAt)}, when the place is free again`,
      { reason: 'PLACE_HELD', qHash: place.qHash, freeAt },
      makeRetryHeader(freeAt, now),
    )
  }
  const bound = unpaid && (await explainNoUnpaid(parts, pair, unpaid))
  if (bound) return bound
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'another request is changing this gate: try again',
    {},
    { 'retry-after': '1' },
  )
}
