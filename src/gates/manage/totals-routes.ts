/** GET /api/v1/profile/gates/{gateId}/totals: passes and sales by day, for the owner of the gate. */
import { Type } from '@sinclair/typebox'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import { ranges } from '../../metrics/periods.ts'
import type { Parts } from '../../parts.ts'
import { methodWords } from '../../payments/methods.ts'
import { defineChoice, open } from '../../shape.ts'
import { GateParams } from '../wire.ts'
import { requireOwnerOffer, requireOwnGate, requireReader } from './own-gate.ts'
import { salesExamples } from './sales-examples.ts'
import { makeNullable, ownerReads, signedIn } from './sales-page.ts'
import { readGateTotals } from './totals.ts'
import { mostCounted } from './totals-store.ts'

const TotalsQuery = open({
  range: Type.Optional(defineChoice(ranges, 'By hours for 24h, else by days of UTC. Default 30d.')),
})

const totalsAnswer = describeAnswer({
  data: Type.Object({
    gateId: Type.String(),
    range: defineChoice(ranges),
    firstAt: Type.Integer({ description: 'Unix milliseconds: when the first hour or day begins.' }),
    stepMs: Type.Integer(),
    passes: Type.Array(Type.Integer(), { description: 'For each hour or day.' }),
    sales: Type.Array(Type.Integer(), { description: 'Those of the passes that were paid.' }),
    amountUsd: Type.Array(Type.String(), { description: 'The prices of the sales at their time.' }),
    totals: Type.Object({
      passes: Type.Integer(),
      sales: Type.Integer(),
      amountUsd: Type.String(),
      received: Type.Array(
        Type.Object({
          method: Type.String({ description: methodWords }),
          network: makeNullable(Type.String({ description: 'CAIP-2. null for cards.' })),
          token: makeNullable(Type.String({ description: 'The contract of the token.' })),
          symbol: makeNullable(Type.String({ description: 'null for a token that this server has no settings of.' })),
          decimals: makeNullable(Type.Integer()),
          sales: Type.Integer(),
          amount: Type.String({ description: 'In base units of the token, or cents, less what was refunded.' }),
          refundedAmount: Type.String(),
        }),
        { description: 'One entry for each currency.' },
      ),
    }),
    complete: Type.Boolean({
      description: `false: there are more passes, and only the newest ${mostCounted} are counted.`,
    }),
  }),
  timestamp: IsoTimestamp,
})

export const gateTotalsRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'GET',
      path: '/api/v1/profile/gates/:gateId/totals',
      cacheControl: 'private, no-store',
      callers: ['signature', 'session', 'access-key'],
      surface: 'gates',
      params: GateParams,
      query: TotalsQuery,
      ...ownerReads,
      operation: {
        tag: 'gates',
        operationId: 'readGateTotals',
        summary: 'Passes and sales of a gate by day',
        description: `For its owner. What was taken back does not count. ${signedIn}`,
        answer: totalsAnswer,
        refusals: [400, 401, 403, 404],
        example: salesExamples.readGateTotals,
      },
    },
    async ({ params, query, request }) => {
      const reader = await requireReader(parts, await requireOwnerOffer(parts, request), params.gateId)
      const gate = await requireOwnGate(parts, params.gateId, reader)
      const data = await readGateTotals(parts, gate, query.range ?? '30d')
      return { success: true, data, timestamp: new Date(parts.now()).toISOString() }
    },
  ),
]
