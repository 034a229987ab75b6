/** The place of one buyer at a gate with limits, from before the payment until the claim. */
import type { Parts } from '../parts.ts'
import type { PaymentMethod } from '../payments/payment.ts'
import type { Place } from '../payments/purchase.ts'
import type { ProofRow } from '../proofs/proof.ts'
import type { Gate } from './gate.ts'
import { releaseIdleStatement, reserveStatement } from './reservation-store.ts'
import { addSentence } from './unmatched.ts'
import { whyNoPlace } from './why-no-place.ts'

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
    refusal: () => addSentence(whyNoPlace(parts, { gate, walletAddress, qHash }), 'Nothing was charged'),
  }
}
