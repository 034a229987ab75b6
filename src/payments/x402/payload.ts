/**
 * The payload of PAYMENT-SIGNATURE: read strictly, and compared with the requirements. Does not verify the signature:
 * the facilitator does, and finally the token.
 */
import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { requireSafeText } from '../../http/safe-text.ts'
import type { Hex } from '../../outside/chains/chain.ts'
import { compileCheck } from '../../shape.ts'
import { areSameAddress } from '../../wallet/account.ts'
import type { Requirements, Resource } from './quote.ts'

/** Characters of the header. A payload has about 1000; a signature of a contract wallet may be longer. */
export const payloadMaxLength = 16_384

const Address = Type.String({ pattern: '^0x[a-fA-F0-9]{40}$' })
/** At most the digits of 2^256 - 1. */
const Whole = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' })

/** PaymentPayload of the specification, with the payload of scheme `exact` on EVM (EIP-3009). Other members are ignored. */
const Payload = compileCheck(
  Type.Object({
    x402Version: Type.Literal(2),
    resource: Type.Optional(Type.Union([Type.Null(), Type.Object({ url: Type.String() })])),
    accepted: Type.Object({
      scheme: Type.String(),
      network: Type.String(),
      amount: Type.String(),
      asset: Type.String(),
      payTo: Type.String(),
      maxTimeoutSeconds: Type.Number(),
      extra: Type.Optional(Type.Unknown()),
    }),
    payload: Type.Object({
      signature: Type.String({ pattern: '^0x([a-fA-F0-9]{2})+$' }),
      authorization: Type.Object({
        from: Address,
        to: Address,
        value: Whole,
        validAfter: Whole,
        validBefore: Whole,
        nonce: Type.String({ pattern: '^0x[a-fA-F0-9]{64}$' }),
      }),
    }),
  }),
)

export interface SignedAuthorization {
  readonly from: Hex
  readonly to: Hex
  /** Base units. */
  readonly value: string
  /** Unix seconds: it holds after the first and before the second. */
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: Hex
}

export interface PaymentPayload {
  readonly accepted: Readonly<Record<string, unknown>>
  /** As the client names it; some clients omit it. */
  readonly resourceUrl: string | undefined
  readonly signature: Hex
  readonly authorization: SignedAuthorization
}

/** Errors: VALIDATION_ERROR. Standard base64, which is what clients send; the padding may be missing. */
export function parsePayload(header: string): PaymentPayload {
  if (header.length > payloadMaxLength)
    throw makeUnreadableError(`is longer than ${payloadMaxLength} characters`, { limitCharacters: payloadMaxLength })
  const payload = parseHeaderJson(header)
  if (!Payload.Check(payload)) {
    const first = Payload.Errors(payload).First()
    throw makeUnreadableError(`is not a payload of x402 version 2 with a signed transfer (EIP-3009)`, {
      path: first?.path || '/',
    })
  }
  const { authorization, signature } = payload.payload
  return {
    accepted: payload.accepted,
    resourceUrl: payload.resource?.url,
    signature: signature as Hex,
    authorization: {
      from: authorization.from.toLowerCase() as Hex,
      to: authorization.to.toLowerCase() as Hex,
      value: authorization.value,
      validAfter: authorization.validAfter,
      validBefore: authorization.validBefore,
      nonce: authorization.nonce.toLowerCase() as Hex,
    },
  }
}

function parseHeaderJson(header: string): unknown {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(header)) throw makeUnreadableError('is not base64')
  const value = parse(header)
  requireSafeText(value, 'headers', '/payment-signature')
  return value
}

function parse(header: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64')))
  } catch {
    throw makeUnreadableError('is not JSON in base64')
  }
}

const makeUnreadableError = (what: string, details: Readonly<Record<string, unknown>> = {}): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `the header PAYMENT-SIGNATURE ${what}: send what a client of x402 makes of PAYMENT-REQUIRED`,
    { header: 'PAYMENT-SIGNATURE', ...details },
  )

export interface Mismatch {
  readonly reason: string
  readonly message: string
}

/**
 * The signed values, and those that the client accepted, must match the requirements: returns the first mismatch.
 * `accepted` and `resource` are not signed; they reveal a payment meant for something else.
 */
export function findMismatch(asked: Requirements, resource: Resource, payload: PaymentPayload): Mismatch | undefined {
  const { accepted, authorization } = payload
  const differs = (reason: string, name: string, said: unknown, right: string): Mismatch => ({
    reason,
    message: `the payment is for ${name} ${showValue(said)}, and ${right} is asked for`,
  })
  if (accepted.scheme !== asked.scheme) return differs('SCHEME_MISMATCH', 'the scheme', accepted.scheme, asked.scheme)
  if (accepted.network !== asked.network)
    return differs('NETWORK_MISMATCH', 'the network', accepted.network, asked.network)
  if (!isAddress(accepted.asset, asked.asset))
    return differs('TOKEN_MISMATCH', 'the token', accepted.asset, asked.asset)
  for (const recipient of [accepted.payTo, authorization.to])
    if (!isAddress(recipient, asked.payTo))
      return differs('RECIPIENT_MISMATCH', 'the recipient', recipient, asked.payTo)
  for (const amount of [accepted.amount, authorization.value])
    if (amount !== asked.amount) return differs('AMOUNT_MISMATCH', 'the amount', amount, asked.amount)
  if (payload.resourceUrl !== undefined && payload.resourceUrl !== resource.url)
    return differs('RESOURCE_MISMATCH', 'the resource', payload.resourceUrl, resource.url)
  const { name, version, ...others } = (accepted.extra ?? {}) as Readonly<Record<string, unknown>>
  const isSameRest =
    accepted.maxTimeoutSeconds === asked.maxTimeoutSeconds &&
    name === asked.extra.name &&
    version === asked.extra.version &&
    Object.keys(others).length === 0
  return isSameRest
    ? undefined
    : {
        reason: 'REQUIREMENTS_MISMATCH',
        message: 'the payment names other requirements (maxTimeoutSeconds, extra) than those that are asked for',
      }
}

const isAddress = (said: unknown, right: string): boolean => typeof said === 'string' && areSameAddress(said, right)

const showValue = (said: unknown): string => JSON.stringify(String(said).slice(0, 100))
