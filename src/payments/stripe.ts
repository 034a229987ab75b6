/**
 * What is asked of Stripe: a Checkout session is made, found, and what became of its payment. Every answer is held
 * against the published shape before anybody reads it. Does not decide whether something is paid (card-checks.ts).
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type Stripe from 'stripe'
import { OutsideError } from '../outside/failure.ts'
import { type Check, checkOf } from '../shape.ts'
import { foundBy, madeBy, type StripeTools, stripeOf, stripeSetting } from './stripe-client.ts'

/** At most what Stripe documents for ids: 255 characters. */
export const sessionIdPattern = '^cs_[A-Za-z0-9_]{8,250}$'

const orNull = <Shape extends TSchema>(shape: Shape) => Type.Union([shape, Type.Null()])
const Cents = Type.Integer({ minimum: 0 })
/** Unix seconds. */
const Moment = Type.Integer({ minimum: 1 })

const Charge = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  object: Type.Literal('charge'),
  amount: Cents,
  amount_captured: Cents,
  amount_refunded: Cents,
  captured: Type.Boolean(),
  created: Moment,
  currency: Type.String(),
  disputed: Type.Boolean(),
  livemode: Type.Boolean(),
  paid: Type.Boolean(),
  refunded: Type.Boolean(),
  status: Type.String(),
})

const PaymentIntent = Type.Object({
  id: Type.String({ pattern: '^pi_[A-Za-z0-9_]{1,250}$' }),
  object: Type.Literal('payment_intent'),
  amount_received: Cents,
  currency: Type.String(),
  latest_charge: orNull(Charge),
  livemode: Type.Boolean(),
  status: Type.String(),
})

const sessionMembers = {
  id: Type.String({ pattern: sessionIdPattern }),
  object: Type.Literal('checkout.session'),
  amount_total: orNull(Cents),
  currency: orNull(Type.String()),
  expires_at: Moment,
  livemode: Type.Boolean(),
  metadata: orNull(Type.Record(Type.String(), Type.String())),
  mode: Type.String(),
  payment_status: Type.String(),
  status: orNull(Type.String()),
}

const NewSession = Type.Object({ ...sessionMembers, url: Type.String({ pattern: '^https?://' }) })
const FoundSession = Type.Object({ ...sessionMembers, payment_intent: orNull(PaymentIntent) })

export type CardCharge = Static<typeof Charge>
export type CardPayment = Static<typeof PaymentIntent>
export type NewSession = Static<typeof NewSession>
export type FoundSession = Static<typeof FoundSession>

const newSession = checkOf(NewSession)
const foundSession = checkOf(FoundSession)
const cardPayment = checkOf(PaymentIntent)

/**
 * The same parameters make the same session, however often they are sent: the idempotency key is a hash of them all.
 * Stripe refuses one key with two sets of parameters. Errors: OutsideError.
 */
export async function createSession(
  tools: StripeTools,
  params: Stripe.Checkout.SessionCreateParams,
): Promise<NewSession> {
  const idempotencyKey = `proofgate-${Bun.SHA256.hash(JSON.stringify(params), 'hex')}`
  const made = await madeBy((await stripeOf(tools)).checkout.sessions.create(params, { idempotencyKey }))
  return shaped(newSession, made)
}

/** With its payment and the charge of that. Undefined when Stripe knows no such session. Errors: OutsideError. */
export async function findSession(tools: StripeTools, id: string): Promise<FoundSession | undefined> {
  const found = await foundBy(
    (await stripeOf(tools)).checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }),
  )
  return found && requireId(shaped(foundSession, found), id)
}

/** With its charge. Undefined when Stripe knows no such payment. Errors: OutsideError. */
export async function findCardPayment(tools: StripeTools, id: string): Promise<CardPayment | undefined> {
  const found = await foundBy((await stripeOf(tools)).paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
  return found && requireId(shaped(cardPayment, found), id)
}

function shaped<Shape extends TSchema>(shape: Check<Shape>, value: unknown): Static<Shape> {
  if (shape.Check(value)) return value
  throw malformed('answered with an object of another shape than its API promises')
}

function requireId<Found extends { readonly id: string }>(found: Found, id: string): Found {
  if (found.id === id) return found
  throw malformed('answered with another object than was asked for')
}

const malformed = (happened: string): OutsideError =>
  new OutsideError(
    'malformed',
    stripeSetting,
    happened,
    'see whether payments.stripe.url is the address of the Stripe API',
  )
