/** Headers that a route reads besides its schema: their names carry the brand, or they are claims that nothing is based on alone. */
import type { Parameter } from './clean.ts'

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

const trackView = header('x-track-view', 'Accepted and ignored: views are not counted.')

/** By operationId. */
export function requestHeadersOf(brand: string): Readonly<Record<string, readonly Parameter[]>> {
  return {
    verify: [
      header(`x-${brand}-app`, 'In place of a signature: the app that acts by an agent-delegation of the wallet.'),
      header('x-client-origin', 'With it: the page that asks, where no Origin is sent. Both must name the same one.'),
    ],
    hearStripeEvent: [header('stripe-signature', 'Of Stripe, over the event.')],
    getProof: [trackView],
    getStatus: [trackView],
  }
}
