/**
 * Deliveries and payments, for their parties: the owner of a gate, and the buyer. No list holds a reward. Only the
 * buyer sees the proof and the receipt id, which opens the receipt.
 */

import { type Static, Type } from '@sinclair/typebox'
import { openCursor, sealCursor } from '../../http/cursor.ts'
import { type Route, route } from '../../http/route.ts'
import { readSpan } from '../../http/time-span.ts'
import type { Parts } from '../../parts.ts'
import { methodWords, nameMethod } from '../../payments/methods.ts'
import { formatUsd } from '../../payments/price.ts'
import { defineChoice } from '../../shape.ts'
import { readReceiptNumber } from '../fulfill/receipt.ts'
import { nameGateOwner, showBuyer } from '../owner.ts'
import { GateParams } from '../wire.ts'
import { requireOwnerOffer, requireOwnGate, requireReader } from './own-gate.ts'
import { salesExamples } from './sales-examples.ts'
import {
  describePageAnswer,
  listWallets,
  makeNullable,
  ownerReads,
  type Page,
  PageQuery,
  PaymentsQuery,
  signedIn,
} from './sales-page.ts'
import { listSales, readTotal, type Sale, type SaleList, type SalePage } from './sales-store.ts'

const PaymentAnswer = Type.Object({
  method: Type.String({ description: methodWords }),
  reference: Type.String({
    description: 'The payment, as tx:<CAIP-2>:<hash>:<payer>:<number of the transfer> or card:<id>.',
  }),
  amount: makeNullable(Type.String({ description: 'In base units of the token, or cents.' })),
  amountUsd: makeNullable(Type.String({ description: 'The price at that time.' })),
  state: defineChoice(
    ['claimed', 'final', 'reversed'],
    'claimed: may still be taken back. reversed: was, and the reward is withheld.',
  ),
  refundedAmount: makeNullable(
    Type.String({ description: 'How much of it was given back so far, in the unit of amount. null: nothing.' }),
  ),
  overpaidAmount: Type.Optional(
    Type.String({ description: 'How much more than the price was paid by hand, in the unit of amount.' }),
  ),
  disputed: Type.Boolean({
    description: 'The holder of the card disputes it: the reward is withheld, and comes back if the seller wins.',
  }),
  payer: makeNullable(Type.String()),
  paidAt: makeNullable(Type.Integer({ description: 'Unix milliseconds.' })),
})

const SaleAnswer = Type.Object({
  gateId: Type.String(),
  gateName: Type.String({ description: 'In the version that was fulfilled.' }),
  version: Type.Integer(),
  walletAddress: Type.String({ description: 'Of the buyer.' }),
  contractOn: Type.Optional(
    Type.String({ description: 'CAIP-2 chain on which the buyer is a contract wallet; absent for keys.' }),
  ),
  state: defineChoice(['granted', 'suspended'], 'suspended: the payment was taken back, or is disputed.'),
  fulfilledAt: Type.Integer({ description: 'Unix milliseconds.' }),
  updatedAt: Type.Integer(),
  payment: makeNullable(PaymentAnswer),
  receiptNumber: Type.String({ description: 'Names the receipt to buyer and seller: its page is /receipts/{number}.' }),
  receiptId: Type.Optional(Type.String({ description: 'For the buyer alone.' })),
  qHash: Type.Optional(Type.String({ description: 'For the buyer alone.' })),
})

const Totals = Type.Object(
  {
    fulfilled: Type.Integer(),
    paid: Type.Integer(),
    amountUsd: Type.String({ description: 'By the prices at the time, less what was refunded.' }),
  },
  { description: 'Over everything, not this page; what was taken back does not count.' },
)

const fulfillmentsAnswer = describePageAnswer({ totalCount: Type.Integer(), fulfillments: Type.Array(SaleAnswer) })
const boughtAnswer = describePageAnswer({ fulfillments: Type.Array(SaleAnswer) })
const paymentsAnswer = describePageAnswer({
  side: defineChoice(['paid', 'received']),
  totals: makeNullable(Totals),
  payments: Type.Array(SaleAnswer),
})

export function salesRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()
  const offer = (request: Request) => requireOwnerOffer(parts, request)

  const makePage = async (
    list: SaleList,
    keys: readonly (string | number)[],
    { limit = '50', cursor, ...times }: Page,
    isBuyer: boolean,
  ) => {
    const span = readSpan(times)
    const identity = ['sales', list, keys, ...((span.from ?? span.before) ? [span] : [])] as const
    const before = cursor === undefined ? undefined : openCursor(parts.sealer, identity, cursor)
    const { sales, continuesBefore }: SalePage = await listSales(parts.db, list, keys, {
      before,
      span,
      limit: Number(limit),
    })
    return {
      rows: sales.map((sale) => buildSaleView(sale, isBuyer)),
      nextCursor: continuesBefore === undefined ? null : sealCursor(parts.sealer, identity, continuesBefore),
    }
  }
  const buildTotalsView = async (owner: string): Promise<Static<typeof Totals>> => {
    const { usdMicros, ...counts } = await readTotal(parts.db, owner)
    return { ...counts, amountUsd: formatUsd(usdMicros) }
  }

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/gates/:gateId/fulfillments',
        cacheControl: 'private, no-store',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        query: PageQuery,
        ...ownerReads,
        operation: {
          tag: 'gates',
          operationId: 'listGateFulfillments',
          summary: 'Who was given the reward of a gate',
          description: `For its owner, the newest first. totalCount leaves out what was taken back. Never the reward, the proof or the receipt. ${signedIn}`,
          answer: fulfillmentsAnswer,
          refusals: [400, 401, 403, 404],
          example: salesExamples.listGateFulfillments,
        },
      },
      async ({ params, query, request }) => {
        const gate = await requireOwnGate(
          parts,
          params.gateId,
          await requireReader(parts, await offer(request), params.gateId),
        )
        const { rows, nextCursor } = await makePage('ofGate', [gate.id], query, false)
        const data = { totalCount: gate.fulfilledCount, fulfillments: rows, nextCursor }
        return { success: true, data, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/fulfillments',
        callers: ['signature', 'session', 'access-key'],
        surface: 'sessions',
        query: PageQuery,
        ...ownerReads,
        operation: {
          tag: 'gates',
          operationId: 'listMyFulfillments',
          summary: 'What your wallets were given, at any gate',
          description: `The newest first. The reward itself comes again from POST /api/v1/profile/gates/{gateId}/fulfill with the qHash. ${signedIn}`,
          answer: boughtAnswer,
          refusals: [400, 401, 403],
          example: salesExamples.listMyFulfillments,
        },
      },
      async ({ query, request }) => {
        const { rows, nextCursor } = await makePage('ofWallet', await listWallets(parts, request), query, true)
        return { success: true, data: { fulfillments: rows, nextCursor }, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/payments',
        callers: ['signature', 'session', 'access-key'],
        surface: 'sessions',
        query: PaymentsQuery,
        ...ownerReads,
        operation: {
          tag: 'payments',
          operationId: 'listPayments',
          summary: 'Payments that you received at your gates, or made',
          description: `The newest first, each with what it paid for. ${signedIn}`,
          answer: paymentsAnswer,
          refusals: [400, 401, 403],
          example: salesExamples.listPayments,
        },
      },
      async ({ query, request }) => {
        const { side = 'received', ...page } = query
        const owner = side === 'paid' ? undefined : nameGateOwner(await requireReader(parts, await offer(request)))
        const keys = owner === undefined ? await listWallets(parts, request) : [owner]
        const list = owner === undefined ? 'paidBy' : 'paidTo'
        const { rows, nextCursor } = await makePage(list, keys, page, owner === undefined)
        const totals = owner === undefined ? null : await buildTotalsView(owner)
        return { success: true, data: { side, totals, payments: rows, nextCursor }, timestamp: formatNow() }
      },
    ),
  ]
}

function buildSaleView(sale: Sale, isBuyer: boolean): Static<typeof SaleAnswer> {
  const { gateId, gateName, version, buyer, state, fulfilledAt, updatedAt, usdMicros, payment, receiptId, qHash } = sale
  return {
    gateId,
    gateName,
    version,
    ...showBuyer(buyer),
    state,
    fulfilledAt,
    updatedAt,
    payment: payment && {
      method: nameMethod(payment.method),
      reference: payment.identity,
      amount: payment.amount,
      amountUsd: usdMicros === null ? null : formatUsd(usdMicros),
      state: payment.state,
      refundedAmount: payment.refunded,
      ...(payment.overpaid === undefined ? {} : { overpaidAmount: payment.overpaid }),
      disputed: payment.isDisputed,
      payer: payment.payer,
      paidAt: payment.paidAt,
    },
    receiptNumber: readReceiptNumber(receiptId),
    ...(isBuyer ? { receiptId, qHash } : {}),
  }
}
