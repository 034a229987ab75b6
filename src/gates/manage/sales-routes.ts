/**
 * Deliveries and payments, for their parties: the owner of a gate, and the buyer. No list holds a reward. Only the
 * buyer sees the proof and the receipt id, which opens the receipt.
 */

import { type Static, Type } from '@sinclair/typebox'
import { requireOffered } from '../../auth/caller.ts'
import type { Account } from '../../auth/identity.ts'
import { type NeededAction, showAction } from '../../auth/owner-action.ts'
import { signedMembers } from '../../auth/signed-body.ts'
import { cursorMaxLength, openCursor, sealCursor } from '../../http/cursor.ts'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import type { Parts } from '../../parts.ts'
import { methodWords, nameMethod } from '../../payments/methods.ts'
import { formatUsd } from '../../payments/price.ts'
import { type ListedUnmatched, listUnmatched } from '../../payments/unmatched-store.ts'
import { OwnerHeaders } from '../../proofs/wire.ts'
import { defineChoice, open } from '../../shape.ts'
import { parseAccount, writeAccount } from '../../wallet/account.ts'
import { returnPayment } from '../fulfill/return-payment.ts'
import { showUnmatched, UnmatchedAnswer } from '../fulfill/unmatched.ts'
import { nameGateOwner, showBuyer } from '../owner.ts'
import { GateParams } from '../wire.ts'
import { requireOwnerOffer, requireOwnGate, requireReader } from './own-gate.ts'
import { salesExamples } from './sales-examples.ts'
import { listSales, readTotal, type Sale, type SaleList, type SalePage } from './sales-store.ts'

const signedIn = `Signed in, with an access key, or signed over ${showAction('list_gates')}.`

const pageMembers = {
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]|[1-9][0-9]|1[0-9][0-9]|200)$', description: '1 to 200. Default 50.' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: cursorMaxLength, description: 'nextCursor of the page before.' })),
}
const PageQuery = open(pageMembers)
const PaymentsQuery = open({
  side: Type.Optional(defineChoice(['paid', 'received'], 'paid: by you. received: at your gates. Default received.')),
  ...pageMembers,
})

const makeNullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

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
  receiptId: Type.Optional(Type.String({ description: 'For the buyer alone.' })),
  qHash: Type.Optional(Type.String({ description: 'For the buyer alone.' })),
})

const describePageAnswer = (members: Parameters<typeof Type.Object>[0]) =>
  describeAnswer({
    data: Type.Object({ ...members, nextCursor: makeNullable(Type.String()) }),
    timestamp: IsoTimestamp,
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

const UnmatchedRow = Type.Composite([
  Type.Object({
    gateId: Type.String(),
    gateName: Type.String({ description: 'In its newest version.' }),
    walletAddress: makeNullable(Type.String({ description: 'Of the buyer, where known, and told to you.' })),
    createdAt: Type.Integer({ description: 'When it was written down. Unix milliseconds.' }),
    updatedAt: Type.Integer(),
    qHash: Type.Optional(makeNullable(Type.String({ description: 'For the buyer alone.' }))),
  }),
  UnmatchedAnswer,
])

const unmatchedAnswer = describePageAnswer({
  side: defineChoice(['paid', 'received']),
  payments: Type.Array(UnmatchedRow),
})

const ReturnBody = open({
  identity: Type.String({ minLength: 1, maxLength: 400, description: 'The payment, as the list names it.' }),
  transactionHash: Type.Optional(
    Type.String({
      pattern: '^0x[0-9a-fA-F]{64}$',
      description: 'Of your transfer back to the payer, who sees it then. It is not looked up.',
    }),
  ),
  ...signedMembers,
})
const returnedAnswer = describeAnswer({ data: Type.Object({ payment: UnmatchedAnswer }), timestamp: IsoTimestamp })

interface Page {
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

export function salesRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()
  const offer = (request: Request) => requireOwnerOffer(parts, request)

  const makePage = (
    list: SaleList,
    keys: readonly (string | number)[],
    { limit = '50', cursor }: Page,
    isBuyer: boolean,
  ) => {
    const identity = ['sales', list, keys] as const
    const before = cursor === undefined ? undefined : openCursor(parts.sealer, identity, cursor)
    const { sales, continuesBefore }: SalePage = listSales(parts.db, list, keys, { before, limit: Number(limit) })
    return {
      rows: sales.map((sale) => buildSaleView(sale, isBuyer)),
      nextCursor: continuesBefore === undefined ? null : sealCursor(parts.sealer, identity, continuesBefore),
    }
  }
  /** Accounts of whoever asks. */
  const listWallets = async (request: Request): Promise<string[]> => {
    const credentials = offer(request)
    const caller = await requireReader(parts, credentials)
    const own: readonly Account[] = 'identity' in credentials ? credentials.identity.accounts : [caller]
    return [...new Set(own.map(writeAccount))].sort()
  }
  const buildTotalsView = (owner: string): Static<typeof Totals> => {
    const { usdMicros, ...counts } = readTotal(parts.db, owner)
    return { ...counts, amountUsd: formatUsd(usdMicros) }
  }
  const reads = { headers: OwnerHeaders, rate: 'reads' as const }

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
        ...reads,
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
        const gate = requireOwnGate(parts, params.gateId, await requireReader(parts, offer(request), params.gateId))
        const { rows, nextCursor } = makePage('ofGate', [gate.id], query, false)
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
        ...reads,
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
        const { rows, nextCursor } = makePage('ofWallet', await listWallets(request), query, true)
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
        ...reads,
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
        const owner = side === 'paid' ? undefined : nameGateOwner(await requireReader(parts, offer(request)))
        const keys = owner === undefined ? await listWallets(request) : [owner]
        const list = owner === undefined ? 'paidBy' : 'paidTo'
        const { rows, nextCursor } = makePage(list, keys, page, owner === undefined)
        const totals = owner === undefined ? null : buildTotalsView(owner)
        return { success: true, data: { side, totals, payments: rows, nextCursor }, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/payments/unmatched',
        callers: ['signature', 'session', 'access-key'],
        surface: 'sessions',
        query: PaymentsQuery,
        ...reads,
        operation: {
          tag: 'payments',
          operationId: 'listUnmatchedPayments',
          summary: 'Payments that bought nothing, and what became of the money',
          description: `Money that arrived for a place that was gone, the newest first: of your gates, or paid by you. The sums of listPayments leave them out. What is owed can be used once, by whom usableBy names, for any gate of the same seller that costs no more: send transactionHash as paymentTxHash. ${signedIn}`,
          answer: unmatchedAnswer,
          refusals: [400, 401, 403],
          example: salesExamples.listUnmatchedPayments,
        },
      },
      async ({ query, request }) => {
        const { side = 'received', limit = '50', cursor } = query
        const list = side === 'paid' ? 'ofWallet' : 'ofOwner'
        const keys =
          side === 'paid' ? await listWallets(request) : [nameGateOwner(await requireReader(parts, offer(request)))]
        const identity = ['unmatched', list, keys] as const
        const before = cursor === undefined ? undefined : openCursor(parts.sealer, identity, cursor)
        const { rows, continuesBefore } = listUnmatched(parts.db, list, keys, { before, limit: Number(limit) })
        const nextCursor = continuesBefore === undefined ? null : sealCursor(parts.sealer, identity, continuesBefore)
        const payments = rows.map((row) => buildUnmatchedRow(row, side, keys))
        return { success: true, data: { side, payments, nextCursor }, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/payments/unmatched/returned',
        callers: ['signature', 'session', 'access-key'],
        surface: 'sessions',
        body: ReturnBody,
        rate: 'owner',
        operation: {
          tag: 'payments',
          operationId: 'returnPayment',
          summary: 'Say that you give a payment back that bought nothing',
          description: `For the seller who owes it, and before the money is sent: until then whom usableBy names can use it for another gate of the seller, and from then on nobody can. CONFLICT with details.state where it is not owed any more: do not send it then. Signed over ${showAction('return_payment')}, the last only where the body has it.`,
          answer: returnedAnswer,
          refusals: [400, 401, 403, 404, 409, 413, 415, 503],
          example: salesExamples.returnPayment,
        },
      },
      async ({ body, request }) => {
        const { identity, transactionHash } = body
        const needed: NeededAction = { action: 'return_payment', identity, transactionHash }
        const row = await returnPayment(parts, requireOffered(body, parts, request, needed), body)
        return { success: true, data: { payment: showUnmatched(row) }, timestamp: formatNow() }
      },
    ),
  ]
}

/** A person who paid for another buyer sees the money, and not the buyer. */
function buildUnmatchedRow(
  row: ListedUnmatched,
  side: 'paid' | 'received',
  keys: readonly string[],
): Static<typeof UnmatchedRow> {
  const isBuyer = side === 'paid' && row.buyer !== null && keys.includes(row.buyer)
  const isNamed = row.buyer !== null && (isBuyer || side === 'received')
  return {
    gateId: row.gateId,
    gateName: row.gateName,
    ...(isNamed && row.buyer !== null ? showBuyer(parseAccount(row.buyer)) : { walletAddress: null }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...showUnmatched(row),
    ...(isBuyer ? { qHash: row.qHash } : {}),
  }
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
    ...(isBuyer ? { receiptId, qHash } : {}),
  }
}
