/**
 * A contract server of Stripe, written from its published objects and errors (API version 2026-10-28.endive):
 *
 *   POST /v1/checkout/sessions        form-encoded, with Idempotency-Key
 *   GET  /v1/checkout/sessions        limit
 *   GET  /v1/checkout/sessions/{id}   expand[]=payment_intent.latest_charge
 *   GET  /v1/payment_intents/{id}     expand[]=latest_charge
 *   POST /v1/refunds                  form-encoded, with Idempotency-Key
 *   GET  /v1/refunds, /v1/disputes    payment_intent, limit
 *
 * Strict: another version, another key, a parameter it does not know or a wrong value is refused as Stripe refuses it.
 * The objects have every member that the types of the official SDK promise. It shows what this server does with those
 * shapes, not that Stripe still has them.
 */
import { afterAll } from 'bun:test'
import type Stripe from 'stripe'
import { makeCharge, makeCheckoutSession, makeDispute, makePaymentIntent, makeRefund } from './stripe-objects.ts'
import { parameterFault } from './stripe-parameters.ts'

type Session = Stripe.Checkout.Session
type Intent = Stripe.PaymentIntent & { latest_charge: Stripe.Charge | null }

export const stripeVersion = '2026-10-28.endive'
export const stripeKey = 'sk_test_51KeyOfTheTests'
export const stripeWebhookSecret = 'whsec_SecretOfTheTests'

/** Faults that Stripe's side may have. */
export const stripeFaults = {
  'has a fault of its own (500)': () =>
    Response.json({ error: { type: 'api_error', message: 'An unknown error occurred' } }, { status: 500 }),
  'answers 500 with HTML': () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
  'answers with HTML': () =>
    new Response('<!doctype html><title>Sign in</title>', { headers: { 'content-type': 'text/html' } }),
  'answers with half a document': () => new Response('{"id": "cs_test_', { headers: asJson }),
  'answers with null': () => new Response('null', { headers: asJson }),
  'answers with a list': () => new Response('[]', { headers: asJson }),
  'answers with other JSON': () => Response.json({ hello: ['world'] }),
  'answers 404 without an error of Stripe': () => Response.json({ message: 'Not Found' }, { status: 404 }),
  'answers with 2 MB': () => Response.json({ padding: 'x'.repeat(2_000_000) }),
  'wants fewer calls (429)': () =>
    Response.json(
      { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' } },
      { status: 429, headers: { 'retry-after': '7' } },
    ),
  'refuses the key (401)': () =>
    Response.json(
      { error: { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_*******ests' } },
      { status: 401 },
    ),
  'refuses the key for this (403)': () =>
    Response.json(
      { error: { type: 'invalid_request_error', message: 'The provided key does not have the required permissions' } },
      { status: 403 },
    ),
  'is busy with the same object (409)': () =>
    Response.json(
      { error: { type: 'invalid_request_error', code: 'lock_timeout', message: 'This object cannot be accessed' } },
      { status: 409, headers: { 'stripe-should-retry': 'true' } },
    ),
  redirects: () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
  hangs: () => new Promise<Response>(() => {}),
} as const satisfies Record<string, () => Response | Promise<Response>>

const asJson = { 'content-type': 'application/json' }

export type StripeFault = keyof typeof stripeFaults

export interface StripeServer {
  readonly url: string
  /** `POST /v1/checkout/sessions`, in the order in which they came. */
  readonly asked: string[]
  /** Idempotency keys of the sessions that were asked for. */
  readonly keys: string[]
  fault: StripeFault | undefined
  /** Changes every session that is made from now on, before it is answered with. */
  twist: ((session: Session) => void) | undefined
  /** How far the clock of Stripe is ahead of ours. */
  aheadMs: number
  /** The stored session itself: tests change it where a check is to fail. */
  session(id: string): Session
  payment(sessionId: string): Intent
  charge(sessionId: string): Stripe.Charge
  /** A buyer pays on the payment page. */
  pay(sessionId: string): void
  expire(sessionId: string): void
  /** A refund by the seller. The whole amount unless cents are given. */
  refund(sessionId: string, cents?: number): void
  dispute(sessionId: string): void
  /** How the bank decides. */
  closeDispute(sessionId: string, status: 'won' | 'lost'): void
  /** Refunds of a payment, the newest first. */
  refunds(sessionId: string): readonly Stripe.Refund[]
  /** The fate of refunds requested from now on. A code: Stripe refuses them with it. */
  refundFate: 'succeeded' | 'pending' | 'failed' | { readonly code: string }
  /** A pending refund comes to its end. */
  endRefund(refundId: string, status: 'succeeded' | 'failed'): void
  forget(sessionId: string): void
  /** The text of an event as Stripe sends it. */
  event(type: string, object: object): string
}

/** `now` in Unix milliseconds: the clock of the account. */
export function startStripe(now: () => number): StripeServer {
  const sessions = new Map<string, Session>()
  const intents = new Map<string, Intent>()
  const intentOfSession = new Map<string, string>()
  /** By idempotency key: the first request and its answer, refusals too. */
  const made = new Map<string, { readonly body: string; answer(): Response }>()
  const refunds: Stripe.Refund[] = []
  const disputes: ReturnType<typeof makeDispute>[] = []
  let count = 0
  const seconds = (): number => Math.floor((now() + stripe.aheadMs) / 1000)
  const nextId = (prefix: string): string => `${prefix}${String(++count).padStart(24, '0')}`

  /** Repeats the first answer under the same key, refusals too. */
  async function madeOnce(request: Request, make: (body: string) => () => Response): Promise<Response> {
    const body = await request.text()
    const key = request.headers.get('idempotency-key')
    if (key === null || key.length > 255) return refused(400, 'a key for idempotency is asked for by these tests')
    stripe.keys.push(key)
    const before = made.get(key)
    if (before && before.body !== body)
      return refused(
        400,
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        {
          type: 'idempotency_error',
        },
      )
    const answer = before?.answer ?? make(body)
    made.set(key, { body, answer })
    const response = answer()
    if (before) response.headers.set('idempotent-replayed', 'true')
    return response
  }

  function createSession(body: string): () => Response {
    const params = new URLSearchParams(body)
    const fault = parameterFault(params, seconds())
    if (fault) return () => refused(400, fault.message, { code: fault.code, param: fault.param })
    const session = makeCheckoutSession(params, { id: nextId('cs_test_a1'), created: seconds() })
    // Keeps the first answer: a session requested again looks open, even if it has ended.
    stripe.twist?.(session)
    const text = JSON.stringify(session)
    sessions.set(session.id, session)
    return () => answered(JSON.parse(text))
  }

  function createRefund(body: string): () => Response {
    const params = new URLSearchParams(body)
    const unknown = [...params.keys()].find((name) => name !== 'payment_intent' && name !== 'amount')
    if (unknown !== undefined)
      return () => refused(400, `Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown })
    const id = params.get('payment_intent') ?? ''
    const charge = intents.get(id)?.latest_charge
    if (!charge) return () => missing('payment_intent', id, 'payment_intent')
    const fate = stripe.refundFate
    if (typeof fate === 'object') return () => refused(400, 'This charge cannot be refunded.', { code: fate.code })
    if (charge.refunded)
      return () => refused(400, `Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
    if (disputes.some((dispute) => dispute.charge === charge.id && dispute.status !== 'won'))
      return () => refused(400, `Charge ${charge.id} has been charged back.`, { code: 'charge_disputed' })
    const left = charge.amount - charge.amount_refunded
    const amount = Number(params.get('amount') ?? left)
    if (!(amount >= 1 && amount <= left))
      return () => refused(400, 'Refund amount is greater than unrefunded amount on charge', { param: 'amount' })
    const refund = makeRefund(charge, { id: nextId('re_3'), created: seconds(), amount, status: fate })
    refunds.unshift(refund)
    if (fate !== 'failed') give(charge, amount)
    const text = JSON.stringify(refund)
    return () => answered(JSON.parse(text))
  }

  function give(charge: Stripe.Charge, cents: number): void {
    charge.amount_refunded += cents
    charge.refunded = charge.amount_refunded === charge.amount
  }

  function listed<Row extends { payment_intent: unknown }>(rows: readonly Row[], { pathname, searchParams }: URL) {
    const limit = Number(searchParams.get('limit') ?? 10)
    const intent = searchParams.get('payment_intent')
    const unknown = [...searchParams.keys()].filter((name) => name !== 'limit' && name !== 'payment_intent')
    if (unknown.length > 0 || !(limit >= 1 && limit <= 100))
      return refused(400, 'Invalid parameter', { param: 'limit' })
    if (intent !== null && !intents.has(intent)) return missing('payment_intent', intent, 'payment_intent')
    const data = rows.filter((row) => intent === null || row.payment_intent === intent)
    return answered({ object: 'list', data: data.slice(0, limit), has_more: data.length > limit, url: pathname })
  }

  function answer(request: Request): Response | Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const refusal = refusalOf(request)
    if (refusal) return refusal
    if (request.method === 'POST' && pathname === '/v1/checkout/sessions') return madeOnce(request, createSession)
    if (request.method === 'POST' && pathname === '/v1/refunds') return madeOnce(request, createRefund)
    if (request.method === 'GET' && pathname === '/v1/refunds') return listed(refunds, new URL(request.url))
    if (request.method === 'GET' && pathname === '/v1/disputes') return listed(disputes, new URL(request.url))
    if (request.method === 'GET' && pathname === '/v1/checkout/sessions') {
      const limit = Number(searchParams.get('limit') ?? 10)
      if ([...searchParams.keys()].join() !== 'limit' || !(limit >= 1 && limit <= 100))
        return refused(400, 'Invalid limit', { param: 'limit' })
      const data = [...sessions.values()].reverse().slice(0, limit)
      return answered({ object: 'list', data, has_more: sessions.size > limit, url: pathname })
    }
    const [, kind, id] = /^\/v1\/(checkout\/sessions|payment_intents)\/(\w+)$/.exec(pathname) ?? []
    if (request.method !== 'GET' || id === undefined)
      return refused(404, `Unrecognized request URL (${request.method}: ${pathname}).`)
    const expand = [...searchParams].map(([name, value]) => (/^expand\[\d*\]$/.test(name) ? value : `${name}?`))
    if (kind === 'payment_intents') {
      const intent = intents.get(id)
      if (expand.some((path) => path !== 'latest_charge')) return cannotExpand(expand)
      if (!intent) return missing('payment_intent', id, 'intent')
      return answered(expand.length > 0 ? intent : { ...intent, latest_charge: intent.latest_charge?.id ?? null })
    }
    const session = sessions.get(id)
    if (expand.some((path) => !/^payment_intent(\.latest_charge)?$/.test(path))) return cannotExpand(expand)
    if (!session) return missing('checkout.session', id, 'session')
    const intent = intents.get(intentOfSession.get(id) ?? '')
    if (!intent || expand.length === 0) return answered({ ...session, payment_intent: intent?.id ?? null })
    const latest_charge = expand.some((path) => path.includes('.')) ? intent.latest_charge : intent.latest_charge?.id
    return answered({ ...session, payment_intent: { ...intent, latest_charge: latest_charge ?? null } })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch(request) {
      stripe.asked.push(`${request.method} ${new URL(request.url).pathname}`)
      return stripe.fault === undefined ? answer(request) : stripeFaults[stripe.fault]()
    },
  })
  afterAll(() => server.stop(true))

  const found = <Found>(one: Found | undefined, id: string): Found => {
    if (one === undefined) throw new Error(`the tests know no ${id}`)
    return one
  }
  const stripe: StripeServer = {
    url: `http://127.0.0.1:${server.port}`,
    asked: [],
    keys: [],
    fault: undefined,
    twist: undefined,
    aheadMs: 0,
    session: (id) => found(sessions.get(id), id),
    payment: (id) => found(intents.get(intentOfSession.get(id) ?? ''), id),
    charge: (id) => found(stripe.payment(id).latest_charge ?? undefined, id),
    pay(id) {
      const session = stripe.session(id)
      const charge = makeCharge(session, { id: nextId('ch_3'), intent: nextId('pi_3'), created: seconds() })
      const intent = makePaymentIntent(session, charge)
      intents.set(intent.id, intent)
      intentOfSession.set(id, intent.id)
      Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
    },
    expire(id) {
      Object.assign(stripe.session(id), { status: 'expired', url: null })
    },
    refund(id, cents) {
      const charge = stripe.charge(id)
      const amount = cents ?? charge.amount - charge.amount_refunded
      refunds.unshift(makeRefund(charge, { id: nextId('re_3'), created: seconds(), amount, status: 'succeeded' }))
      give(charge, amount)
    },
    dispute(id) {
      const charge = stripe.charge(id)
      charge.disputed = true
      disputes.unshift(makeDispute(charge, { id: nextId('du_1'), created: seconds() }))
    },
    closeDispute(id, status) {
      found(
        disputes.find((dispute) => dispute.charge === stripe.charge(id).id),
        id,
      ).status = status
    },
    refunds: (id) => refunds.filter((refund) => refund.charge === stripe.charge(id).id),
    refundFate: 'succeeded',
    endRefund(id, status) {
      const refund = found(
        refunds.find((one) => one.id === id),
        id,
      )
      refund.status = status
      if (status === 'succeeded') return
      refund.failure_reason = 'expired_or_canceled_card'
      const charge = [...intents.values()].find(
        ({ latest_charge }) => latest_charge?.id === refund.charge,
      )?.latest_charge
      if (charge) give(charge, -refund.amount)
    },
    forget(id) {
      const intent = intentOfSession.get(id)
      if (intent !== undefined) intents.delete(intent)
      sessions.delete(id)
    },
    event: (type, object) =>
      JSON.stringify({
        id: nextId('evt_1'),
        object: 'event',
        api_version: stripeVersion,
        created: seconds(),
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      }),
  }
  return stripe
}

const answered = (object: object, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json(object, { headers: { 'request-id': 'req_1', 'stripe-version': stripeVersion, ...headers } })

function refusalOf({ headers, method }: Request): Response | undefined {
  const key = headers.get('authorization')?.replace(/^Bearer /, '')
  if (!key) return refused(401, 'You did not provide an API key.')
  if (key !== stripeKey) return refused(401, 'Invalid API Key provided: sk_test_****')
  if (headers.get('stripe-version') !== stripeVersion)
    return refused(400, `Invalid Stripe API version: ${headers.get('stripe-version')}`)
  if (method === 'POST' && headers.get('content-type') !== 'application/x-www-form-urlencoded')
    return refused(400, 'The request body must be form-encoded.')
  return undefined
}

function refused(
  status: number,
  message: string,
  more: { readonly type?: string; readonly code?: string; readonly param?: string } = {},
): Response {
  const { type = 'invalid_request_error', ...rest } = more
  return Response.json({ error: { message, ...rest, type } }, { status, headers: { 'request-id': 'req_2' } })
}

const missing = (kind: string, id: string, param: string): Response =>
  refused(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param })

const cannotExpand = (paths: readonly string[]): Response =>
  refused(400, `This property cannot be expanded (${paths.join()}).`, { param: 'expand' })
