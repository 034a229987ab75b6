/**
 * The official Stripe SDK over this server's own HTTP client. Its time limit, size limit, retries and breaker apply,
 * and the SDK itself never retries. It does not interpret the answers (stripe.ts).
 */

import type Stripe from 'stripe'
import { OutsideError } from '../../outside/failure.ts'
import { makeGuard } from '../../outside/http/address-guard.ts'
import { type Endpoint, makeEndpoint, parseJson } from '../../outside/http/endpoint.ts'
import type { OutsideAnswer } from '../../outside/http/message.ts'
import type { Outside } from '../../outside/outside.ts'
import type { PaymentTools } from '../payment.ts'
import { readStripeSettings } from './settings.ts'

export const stripeSetting = 'payments.stripe'

export type StripeTools = Pick<PaymentTools, 'outside' | 'config'>

/** Loaded at first use: it would slow down every start, and most servers take no cards. */
export const loadStripe = async (): Promise<typeof Stripe> => (await import('stripe')).default

/** One client for each `outside`, because its breaker and connections live as long. */
const clients = new WeakMap<Outside, Stripe>()

/** Errors: a plain Error without a key, because callers check findMissingStripeSetting before. */
export async function openStripe({ outside, config }: StripeTools): Promise<Stripe> {
  const known = clients.get(outside)
  if (known) return known
  const { secretKey, url } = readStripeSettings(config)
  if (secretKey === undefined) throw new Error('Stripe is asked without a key')
  const { timeoutSeconds, attempts, privateNetworks } = config.outside
  const door = makeEndpoint(stripeSetting, url, {
    timeoutMs: timeoutSeconds * 1000,
    attempts,
    guard: makeGuard(privateNetworks),
    watch: outside.watch,
    keySetting: `${stripeSetting}.secret_key`,
  })
  const Sdk = await loadStripe()
  const client = new Sdk(secretKey, {
    httpClient: Sdk.createFetchHttpClient(fetchThroughEndpoint(door)),
    // Two retry policies would multiply the requests. The HTTP client retries, under the same idempotency key.
    maxNetworkRetries: 0,
    telemetry: false,
  })
  clients.set(outside, client)
  return client
}

/** `fetch` for the SDK. The SDK names Stripe's host; the setting decides the real address. */
const fetchThroughEndpoint = (door: Endpoint) =>
  (async (input: string, { method, headers, body }: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(input)
    const answer = await door.send({
      method: method === 'POST' ? 'POST' : 'GET',
      path: pathname + search,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && body !== '' ? { body } : {}),
    })
    requireAnswerOfStripe(answer)
    // Other headers are dropped: the SDK would print some of them to the terminal.
    return new Response(new TextDecoder().decode(answer.body), {
      status: answer.status,
      headers: { 'request-id': answer.headers['request-id'] ?? '' },
    })
  }) as unknown as typeof fetch

/** The SDK treats any JSON without `error` as a success, regardless of the status. Errors: OutsideError `malformed`. */
function requireAnswerOfStripe(answer: OutsideAnswer): void {
  const value = parseJson(stripeSetting, answer)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const { error } = (isObject ? value : {}) as { readonly error?: unknown }
  const isRefusal = typeof error === 'object' && error !== null
  if (isObject && (answer.status === 200 ? error === undefined : isRefusal)) return
  throw new OutsideError(
    'malformed',
    stripeSetting,
    `answered ${answer.status} with something that Stripe does not send`,
    'see whether payments.stripe.url is the address of the Stripe API',
  )
}

/** The requested object, or undefined if Stripe has none with this id. Errors: OutsideError. */
export async function catchMissing<Found>(call: Promise<Found>): Promise<Found | undefined> {
  try {
    return await call
  } catch (error) {
    const { errors } = await loadStripe()
    if (error instanceof errors.StripeError && error.statusCode === 404 && error.code === 'resource_missing')
      return undefined
    throw convertStripeError(error, errors)
  }
}

/** Errors: OutsideError. */
export async function catchFailure<Made>(call: Promise<Made>): Promise<Made> {
  try {
    return await call
  } catch (error) {
    throw convertStripeError(error, (await loadStripe()).errors)
  }
}

/** The code of Stripe's refusal of a well-formed request, such as charge_already_refunded. */
export interface Refusal {
  readonly refusal: string
}

/** The created object, or the reason of Stripe's refusal. Errors: OutsideError. */
export async function catchRefusal<Made extends object>(call: Promise<Made>): Promise<Made | Refusal> {
  try {
    return await call
  } catch (error) {
    const { errors } = await loadStripe()
    const isRefused = error instanceof errors.StripeError && (error.statusCode === 400 || error.statusCode === 402)
    if (isRefused && /^[a-z_]{1,64}$/.test(error.code ?? '')) return { refusal: error.code! }
    throw convertStripeError(error, errors)
  }
}

function convertStripeError(error: unknown, { StripeError }: typeof Stripe.errors): unknown {
  if (!(error instanceof StripeError)) return error
  // The SDK wraps errors of the HTTP client into its connection error.
  if (error.detail instanceof OutsideError) return error.detail
  const { statusCode, code, param } = error
  // Another request under the same idempotency key is running, or has locked the object.
  if (statusCode === 409)
    return new OutsideError('rate-limited', stripeSetting, 'is busy with the same request (409)', 'try again', 2)
  const words = [statusCode, code, param].filter((word) => /^[\w[\].]{1,64}$/.test(String(word ?? '')))
  return new OutsideError(
    'malformed',
    stripeSetting,
    `refused the request (${words.join(', ')})`,
    'see the log of requests in the dashboard of Stripe, and whether the account may use Checkout',
  )
}
