/**
 * The payment of a fulfilment: whether one is due, what is taken, and whether the one that is offered was made. Claims
 * nothing: that is one statement with the fulfilment (fulfillment-store.ts).
 */
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import { OutsideError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'
import { linkedWallets } from '../payments/linked-wallets.ts'
import {
  type Acceptance,
  acceptanceOf,
  evidenceIn,
  isCharged,
  type MethodLack,
  type OfferedEvidence,
  type Quote,
} from '../payments/offer.ts'
import type { PaymentMethod, PaymentVerdict } from '../payments/payment.ts'
import type { Price } from '../payments/price.ts'
import type { PaidVerdict } from '../payments/store.ts'
import type { ProofRow } from '../proofs/proof.ts'
import type { Gate } from './gate.ts'
import { gateOwnerOf } from './owner.ts'

/** A price that can be paid here, and what came with the request to pay it. */
export interface Due {
  readonly quote: Quote
  readonly acceptance: Acceptance
  readonly offered: OfferedEvidence
}

export interface Confirmed {
  readonly method: PaymentMethod['id']
  readonly paid: PaidVerdict
}

/** What is to be paid, undefined for a gate without a price. Errors: GATE_MISCONFIGURED. */
export function dueAt(
  parts: Parts,
  gate: Gate,
  proof: ProofRow,
  caller: Caller,
  offered: OfferedEvidence,
): Due | undefined {
  const { price } = gate.definition
  if (!isCharged(price)) return undefined
  const acceptance = acceptanceOf(price, parts.paymentMethods, parts)
  if (acceptance.usable.length === 0) throw misconfigured(parts, gate, caller, acceptance.lacks)
  return { quote: quoteFor(parts, gate, proof, caller, price), acceptance, offered }
}

function quoteFor({ db, now }: Parts, { gateId }: Gate, { qHash }: ProofRow, caller: Caller, price: Price): Quote {
  const { wallet, contractOn } = caller
  return {
    gateId,
    qHash,
    price,
    wallets: [wallet, ...linkedWallets(db, caller, now())],
    ...(contractOn === undefined ? {} : { contractOn }),
  }
}

/** The buyer hears that it is not their fault, the owner what to mend. */
function misconfigured(
  { log }: Parts,
  { gateId, owner }: Gate,
  caller: Caller,
  lacks: readonly MethodLack[],
): AppError {
  const mend = lacks.map(({ method, lack }) => `${method} ${lack}`)
  log.warn('a gate is misconfigured', { gateId, mend: mend.join('; ') })
  return gateOwnerOf(caller) === owner
    ? new AppError('GATE_MISCONFIGURED', `nobody can pass this gate as it is: ${mend.join('; ')}`, { mend })
    : new AppError(
        'GATE_MISCONFIGURED',
        'this gate cannot be used now: its owner has to complete its settings. Nothing was taken or claimed',
      )
}

/** Errors: PAYMENT_REQUIRED when nothing that this gate takes was offered. */
export function requireOffer(parts: Parts, due: Due) {
  const { acceptance, offered } = due
  const evidence = evidenceIn(offered)
  for (const { method: id, text } of evidence) {
    const method = acceptance.usable.find((usable) => usable.id === id)
    if (method) return { method, text }
  }
  const accepted = acceptance.usable.map(({ id }) => id).join(' or ')
  throw paymentRequired(
    parts,
    due,
    evidence.length === 0
      ? {
          reason: 'PAYMENT_MISSING',
          message: `this gate costs ${due.quote.price.amountUsd} USD: pay by ${accepted} and send the payment along`,
        }
      : {
          reason: 'METHOD_NOT_ACCEPTED',
          message: `this gate takes ${accepted}, and was offered ${evidence.map(({ method }) => method).join(' and ')}`,
        },
  )
}

/**
 * The payment, confirmed by its method. Errors: PAYMENT_REQUIRED with a reason, SERVICE_UNAVAILABLE when it could not be
 * looked up, and what the method says of input of the wrong form.
 */
export async function confirmPayment(parts: Parts, due: Due): Promise<Confirmed> {
  const { method, text } = requireOffer(parts, due)
  const verdict = await lookedUp(() => method.confirm({ ...due.quote, evidence: text }, parts))
  if (!verdict.paid) throw paymentRequired(parts, due, verdict)
  return { method: method.id, paid: verdict }
}

async function lookedUp(look: () => Promise<PaymentVerdict>): Promise<PaymentVerdict> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const { source, fault, happened, retryAfterSeconds } = error
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `the payment could not be looked up: ${source} ${happened}. This does not mean that it was not made, and nothing was claimed; try again in ${retryAfterSeconds} s`,
      { source, fault },
      { 'retry-after': String(retryAfterSeconds) },
    )
  }
}

type Unpaid = Omit<Extract<PaymentVerdict, { paid: false }>, 'paid'>

function paymentRequired(parts: Parts, { quote, acceptance }: Due, unpaid: Unpaid): AppError {
  const { reason, message, retryAfterSeconds, headers } = unpaid
  const { amountUsd, recipient, label } = quote.price
  return new AppError(
    'PAYMENT_REQUIRED',
    message,
    {
      reason,
      amountUsd,
      ...(label === undefined ? {} : { label }),
      accepts: acceptance.usable.map((method) => ({
        method: method.id,
        ...method.describe(parts),
        ...(recipient === undefined || method.id === 'card' ? {} : { recipient }),
      })),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
    {
      // Clients of x402 pay whenever they are asked to: who has paid and only has to wait must not be asked again.
      ...(headers === undefined && retryAfterSeconds === undefined ? asked(acceptance, quote, parts) : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...headers,
    },
  )
}

const asked = ({ usable }: Acceptance, quote: Quote, parts: Parts): Record<string, string> =>
  Object.assign({}, ...usable.map((method) => method.ask?.(quote, parts) ?? {}))
