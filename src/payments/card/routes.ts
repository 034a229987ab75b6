/** /api/v1/payments/stripe: opens a checkout session, and receives Stripe's events. */
import { Type } from '@sinclair/typebox'
import { requireOffered } from '../../auth/caller.ts'
import { showAction } from '../../auth/owner-action.ts'
import { signedMembers } from '../../auth/signed-body.ts'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import type { Parts } from '../../parts.ts'
import { open } from '../../shape.ts'
import { type FindPurchase, purchaseCodes } from '../purchase.ts'
import { openCheckout } from './checkout.ts'
import { cardExamples } from './examples.ts'
import { hearEvent } from './webhook.ts'

const ReturnUrl = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description }))

const CheckoutBody = open({
  gateId: Type.String({ minLength: 1, maxLength: 80, pattern: '^[a-zA-Z0-9:_-]+$' }),
  qHash: Type.String({ pattern: '^0x[a-fA-F0-9]{64}$', description: 'Proof id, in either case.' }),
  successUrl: ReturnUrl(
    'Where the buyer comes back to, on the origin of the gate’s successReturnUrl or of this server. {CHECKOUT_SESSION_ID} in its query is filled in.',
  ),
  cancelUrl: ReturnUrl('Where the buyer comes back to without having paid, on one of the same origins.'),
  ...signedMembers,
})

const checkoutAnswer = describeAnswer({
  data: Type.Object({
    sessionId: Type.String({ description: 'The paymentCheckoutSessionId for the fulfillment.' }),
    url: Type.String({ description: 'The page on which the buyer pays.' }),
    expiresAt: Type.Integer({ description: 'When the page ends. Unix milliseconds.' }),
    reservedUntil: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Until when a place is held for the buyer, as long as the page can be paid. Unix milliseconds; null at a gate without supply and perWallet, where there is always room.',
    }),
  }),
  timestamp: IsoTimestamp,
})

const heardAnswer = describeAnswer({
  watched: Type.Boolean({ description: 'True when a payment or a checkout of this server will be looked at.' }),
})

/**
 * Documented, but not checked by the route. The raw bytes are signed, and must not be parsed before the signature is
 * verified.
 */
const eventBody = {
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object' as const,
        description: 'An event of the API v1 of Stripe (snapshot payload), as its documentation says.',
        properties: {
          id: { type: 'string' as const },
          object: { type: 'string' as const, description: 'event' },
          type: {
            type: 'string' as const,
            description: 'Such as charge.refunded. Unknown ones are heard and ignored.',
          },
          data: { type: 'object' as const, description: 'The object that the event is about.' },
        },
      },
    },
  },
}

/** `find` knows gates and proofs, which payments must not import. */
export function cardRoutes(parts: Parts, find: FindPurchase): readonly Route[] {
  return [
    route(
      {
        method: 'POST',
        path: '/api/v1/payments/stripe/checkout',
        callers: ['signature', 'session', 'access-key'],
        surface: 'payments',
        body: CheckoutBody,
        rate: 'owner',
        operation: {
          tag: 'payments',
          operationId: 'openCheckout',
          summary: 'Open a page on which a gate is paid by card',
          description: `For one gate and one proof, signed by the wallet of the proof over ${showAction('open_checkout')}. Asking again within ten minutes answers with the same page. At a gate with supply or perWallet a place is held until the page ends, one for each wallet; where none is left the answer is GATE_SOLD_OUT or GATE_LIMIT_REACHED, and nobody pays. At a gate with supply, networks share the places that are not paid yet, a wallet holds ten of them at a time, and waits after one that it did not pay: CONFLICT with TOO_MANY_PLACES_OF_NETWORK, TOO_MANY_PLACES_OF_WALLET or PLACE_ENDED_UNPAID, and Retry-After.`,
          answer: checkoutAnswer,
          refusals: [400, 401, 403, 404, 409, 413, 415, 503],
          codes: purchaseCodes,
          example: cardExamples.openCheckout,
        },
      },
      async ({ body, request, set }) => {
        const { gateId, qHash } = body
        const credentials = await requireOffered(body, parts, request, { action: 'open_checkout', gateId, qHash })
        const data = await openCheckout(parts, { ...body, credentials }, find)
        set.headers['cache-control'] = 'private, no-store'
        return { success: true, data, timestamp: new Date(parts.now()).toISOString() }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/payments/stripe/webhook',
        callers: ['anyone'],
        surface: 'payments',
        rate: 'reads',
        bodyFormat: 'json bytes',
        operation: {
          tag: 'payments',
          operationId: 'hearStripeEvent',
          summary: 'Events of Stripe',
          description:
            'For Stripe only: the header Stripe-Signature must fit the body and be at most five minutes old. An event makes this server look at a payment; what it says about money is not believed. Not here unless payments.stripe.webhook_secret is set.',
          answer: heardAnswer,
          refusals: [400, 401, 404, 413, 415, 503],
          codes: ['SIGNATURE_INVALID', 'EXPIRED_SIGNATURE'],
          requestHeaders: { 'stripe-signature': 'Of Stripe, over the event.' },
          requestBody: eventBody,
          example: cardExamples.hearStripeEvent,
        },
      },
      ({ body, request }) =>
        hearEvent(parts, body as Uint8Array, request.headers.get('stripe-signature')).then((heard) => ({
          success: true,
          ...heard,
        })),
    ),
  ]
}
