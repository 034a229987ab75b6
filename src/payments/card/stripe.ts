/**
 * What is asked of Stripe: a Checkout session is made, found, and what became of its payment. Every answer is held
 * against the published shape before anybody reads it. Does not decide whether something is paid (card-checks.ts).
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type Stripe from 'stripe'
import { OutsideError } from '../../outside/failure.ts'
import { type Check, checkOf } from '../../shape.ts'
import {
  catchFailure,
  catchMissing,
  catchRefusal,
  type Refusal,
  type StripeTools,
  stripeOf,
  stripeSetting,
} from './stripe-client.ts'

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

const Dispute = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  object: Type.Literal('dispute'),
  status: Type.String(),
})

const Refund = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  object: Type.Literal('refund'),
  amount: Cents,
  failure_reason: Type.Optional(Type.String({ maxLength: 255 })),
  status: orNull(Type.String()),
})

const makeListSchema = <Shape extends TSchema>(shape: Shape) =>
  Type.Object({ object: Type.Literal('list'), data: Type.Array(shape, { maxItems: 100 }) })

export type CardDispute = Static<typeof Dispute>
export type CardRefund = Static<typeof Refund>
export type CardCharge = Static<typeof Charge>
export type CardPayment = Static<typeof PaymentIntent>
export type NewSession = Static<typeof NewSession>
export type FoundSession = Static<typeof FoundSession>

const newSession = checkOf(NewSession)
const foundSession = checkOf(FoundSession)
const cardPayment = checkOf(PaymentIntent)
const cardRefund = checkOf(Refund)
const disputeList = checkOf(makeListSchema(Dispute))
const refundList = checkOf(makeListSchema(Refund))

/**
 * The same parameters make the same session, however often they are sent: the idempotency key is a hash of them all.
 * Stripe refuses one key with two sets of parameters. Errors: OutsideError.
 */
export async function createSession(
  tools: StripeTools,
  params: Stripe.Checkout.SessionCreateParams,
): Promise<NewSession> {
  const idempotencyKey = `proofgate-${Bun.SHA256.hash(JSON.stringify(params), 'hex')}`
  const made = await catchFailure((await stripeOf(tools)).checkout.sessions.create(params, { idempotencyKey }))
  return shaped(newSession, made)
}

/** With its payment and the charge of that. Undefined when Stripe knows no such session. Errors: OutsideError. */
export async function findSession(tools: StripeTools, id: string): Promise<FoundSession | undefined> {
  const found = await catchMissing(
    (await stripeOf(tools)).checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }),
  )
  return found && requireId(shaped(foundSession, found), id)
}

/** With its charge. Undefined when Stripe knows no such payment. Errors: OutsideError. */
export async function findCardPayment(tools: StripeTools, id: string): Promise<CardPayment | undefined> {
  const found = await catchMissing((await stripeOf(tools)).paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
  return found && requireId(shaped(cardPayment, found), id)
}

/** Disputes of a payment, the newest first. Errors: OutsideError. */
export async function listDisputes(tools: StripeTools, paymentIntent: string): Promise<readonly CardDispute[]> {
  const found = await catchFailure((await stripeOf(tools)).disputes.list({ payment_intent: paymentIntent, limit: 100 }))
  return shaped(disputeList, found).data
}

/** Refunds of a payment, the newest first, also those that failed. Errors: OutsideError. */
export async function listRefunds(tools: StripeTools, paymentIntent: string): Promise<readonly CardRefund[]> {
  const found = await catchFailure((await stripeOf(tools)).refunds.list({ payment_intent: paymentIntent, limit: 100 }))
  return shaped(refundList, found).data
}

/**
 * Gives back what is left of a payment. Under one key Stripe makes one refund, however often it is asked, and the same
 * refusal again. Errors: OutsideError.
 */
export async function createRefund(
  tools: StripeTools,
  paymentIntent: string,
  idempotencyKey: string,
): Promise<CardRefund | Refusal> {
  const made = await catchRefusal(
    (await stripeOf(tools)).refunds.create({ payment_intent: paymentIntent }, { idempotencyKey }),
  )
  return 'refusal' in made ? made : shaped(cardRefund, made)
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
