/**
 * Binds a payment that the server found, whether or not the buyer returns. It counts for the version of the checkout,
 * at the paid price. The buyer gets the reward by fulfilling as usual.
 *
 * The requirements were met before the page was opened, unless the payment comes first (chargeThenVerify).
 */

import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import type { WatchedCheckout } from '../../payments/checkout-store.ts'
import type { BindOutcome, Purchases } from '../../payments/purchase.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { findProof } from '../../proofs/store.ts'
import { type AccountText, nobody, parseAccount } from '../../wallet/account.ts'
import type { Gate } from '../gate.ts'
import { holdGate } from '../hold-store.ts'
import { findDefinition, findGateById } from '../store.ts'
import { bindUnasked, changing } from './bind-unasked.ts'
import type { Confirmed } from './confirmed-payment.ts'
import { requireRequirements } from './requirements.ts'
import { releaseIdleStatement } from './reservation-store.ts'

const refuseBinding = (reason: string): BindOutcome => ({ state: 'refused', reason })

export const openPurchases = (parts: Parts, method: string): Purchases => ({
  bind: (checkout, paid, isLast) => bindPurchase(parts, checkout, { method, paid }, isLast),
  holdGate,
  releasePlace: ({ gate, qHash, buyer }) =>
    releaseIdleStatement({ gate, qHash, buyer: buyer ?? nobody }, parts.readSure()),
  nameGate: async (gate) => (await findGateById(parts, gate))?.gateId ?? String(gate),
})

async function bindPurchase(
  parts: Parts,
  { gate: id, qHash, buyer, bought }: WatchedCheckout,
  payment: Confirmed,
  isLast: boolean,
): Promise<BindOutcome> {
  const { db } = parts
  const gate = await findGateById(parts, id)
  const proof = await findProof(db, qHash)
  if (!gate) return refuseBinding('GATE_NOT_FOUND')
  // After an erasure the buyer has no name here any more.
  if (!proof || buyer === null) return refuseBinding('PROOF_NOT_FOUND')
  const definition = await findDefinition(parts, id, bought.version)
  if (!definition) return refuseBinding('GATE_CHANGED')
  const lacking = await findMissingCode(parts, { ...gate, definition, version: bought.version }, proof, buyer)
  if (lacking !== undefined) return isLast ? refuseBinding(lacking) : { state: 'waiting' }

  const sale = { gate: id, qHash, buyer, ...bought }
  const outcome = await bindUnasked(parts, sale, payment)
  if (outcome.state === 'bound') return { state: 'bound' }
  if (outcome.state === 'payment-used') return { state: 'known' }
  return outcome.reason === changing && !isLast ? { state: 'waiting' } : refuseBinding(outcome.reason)
}

/** The code of what is still missing where the payment comes before the proofs. */
async function findMissingCode(
  parts: Parts,
  gate: Gate,
  proof: ProofRow,
  buyer: AccountText,
): Promise<string | undefined> {
  if (gate.definition.price?.executionOrder !== 'chargeThenVerify') return undefined
  const caller: Caller = { ...parseAccount(buyer), signed: undefined }
  try {
    await requireRequirements(parts, gate, proof, caller)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}
