/** Whether cards can be taken, as doctor tries it: the key, its mode, and the webhook. Charges nothing, makes nothing. */
import type { Finding, Probe } from '../outside/probe.ts'
import { stripeLacks } from './card.ts'
import { madeBy, type StripeTools, stripeOf, stripeSetting } from './stripe-client.ts'

/** None without a key: cards are not wanted. */
export const stripeProbes = (tools: StripeTools): readonly Probe[] =>
  tools.config.payments.stripe.secretKey === undefined ? [] : [{ setting: stripeSetting, run: () => findingOf(tools) }]

async function findingOf(tools: StripeTools): Promise<Finding> {
  const { live, webhookSecret } = tools.config.payments.stripe
  const lack = stripeLacks(tools.config)
  if (lack !== undefined)
    return { level: 'fail', says: lack, mend: 'change payments.stripe.secret_key or payments.stripe.live' }
  // What is needed of a restricted key, as far as it can be tried without making anything.
  const stripe = await stripeOf(tools)
  await madeBy(stripe.checkout.sessions.list({ limit: 1 }))
  await madeBy(stripe.refunds.list({ limit: 1 }))
  await madeBy(stripe.disputes.list({ limit: 1 }))
  const says = `takes the key of the ${live ? 'live' : 'test'} mode`
  if (webhookSecret !== undefined) return { level: 'ok', says: `${says}, and a webhook is expected` }
  return {
    level: 'warn',
    says: `${says}, but without a webhook payments, refunds and disputes are found late`,
    mend: 'add a webhook in the dashboard of Stripe and set payments.stripe.webhook_secret',
  }
}
