/**
 * Opens a page of payment at Stripe for one gate and one proof, with a place held for as long as it can be paid. Charges
 * nothing by itself, and whether it was paid is not believed from here either: card.confirm and the watch of checkouts
 * ask again.
 *
 * The buyer hears of a page only after its row is stored. So no page can be paid that this server knows nothing of,
 * wherever it was interrupted.
 */

import type Stripe from 'stripe'
import { AppError } from '../../errors.ts'
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
  /** Until when a place is held for the buyer; null at a gate without limits. */
  readonly reservedUntil: number | null
}

const currency = 'usd'

/**
 * Requests of one window make one session: whoever asks twice is not led to two pages. Stripe wants sessions to last
 * from 30 minutes to 24 hours; a session ends 45 minutes after its window begins, which leaves five for clocks that differ.
 */
const windowMs = 600_000
const sessionMs = 2_700_000

/**
 * How much longer than its page can be paid a place is held, at most: it is given back as soon as Stripe has said what
 * became of the page, and Stripe may be out of reach.
 */
export const unknownForMs = 86_400_000
/** Until its row is stored nobody watches a page: a server that stops meanwhile leaves the place taken for so long. */
const openingMs = 120_000
const firstLookMs = 60_000

/** Errors: SIGNATURE_INVALID and its kin, those of `find`, GATE_MISCONFIGURED, VALIDATION_ERROR, CONFLICT, OutsideError. */
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
  if (place && 'refusedAt' in (await parts.db.write(place.hold(now + openingMs)))) throw place.refusal()
  try {
    const session = requireOurs(await createSession(parts, params), readStripeSettings(parts.config).live, amountCents)
    const expiresAt = session.expires_at * 1000
    const stored = await parts.db.write([
      // Again: another request of this buyer may have failed meanwhile, and given the place back.
      ...(place?.hold(endsAt + unknownForMs, endsAt) ?? []),
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
      throw place && stored.refusedAt === 0
        ? place.refusal()
        : makeForeignCheckoutError('answered with the session of another purchase')
    return { sessionId: session.id, url: session.url, expiresAt, reservedUntil: place ? expiresAt : null }
  } catch (error) {
    if (place) await parts.db.write([place.release()], 'free')
    throw error
  }
}

/** Cents. The owner hears what to mend, the buyer that it is not their fault. Errors: GATE_MISCONFIGURED, VALIDATION_ERROR. */
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

/** So many of the newest sessions of a pair are looked at. */
const lookedBackAt = 3

/** Errors: CONFLICT when a session of this pair was paid: a second page would charge the buyer a second time. */
async function requireNotPaidYet(parts: Parts, gate: number, qHash: string): Promise<void> {
  const earlier = listCheckouts(parts.db, gate, qHash, lookedBackAt)
  const sessions = await Promise.all(earlier.map(({ sessionId }: Checkout) => findSession(parts, sessionId)))
  const paid = sessions.find((session) => {
    const payment = session?.payment_intent
    // Money that is on its way back buys nothing any more.
    const isReturned =
      payment && (payment.latest_charge?.refunded || findUnmatched(parts.db, makeCardIdentity(payment.id)))
    return session?.payment_status === 'paid' && !isReturned
  })
  if (!paid) return
  throw new AppError(
    'CONFLICT',
    'this was paid already: fulfil the gate with the paymentCheckoutSessionId in details',
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
  // With the version, so that two versions of one price are two sessions.
  const metadata = { gateId, qHash, version: String(version) }
  return {
    mode: 'payment',
    // Others settle days later, when the reward is no longer waited for.
    allowed_payment_method_types: ['card'],
    line_items: [
      {
        quantity: 1,
        price_data: { currency, unit_amount: amountCents, product_data: { name: price.label || name } },
      },
    ],
    // A price that Stripe turns into the currency of the buyer would not be the one that was asked for.
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
