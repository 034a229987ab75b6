/** The place of one buyer at a gate with limits, from before the payment until it is bound. */
import type { Parts } from '../../parts.ts'
import type { PaymentMethod } from '../../payments/payment.ts'
import type { Place } from '../../payments/purchase.ts'
import { holdGate } from '../hold-store.ts'
import { releaseIdleStatement, reserveStatement } from './reservation-store.ts'
import { addSentence } from './unmatched.ts'
import { findBounds } from './unpaid-place.ts'
import { listUnpaidStatements } from './unpaid-place-store.ts'
import { type Buyer, explainNoPlace } from './why-no-place.ts'

/** Undefined at a gate without limits: no other buyer can take the place. */
export function makePlace(parts: Parts, pair: Buyer, method: PaymentMethod['id']): Place | undefined {
  const { gate, buyer, qHash } = pair
  const { supply = null, perWallet = null } = gate.definition
  if (supply === null && perWallet === null) return undefined
  const { now } = parts
  const held = { gate: gate.id, buyer, qHash }
  const unpaid = findBounds(parts, gate)
  return {
    hold(until, endsAt) {
      const reserve = {
        ...held,
        version: gate.version,
        method,
        expiresAt: until,
        now: now(),
        supply,
        perWallet,
        unpaid,
      }
      return [
        holdGate(held),
        reserveStatement(reserve),
        ...(unpaid && endsAt !== undefined
          ? listUnpaidStatements(gate.id, buyer, unpaid, { now: reserve.now, endsAt })
          : []),
      ]
    },
    release: () => [holdGate(held), releaseIdleStatement(held, parts.readSure())],
    refusal: async () => addSentence(await explainNoPlace(parts, pair, unpaid), 'Nothing was charged'),
  }
}
