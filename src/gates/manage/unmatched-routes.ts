/** Payments that bought nothing, for both parties: the list, and the seller's word that the money is given back. */
import { type Static, Type } from '@sinclair/typebox'
import { requireOffered } from '../../auth/caller.ts'
import { type NeededAction, showAction } from '../../auth/owner-action.ts'
import { signedMembers } from '../../auth/signed-body.ts'
import { openCursor, sealCursor } from '../../http/cursor.ts'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import type { Parts } from '../../parts.ts'
import { type ListedUnmatched, listUnmatched } from '../../payments/unmatched-store.ts'
import { defineChoice, open } from '../../shape.ts'
import { parseAccount } from '../../wallet/account.ts'
import { returnPayment } from '../fulfill/return-payment.ts'
import { showUnmatched, UnmatchedAnswer } from '../fulfill/unmatched.ts'
import { nameGateOwner, showBuyer } from '../owner.ts'
import { requireOwnerOffer, requireReader } from './own-gate.ts'
import { salesExamples } from './sales-examples.ts'
import { describePageAnswer, listWallets, makeNullable, ownerReads, signedIn, UnmatchedQuery } from './sales-page.ts'

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

export function unmatchedRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/payments/unmatched',
        callers: ['signature', 'session', 'access-key'],
        surface: 'sessions',
        query: UnmatchedQuery,
        ...ownerReads,
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
          side === 'paid'
            ? await listWallets(parts, request)
            : [nameGateOwner(await requireReader(parts, await requireOwnerOffer(parts, request)))]
        const identity = ['unmatched', list, keys] as const
        const before = cursor === undefined ? undefined : openCursor(parts.sealer, identity, cursor)
        const { rows, continuesBefore } = await listUnmatched(parts.db, list, keys, { before, limit: Number(limit) })
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
        const row = await returnPayment(parts, await requireOffered(body, parts, request, needed), body)
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
