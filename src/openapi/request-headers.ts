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
export function listRequestHeaders(): Readonly<Record<string, readonly Parameter[]>> {
  return {
    hearStripeEvent: [header('stripe-signature', 'Of Stripe, over the event.')],
    getProof: [trackView],
    getStatus: [trackView],
  }
}
