/**
 * Fulfilling a gate: once for each proof it hands out its reward, for a payment where it has a price.
 *
 * The order: who may know of the gate, when it is open, the proof, its owner, what the gate asks for, how many are left,
 * what is to be read again, the payment, the claim, the reward. The claim is one batch of guarded statements, and the reward is read only after it
 * is on disk: whoever was interrupted in between asks again and gets it. Asking again needs the credential, an open gate
 * and a valid proof; schedule, limits, age and price were settled the first time.
 *
 * `executionOrder` says which of proof and payment is asked for first. In neither order is a payment looked at, or
 * settled, before everything else holds.
 */
import { AppError } from '../errors.ts'
import { requireRoomToWrite } from '../http/admit-writes.ts'
import type { Caller } from '../http/caller.ts'
import type { Account } from '../http/identity.ts'
import { requireGrounds } from '../http/standing.ts'
import type { Parts } from '../parts.ts'
import { usdMicrosOf } from '../payments/price.ts'
import type { ProofRow } from '../proofs/proof.ts'
import {
  gateNotFound,
  requireEligible,
  requireOpen,
  requireProof,
  requireRoom,
  requireVerified,
} from './fulfill-checks.ts'
import { type Confirmed, confirmPayment, dueAt, requireOffer } from './fulfill-payment.ts'
import { requireStillHeld } from './fulfill-recheck.ts'
import { credentialsIn, type FulfillRequest, requireBuyer, signerOf } from './fulfill-request.ts'
import { claim, type Fulfillment, findFulfillment } from './fulfillment-store.ts'
import type { Gate } from './gate.ts'
import { gateOwnerOf } from './owner.ts'
import { newReceiptId } from './receipt.ts'
import { deliver } from './reward.ts'
import { requireRewardScope } from './reward-scope.ts'
import { findGate, findGateById } from './store.ts'

export interface Fulfilled {
  readonly data: ReturnType<typeof deliver>
  /** Headers that belong to the payment. */
  readonly headers: Readonly<Record<string, string>>
}

/** Errors: see the description of the route (fulfill-routes.ts). */
export async function fulfill(parts: Parts, request: FulfillRequest): Promise<Fulfilled> {
  const { body } = request
  const gate = await requireGate(parts, request)
  if (!earlierOf(parts, gate, body.qHash)) requireOpen(gate, parts.now())
  const proof = requireProof(parts, body.qHash)
  const caller = await requireBuyer(parts, gate, proof, request)
  requireVerified(proof, parts.now())
  if (body.accessGrant) throw new AppError('VALIDATION_ERROR', grantNotAsked, { path: '/accessGrant' })

  const earlier = earlierOf(parts, gate, proof.qHash)
  requireRewardScope(parts, gate, earlier?.version ?? gate.version, caller.identity)
  if (earlier) return { data: deliver(parts, gate, earlier), headers: {} }

  const due = dueAt(parts, gate, proof, caller, {
    ...body,
    paymentSignature: request.request.headers.get('payment-signature') ?? undefined,
  })
  if (due && gate.definition.price?.executionOrder === 'chargeThenVerify') requireOffer(parts, due)
  requireEligible(parts, gate, proof, caller)
  requireRoomToWrite(parts)
  await requireStillHeld(parts, gate, proof, caller)
  const payment = due && (await confirmPayment(parts, due))
  const claimed = await requireClaim(parts, gate, proof, caller, payment)
  // The claim stands, and whoever may have the reward gets it by asking again.
  requireGrounds(parts.db)
  return {
    data: deliver(parts, gate, claimed),
    headers: payment?.paid.headers ?? {},
  }
}

const grantNotAsked = 'this gate asks for no access to connected accounts: leave accessGrant out'

const earlierOf = ({ db }: Parts, { id }: Gate, qHash: string): Fulfillment | undefined =>
  findFulfillment(db, id, qHash.toLowerCase())

/** A private gate is for its owner alone, and not there for all others, whatever they sign. Errors: GATE_NOT_FOUND. */
async function requireGate(parts: Parts, request: FulfillRequest): Promise<Gate> {
  const gate = findGate(parts, request.gateId)
  if (gate?.status !== 'active') throw gateNotFound()
  if (gate.definition.policy?.visibility !== 'private') return gate
  try {
    const credentials = credentialsIn(parts, request)
    const isOwner = (account: Account): boolean => gateOwnerOf(account) === gate.owner
    if (credentials && isOwner(await signerOf(request, credentials, parts, isOwner))) return gate
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  throw gateNotFound()
}

/** More turns than this are not lost by bad luck. */
const maxTurns = 3

/**
 * The fulfilment, in the database when this returns. Errors: PAYMENT_ALREADY_USED, and those of every check before, for
 * what changed while the payment was looked at.
 */
async function requireClaim(
  parts: Parts,
  gate: Gate,
  proof: ProofRow,
  caller: Caller,
  payment: Confirmed | undefined,
): Promise<Fulfillment> {
  const { supply = null, perWallet = null } = gate.definition
  for (let turn = 0; turn < maxTurns; turn++) {
    const outcome = await claim(parts.db, {
      gate: gate.id,
      qHash: proof.qHash,
      buyer: caller,
      version: gate.version,
      receiptId: newReceiptId(),
      now: parts.now(),
      supply,
      perWallet,
      usdMicros: payment ? usdMicrosOf(gate.definition.price) : null,
      payment,
    })
    const stored = earlierOf(parts, gate, proof.qHash)
    if (stored) {
      if (outcome === 'claimed') parts.numbers.count('fulfillments', [gate.gateId])
      return stored
    }
    try {
      if (outcome === 'payment-used')
        throw new AppError(
          'PAYMENT_ALREADY_USED',
          'this payment was used already, for another gate or another proof: each payment is good for one of both',
          { identity: payment?.paid.identity },
        )
      requireVerified(requireProof(parts, proof.qHash), parts.now())
      const current = findGateById(parts, gate.id)
      if (current?.status !== 'active') throw gateNotFound()
      requireRoom(parts, { ...gate, fulfilledCount: current.fulfilledCount }, caller)
    } catch (error) {
      throw withHeaders(error, payment?.paid.headers)
    }
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'this gate is changing right now: try again', {}, { 'retry-after': '1' })
}

/** The buyer must hear of a settlement even when the claim is lost. */
function withHeaders(error: unknown, headers: Readonly<Record<string, string>> | undefined): unknown {
  if (!(error instanceof AppError) || !headers) return error
  return new AppError(error.code, error.message, error.details, { ...error.headers, ...headers })
}
