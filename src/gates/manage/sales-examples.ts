/** The author of the examples sees what its gate gave and earned. */
import { type ExampleSource, makeExampleAnswer, story } from '../../http/example.ts'
import { exampleSigned } from '../examples.ts'

const { gateId, qHash, time, wallet } = story
const receiptId = 'wlug0JBJCGBcKJ83_9q8mw'
const sale = {
  gateId,
  gateName: 'Authors',
  version: 1,
  walletAddress: wallet.toLowerCase(),
  state: 'granted',
  fulfilledAt: time,
  updatedAt: time,
  payment: null,
  receiptNumber: receiptId.slice(0, 11),
}

/** Money that bought nothing: the seller lists it, and then says that it went back. */
const owed = {
  identity: `tx:eip155:8453:0x${'1f'.repeat(32)}:${wallet}`,
  method: 'usdc',
  state: 'owed',
  reason: 'GATE_SOLD_OUT',
  payer: wallet,
  amount: '4990000',
  amountUsd: '4.99',
  transactionHash: `0x${'1f'.repeat(32)}`,
  paidAt: time,
}

/** By operationId. */
export const salesExamples = {
  listGateFulfillments: {
    params: { gateId },
    response: makeExampleAnswer({ totalCount: 1, fulfillments: [sale], nextCursor: null }),
  },
  readGateTotals: {
    params: { gateId },
    response: makeExampleAnswer({
      gateId,
      range: '7d',
      firstAt: time - (time % 86_400_000) - 6 * 86_400_000,
      stepMs: 86_400_000,
      passes: [0, 0, 0, 0, 0, 1, 2],
      sales: [0, 0, 0, 0, 0, 0, 1],
      amountUsd: ['0', '0', '0', '0', '0', '0', '4.99'],
      totals: {
        passes: 3,
        sales: 1,
        amountUsd: '4.99',
        received: [
          {
            method: 'stripe',
            network: null,
            token: null,
            symbol: 'USD',
            decimals: 2,
            sales: 1,
            amount: '499',
            refundedAmount: '0',
          },
        ],
      },
      complete: true,
    }),
  },
  listMyFulfillments: {
    response: makeExampleAnswer({ fulfillments: [{ ...sale, receiptId, qHash }], nextCursor: null }),
  },
  listPayments: {
    response: makeExampleAnswer({
      side: 'received',
      totals: { fulfilled: 1, paid: 1, amountUsd: '4.99' },
      payments: [
        {
          ...sale,
          payment: {
            method: 'stripe',
            reference: 'card:pi_1',
            amount: '499',
            amountUsd: '4.99',
            state: 'final',
            refundedAmount: null,
            disputed: false,
            payer: null,
            paidAt: time,
          },
        },
      ],
      nextCursor: null,
    }),
  },
  listUnmatchedPayments: {
    response: makeExampleAnswer({
      side: 'received',
      payments: [
        {
          gateId,
          gateName: 'Authors',
          walletAddress: wallet,
          createdAt: time,
          updatedAt: time,
          ...owed,
          usableBy: ['payer'],
          returnTransactionHash: null,
        },
      ],
      nextCursor: null,
    }),
  },
  returnPayment: {
    request: {
      identity: owed.identity,
      transactionHash: `0x${'2e'.repeat(32)}`,
      ...exampleSigned,
    },
    response: makeExampleAnswer({
      payment: {
        ...owed,
        state: 'refunded',
        givenBackBy: 'seller',
        returnTransactionHash: `0x${'2e'.repeat(32)}`,
      },
    }),
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
