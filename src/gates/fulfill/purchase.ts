/**
 * The gate of a checkout, when only the payment is missing. It refuses everything that a fulfillment would refuse, so
 * that nobody pays in vain. It reads no payment.
 */

import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { nameMethod } from '../../payments/methods.ts'
import { isCharged } from '../../payments/offer.ts'
import type { FindPurchase } from '../../payments/purchase.ts'
import { isProofOwner } from '../../proofs/owner.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { writeAccount } from '../../wallet/account.ts'
import { findVisibleGate, makeClosedGateError } from '../access.ts'
import type { Gate } from '../gate.ts'
import { holdGate } from '../hold-store.ts'
import { nameGateOwner } from '../owner.ts'
import { findGate } from '../store.ts'
import { requireEligible, requireOpen, requireProof, requireRoom, requireVerified } from './checks.ts'
import { makePlace } from './place.ts'
import { requireStillHeld } from './recheck.ts'
import { requireRewardScope } from './reward-scope.ts'
import { findFulfillment } from './store.ts'

async function meetsAll(parts: Parts, gate: Gate, proof: ProofRow, caller: Caller): Promise<boolean> {
  if (gate.definition.price?.executionOrder !== 'chargeThenVerify') return true
  try {
    await requireEligible(parts, gate, proof, caller)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/**
 * Errors: GATE_NOT_FOUND, GATE_PAUSED, PROOF_NOT_FOUND, FORBIDDEN, VALIDATION_ERROR for a gate that costs nothing, CONFLICT for what
 * was fulfilled before, and those of requireEligible.
 */
export const makePurchaseFinder =
  (parts: Parts, method: string): FindPurchase =>
  async (gateId, qHash, caller) => {
    const viewer = nameGateOwner(caller)
    const gate = findVisibleGate(await findGate(parts, gateId), viewer)
    if (gate?.status !== 'active') throw makeClosedGateError(gate)
    const proof = await requireProof(parts, qHash)
    if (!isProofOwner(proof, caller))
      throw new AppError('FORBIDDEN', `this proof does not belong to ${caller.wallet}: use a proof of that wallet`)
    await requireRewardScope(parts, gate, gate.version, caller.identity)
    const { name, price, successReturnUrl } = gate.definition
    if (!isCharged(price))
      throw new AppError('VALIDATION_ERROR', 'this gate costs nothing: fulfill it without a payment', {
        path: '/gateId',
      })
    if (await findFulfillment(parts.db, gate.id, qHash))
      throw new AppError(
        'CONFLICT',
        'this gate was already fulfilled for this proof: fulfill it again without a payment to get the same answer',
        { reason: 'ALREADY_FULFILLED' },
      )
    if (price.executionOrder === 'chargeThenVerify') {
      requireOpen(gate, parts.now())
      requireVerified(proof, parts.now())
      await requireRoom(parts, gate, caller, proof.qHash)
    } else {
      await requireStillHeld(parts, gate, proof, caller, await requireEligible(parts, gate, proof, caller))
    }
    const buyer = writeAccount(caller)
    return {
      gate: gate.id,
      version: gate.version,
      buyer,
      isOwner: viewer === gate.owner,
      name,
      price,
      methodNames: price.methods.map(nameMethod),
      successReturnUrl,
      holdGate: holdGate({ gate: gate.id, buyer }),
      // A buyer who pays before the proofs exist holds no place yet: it would keep others out.
      place: (await meetsAll(parts, gate, proof, caller))
        ? makePlace(parts, { gate, buyer, qHash: proof.qHash }, method)
        : undefined,
    }
  }
