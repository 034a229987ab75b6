/**
 * A server that takes cards through a contract server of Stripe. It has a gate that costs 4.99, and a buyer with a
 * proof.
 */
import { afterEach } from 'bun:test'
import { splitDefinition } from '../../src/gates/definition/normal-form.ts'
import { reviewing } from '../../src/gates/fulfill/apply-review.ts'
import { openPurchases } from '../../src/gates/fulfill/bind-purchase.ts'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { writeChanges } from '../../src/gates/store.ts'
import { watchRefunds } from '../../src/payments/card/refund.ts'
import { watchCheckouts } from '../../src/payments/card/watch-checkouts.ts'
import type { PaymentOffer } from '../../src/payments/payment.ts'
import { openWatch } from '../../src/payments/watch.ts'
import { startApp } from '../app.ts'
import { type StripeServer, startStripe, stripeKey, stripeWebhookSecret } from '../parts/stripe-server.ts'
import { alice, mallory, type TestWallet } from '../wallets.ts'

export const minute = 60_000
export const hour = 60 * minute

const definition: GateDefinition = {
  gateId: 'gate_shop',
  name: 'The shop',
  requirements: [{ verifierId: 'ownership-basic' }],
  price: { amountUsd: '4.99', methods: ['card'] },
  rewards: [{ kind: 'reveal', value: 'the secret of the shop' }],
  successReturnUrl: 'https://shop.example.com/thanks',
}

/** Shops that their test has not closed itself: a store cannot be closed twice. */
const opened = new Set<{ close(): Promise<void> }>()
afterEach(async () => {
  const left = [...opened]
  opened.clear()
  for (const app of left) await app.close()
})

export type CardShop = Awaited<ReturnType<typeof openShop>>

/** A shop over a folder can be closed and opened again, with the same Stripe and the same time. */
export async function openShop(
  env: Record<string, string> = {},
  { folder, before }: { readonly folder?: string; readonly before?: { stripe: StripeServer; now(): number } } = {},
) {
  let clock = (): number => 0
  const stripe = before?.stripe ?? startStripe(() => clock())
  const app = await startApp(
    {
      PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: stripeKey,
      PROOFGATE_PAYMENTS_STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
      PROOFGATE_PAYMENTS_STRIPE_LIVE: 'false',
      PROOFGATE_PAYMENTS_STRIPE_URL: stripe.url,
      PROOFGATE_OUTSIDE_ATTEMPTS: '1',
      PROOFGATE_LOG_LEVEL: 'error',
      ...env,
    },
    folder,
  )
  if (before) app.wait(before.now() - app.now())
  opened.add(app)
  clock = app.now
  const { parts } = app
  const purchases = openPurchases(parts, 'card')
  const watches = [openWatch(parts, reviewing), watchCheckouts(parts, purchases), watchRefunds(parts, purchases)]

  const shop = {
    ...app,
    async close(): Promise<void> {
      opened.delete(app)
      await app.close()
    },
    stripe,
    /** Runs the watchers once, as the server does every few seconds. */
    async watch(): Promise<void> {
      for (const watch of watches) await watch.runOnce()
    },

    definition,

    /** A gate of Mallory's for owners of a basic proof. */
    gate: (changes: Partial<GateDefinition> = {}): Promise<string> => shop.gateOf({ ...definition, ...changes }),

    async gateOf(asked: GateDefinition): Promise<string> {
      const owner = mallory.address.toLowerCase()
      const change = { kind: 'create', gateId: asked.gateId, owner, author: owner, limit: 100 } as const
      await writeChanges(parts, [{ ...change, status: 'active', ...splitDefinition(asked) }], app.now())
      return asked.gateId
    },

    async openCheckout(gateId: string, qHash: string, more: object = {}, wallet: TestWallet = alice) {
      const credentials = await app.ownerBody(wallet, { action: 'open_checkout', gateId, qHash })
      return app.post('/api/v1/payments/stripe/checkout', { gateId, qHash, ...credentials, ...more })
    },

    async fulfill(gateId: string, qHash: string, paymentCheckoutSessionId?: string, wallet: TestWallet = alice) {
      const credentials = await app.ownerBody(wallet, { action: 'fulfill_gate', gateId, qHash })
      return app.post(`/api/v1/profile/gates/${gateId}/fulfill`, { qHash, paymentCheckoutSessionId, ...credentials })
    },

    /** A page of payment that the buyer has not paid yet. */
    async session(gateId: string, qHash: string): Promise<string> {
      const answer = await shop.openCheckout(gateId, qHash)
      if (answer.status !== 200) throw new Error(`no checkout: ${JSON.stringify(answer.body)}`)
      return answer.body.data.sessionId
    },

    /** Builds the offer that fulfill passes to the card method. */
    offer: (qHash: string, evidence: string): PaymentOffer => ({
      gateId: 'gate_shop',
      qHash,
      price: { amountUsd: '4.99', methods: ['card'] },
      wallets: [alice.address.toLowerCase()],
      evidence,
    }),
  }
  return shop
}
