/**
 * Fulfills a gate: once for each proof it delivers the reward, for a payment if it has a price.
 *
 * The order: visibility of the gate, its schedule, the proof, its owner, the requirements, the supply, rechecks, the
 * payment, the binding, the reward. If this server moves the payment (x402), it holds a place first (hold-place.ts). A
 * buyer without a place is not charged. The binding is one batch of guarded statements, and the reward is read only
 * after it is on disk. So an interrupted buyer asks again and gets it. An outside payment for a sold-out gate becomes
 * unmatched (unmatched.ts). Asking again needs the credential and a valid proof. State, schedule, limits, age and price
 * were settled the first time.
 *
 * `executionOrder` decides whether proof or payment is requested first. In neither order is a payment checked or
 * settled before everything else holds.
 */

import type { Caller } from '../../auth/caller.ts'
import type { Account } from '../../auth/identity.ts'
import { AppError } from '../../errors.ts'
import { requireRoomToWrite } from '../../http/admit-writes.ts'
import { requireGrounds } from '../../http/grounds.ts'
import type { Parts } from '../../parts.ts'
import { isPaidOnChain } from '../../payments/methods.ts'
import { findExcess } from '../../payments/overpaid.ts'
import { lookSoon } from '../../payments/store.ts'
import type { Unmatched } from '../../payments/unmatched-store.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { makeClosedGateError, makeGateNotFound } from '../access.ts'
import { askUnsigned } from '../check/ask-unsigned.ts'
import type { Gate } from '../gate.ts'
import { nameGateOwner } from '../owner.ts'
import { findDefinition, findGate } from '../store.ts'
import { type Admitted, requireBinding } from './bind.ts'
import { requireEligible, requireOpen, requireProof, requireVerified } from './checks.ts'
import type { Confirmed } from './confirmed-payment.ts'
import { findHeldVersion, type HeldVersion } from './held-version.ts'
import { makePaymentPlace } from './hold-place.ts'
import { confirmPayment, findDuePayment, type NoteArrived, requireAnyOffer } from './payment.ts'
import { requireStillHeld } from './recheck.ts'
import { refuseWithPayment } from './refuse-with-payment.ts'
import {
  type FulfillRequest,
  readCredentials,
  readOfferedEvidence,
  requireBareCaller,
  requireBuyer,
  requireSigner,
} from './request.ts'
import { type MetGate, requireRequirements } from './requirements.ts'
import { deliver } from './reward.ts'
import { requireRewardScope } from './reward-scope.ts'
import { noteSecondPayment, type SecondPayment } from './second-payment.ts'
import { type Fulfillment, findFulfillment } from './store.ts'
import { addEarlierUnmatched, addUnmatched, notePayment, showUnmatched } from './unmatched.ts'
import { alreadyFulfilled } from './why-no-place.ts'

export interface Fulfilled {
  readonly data: Awaited<ReturnType<typeof deliver>> &
    Pick<SecondPayment, 'secondPayment'> & {
      readonly unmatched?: ReturnType<typeof showUnmatched>
      readonly overpaid?: Overpaid
    }
  /** Headers that belong to the payment. */
  readonly headers: Readonly<Record<string, string>>
}

/** In base units of the token. */
interface Overpaid {
  readonly paid: string
  readonly price: string
  readonly above: string
}

const describeOverpaid = ({ paid: { amount, details } }: Confirmed): Pick<Fulfilled['data'], 'overpaid'> => {
  const above = findExcess(amount, details)
  return above === undefined ? {} : { overpaid: { paid: amount, price: String(details.due), above } }
}

/** Errors: see the description of the route (fulfill-routes.ts). */
export async function fulfill(parts: Parts, request: FulfillRequest): Promise<Fulfilled> {
  const admitted = await admit(parts, request).catch((error) => refuseWithPayment(parts, request, error))
  const { gate, proof, caller, due, earlier } = admitted
  try {
    if (earlier) {
      const asked = earlier.state === 'suspended' ? earlier.payment : null
      if (asked && !asked.isDisputed && isPaidOnChain(asked.method))
        await lookSoon(parts.db, asked.identity, parts.now())
      const { unmatched, secondPayment } = await noteSecondPayment(parts, request, admitted)
      const data = attachUnmatched(await deliver(parts, gate, earlier), unmatched)
      return { data: secondPayment ? { ...data, secondPayment } : data, headers: {} }
    }
    const noteArrived = openNoter(parts, admitted)
    const payment =
      due &&
      (await confirmPayment(parts, due, {
        openPlace: (method) => makePaymentPlace(parts, admitted, method),
        noteArrived,
      }))
    await requireBoughtViewer(parts, admitted, request, payment)
    const { bound, unmatched } = await requireBinding(parts, admitted, payment)
    // A gate that costs nothing any more: what was paid for it before is owed.
    const vain = due ? {} : await noteSecondPayment(parts, request, { ...admitted, earlier: bound })
    // The binding stands, and the buyer gets the reward by asking again.
    await requireGrounds(parts.db)
    const given = attachUnmatched(await deliver(parts, gate, bound), unmatched ?? vain.unmatched)
    const data = payment && !unmatched ? { ...given, ...describeOverpaid(payment) } : given
    return {
      data: vain.secondPayment ? { ...data, secondPayment: vain.secondPayment } : data,
      headers: payment?.paid.headers ?? {},
    }
  } catch (error) {
    const meanwhile = isFulfilledMeanwhile(error) && (await findEarlierFulfillment(parts, gate, proof.qHash))
    if (meanwhile) return { data: await deliver(parts, gate, meanwhile), headers: {} }
    throw await addEarlierUnmatched(parts, error, { caller, gate, qHash: proof.qHash })
  }
}

/** A payment that came too late for what it was made for. */
const openNoter =
  (parts: Parts, { gate, proof: { qHash }, caller }: Admitted): NoteArrived =>
  async (payment, refusal) => {
    const reason = String(refusal.details.reason)
    const row = await notePayment(parts, gate, { qHash, caller, payment, reason })
    return row ? addUnmatched(refusal, row) : refusal
  }

const attachUnmatched = (
  data: Awaited<ReturnType<typeof deliver>>,
  unmatched: Unmatched | undefined,
): Fulfilled['data'] => (unmatched ? { ...data, unmatched: showUnmatched(unmatched) } : data)

const isFulfilledMeanwhile = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'CONFLICT' && error.details.reason === alreadyFulfilled

/**
 * Checks everything but the payment. The holder of a place has passed it already, so only conditions that can end are
 * checked again.
 */
async function admit(parts: Parts, request: FulfillRequest): Promise<Admitted> {
  const { body } = request
  const newest = await requireGate(parts, request)
  const qHash = body.qHash.toLowerCase()
  const held = await findHeldVersion(parts, newest, body)
  if (!held && !(await findEarlierFulfillment(parts, newest, qHash))) requireOpen(newest, parts.now())
  const proof = await requireProof(parts, qHash)
  const caller = await requireBuyer(parts, newest, proof, request).catch(async (error) => {
    throw await askUnsigned(parts, newest, request, error)
  })
  requireVerified(proof, parts.now())
  if (body.accessGrant) throw new AppError('VALIDATION_ERROR', grantNotAsked, { path: '/accessGrant' })

  const admitEarlier = async (earlier: Fulfillment): Promise<Admitted> => {
    await requireRewardScope(parts, newest, earlier.version, caller.identity)
    await requireNoSecretForBare(parts, newest, earlier.version, proof, request)
    return { gate: newest, proof, caller, due: undefined, earlier }
  }
  const earlier = await findEarlierFulfillment(parts, newest, qHash)
  if (earlier) return admitEarlier(earlier)
  try {
    return await admitNew(parts, request, { newest, held, proof, caller })
  } catch (error) {
    // The same request, which was sent before and never answered, may have got the place meanwhile.
    const meanwhile = isWithoutPlace(error) && (await findEarlierFulfillment(parts, newest, qHash))
    if (!meanwhile) throw error
    return admitEarlier(meanwhile)
  }
}

const isWithoutPlace = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'GATE_SOLD_OUT' || error.code === 'GATE_LIMIT_REACHED')

interface NewBuyer extends Pick<Admitted, 'proof' | 'caller'> {
  readonly newest: Gate
  readonly held: HeldVersion | undefined
}

async function admitNew(
  parts: Parts,
  request: FulfillRequest,
  { newest, held, proof, caller }: NewBuyer,
): Promise<Admitted> {
  await requireRewardScope(parts, newest, held?.gate.version ?? newest.version, caller.identity)
  const gate = held?.gate ?? newest
  const due = await findDuePayment(parts, gate, proof, caller, readOfferedEvidence(request), held?.underWay)
  if (due && gate.definition.price?.executionOrder === 'chargeThenVerify') await requireAnyOffer(parts, due)
  const met = await requireMetGate(parts, gate, proof, caller, held)
  requireRoomToWrite(parts)
  if (met) await requireStillHeld(parts, gate, proof, caller, met)
  return { gate, proof, caller, due }
}

/** Undefined for a held place whose proofs were asked for before. A page of payment that came before them owes them. */
async function requireMetGate(
  parts: Parts,
  gate: Gate,
  proof: ProofRow,
  caller: Caller,
  held: HeldVersion | undefined,
): Promise<MetGate | undefined> {
  if (!held) return requireEligible(parts, gate, proof, caller)
  return isOwedProofs(held, gate) ? await requireRequirements(parts, gate, proof, caller) : undefined
}

const isOwedProofs = ({ underWay }: HeldVersion, { definition }: Gate): boolean =>
  underWay === undefined && definition.price?.executionOrder === 'chargeThenVerify'

/**
 * The paid version may deliver another reward than the present one. The caller needs the scope for that reward too.
 * Their payment is not bound before. Errors: FORBIDDEN, WALLET_AUTH_REQUIRED.
 */
async function requireBoughtViewer(
  parts: Parts,
  { gate, proof, caller }: Admitted,
  request: FulfillRequest,
  payment: Confirmed | undefined,
): Promise<void> {
  const version = payment?.paid.bought?.version
  if (version === undefined || version === gate.version) return
  await requireRewardScope(parts, gate, version, caller.identity)
  await requireNoSecretForBare(parts, gate, version, proof, request)
}

/**
 * Another version than the present one may deliver a secret, which needs a credential. Errors: WALLET_AUTH_REQUIRED.
 */
async function requireNoSecretForBare(
  parts: Parts,
  gate: Gate,
  version: number,
  proof: ProofRow,
  request: FulfillRequest,
): Promise<void> {
  if (version === gate.version) return
  const definition = await findDefinition(parts, gate.id, version)
  if (definition && !(await readCredentials(parts, request)))
    requireBareCaller(parts, { ...gate, definition }, proof, request)
}

const grantNotAsked = 'this gate asks for no access to connected accounts: leave accessGrant out'

const findEarlierFulfillment = ({ db }: Parts, { id }: Gate, qHash: string): Promise<Fulfillment | undefined> =>
  findFulfillment(db, id, qHash.toLowerCase())

/**
 * A private gate is for its owner alone, and not there for all others, whatever they sign. One that was paused is there
 * for the buyer who holds a place. One that is closed, deleted or private by now is there for the buyer who was given its
 * reward before. Errors: GATE_NOT_FOUND, GATE_PAUSED.
 */
async function requireGate(parts: Parts, request: FulfillRequest): Promise<Gate> {
  const gate = await findGate(parts, request.gateId)
  if (!gate) throw makeGateNotFound()
  const isThere =
    gate.status === 'active' || (gate.status === 'paused' && (await findHeldVersion(parts, gate, request.body)))
  const isPrivate = gate.definition.policy?.visibility === 'private'
  if (isThere && !isPrivate) return gate
  if (await wasGiven(parts, gate, request)) return gate
  if (isThere && (await isOwnGate(parts, gate, request))) return gate
  throw makeClosedGateError(gate)
}

/** Whether the signing caller had this gate's reward for this proof. Others do not learn that the gate exists. */
async function wasGiven(parts: Parts, gate: Gate, request: FulfillRequest): Promise<boolean> {
  const { qHash } = request.body
  if (!(await findEarlierFulfillment(parts, gate, qHash))) return false
  return askOrFalse(async () => {
    await requireBuyer(parts, gate, await requireProof(parts, qHash), request)
    return true
  })
}

const isOwnGate = (parts: Parts, { owner }: Gate, request: FulfillRequest): Promise<boolean> =>
  askOrFalse(async () => {
    const credentials = await readCredentials(parts, request)
    const isOwner = (account: Account): boolean => nameGateOwner(account) === owner
    return credentials !== undefined && isOwner(await requireSigner(request, credentials, parts, isOwner))
  })

async function askOrFalse(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
