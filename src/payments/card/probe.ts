/** Probes card payments for doctor: the key, its mode, and the webhook. It charges and creates nothing. */

import { type Finding, makeKnownProbe, type Probe } from '../../outside/probe.ts'
import { findMissingStripeSetting, readStripeSettings } from './settings.ts'
import { catchFailure, openStripe, type StripeTools, stripeSetting } from './stripe-client.ts'

const keySetting = `${stripeSetting}.secret_key`
const webhookSetting = `${stripeSetting}.webhook_secret`

/** Empty without settings, which means that the operator takes no cards. */
export function makeStripeProbes(tools: StripeTools): readonly Probe[] {
  const { secretKey } = readStripeSettings(tools.config)
  const fault = secretKey === undefined ? undefined : findKeyFault(secretKey, tools)
  const webhook = findWebhookFault(tools)
  return [
    ...(secretKey === undefined
      ? []
      : [fault ? makeKnownProbe(keySetting, fault) : { setting: stripeSetting, run: () => examineStripe(tools) }]),
    ...(webhook ? [makeKnownProbe(webhookSetting, webhook)] : []),
  ]
}

/** Faults that the key itself reveals. */
function findKeyFault(secretKey: string, { config }: StripeTools): Finding | undefined {
  const lack = findMissingStripeSetting(config)
  if (lack !== undefined)
    return { level: 'fail', says: lack, mend: 'change payments.stripe.secret_key or payments.stripe.live' }
  if (/^[sr]k_/.test(secretKey)) return undefined
  return {
    level: 'fail',
    says: 'is no secret key of Stripe: it begins with sk_ or rk_, and this one does not',
    mend: 'copy the secret key from the dashboard of Stripe, not the publishable one (pk_) or that of a webhook (whsec_)',
  }
}

function findWebhookFault({ config }: StripeTools): Finding | undefined {
  const { secretKey, webhookSecret } = readStripeSettings(config)
  if (webhookSecret === undefined)
    return secretKey === undefined
      ? undefined
      : {
          level: 'warn',
          says: 'is not set, and without a webhook payments, refunds and disputes are found late',
          mend: 'add a webhook in the dashboard of Stripe and set payments.stripe.webhook_secret',
        }
  if (!webhookSecret.startsWith('whsec_'))
    return {
      level: 'fail',
      says: 'is no signing secret of a webhook of Stripe: it begins with whsec_, and this one does not',
      mend: 'copy the signing secret of this webhook from the dashboard of Stripe',
    }
  return secretKey === undefined
    ? {
        level: 'fail',
        says: 'means nothing without payments.stripe.secret_key: cards are not offered',
        mend: 'set payments.stripe.secret_key as well',
      }
    : undefined
}

/** Errors: OutsideError. */
async function examineStripe(tools: StripeTools): Promise<Finding> {
  // The permissions of a restricted key, as far as they can be tried without creating objects.
  const stripe = await openStripe(tools)
  await catchFailure(stripe.checkout.sessions.list({ limit: 1 }))
  await catchFailure(stripe.refunds.list({ limit: 1 }))
  await catchFailure(stripe.disputes.list({ limit: 1 }))
  const { live, webhookSecret } = readStripeSettings(tools.config)
  const webhook = webhookSecret === undefined ? '' : ', and a webhook is expected'
  return { level: 'ok', says: `takes the key of the ${live ? 'live' : 'test'} mode${webhook}` }
}
