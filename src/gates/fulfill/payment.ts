/**
 * The payment of a fulfillment: whether one is due, the accepted methods, and whether the offered one was made. It
 * binds nothing: that is one statement with the fulfillment (fulfillment-store.ts).
 */

import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import { limitWait } from '../../limit-wait.ts'
import { OutsideError } from '../../outside/failure.ts'
import type { Parts } from '../../parts.ts'
import { findOpenCheckout } from '../../payments/checkout-store.ts'
import { isOfLostTime, lostTimeReason } from '../../payments/lost-time.ts'
import { listEvidence, nameMethod } from '../../payments/methods.ts'
import {
  findAcceptance,
  findTransferMethod,
  isCharged,
  type OfferedEvidence,
  type Quote,
  type UnusableMethod,
} from '../../payments/offer.ts'
import { rememberOffered } from '../../payments/offered-transfers-store.ts'
import type { PaymentMethod, PaymentPlace, PaymentVerdict } from '../../payments/payment.ts'
import type { Price } from '../../payments/price.ts'
import type { Settlement } from '../../payments/settlement-store.ts'
import { listLinkedWallets } from '../../proofs/linked-wallets-store.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { findScope } from '../../request-scope.ts'
import { type AccountText, writeAccount } from '../../wallet/account.ts'
import type { Gate } from '../gate.ts'
import { nameGateOwner } from '../owner.ts'
import { findDefinition } from '../store.ts'
import { type Asked, askPayment, reportNothingOffered } from './ask-payment.ts'
import { formatTime } from './checks.ts'
import type { Confirmed } from './confirmed-payment.ts'
import { keepAwaitedPlace } from './keep-place.ts'
import { findOwedPayment, isOwed } from './owed-payment.ts'
import { openTerms } from './terms.ts'
import { addSentence } from './unmatched.ts'

/** A price that can be paid here, and what came with the request to pay it. */
export interface Due extends Asked {
  /** gates.id */
  readonly gate: number
  readonly buyer: AccountText
  readonly offered: OfferedEvidence
  /** The owner of the gate. */
  readonly owner: string
  /** Whether the caller has shown who they are, and may hear what they have begun. */
  readonly isAuthenticated: boolean
  /** The method that the gate no longer accepts, and accepted when an offered payment may have been made. */
  readonly late?: PaymentMethod | undefined
}

/** The due payment, undefined for a gate without a price. Errors: GATE_MISCONFIGURED. */
export async function findDuePayment(
  parts: Parts,
  gate: Gate,
  proof: Pick<ProofRow, 'qHash'>,
  caller: Caller,
  offered: OfferedEvidence,
  underWay?: Settlement,
): Promise<Due | undefined> {
  const { price } = gate.definition
  if (!isCharged(price)) return undefined
  const acceptance = findAcceptance(price, parts.paymentMethods, parts)
  const late = await findLateMethod(parts, gate, offered)
  if (acceptance.usable.length === 0 && !late) throw makeMisconfiguredError(parts, gate, caller, acceptance.unusable)
  const plain = await makeQuote(parts, gate, proof, caller, price)
  const { paymentQuoteId: quoteId } = offered
  const quote = quoteId === undefined ? plain : { ...plain, quoteId }
  return {
    gate: gate.id,
    buyer: writeAccount(caller),
    quote,
    acceptance,
    offered,
    late,
    owner: gate.owner,
    underWay,
    isAuthenticated: caller.signed !== undefined || caller.identity !== undefined,
  }
}

/** A transfer counts for the version of its block: the gate may have stopped taking transfers since. */
async function findLateMethod(
  parts: Parts,
  gate: Gate,
  { paymentTxHash }: OfferedEvidence,
): Promise<PaymentMethod | undefined> {
  const method = findTransferMethod(parts.paymentMethods)
  if (paymentTxHash === undefined || !method || gate.definition.price?.methods.includes(method.id)) return undefined
  const { price: accepts } =
    (await findFormer(parts, gate, ({ methods }) => methods.includes(method.id)))?.definition ?? {}
  return accepts && method.findMissingConfiguration(parts) === undefined ? method : undefined
}

/** A buyer who paid yesterday's price is served by it, whatever the gate costs now. */
const formerMs = 86_400_000

/** The gate in its newest version of the last day that asked for such a price. */
async function findFormer(parts: Parts, gate: Gate, isMeant: (price: Price) => boolean): Promise<Gate | undefined> {
  const now = parts.now()
  const found = (await openTerms(parts, gate).between(now - formerMs, now)).find(
    ({ price }) => price !== undefined && isMeant(price),
  )
  const definition = found && (await findDefinition(parts, gate.id, found.version))
  return definition && { ...gate, version: found.version, definition }
}

/** A transfer for a gate that costs nothing any more, and did when it may have been made. */
export async function findFormerDue(
  parts: Parts,
  gate: Gate,
  proof: Pick<ProofRow, 'qHash'>,
  caller: Caller,
  { paymentTxHash, paymentQuoteId }: OfferedEvidence,
): Promise<Due | undefined> {
  const method = findTransferMethod(parts.paymentMethods)
  if (paymentTxHash === undefined || !method || isCharged(gate.definition.price)) return undefined
  const former = await findFormer(parts, gate, ({ methods }) => methods.includes(method.id))
  return former && (await findDuePayment(parts, former, proof, caller, { paymentTxHash, paymentQuoteId }))
}

async function makeQuote(
  parts: Parts,
  gate: Gate,
  { qHash }: Pick<ProofRow, 'qHash'>,
  caller: Caller,
  price: Price,
): Promise<Quote> {
  const { db, now } = parts
  const { gateId } = gate
  const { wallet, contractOn } = caller
  return {
    gateId,
    qHash,
    price,
    wallets: [wallet, ...(await listLinkedWallets(db, caller, now()))],
    ...(contractOn === undefined ? {} : { contractOn }),
    terms: openTerms(parts, gate),
  }
}

/** The buyer learns that it is not their fault, and the owner learns the remedy. */
function makeMisconfiguredError(
  { log }: Parts,
  { gateId, owner }: Gate,
  caller: Caller,
  unusable: readonly UnusableMethod[],
): AppError {
  const mend = unusable.map(({ method, missing }) => `${nameMethod(method)} ${missing}`)
  log.count({
    level: 'warn',
    event: 'gate-unpayable',
    message: 'a gate cannot be paid as it is set up',
    kind: gateId,
    fields: { gateId, mend: mend.join('; ') },
    requestId: findScope()?.requestId,
  })
  return nameGateOwner(caller) === owner
    ? new AppError('GATE_MISCONFIGURED', `this gate is misconfigured, so nobody can pass it: ${mend.join('; ')}`, {
        mend,
      })
    : new AppError(
        'GATE_MISCONFIGURED',
        'this gate cannot be used now: its owner must complete its settings. No payment was used',
      )
}

/** Errors: PAYMENT_REQUIRED when nothing that this gate takes was offered. */
export async function requireAnyOffer(parts: Parts, due: Due): Promise<void> {
  if (!(await isOwed(parts, due.offered))) await requireOffer(parts, due)
}

async function requireOffer(parts: Parts, due: Due) {
  const { acceptance, offered, late, underWay } = due
  const evidence = listEvidence(offered)
  for (const { method: id, text } of evidence) {
    const method = acceptance.usable.find((usable) => usable.id === id) ?? (late?.id === id ? late : undefined)
    if (method) return { method, text }
  }
  // A buyer who is asked to pay now would pay twice.
  if (evidence.length === 0 && underWay)
    throw askPayment(parts, due, {
      reason: 'PAYMENT_UNDER_WAY',
      message:
        'your signed payment was submitted, and whether it moved money is not known yet: this server finds out. Ask again, and sign no other payment',
      retryAfterSeconds: 10,
    })
  const accepted = acceptance.usable.map(({ id }) => nameMethod(id)).join(' or ')
  if (evidence.length === 0) throw await makeMissingPaymentError(parts, due)
  throw askPayment(parts, due, {
    reason: 'METHOD_NOT_ACCEPTED',
    message: `this gate takes ${accepted}, and was offered ${evidence.map(({ method }) => nameMethod(method)).join(' and ')}`,
  })
}

/** Names an open payment page for the same proof, so that the buyer does not pay a second time. */
async function makeMissingPaymentError(parts: Parts, due: Due): Promise<AppError> {
  const missing = askPayment(parts, due, reportNothingOffered(due))
  const { gate, buyer, quote, isAuthenticated } = due
  const page = isAuthenticated
    ? await findOpenCheckout(parts.db, { gate, buyer, qHash: quote.qHash }, parts.now())
    : undefined
  if (!page) return missing
  const { sessionId: paymentCheckoutSessionId, expiresAt } = page
  return addSentence(
    missing,
    `A page of payment by card is open for this proof until ${formatTime(expiresAt)}: finish it there and send its paymentCheckoutSessionId, or wait until it has ended before you pay in another way`,
    { openCheckout: { paymentCheckoutSessionId, expiresAt } },
  )
}

/** The money that a look has found, also where it arrived for nothing: to be written down. */
export const takeArrived = (verdict: PaymentVerdict): PaymentVerdict =>
  verdict.paid ? verdict : (verdict.arrived ?? verdict)

/** For a method that moves money while it is looked at. */
export type OpenPlace = (method: PaymentMethod) => PaymentPlace

/** Writes down what arrived for nothing, and says so in the refusal. */
export type NoteArrived = (payment: Confirmed, refusal: AppError) => Promise<AppError>

/**
 * The payment, confirmed by its method. Errors: PAYMENT_REQUIRED with a reason, SERVICE_UNAVAILABLE for a failed
 * look-up, and the method's errors for malformed input.
 */
export async function confirmPayment(
  parts: Parts,
  due: Due,
  { openPlace, noteArrived }: { readonly openPlace: OpenPlace; readonly noteArrived: NoteArrived },
): Promise<Confirmed> {
  const { id, verdict } = await lookAtPayment(parts, due, { openPlace })
  if (!verdict.paid) {
    if (verdict.isAwaited) await keepPlace(parts, due)
    await rememberWaiting(parts, due, verdict)
    const refusal = askPayment(parts, due, verdict)
    throw verdict.arrived ? await noteArrived({ method: id, paid: verdict.arrived }, refusal) : refusal
  }
  if (await isOfLostTime(parts, verdict))
    throw await noteArrived(
      { method: id, paid: verdict },
      askPayment(parts, due, {
        reason: lostTimeReason,
        message:
          'this payment was made in a time of which this server lost its records when it was restored. It may have bought something then, so only the seller can say what becomes of it',
      }),
    )
  return { method: id, paid: verdict }
}

/**
 * Examines the offered payment. Without a place nothing is settled for it. Errors: PAYMENT_REQUIRED when no accepted
 * method was offered, SERVICE_UNAVAILABLE, and the method's errors for malformed input.
 */
export async function lookAtPayment(
  parts: Parts,
  due: Due,
  { openPlace }: { readonly openPlace?: OpenPlace } = {},
): Promise<{ readonly id: PaymentMethod['id']; readonly verdict: PaymentVerdict }> {
  const owed = await lookUp(() => findOwedPayment(parts, due.owner, due.quote, due.offered))
  // An amount below the present price may match the price at the time of payment.
  const isTooLow = owed && !owed.verdict.paid && owed.verdict.reason === 'AMOUNT_TOO_LOW'
  if (owed && !isTooLow) return { id: owed.method, verdict: owed.verdict }
  const { method, text } = await requireOffer(parts, due)
  const settling = openPlace ? { place: openPlace(method) } : { mustBePaid: true as const }
  const moving = method.movesMoneyHere ? settling : {}
  const verdict = await lookUp(() => method.confirm({ ...due.quote, ...moving, evidence: text }, parts))
  if (owed && !verdict.paid) return { id: owed.method, verdict: owed.verdict }
  return { id: method.id, verdict }
}

/** A buyer who must come back is then judged by the present terms. */
export async function rememberWaiting(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  { buyer, offered: { paymentTxHash } }: Pick<Due, 'buyer' | 'offered'>,
  verdict: PaymentVerdict,
): Promise<void> {
  if (verdict.paid || paymentTxHash === undefined || !(verdict.isAwaited || verdict.isArriving)) return
  const transactionHash = paymentTxHash.toLowerCase()
  await rememberOffered(db, { transactionHash, buyer, quoteId: verdict.quoteId, now: now() })
}

async function keepPlace({ db, now }: Parts, { gate, buyer, quote }: Due): Promise<void> {
  await keepAwaitedPlace(db, { gate, buyer, qHash: quote.qHash, now: now() })
}

/** The time limit of an answer, whatever is slow. */
const looksAtMostMs = 10_000

const makeTimeout = (): OutsideError =>
  new OutsideError(
    'timeout',
    'the payment',
    `could not be looked at within ${looksAtMostMs / 1000} s`,
    'lower outside.timeout_seconds, or take faster endpoints',
    5,
  )

/** Errors: SERVICE_UNAVAILABLE instead of OutsideError. */
export async function lookUp<Found>(look: () => Promise<Found>): Promise<Found> {
  try {
    return await limitWait(look(), looksAtMostMs, makeTimeout)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const { source, fault, happened, retryAfterSeconds } = error
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `the payment could not be looked up: ${source} ${happened}. It may have been made, and it was not used: try again in ${retryAfterSeconds} s`,
      { source, fault },
      { 'retry-after': String(retryAfterSeconds) },
    )
  }
}
