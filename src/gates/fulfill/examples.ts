/** The author of the examples passes its own gate. */
import { type ExampleSource, makeExampleAnswer, story } from '../../http/example.ts'
import { exampleSigned } from '../examples.ts'

const { gateId, qHash, time, wallet } = story
const receiptId = 'wlug0JBJCGBcKJ83_9q8mw'
const granted = { gateId, qHash, walletAddress: wallet.toLowerCase(), fulfilledAt: time }

const quoted = {
  network: 'eip155:8453',
  asset: 'USDC',
  assetAddress: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  decimals: 6,
  amount: '4993217',
  amountText: '4.993217',
}

/** By operationId. */
export const fulfillExamples = {
  fulfillGate: (baseUrl) => ({
    params: { gateId },
    request: {
      qHash,
      walletAddress: wallet,
      signature:
        '0x1cfcf8a9982e549a39a885062ef0788de8aefcca4d74ec8713f866e111944080279003ac4fd8b88d705c2129f59a32ffb83daf19182041ff3018d05207df1bd31c',
      signedTimestamp: time,
    },
    response: makeExampleAnswer({
      gateId,
      qHash,
      fulfillment: {
        delivery: 'redirect',
        type: 'redirect_url',
        value: 'https://example.com/welcome',
        label: 'Come in',
      },
      rewardProof: {
        receiptId,
        ...granted,
        gateVersion: 1,
        payment: null,
        receiptUrl: `${baseUrl}/api/v1/profile/gates/${gateId}/fulfillments/${receiptId}`,
        receiptNumber: receiptId.slice(0, 11),
        receiptPageUrl: `${baseUrl}/receipts/${receiptId.slice(0, 11)}`,
      },
      rewardPack: [],
    }),
  }),
  getReceipt: {
    params: { gateId, receiptId },
    response: makeExampleAnswer({ state: 'granted', ...granted, version: 1, refundedAmount: null }),
  },
  openQuote: {
    request: { gateId, qHash, ...exampleSigned },
    response: makeExampleAnswer({
      quoteId: 'quote_3f6c0d1e2a4b5c6d7e8f90a1b2c3d4e5',
      gateId,
      qHash,
      version: 1,
      ...quoted,
      recipient: '0x5409ed021d9299bf6814279a6a1411a7e866a631',
      tokens: [quoted],
      rewardAfter: 'confirmations',
      openedAt: time,
      expiresAt: time + 900_000,
      reservedUntil: time + 900_000,
    }),
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
