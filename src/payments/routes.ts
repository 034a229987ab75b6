/** /api/v1/payments: how gates can be paid here, and what this service itself costs, which is nothing. */
import { Type } from '@sinclair/typebox'
import { describeAnswer, IsoTimestamp } from '../http/describe.ts'
import { makeExampleAnswer, story } from '../http/example.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'

const tag = 'payments'

const tokenMembers = {
  network: Type.String({ description: 'CAIP-2.' }),
  asset: Type.String({ description: 'Symbol of the token.' }),
  assetAddress: Type.String({ description: 'Its contract.' }),
  decimals: Type.Integer(),
  confirmations: Type.Optional(Type.Integer({ description: 'How many blocks must stand upon the transfer.' })),
}

const PaymentMethod = Type.Object({
  id: Type.String({ description: 'By which a gate names it.' }),
  type: Type.String({ description: 'onchain, card or http402.' }),
  enabled: Type.Boolean(),
  ...Type.Partial(Type.Object(tokenMembers)).properties,
  tokens: Type.Optional(Type.Array(Type.Object(tokenMembers), { description: 'Of onchain: all that are taken.' })),
  scheme: Type.Optional(Type.String({ description: 'Of http402.' })),
  x402Version: Type.Optional(Type.Integer({ description: 'Of http402.' })),
})

const methodsAnswer = describeAnswer({
  data: Type.Object({ methods: Type.Array(PaymentMethod) }),
  timestamp: IsoTimestamp,
})

const credits = Type.Number({ description: 'Credits.' })

const pricingAnswer = describeAnswer({
  data: Type.Object({
    billing: Type.Literal('off'),
    currency: Type.Literal('USD'),
    creditPriceUsd: Type.Number(),
    plans: Type.Array(Type.Object({}, { description: 'None, while billing is off.' }), { maxItems: 0 }),
    verifierWeights: Type.Record(Type.String(), Type.Number(), { description: 'Credits for a claim, by verifier.' }),
    operations: Type.Object({ gateCheck: credits, proofWrite: credits, accessGrant: credits }),
    addOns: Type.Object({ ipfs: credits, extraChain: credits }, { description: 'Of options of a proof.' }),
  }),
  timestamp: IsoTimestamp,
})

export function paymentRoutes(parts: Parts): readonly Route[] {
  const { catalog, paymentMethods, now } = parts
  const formatNow = (): string => new Date(now()).toISOString()

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/payments/methods',
        callers: ['anyone'],
        surface: 'payments',
        rate: 'api',
        operation: {
          tag,
          operationId: 'listPaymentMethods',
          summary: 'How gates can be paid',
          description: 'What the operator has configured. A gate takes those among them that its owner chose.',
          answer: methodsAnswer,
          refusals: [],
          example: { response: makeExampleAnswer({ methods: [] }) },
        },
      },
      () => ({
        success: true,
        data: {
          methods: paymentMethods
            .filter((method) => method.findMissingConfiguration(parts) === undefined)
            .map((method) => method.describe(parts)),
        },
        timestamp: formatNow(),
      }),
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/payments/pricing',
        callers: ['anyone'],
        surface: 'payments',
        rate: 'api',
        operation: {
          tag,
          operationId: 'getPricing',
          summary: 'What calls of this service cost: nothing',
          description: 'This server does not charge for checks and proofs. What a gate costs is in its snapshot.',
          answer: pricingAnswer,
          refusals: [],
          example: {
            response: {
              success: true,
              data: {
                billing: 'off',
                currency: 'USD',
                creditPriceUsd: 0,
                plans: [],
                verifierWeights: { 'ownership-basic': 0 },
                operations: { gateCheck: 0, proofWrite: 0, accessGrant: 0 },
                addOns: { ipfs: 0, extraChain: 0 },
              },
              timestamp: story.timestamp,
            },
          },
        },
      },
      () => ({
        success: true,
        data: {
          billing: 'off',
          currency: 'USD',
          creditPriceUsd: 0,
          plans: [],
          verifierWeights: Object.fromEntries([...catalog.enabled.keys()].map((id) => [id, 0])),
          operations: { gateCheck: 0, proofWrite: 0, accessGrant: 0 },
          addOns: { ipfs: 0, extraChain: 0 },
        },
        timestamp: formatNow(),
      }),
    ),
  ]
}
