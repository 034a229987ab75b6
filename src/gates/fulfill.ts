/**
 * Fulfilling a gate: once for each proof it hands out its reward, for a payment where it has a price.
 *
 * The order: who may know of the gate, when it is open, the proof, its owner, what the gate asks for, how many are left,
 * what is to be read again, the payment, the claim, the reward. Where the payment is moved by this server (x402), a place
 * is held before it moves, and whoever gets none is not charged (hold-place.ts). The claim is one batch of guarded
 * statements, and the reward is read only after it is on disk: whoever was interrupted in between asks again and gets it.
 * A payment that was made by other hands for a gate that has nothing left is written down as unmatched (unmatched.ts).
 * Asking again needs the credential, an open gate
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
import { evidenceIn, type OfferedEvidence } from '../payments/offer.ts'
import { usdMicrosOf } from '../payments/price.ts'
import { findUnmatched, findUnmatchedOfPair, type Unmatched } from '../payments/unmatched-store.ts'
import type { ProofRow } from '../proofs/proof.ts'
import { accountIn, accountText } from '../wallet/account.ts'
import {
  gateNotFound,
  requireEligible,
  requireOpen,
  requireProof,
  requireRoom,
  requireVerified,
} from './fulfill-checks.ts'
import { type Confirmed, confirmPayment, type Due, dueAt, lookAtPayment, requireAnyOffer } from './fulfill-payment.ts'
import { requireStillHeld } from './fulfill-recheck.ts'
import { bareCaller, credentialsIn, type FulfillRequest, requireBuyer, signerOf } from './fulfill-request.ts'
import { requireRequirements } from './fulfill-requirements.ts'
import { claim, type Fulfillment, findFulfillment } from './fulfillment-store.ts'
import type { Gate } from './gate.ts'
import { findHeldVersion, type HeldVersion } from './held-version.ts'
import { notSettled, placeAt } from './hold-place.ts'
import { gateOwnerOf } from './owner.ts'
import { newReceiptId } from './receipt.ts'
import { deliver } from './reward.ts'
import { requireRewardScope } from './reward-scope.ts'
import { findDefinition, findGate, findGateById } from './store.ts'
import { addEarlierUnmatched, addSentence, addUnmatched, notePayment, unmatchedView } from './unmatched.ts'
import { alreadyFulfilled } from './why-no-place.ts'

export interface Fulfilled {
  readonly data: ReturnType<typeof deliver> & { readonly unmatched?: ReturnType<typeof unmatchedView> }
  /** Headers that belong to the payment. */
  readonly headers: Readonly<Record<string, string>>
}

/** Errors: see the description of the route (fulfill-routes.ts). */
export async function fulfill(parts: Parts, request: FulfillRequest): Promise<Fulfilled> {
  const admitted = await admit(parts, request).catch((error) => refuseWithPayment(parts, request, error))
  const { gate, proof, caller, due, fulfilled } = admitted
  if (fulfilled) return fulfilled
  try {
    const payment = due && (await confirmPayment(parts, due, placeAt(parts, admitted)))
    requireBoughtSight(parts, admitted, request, payment)
    const { claimed, unmatched } = await requireClaim(parts, admitted, payment)
    // The claim stands, and whoever may have the reward gets it by asking again.
    requireGrounds(parts.db)
    const data = deliver(parts, gate, claimed)
    return {
      data: unmatched ? { ...data, unmatched: unmatchedView(unmatched) } : data,
      headers: payment?.paid.headers ?? {},
    }
  } catch (error) {
    const earlier = isFulfilledMeanwhile(error) && earlierOf(parts, gate, proof.qHash)
    if (earlier) return { data: deliver(parts, gate, earlier), headers: {} }
    throw addEarlierUnmatched(parts, error, { caller, gate, qHash: proof.qHash })
  }
}

const isFulfilledMeanwhile = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'CONFLICT' && error.details.reason === alreadyFulfilled

interface Admitted {
  /** In the version whose price is paid, and whose reward is given. */
  readonly gate: Gate
  readonly proof: ProofRow
  readonly caller: Caller
  readonly due: Due | undefined
  /** Given before: asking again. */
  readonly fulfilled?: Fulfilled
}

/** Everything but the payment. Whoever holds a place has been through it, and only what can end meanwhile is asked. */
async function admit(parts: Parts, request: FulfillRequest): Promise<Admitted> {
  const { body } = request
  const newest = await requireGate(parts, request)
  const qHash = body.qHash.toLowerCase()
  const held = findHeldVersion(parts, newest, body)
  if (!held && !earlierOf(parts, newest, qHash)) requireOpen(newest, parts.now())
  const proof = requireProof(parts, qHash)
  const caller = await requireBuyer(parts, newest, proof, request)
  requireVerified(proof, parts.now())
  if (body.accessGrant) throw new AppError('VALIDATION_ERROR', grantNotAsked, { path: '/accessGrant' })

  const earlier = earlierOf(parts, newest, qHash)
  requireRewardScope(parts, newest, earlier?.version ?? held?.gate.version ?? newest.version, caller.identity)
  if (earlier) {
    const fulfilled = { data: deliver(parts, newest, earlier), headers: {} }
    return { gate: newest, proof, caller, due: undefined, fulfilled }
  }

  const gate = held?.gate ?? newest
  const due = dueAt(parts, gate, proof, caller, offeredIn(request), held?.underWay)
  if (due && gate.definition.price?.executionOrder === 'chargeThenVerify') requireAnyOffer(parts, due)
  if (!held) requireEligible(parts, gate, proof, caller)
  // A page of payment that came before the proofs: they are asked for now.
  else if (isOwedProofs(held, gate)) requireRequirements(parts, gate, proof, caller)
  requireRoomToWrite(parts)
  if (!held || isOwedProofs(held, gate)) await requireStillHeld(parts, gate, proof, caller)
  return { gate, proof, caller, due }
}

const isOwedProofs = ({ underWay }: HeldVersion, { definition }: Gate): boolean =>
  underWay === undefined && definition.price?.executionOrder === 'chargeThenVerify'

const offeredIn = ({ body, request }: FulfillRequest): OfferedEvidence => ({
  ...body,
  paymentSignature: request.headers.get('payment-signature') ?? undefined,
})

/** Refusals that no other proof and no waiting of the buyer mends, so that a payment made already is for nothing. */
const endings: ReadonlySet<AppError['code']> = new Set([
  'GATE_SOLD_OUT',
  'GATE_LIMIT_REACHED',
  'GATE_ENDED',
  'GATE_NOT_FOUND',
])

/**
 * The refusal of a request that may have brought a payment, which is looked at for whoever signed: what was paid is
 * written down as unmatched, and the buyer hears of it. Nothing is settled. Errors: always.
 */
async function refuseWithPayment(parts: Parts, request: FulfillRequest, error: unknown): Promise<never> {
  if (!(error instanceof AppError)) throw error
  const refused = await payerOf(parts, request, error)
  if (!refused) throw error
  const { gate, proof, caller, due } = refused
  const earlier = { caller, gate, qHash: proof.qHash }
  if (!endings.has(error.code) || !due || evidenceIn(due.offered).length === 0)
    throw addEarlierUnmatched(parts, error, earlier)
  throw addEarlierUnmatched(parts, await tellOfOffer(parts, refused, due, error), earlier)
}

async function tellOfOffer(parts: Parts, { gate, proof, caller }: Admitted, due: Due, error: AppError) {
  try {
    const { id, verdict } = await lookAtPayment(parts, due)
    if (!verdict.paid) {
      const found = `The payment that was offered did not pay for it (${verdict.reason}), and was not used`
      return verdict.reason === 'NOT_SETTLED'
        ? addSentence(error, notSettled)
        : addSentence(error, found, { payment: { reason: verdict.reason, message: verdict.message } })
    }
    const payment = { method: id, paid: verdict }
    const row = await notePayment(parts, gate, { qHash: proof.qHash, caller, payment, reason: error.code })
    return row ? addUnmatched(error, row) : addSentence(error, 'The payment that was offered was used before')
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    return addSentence(error, `Of the payment that was offered: ${failure.message}`, {
      payment: { code: failure.code, ...failure.details },
    })
  }
}

/** Asked before anybody has signed: whether there is something to tell the owner of the proof. */
const hasUnmatched = ({ db }: Parts, { id }: Gate, { account, walletAddress, qHash }: ProofRow): boolean =>
  [accountIn(account), { wallet: walletAddress, contractOn: undefined }].some(
    (owner) => findUnmatchedOfPair(db, accountText(owner), id, qHash) !== undefined,
  )

/** Who was refused, at which gate. Undefined where they may not know of the gate, or did not sign. */
async function payerOf(parts: Parts, request: FulfillRequest, error: AppError): Promise<Admitted | undefined> {
  const gate = findGate(parts, request.gateId)
  const isHidden = gate?.definition.policy?.visibility === 'private' && error.code === 'GATE_NOT_FOUND'
  if (!gate || gate.status === 'draft' || isHidden) return undefined
  const offered = offeredIn(request)
  try {
    const proof = requireProof(parts, request.body.qHash)
    const mayHear = evidenceIn(offered).length > 0 || hasUnmatched(parts, gate, proof)
    if (!mayHear) return undefined
    const caller = await requireBuyer(parts, gate, proof, request)
    const due = endings.has(error.code) ? dueAt(parts, gate, proof, caller, offered) : undefined
    return { gate, proof, caller, due }
  } catch (failure) {
    if (failure instanceof AppError) return undefined
    throw failure
  }
}

/**
 * The version that was paid for may hand out what the one of now does not: whoever asks must be good for that, too. What
 * they paid is not claimed before. Errors: FORBIDDEN, WALLET_AUTH_REQUIRED.
 */
function requireBoughtSight(
  parts: Parts,
  { gate, proof, caller }: Admitted,
  request: FulfillRequest,
  payment: Confirmed | undefined,
): void {
  const version = payment?.paid.bought?.version
  if (version === undefined || version === gate.version) return
  requireRewardScope(parts, gate, version, caller.identity)
  const definition = findDefinition(parts, gate.id, version)
  if (definition && !credentialsIn(parts, request)) bareCaller(parts, { ...gate, definition }, proof, request)
}

const grantNotAsked = 'this gate asks for no access to connected accounts: leave accessGrant out'

const earlierOf = ({ db }: Parts, { id }: Gate, qHash: string): Fulfillment | undefined =>
  findFulfillment(db, id, qHash.toLowerCase())

/**
 * A private gate is for its owner alone, and not there for all others, whatever they sign. One that was paused is there
 * for whoever holds a place. Errors: GATE_NOT_FOUND.
 */
async function requireGate(parts: Parts, request: FulfillRequest): Promise<Gate> {
  const gate = findGate(parts, request.gateId)
  const isThere = gate?.status === 'active' || (gate?.status === 'paused' && findHeldVersion(parts, gate, request.body))
  if (!gate || !isThere) throw gateNotFound()
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
 * The fulfilment, in the database when this returns, with the payment that it was not given for, where two were made.
 * Errors: PAYMENT_ALREADY_USED, and those of every check before, for what changed while the payment was looked at.
 */
async function requireClaim(
  parts: Parts,
  { gate, proof, caller }: Admitted,
  payment: Confirmed | undefined,
): Promise<{ readonly claimed: Fulfillment; readonly unmatched?: Unmatched | undefined }> {
  const { qHash } = proof
  const limits = findGateById(parts, gate.id)?.definition ?? gate.definition
  const { supply = null, perWallet = null } = limits
  for (let turn = 0; turn < maxTurns; turn++) {
    const outcome = await claim(parts.db, {
      gate: gate.id,
      qHash,
      buyer: caller,
      version: payment?.paid.bought?.version ?? gate.version,
      receiptId: newReceiptId(),
      now: parts.now(),
      supply,
      perWallet,
      usdMicros: payment ? (payment.paid.bought?.usdMicros ?? usdMicrosOf(gate.definition.price)) : null,
      payment,
    })
    const stored = earlierOf(parts, gate, qHash)
    if (stored) {
      if (outcome === 'claimed') parts.numbers.count('fulfillments', [gate.gateId])
      const isOther = payment && outcome !== 'claimed' && stored.payment?.identity !== payment.paid.identity
      if (!isOther) return { claimed: stored }
      const unmatched = await notePayment(parts, gate, { qHash, caller, payment, reason: alreadyFulfilled })
      return { claimed: stored, unmatched }
    }
    try {
      if (outcome === 'payment-used') throw paymentUsed(parts, gate, payment)
      requireVerified(requireProof(parts, qHash), parts.now())
      const current = findGateById(parts, gate.id)
      if (current?.status !== 'active') throw gateNotFound()
      requireRoom(parts, current, caller, qHash)
    } catch (error) {
      throw withHeaders(await lostClaim(parts, { gate, proof, caller }, payment, error), payment?.paid.headers)
    }
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'this gate is changing right now: try again', {}, { 'retry-after': '1' })
}

function paymentUsed({ db }: Parts, gate: Gate, payment: Confirmed | undefined): AppError {
  const identity = payment?.paid.identity ?? ''
  const row = findUnmatched(db, identity)
  if (row?.state === 'owed' && row.owner !== gate.owner)
    return new AppError(
      'PAYMENT_ALREADY_USED',
      'this payment was made to another seller, who owes it to you: use it for a gate of that seller, or ask the seller for it',
      { reason: 'OWED_BY_ANOTHER_SELLER', identity },
    )
  if (row?.state === 'refunding' || row?.state === 'refunded')
    return new AppError(
      'PAYMENT_ALREADY_USED',
      `this payment bought nothing, and this server ${row.state === 'refunded' ? 'has given' : 'is giving'} it back: pay anew`,
      { reason: 'REFUNDED', identity },
    )
  return new AppError(
    'PAYMENT_ALREADY_USED',
    'this payment was used already, for another gate or another proof: each payment is good for one of both',
    { identity },
  )
}

/** The claim was lost after the payment was confirmed: the money is there, and is not forgotten. */
async function lostClaim(
  parts: Parts,
  { gate, proof: { qHash }, caller }: Pick<Admitted, 'gate' | 'proof' | 'caller'>,
  payment: Confirmed | undefined,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof AppError) || !payment || error.code === 'PAYMENT_ALREADY_USED') return error
  const row = await notePayment(parts, gate, { qHash, caller, payment, reason: error.code })
  return row ? addUnmatched(error, row) : error
}

/** The buyer must hear of a settlement even when the claim is lost. */
function withHeaders(error: unknown, headers: Readonly<Record<string, string>> | undefined): unknown {
  if (!(error instanceof AppError) || !headers) return error
  return new AppError(error.code, error.message, error.details, { ...error.headers, ...headers })
}
