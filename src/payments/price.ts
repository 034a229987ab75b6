/** The price of a gate, and the accepted payment methods. */
import { type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import { defineChoice } from '../shape.ts'

/** US dollars as a decimal text: `4.99`. Never a float. */
const amountUsd = Type.String({
  pattern: '^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,6})?$',
  description: 'US dollars as a text such as "4.99"',
})

export const rewardMoments = ['first_block', 'confirmations', 'final'] as const
export type RewardMoment = (typeof rewardMoments)[number]

/** `methods` is defined in price-shape.ts, which knows the list, because methods import this file. */
export const definePrice = <Methods extends TSchema>(methods: Methods) =>
  Type.Object(
    {
      amountUsd,
      methods,
      /** EVM address that transfers and x402 payments go to. */
      recipient: Type.Optional(Type.String({ pattern: '^0x[a-fA-F0-9]{40}$', description: 'an EVM address' })),
      label: Type.Optional(Type.String({ maxLength: 200 })),
      executionOrder: Type.Optional(defineChoice(['verifyThenCharge', 'chargeThenVerify'])),
      /** The refunded percentage at which the reward is revoked. A smaller refund keeps it. */
      refundThresholdPercent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      /**
       * When the reward of a payment on a chain is delivered. Older versions have none: x402 then delivers with the
       * first block, transfers with the confirmations of the token.
       */
      rewardAfter: Type.Optional(defineChoice(rewardMoments)),
    },
    { additionalProperties: false },
  )

export type Price = Static<ReturnType<typeof definePrice<TUnsafe<string[]>>>>

/** The default of a price: only a full refund revokes the reward. */
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
