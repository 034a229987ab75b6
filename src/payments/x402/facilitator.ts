/**
 * The facilitator verifies signed payments and sends their transactions (x402 specification, section 7). Its answers
 * are not trusted: the chain tells whether money moved.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { OutsideError } from '../../outside/failure.ts'
import { makeGuard } from '../../outside/http/address-guard.ts'
import { type CallPolicy, type Endpoint, makeEndpoint, parseJson } from '../../outside/http/endpoint.ts'
import { type Check, compileCheck } from '../../shape.ts'
import type { PaymentTools } from '../payment.ts'
import type { SignedAuthorization } from './payload.ts'
import type { Requirements, Resource } from './quote.ts'

/** The facilitator's input is rebuilt from checked values, so that it cannot read the buyer's text differently. */
export interface Order {
  readonly resource: Resource
  readonly requirements: Requirements
  readonly authorization: SignedAuthorization
  readonly signature: string
}

export type Verification = { readonly isValid: true } | { readonly isValid: false; readonly reason: string }

/** The facilitator's answer about a settlement. `transaction` is its unchecked text. */
export interface SaidSettlement {
  readonly success: boolean
  readonly reason: string
  readonly transaction: string
}

export interface Facilitator {
  /** Errors: OutsideError. */
  verify(order: Order): Promise<Verification>
  /**
   * Concurrent calls with the same order share one settlement: no answer leaves open whether money moved. Errors:
   * OutsideError.
   */
  settle(order: Order): Promise<SaidSettlement>
  /** Whether it settles scheme `exact` on a network. Errors: OutsideError. */
  supports(network: string): Promise<boolean>
}

export const facilitatorSetting = 'payments.x402.facilitator_url'

/** It waits for the transaction to be mined. Clients give up after 30 seconds, and a request has further steps. */
const settleTimeoutMs = 15_000

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Verified = compileCheck(
  Type.Object({ isValid: Type.Boolean(), invalidReason: Text, invalidMessage: Text, payer: Text }),
)
const Settled = compileCheck(
  Type.Object({
    success: Type.Boolean(),
    transaction: Text,
    network: Text,
    payer: Text,
    errorReason: Text,
    errorMessage: Text,
  }),
)
const Supported = compileCheck(
  Type.Object({
    kinds: Type.Array(Type.Object({ x402Version: Type.Number(), scheme: Type.String(), network: Type.String() })),
  }),
)

/** One for each configuration, because its endpoints remember the health of the facilitator. */
const opened = new WeakMap<PaymentTools['config']['payments'], Facilitator>()

export function makeFacilitator(
  url: string,
  { config, outside }: Pick<PaymentTools, 'config' | 'outside'>,
): Facilitator {
  const known = opened.get(config.payments)
  if (known) return known
  const { timeoutSeconds, attempts, privateNetworks } = config.outside
  const policy = { timeoutMs: timeoutSeconds * 1000, attempts, guard: makeGuard(privateNetworks), watch: outside.watch }
  const facilitator = openFacilitator(url, policy)
  opened.set(config.payments, facilitator)
  return facilitator
}

function openFacilitator(url: string, policy: CallPolicy): Facilitator {
  const verifying = makeEndpoint(facilitatorSetting, url, policy)
  const settling = makeEndpoint(facilitatorSetting, url, {
    ...policy,
    timeoutMs: Math.max(settleTimeoutMs, policy.timeoutMs),
  })
  const underway = new Map<string, Promise<SaidSettlement>>()

  async function settle(order: Order): Promise<SaidSettlement> {
    const said = await askFacilitator(settling, '/settle', order, Settled, 'success')
    const transaction = (said.transaction ?? '').toLowerCase()
    if (!said.success) return { success: false, reason: quoteReason(said.errorReason), transaction }
    requireOurs(said.network === order.requirements.network && isSamePayer(said.payer, order), 'settled')
    return { success: true, reason: '', transaction }
  }

  return {
    async verify(order) {
      const { isValid, invalidReason, payer } = await askFacilitator(verifying, '/verify', order, Verified, 'isValid')
      if (!isValid) return { isValid: false, reason: quoteReason(invalidReason) }
      requireOurs(isSamePayer(payer, order), 'verified')
      return { isValid: true }
    },
    settle(order) {
      // A concurrent repetition must not make the facilitator send, and pay for, a transaction that fails.
      const key = JSON.stringify([order.authorization, order.signature])
      const known = underway.get(key)
      if (known) return known
      const settlement = settle(order).finally(() => underway.delete(key))
      underway.set(key, settlement)
      return settlement
    },
    async supports(network) {
      const answer = await verifying.send({
        method: 'GET',
        path: '/supported',
        headers: { accept: 'application/json' },
      })
      const said = parseJson(facilitatorSetting, answer)
      if (answer.status !== 200 || !Supported.Check(said)) throw makeOtherServerError(answer.status, '/supported')
      return said.kinds.some(
        (kind) => kind.x402Version === 2 && kind.scheme === 'exact' && ['eip155:*', network].includes(kind.network),
      )
    },
  }
}

/** Refusals come with 200 from some facilitators, with 4xx from others. */
async function askFacilitator<Shape extends TSchema>(
  endpoint: Endpoint,
  path: '/verify' | '/settle',
  { resource, requirements, authorization, signature }: Order,
  shape: Check<Shape>,
  yes: 'isValid' | 'success',
): Promise<Static<Shape>> {
  const answer = await endpoint.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      x402Version: 2,
      paymentPayload: { x402Version: 2, resource, accepted: requirements, payload: { signature, authorization } },
      paymentRequirements: requirements,
    }),
    maxBytes: 64 * 1024,
    ...(path === '/settle' ? { once: true } : {}),
  })
  const said = parseJson(facilitatorSetting, answer)
  const isYes = (said as Readonly<Record<string, unknown>> | null)?.[yes] === true
  if (!shape.Check(said) || (answer.status !== 200 && isYes)) throw makeOtherServerError(answer.status, path)
  return said
}

const makeOtherServerError = (status: number, path: string): OutsideError =>
  new OutsideError(
    'malformed',
    facilitatorSetting,
    `answered ${status} to ${path}, and not as a facilitator of x402 does`,
    'see whether the address is the one of a facilitator for x402 version 2, and whether it needs no key',
  )

const isSamePayer = (payer: string | null | undefined, { authorization }: Order): boolean =>
  !payer || payer.toLowerCase() === authorization.from

function requireOurs(isOurs: boolean, did: 'verified' | 'settled'): void {
  if (!isOurs)
    throw new OutsideError(
      'malformed',
      facilitatorSetting,
      `${did} a payment of another payer or network`,
      'see whether the address is the one of a facilitator for x402 version 2',
    )
}

/** Words of the facilitator are shown to buyers, in a header too: `invalid_exact_evm_signature`. */
const quoteReason = (reason: string | null | undefined): string =>
  (reason ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 100) || 'no_reason_given'
