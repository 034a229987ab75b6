/** /api/v1/payments/quote: the exact amount of a transfer that pays a gate. */

import { Type } from '@sinclair/typebox'
import { requireOffered } from '../../auth/caller.ts'
import { showAction } from '../../auth/owner-action.ts'
import { signedMembers } from '../../auth/signed-body.ts'
import { qHashPattern } from '../../envelope/q-hash.ts'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import type { Parts } from '../../parts.ts'
import { listNames } from '../../payments/methods.ts'
import { rewardMoments } from '../../payments/price.ts'
import { purchaseCodes } from '../../payments/purchase.ts'
import { openQuoteShares } from '../../payments/quote-shares.ts'
import { defineChoice, open } from '../../shape.ts'
import { GateId } from '../gate.ts'
import { fulfillExamples } from './examples.ts'
import { openQuote } from './open-quote.ts'

const QuoteBody = open({
  gateId: GateId,
  qHash: Type.String({ pattern: qHashPattern, description: 'The proof that is paid for, in either case.' }),
  ...signedMembers,
})

const amount = {
  network: Type.String({ description: 'CAIP-2 id of the chain.' }),
  asset: Type.String(),
  assetAddress: Type.String({ description: 'Contract of the token.' }),
  decimals: Type.Integer(),
  amount: Type.String({ description: 'Base units: exactly so much is to be transferred.' }),
  amountText: Type.String({ description: 'The same for people, such as 4.993217.' }),
}

const quoteAnswer = describeAnswer({
  data: Type.Object({
    quoteId: Type.String({ description: 'The paymentQuoteId for the fulfillment.' }),
    gateId: Type.String(),
    qHash: Type.String(),
    version: Type.Integer({ description: 'Of the gate: its price holds, and its reward is bought.' }),
    ...amount,
    recipient: Type.String(),
    tokens: Type.Array(Type.Object(amount), { description: 'All tokens that it may be paid in. The first is above.' }),
    rewardAfter: Type.Optional(defineChoice(rewardMoments)),
    openedAt: Type.Integer({ description: 'Unix milliseconds.' }),
    expiresAt: Type.Integer({ description: 'Until when the transfer must be in a block.' }),
    reservedUntil: Type.Integer({ description: 'Until when a place at the gate is held.' }),
  }),
  timestamp: IsoTimestamp,
})

export function quoteRoutes(parts: Parts): readonly Route[] {
  const shares = openQuoteShares(parts)
  return [
    route(
      {
        method: 'POST',
        path: '/api/v1/payments/quote',
        callers: ['signature', 'session', 'access-key'],
        surface: 'payments',
        body: QuoteBody,
        rate: 'owner',
        operation: {
          tag: 'payments',
          operationId: 'openQuote',
          summary: 'Ask for the exact amount of a transfer that pays a gate',
          description: [
            `For one gate and one proof that meets it, signed by the wallet of the proof over ${showAction('open_quote')}. The amount is the price and digits below a cent that no other open quote to the recipient has: a transfer of exactly this amount counts whoever sent it, an exchange for example. tokens are those that can carry the digits: when those of millionths are used up, only tokens with twelve decimals or more are left.`,
            'The version and the price of the gate are kept, and a place is held until reservedUntil. Asking again while the quote is open answers with the same quote. Afterwards fulfill the gate with paymentTxHash, and paymentQuoteId if you like.',
            'A wallet has at most 32 open quotes (CONFLICT, TOO_MANY_QUOTES). Networks share the amounts, so that none can use them up: 503 with QUOTES_OF_NETWORK_USED_UP or QUOTES_USED_UP says when to come back, and in details.methods how else to pay. QUOTES_OF_OWNER_USED_UP: gates of one owner that are paid to somebody else use up a part of the amounts of that recipient, and not all.',
            `A place costs nothing until it is paid, so at a gate with supply they are shared too (CONFLICT, with details.freeAt and Retry-After): TOO_MANY_PLACES_OF_NETWORK, TOO_MANY_PLACES_OF_WALLET for the eleventh at a time, and PLACE_ENDED_UNPAID for a while after one that was not paid. Neither binds an ${listNames(({ movesMoneyHere }) => movesMoneyHere, 'or')} payment, or a transfer from the wallet of the proof without a quote.`,
          ].join('\n\n'),
          answer: quoteAnswer,
          refusals: [400, 401, 403, 404, 409, 413, 415, 503],
          codes: purchaseCodes,
          example: fulfillExamples.openQuote,
        },
      },
      async ({ body, request, set }) => {
        const { gateId, qHash } = body
        const credentials = await requireOffered(body, parts, request, { action: 'open_quote', gateId, qHash })
        const data = await openQuote(parts, shares, { ...body, credentials })
        set.headers['cache-control'] = 'private, no-store'
        return { success: true, data, timestamp: new Date(parts.now()).toISOString() }
      },
    ),
  ]
}
