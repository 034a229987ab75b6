/**
 * Claims what the server found to be paid, whether or not the buyer comes back: the version that the checkout was opened
 * for, at the price that was paid. The buyer gets the reward by fulfilling as usual.
 *
 * Limits, the proof and the state of the gate are decided by the one guarded statement of the claim. What else the gate
 * asks for was met before the page was opened, unless the payment comes first (chargeThenVerify).
 */
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import type { Parts } from '../parts.ts'
import type { WatchedCheckout } from '../payments/checkout-store.ts'
import type { ClaimOutcome, Purchases } from '../payments/purchase.ts'
import type { PaidVerdict } from '../payments/store.ts'
import { type ProofRow, statusAt } from '../proofs/proof.ts'
import { findProof } from '../proofs/store.ts'
import { chainOf } from '../wallet/account.ts'
import { isContractMethod } from '../wallet/signature-method.ts'
import { requireRoom } from './fulfill-checks.ts'
import { requireRequirements } from './fulfill-requirements.ts'
import { claim, findFulfillment } from './fulfillment-store.ts'
import type { Gate } from './gate.ts'
import { newReceiptId } from './receipt.ts'
import { releaseIdleStatement } from './reservation-store.ts'
import { findDefinition, findGateById } from './store.ts'

const refused = (reason: string): ClaimOutcome => ({ state: 'refused', reason })

export const openPurchases = (parts: Parts): Purchases => ({
  claim: (checkout, paid, isLast) => claimPurchase(parts, checkout, paid, isLast),
  releasePlace: ({ gate, qHash, walletAddress }) =>
    releaseIdleStatement({ gate, qHash, walletAddress: walletAddress ?? '' }, parts.now()),
  nameGate: (gate) => findGateById(parts, gate)?.gateId ?? String(gate),
})

async function claimPurchase(
  parts: Parts,
  { gate: id, qHash, bought }: WatchedCheckout,
  paid: PaidVerdict,
  isLast: boolean,
): Promise<ClaimOutcome> {
  const { db, now, numbers } = parts
  const gate = findGateById(parts, id)
  const proof = findProof(db, qHash)
  if (!gate) return refused('GATE_NOT_FOUND')
  if (!proof) return refused('PROOF_NOT_FOUND')
  const definition = findDefinition(parts, id, bought.version)
  if (!definition) return refused('GATE_CHANGED')
  const lacking = lackOf(parts, { ...gate, definition, version: bought.version }, proof)
  if (lacking !== undefined) return isLast ? refused(lacking) : { state: 'waiting' }

  const { supply = null, perWallet = null } = gate.definition
  const outcome = await claim(db, {
    gate: id,
    qHash,
    walletAddress: proof.walletAddress,
    version: bought.version,
    receiptId: newReceiptId(),
    now: now(),
    supply,
    perWallet,
    usdMicros: bought.usdMicros,
    payment: { method: 'card', paid },
  })
  if (outcome === 'payment-used') return { state: 'known' }
  if (outcome === 'refused') return whyRefused(parts, id, qHash, isLast)
  numbers.count('fulfillments', [gate.gateId])
  return { state: 'claimed' }
}

/** The code of what is still missing where the payment comes before the proofs. */
function lackOf(parts: Parts, gate: Gate, proof: ProofRow): string | undefined {
  if (gate.definition.price?.executionOrder !== 'chargeThenVerify') return undefined
  const contractOn = isContractMethod(proof.signatureMethod ?? undefined) ? chainOf(proof.context) : undefined
  const caller: Caller = { wallet: proof.walletAddress, contractOn, signed: undefined }
  try {
    requireRequirements(parts, gate, proof, caller)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

/** Asks the conditions of the claim one by one, as they are by now. */
function whyRefused(parts: Parts, id: number, qHash: string, isLast: boolean): ClaimOutcome {
  const { db, now } = parts
  const gate = findGateById(parts, id)
  const proof = findProof(db, qHash)
  if (findFulfillment(db, id, qHash)) return refused('ALREADY_FULFILLED')
  if (!proof) return refused('PROOF_NOT_FOUND')
  if (/^(revoked|expired)$/.test(statusAt(proof, now()))) return refused('PROOF_NOT_VERIFIED')
  if (gate?.status !== 'active') return refused('GATE_NOT_FOUND')
  try {
    requireRoom(parts, gate, proof.walletAddress, qHash)
  } catch (error) {
    if (error instanceof AppError) return refused(error.code)
    throw error
  }
  return isLast ? refused('GATE_CHANGED') : { state: 'waiting' }
}
