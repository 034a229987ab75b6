/** What a gate costs, and how it may be paid. */
import { type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import { defineChoice } from '../shape.ts'

/** US dollars as a decimal text: `4.99`. Never a float. */
const amountUsd = Type.String({
  pattern: '^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,6})?$',
  description: 'US dollars as a text such as "4.99"',
})

export const rewardMoments = ['first_block', 'confirmations', 'final'] as const
export type RewardMoment = (typeof rewardMoments)[number]

/** `methods` is left to price-shape.ts, which knows the list: methods import this file. */
export const definePrice = <Methods extends TSchema>(methods: Methods) =>
  Type.Object(
    {
      amountUsd,
      methods,
      /** EVM address that transfers and x402 payments go to. */
      recipient: Type.Optional(Type.String({ pattern: '^0x[a-fA-F0-9]{40}$', description: 'an EVM address' })),
      label: Type.Optional(Type.String({ maxLength: 200 })),
      executionOrder: Type.Optional(defineChoice(['verifyThenCharge', 'chargeThenVerify'])),
      /** Percent of the payment from which a refund takes back the reward. A refund of less leaves it. */
      refundThresholdPercent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      /**
       * When the reward of a payment on a chain is handed out. Versions of before it have none: x402 with the first block,
       * transfers with the confirmations of the token.
       */
      rewardAfter: Type.Optional(defineChoice(rewardMoments)),
    },
    { additionalProperties: false },
  )

export type Price = Static<ReturnType<typeof definePrice<TUnsafe<string[]>>>>

/** Where a price does not say: only a refund of everything takes the reward back. */
export const standardRefundThreshold = 100

/** In millionths of a US dollar, exactly: the text has six decimals at most. */
export function convertUsdMicros(price: Pick<Price, 'amountUsd'> | undefined): number {
  const [whole = '0', decimals = ''] = (price?.amountUsd ?? '0').split('.')
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
}

/** `12.5`, `0.000001`: the shortest text of the amount. */
export function formatUsd(micros: number): string {
  const decimals = String(micros % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${Math.floor(micros / 1_000_000)}${decimals === '' ? '' : `.${decimals}`}`
}
