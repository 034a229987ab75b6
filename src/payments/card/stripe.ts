/**
 * Requests to Stripe: creates a Checkout session, finds it, and finds its payment. Every answer is checked against the
 * published shape before use. Does not decide whether a session is paid (card/checks.ts).
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type Stripe from 'stripe'
import { OutsideError } from '../../outside/failure.ts'
import { type Check, compileCheck } from '../../shape.ts'
import {
  catchFailure,
  catchMissing,
  catchRefusal,
  openStripe,
  type Refusal,
  type StripeTools,
  stripeSetting,
} from './stripe-client.ts'

/** At most what Stripe documents for ids: 255 characters. */
export const sessionIdPattern = '^cs_[A-Za-z0-9_]{8,250}$'

const makeNullable = <Shape extends TSchema>(shape: Shape) => Type.Union([shape, Type.Null()])
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
  latest_charge: makeNullable(Charge),
  livemode: Type.Boolean(),
  status: Type.String(),
})

const sessionMembers = {
  id: Type.String({ pattern: sessionIdPattern }),
  object: Type.Literal('checkout.session'),
  amount_total: makeNullable(Cents),
  currency: makeNullable(Type.String()),
  expires_at: Moment,
  livemode: Type.Boolean(),
  metadata: makeNullable(Type.Record(Type.String(), Type.String())),
  mode: Type.String(),
  payment_status: Type.String(),
  status: makeNullable(Type.String()),
}

const NewSession = Type.Object({ ...sessionMembers, url: Type.String({ pattern: '^https?://' }) })
const FoundSession = Type.Object({ ...sessionMembers, payment_intent: makeNullable(PaymentIntent) })

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
  status: makeNullable(Type.String()),
})

const makeListSchema = <Shape extends TSchema>(shape: Shape) =>
  Type.Object({ object: Type.Literal('list'), data: Type.Array(shape, { maxItems: 100 }) })

export type CardDispute = Static<typeof Dispute>
export type CardRefund = Static<typeof Refund>
export type CardCharge = Static<typeof Charge>
export type CardPayment = Static<typeof PaymentIntent>
export type NewSession = Static<typeof NewSession>
export type FoundSession = Static<typeof FoundSession>

const newSession = compileCheck(NewSession)
const foundSession = compileCheck(FoundSession)
const cardPayment = compileCheck(PaymentIntent)
const cardRefund = compileCheck(Refund)
const disputeList = compileCheck(makeListSchema(Dispute))
const refundList = compileCheck(makeListSchema(Refund))

/**
 * Equal parameters make one session, because the idempotency key is a hash of them all. Stripe refuses one key with two
 * sets of parameters. Errors: OutsideError.
 */
export async function createSession(
  tools: StripeTools,
  params: Stripe.Checkout.SessionCreateParams,
): Promise<NewSession> {
  const idempotencyKey = `proofgate-${Bun.SHA256.hash(JSON.stringify(params), 'hex')}`
  const made = await catchFailure((await openStripe(tools)).checkout.sessions.create(params, { idempotencyKey }))
  return requireShape(newSession, made)
}

/** Includes its payment and the payment's charge. Undefined if Stripe knows no such session. Errors: OutsideError. */
export async function findSession(tools: StripeTools, id: string): Promise<FoundSession | undefined> {
  const found = await catchMissing(
    (await openStripe(tools)).checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }),
  )
  return found && requireId(requireShape(foundSession, found), id)
}

/** Includes its charge. Undefined if Stripe knows no such payment. Errors: OutsideError. */
export async function findCardPayment(tools: StripeTools, id: string): Promise<CardPayment | undefined> {
  const found = await catchMissing((await openStripe(tools)).paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
  return found && requireId(requireShape(cardPayment, found), id)
}

/** Disputes of a payment, the newest first. Errors: OutsideError. */
export async function listDisputes(tools: StripeTools, paymentIntent: string): Promise<readonly CardDispute[]> {
  const found = await catchFailure(
    (await openStripe(tools)).disputes.list({ payment_intent: paymentIntent, limit: 100 }),
  )
  return requireShape(disputeList, found).data
}

/** Refunds of a payment, the newest first, including failed ones. Errors: OutsideError. */
export async function listRefunds(tools: StripeTools, paymentIntent: string): Promise<readonly CardRefund[]> {
  const found = await catchFailure(
    (await openStripe(tools)).refunds.list({ payment_intent: paymentIntent, limit: 100 }),
  )
  return requireShape(refundList, found).data
}

/**
 * Refunds the rest of a payment. Under one key Stripe makes one refund and repeats its answer. Errors: OutsideError.
 */
export async function createRefund(
  tools: StripeTools,
  paymentIntent: string,
  idempotencyKey: string,
): Promise<CardRefund | Refusal> {
  const made = await catchRefusal(
    (await openStripe(tools)).refunds.create({ payment_intent: paymentIntent }, { idempotencyKey }),
  )
  return 'refusal' in made ? made : requireShape(cardRefund, made)
}

function requireShape<Shape extends TSchema>(shape: Check<Shape>, value: unknown): Static<Shape> {
  if (shape.Check(value)) return value
  throw makeMalformedError('answered with an object of another shape than its API promises')
}

function requireId<Found extends { readonly id: string }>(found: Found, id: string): Found {
  if (found.id === id) return found
  throw makeMalformedError('answered with another object than was asked for')
}

const makeMalformedError = (happened: string): OutsideError =>
  new OutsideError(
    'malformed',
    stripeSetting,
    happened,
    'see whether payments.stripe.url is the address of the Stripe API',
  )
