/** [payments]: How buyers pay at gates that have a price. A method that lacks its settings is not offered. */
import { Type } from '@sinclair/typebox'
import { isEndpoint, keyForm } from '../address.ts'
import { describeFlag, describeTable, describeTables, describeText, describeWhole } from '../setting.ts'

const address = { expected: 'an http(s) address', accepts: isEndpoint }
const evmAddress = { expected: 'an EVM address', pattern: '^0x[a-fA-F0-9]{40}$' }

const stablecoin = describeTable({
  chain: describeText({
    description: 'CAIP-2 id of the chain. It must stand among [chains.<name>].',
    consequence: 'Transfers on other chains are no payment.',
    example: 'eip155:8453',
    expected: 'eip155:<chain id>',
    pattern: '^eip155:[1-9][0-9]{0,14}$',
  }),
  token: describeText({
    description: 'Contract of the token. A symbol is only a word: this address decides.',
    consequence: 'Transfers of other tokens are no payment.',
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    ...evmAddress,
  }),
  decimals: describeWhole({
    description: 'Decimal places of the token. Compared with the contract by doctor.',
    consequence: 'A wrong number makes prices wrong by powers of ten.',
    default: 6,
    example: 6,
    minimum: 0,
    maximum: 36,
  }),
  symbol: describeText({
    description: 'What people call the token.',
    consequence: 'It is only shown.',
    default: 'USDC',
    example: 'USDC',
    maxLength: 16,
  }),
  confirmations: describeWhole({
    description: 'How many blocks deep a payment must be before the reward is given. 0 waits until its block is final.',
    consequence: 'Fewer is faster, and a reorganisation may take the payment back after the reward was given.',
    unit: 'blocks',
    default: 3,
    example: 12,
    minimum: 0,
    maximum: 10_000,
  }),
})

export const payments = describeTable({
  quote_minutes: describeWhole({
    description: 'How old a payment may be when it is offered for a reward.',
    consequence: 'Shorter refuses buyers who come back late. Longer lets old transfers be offered as payments.',
    unit: 'minutes',
    default: 60,
    example: 60,
    minimum: 1,
    maximum: 43_200,
  }),
  reservation_minutes: describeWhole({
    description:
      'How long a place at a gate with a limit is held for a buyer who pays by x402 or by a transfer with a quote. A card checkout holds it for as long as its page can be paid.',
    consequence: 'Shorter frees places of buyers who go away. Longer lets slow buyers finish.',
    unit: 'minutes',
    default: 15,
    example: 15,
    minimum: 1,
    maximum: 1440,
  }),
  watch_hours: describeWhole({
    description: 'How long a payment is looked at again after the reward, until it is final.',
    consequence: 'A payment that is taken back in this time suspends what it paid for.',
    unit: 'hours',
    default: 72,
    example: 72,
    minimum: 1,
    maximum: 8760,
  }),
  stablecoin: describeTables('^[a-z][a-z0-9-]{0,31}$', stablecoin, {
    description: 'Tokens that count as US dollars, each under a name of your choice.',
    consequence: 'Without any, stablecoin payments are not offered.',
    expected: 'a name of a-z 0-9 and -, beginning with a letter',
    example: {
      'usdc-base': {
        chain: 'eip155:8453',
        token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        decimals: 6,
        symbol: 'USDC',
        confirmations: 3,
      },
    },
  }),
  stripe: describeTable({
    secret_key: Type.Optional(
      describeText({
        description: 'Secret key of Stripe (sk_… or rk_…).',
        consequence: 'Card payments are taken on this account.',
        whenEmpty: 'card payments are not offered',
        secret: true,
        example: '<key>',
        ...keyForm,
      }),
    ),
    webhook_secret: Type.Optional(
      describeText({
        description: 'Signing secret of the webhook (whsec_…) at /api/v1/payments/stripe/webhook.',
        consequence: 'Refunds and disputes are heard of at once.',
        whenEmpty: 'refunds and disputes are found by looking, as long as payments are watched',
        secret: true,
        example: '<key>',
        ...keyForm,
      }),
    ),
    url: describeText({
      description: 'Address of the Stripe API.',
      consequence: 'Checkout sessions are made there.',
      default: 'https://api.stripe.com',
      example: 'https://api.stripe.com',
      ...address,
    }),
    live: describeFlag({
      description: 'Whether payments must be real ones (livemode).',
      consequence: 'false accepts payments of the test mode, which cost nothing.',
      default: true,
      example: false,
    }),
  }),
  x402: describeTable({
    facilitator_url: Type.Optional(
      describeText({
        description: 'Address of the x402 facilitator that verifies and settles payments.',
        consequence: 'It sees every payment and sends the transactions.',
        whenEmpty: 'x402 payments are not offered',
        example: 'https://facilitator.example.com',
        ...address,
      }),
    ),
    token: Type.Optional(
      describeText({
        description: 'Name under [payments.stablecoin] of the token that is asked for.',
        consequence: 'Prices are quoted in this token.',
        whenEmpty: 'the only one there is',
        example: 'usdc-base',
        expected: 'a name under [payments.stablecoin]',
        pattern: '^[a-z][a-z0-9-]{0,31}$',
      }),
    ),
    token_name: describeText({
      description: 'EIP-712 name of the token, which payers sign.',
      consequence: 'Signatures over another name are refused by the token.',
      default: 'USD Coin',
      example: 'USD Coin',
      maxLength: 64,
    }),
    token_version: describeText({
      description: 'EIP-712 version of the token, which payers sign.',
      consequence: 'Signatures over another version are refused by the token.',
      default: '2',
      example: '2',
      maxLength: 16,
    }),
  }),
})
