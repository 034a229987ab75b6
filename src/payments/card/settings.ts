/** [payments.stripe]: the account of Stripe that cards are charged on. */
import { Type } from '@sinclair/typebox'
import { isEndpoint, keyForm } from '../../config/address.ts'
import type { Config } from '../../config/schema.ts'
import { describeFlag, describeTable, describeText } from '../../config/setting.ts'
import { readMethodSettings } from '../settings.ts'

const address = { expected: 'an http(s) address', accepts: isEndpoint }

export const stripeSettings = {
  table: 'stripe',
  schema: describeTable({
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
}

export const readStripeSettings = (config: Pick<Config, 'payments'>) => readMethodSettings(config, stripeSettings)

/** The setting that cards cannot be taken without, as the end of a sentence. */
export function findMissingStripeSetting(config: Pick<Config, 'payments'>): string | undefined {
  const { secretKey, live } = readStripeSettings(config)
  if (secretKey === undefined) return 'needs payments.stripe.secret_key'
  const mode = /^[sr]k_(test|live)_/.exec(secretKey)?.[1]
  if (mode !== undefined && (mode === 'live') !== live)
    return `needs a key of the ${live ? 'live' : 'test'} mode in payments.stripe.secret_key, as payments.stripe.live says`
  return undefined
}
