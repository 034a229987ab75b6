/**
 * Events of Stripe, which only mean that it is time to look. An event is trusted for nothing but the payment it names;
 * the watcher then asks Stripe. So a duplicate, late or unordered event does no harm.
 */

import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { compileCheck } from '../../shape.ts'
import { watchCheckoutNow } from '../checkout-store.ts'
import { watchRefundNow } from '../unmatched-store.ts'
import { makeCardIdentity } from './payment.ts'
import { readStripeSettings } from './settings.ts'
import { sessionIdPattern } from './stripe.ts'
import { loadStripe } from './stripe-client.ts'
import { watchNow } from './webhook-store.ts'

/** The greatest age of the signature, in seconds by this server's clock. */
const toleranceSeconds = 300

/** `t=1767225600,v1=<64 hexadecimal digits>`, with several v1 values during a change of the secret. */
const longestSignature = 2048

const Happening = <Members extends Parameters<typeof Type.Object>[0]>(members: Members) =>
  compileCheck(Type.Object({ type: Type.String(), data: Type.Object({ object: Type.Object(members) }) }))

const ofPayment = Happening({ payment_intent: Type.String({ maxLength: 255 }) })
const ofSession = Happening({ id: Type.String({ pattern: sessionIdPattern }) })

const concernsPayment = /^(charge\.(refunded|refund\.|dispute\.)|refund\.|checkout\.session\.)/
const concernsSession = /^checkout\.session\./

export interface Heard {
  /** True when a payment or a checkout of this server was scheduled for a look. */
  readonly watched: boolean
}

/**
 * `payload` is the exact body, because its bytes are signed. Errors: NOT_FOUND without a webhook secret,
 * SIGNATURE_INVALID, EXPIRED_SIGNATURE, VALIDATION_ERROR.
 */
export async function hearEvent(
  { config, now, db }: Pick<Parts, 'config' | 'now' | 'db'>,
  payload: Uint8Array,
  signature: string | null,
): Promise<Heard> {
  const { webhookSecret } = readStripeSettings(config)
  if (webhookSecret === undefined)
    throw new AppError('NOT_FOUND', 'events of Stripe are not received here: set payments.stripe.webhook_secret')
  const event = await requireSignedEvent(payload, signature, webhookSecret, now())
  let watched = false
  if (ofSession.Check(event) && concernsSession.test(event.type))
    watched = await watchCheckoutNow(db, event.data.object.id, now())
  if (ofPayment.Check(event) && concernsPayment.test(event.type)) {
    const identity = makeCardIdentity(event.data.object.payment_intent)
    const isPayment = await watchNow(db, identity, now())
    // A revoked payment may have been refunded by now.
    const isRefund = await watchRefundNow(db, { identity, method: 'card' }, now())
    watched ||= isPayment || isRefund
  }
  return { watched }
}

async function requireSignedEvent(
  payload: Uint8Array,
  signature: string | null,
  secret: string,
  now: number,
): Promise<unknown> {
  if (signature === null || signature.length > longestSignature)
    throw new AppError('SIGNATURE_INVALID', 'the header Stripe-Signature is missing or too long')
  const sdk = await loadStripe()
  try {
    return await sdk.webhooks.constructEventAsync(payload, signature, secret, toleranceSeconds, undefined, now)
  } catch (error) {
    if (!(error instanceof sdk.errors.StripeSignatureVerificationError))
      throw new AppError('VALIDATION_ERROR', 'the body is not an event of the API v1 (a snapshot event) of Stripe')
    if (/tolerance/.test(error.message))
      throw new AppError(
        'EXPIRED_SIGNATURE',
        `the event was signed more than ${toleranceSeconds} seconds ago by the clock of this server`,
        { serverTime: now },
      )
    throw new AppError(
      'SIGNATURE_INVALID',
      'the signature does not fit the body: compare payments.stripe.webhook_secret with the signing secret of this webhook in the dashboard of Stripe',
    )
  }
}
