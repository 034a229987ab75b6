/** What a gate costs, and how it may be paid. */
import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../shape.ts'

/** US dollars as a decimal text: `4.99`. Never a float. */
const amountUsd = Type.String({
  pattern: '^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,6})?$',
  description: 'US dollars as a text such as "4.99"',
})

export const Price = Type.Object(
  {
    amountUsd,
    methods: Type.Array(oneOf(['stablecoin', 'card', 'x402']), { minItems: 1, maxItems: 3, uniqueItems: true }),
    /** EVM address that stablecoin and x402 payments go to. */
    recipient: Type.Optional(Type.String({ pattern: '^0x[a-fA-F0-9]{40}$', description: 'an EVM address' })),
    label: Type.Optional(Type.String({ maxLength: 200 })),
    executionOrder: Type.Optional(oneOf(['verifyThenCharge', 'chargeThenVerify'])),
  },
  { additionalProperties: false },
)

export type Price = Static<typeof Price>
