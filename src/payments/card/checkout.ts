/**
 * Opens a Stripe Checkout session for one gate and one proof, and reserves a place while it can be paid. It charges
 * nothing, and does not decide whether the session was paid. The method (card.confirm) and the watch of checkouts ask
 * Stripe again. The buyer gets the address only after its row is stored. So an interruption leaves no payable session
 * that this server does not know.
 */

import type Stripe from 'stripe'
import { AppError } from '../../errors.ts'
import { findInOrder } from '../../in-order.ts'
import { OutsideError } from '../../outside/failure.ts'
import type { Parts } from '../../parts.ts'
import { type Checkout, listCheckouts, writeCheckout } from '../checkout-store.ts'
import { logUnpayable } from '../log-unpayable.ts'
import { findObstacle } from '../offer.ts'
import { convertUsdMicros } from '../price.ts'
import type { FindPurchase, Purchase } from '../purchase.ts'
import { type PairRequest, requireSigner } from '../signed-buyer.ts'
import { findUnmatched } from '../unmatched-store.ts'
import { convertCents } from './amount.ts'
import { type ReturnUrls, returnUrls } from './checkout-return.ts'
import { card } from './method.ts'
import { makeCardIdentity } from './payment.ts'
import { readStripeSettings } from './settings.ts'
import { createSession, findSession, type NewSession } from './stripe.ts'
import { stripeSetting } from './stripe-client.ts'

export interface CheckoutRequest extends PairRequest {
  readonly successUrl?: string | undefined
  readonly cancelUrl?: string | undefined
}

export interface OpenedCheckout {
  readonly sessionId: string
  readonly url: string
  /** Unix milliseconds. */
  readonly expiresAt: number
  /** The end of the buyer's reservation; null at a gate without limits. */
  readonly reservedUntil: number | null
}

const currency = 'usd'

/**
 * Requests within one window share one session, so that a repeated request does not lead to two pages. Stripe allows
 * lifetimes from 30 minutes to 24 hours. A session ends 45 minutes after its window begins, which leaves five minutes
 * for differing clocks.
 */
const windowMs = 600_000
const sessionMs = 2_700_000

/**
 * The longest time that a place stays reserved after its session ends. Stripe's answer ends the reservation, but Stripe
 * may be out of reach.
 */
export const unknownForMs = 86_400_000
/**
 * Until its row is stored, a session is not watched. If the server stops meanwhile, the place stays taken for this
 * long.
 */
const openingMs = 120_000
const firstLookMs = 60_000

/**
 * Errors: those of checking the signature, those of `find`, GATE_MISCONFIGURED, VALIDATION_ERROR, CONFLICT,
 * OutsideError.
 */
export async function openCheckout(
  parts: Parts,
  request: CheckoutRequest,
  find: FindPurchase,
): Promise<OpenedCheckout> {
  const caller = await requireSigner(parts, 'open_checkout', request)
  const { gateId, successUrl, cancelUrl } = request
  const qHash = request.qHash.toLowerCase()
  const purchase = await find(gateId, qHash, caller)
  const amountCents = requireCardPrice(parts, gateId, purchase)
  const { authUrl } = parts.addresses()
  const returns = returnUrls(
    gateId,
    { successUrl, cancelUrl },
    { authUrl, successReturnUrl: purchase.successReturnUrl },
  )
  await requireNotPaidYet(parts, purchase.gate, qHash)

  const now = parts.now()
  const endsAt = now - (now % windowMs) + sessionMs
  const params = buildSessionParams({ gateId, qHash, purchase, amountCents, returns, endsAt })
  const { place } = purchase
  if (place && 'refusedAt' in (await parts.db.write(place.hold(now + openingMs)))) throw await place.refusal()
  try {
    const session = requireOurs(await createSession(parts, params), readStripeSettings(parts.config).live, amountCents)
    const expiresAt = session.expires_at * 1000
    // Reserve again: a failed request of this buyer may have released the place meanwhile.
    const held = place?.hold(endsAt + unknownForMs, endsAt) ?? [purchase.holdGate]
    const stored = await parts.db.write([
      ...held,
      writeCheckout({
        sessionId: session.id,
        gate: purchase.gate,
        qHash,
        amountCents,
        currency,
        createdAt: now,
        expiresAt,
        buyer: purchase.buyer,
        bought: { version: purchase.version, usdMicros: convertUsdMicros(purchase.price) },
        watchAt: now + firstLookMs,
      }),
    ])
    if ('refusedAt' in stored)
      throw place && stored.refusedAt < held.length
        ? await place.refusal()
        : makeForeignCheckoutError('answered with the session of another purchase')
    return { sessionId: session.id, url: session.url, expiresAt, reservedUntil: place ? expiresAt : null }
  } catch (error) {
    if (place) await parts.db.write(place.release(), 'free')
    throw error
  }
}

/**
 * Returns cents. The owner is told the remedy; the buyer learns that the fault is not theirs. Errors:
 * GATE_MISCONFIGURED, VALIDATION_ERROR.
 */
function requireCardPrice(parts: Parts, gateId: string, { isOwner, price, methodNames }: Purchase): number {
  if (!price.methods.includes('card'))
    throw new AppError('VALIDATION_ERROR', `this gate takes no cards: it takes ${methodNames.join(' or ')}`, {
      methods: methodNames,
    })
  const missing = findObstacle(card, price, parts)
  const cents = convertCents(price.amountUsd)
  if (missing === undefined && cents !== undefined) return cents
  const mend = `${card.name} ${missing}`
  logUnpayable(parts, gateId, mend)
  throw new AppError(
    'GATE_MISCONFIGURED',
    isOwner
      ? `nobody can pay this gate by card as it is: ${mend}`
      : 'this gate cannot be paid by card now: its owner has to complete its settings. Nothing was charged',
    isOwner ? { mend: [mend] } : {},
  )
}

/** The number of newest sessions of a pair that are checked. */
const lookedBackAt = 3

/** Errors: CONFLICT when a session of this pair was paid, because a second one would charge the buyer again. */
async function requireNotPaidYet(parts: Parts, gate: number, qHash: string): Promise<void> {
  const earlier = await listCheckouts(parts.db, gate, qHash, lookedBackAt)
  const sessions = await Promise.all(earlier.map(({ sessionId }: Checkout) => findSession(parts, sessionId)))
  const paid = await findInOrder(sessions, async (session) => {
    const payment = session?.payment_intent
    // A payment that is being refunded buys nothing.
    const isReturned =
      payment && (payment.latest_charge?.refunded || (await findUnmatched(parts.db, makeCardIdentity(payment.id))))
    return session?.payment_status === 'paid' && !isReturned
  })
  if (!paid) return
  throw new AppError(
    'CONFLICT',
    'this was paid already: fulfill the gate with the paymentCheckoutSessionId in details',
    { reason: 'ALREADY_PAID', paymentCheckoutSessionId: paid.id },
  )
}

function buildSessionParams({
  gateId,
  qHash,
  purchase: { name, price, version },
  amountCents,
  returns,
  endsAt,
}: {
  readonly gateId: string
  readonly qHash: string
  readonly purchase: Purchase
  readonly amountCents: number
  readonly returns: ReturnUrls
  readonly endsAt: number
}): Stripe.Checkout.SessionCreateParams {
  // Includes the version, so that two versions with one price get two sessions.
  const metadata = { gateId, qHash, version: String(version) }
  return {
    mode: 'payment',
    // Other payment types settle days later, when the buyer no longer waits.
    allowed_payment_method_types: ['card'],
    line_items: [
      {
        quantity: 1,
        price_data: { currency, unit_amount: amountCents, product_data: { name: price.label || name } },
      },
    ],
    // Converting the price into the buyer's currency would change the charged amount.
    adaptive_pricing: { enabled: false },
    client_reference_id: qHash,
    metadata,
    payment_intent_data: { metadata },
    expires_at: endsAt / 1000,
    success_url: returns.success,
    ...(returns.cancel === undefined ? {} : { cancel_url: returns.cancel }),
  }
}

function requireOurs(session: NewSession, live: boolean, amountCents: number): NewSession {
  if (session.livemode !== live)
    throw new OutsideError(
      'credentials',
      stripeSetting,
      `opened a session of the ${live ? 'test' : 'live'} mode`,
      'give a key of the mode that payments.stripe.live says',
    )
  if (session.amount_total !== amountCents || session.currency !== currency)
    throw makeForeignCheckoutError('opened a session over another amount than was asked for')
  return session
}

const makeForeignCheckoutError = (happened: string): OutsideError =>
  new OutsideError(
    'malformed',
    stripeSetting,
    happened,
    'see whether the account adds taxes or fees to sessions, and whether another server shares it',
  )
