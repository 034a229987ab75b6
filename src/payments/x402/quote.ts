/**
 * The payment requirements of x402, as headers of version 2 of the protocol (github.com/x402-foundation/x402,
 * specs/x402-specification-v2.md and specs/transports-v2/http.md).
 */
import { getAddress } from 'viem'
import type { Hex } from '../../outside/chains/chain.ts'
import { convertUsd } from '../amount.ts'
import type { PaymentOffer, PaymentTools } from '../payment.ts'
import type { AskedToken } from './token.ts'

export type Quote = Omit<PaymentOffer, 'evidence'>

/** PaymentRequirements of the specification, section 5.1.2. */
export interface Requirements {
  readonly scheme: 'exact'
  readonly network: string
  /** Base units. */
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly name: string; readonly version: string }
}

/** The lifetime of a signed authorization; payers derive `validBefore` from it. */
export const authorizationSeconds = 300

export function makeRequirements(
  { price }: Pick<Quote, 'price'>,
  token: AskedToken,
  { config }: Pick<PaymentTools, 'config'>,
): Requirements {
  if (price.recipient === undefined) throw new Error('a gate without a recipient was to be paid with x402')
  return {
    scheme: 'exact',
    network: token.chain.chain,
    amount: String(convertUsd(price.amountUsd, token.decimals)),
    asset: getAddress(token.address),
    payTo: getAddress(price.recipient.toLowerCase() as Hex),
    // Never longer than the reservation of the place.
    maxTimeoutSeconds: Math.min(authorizationSeconds, config.payments.reservationMinutes * 60),
    extra: token.domain,
  }
}

export interface Resource {
  readonly url: string
  readonly description: string
  readonly mimeType: string
}

export const makeResource = ({ gateId, price }: Quote, { addresses }: Pick<PaymentTools, 'addresses'>): Resource => ({
  url: `${addresses().baseUrl}/api/v1/profile/gates/${encodeURIComponent(gateId)}/fulfill`,
  description: price.label ?? `What the gate ${gateId} gives`,
  mimeType: 'application/json',
})

/** `error` is for programs and people alike: the fault of the payment, or that none came. */
export const writePaymentRequired = (
  requirements: Requirements,
  resource: Resource,
  error: string,
): Readonly<Record<string, string>> => ({
  'PAYMENT-REQUIRED': writeBase64Json({ x402Version: 2, error, resource, accepts: [requirements] }),
})

/** SettlementResponse of the specification, section 5.3. */
export interface Settlement {
  readonly success: boolean
  readonly errorReason?: string
  /** Empty when there is none. */
  readonly transaction: string
  readonly network: string
  readonly payer: string
}

export const writePaymentResponse = (settlement: Settlement): Readonly<Record<string, string>> => ({
  'PAYMENT-RESPONSE': writeBase64Json(settlement),
})

const writeBase64Json = (value: object): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
