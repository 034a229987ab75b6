/** A gate is paid by card. */
import { type ExampleSource, makeExampleAnswer, story } from '../../http/example.ts'

const { gateId, qHash, time, wallet } = story
/** The signature of a request that no test sends. */
const exampleSigned = { walletAddress: wallet, signature: `0x${'5a'.repeat(65)}`, signedTimestamp: time }

/** By operationId. */
export const cardExamples = {
  openCheckout: {
    request: { gateId, qHash, successUrl: 'https://example.com/welcome', ...exampleSigned },
    response: makeExampleAnswer({
      sessionId: 'cs_live_a1b2c3',
      url: 'https://checkout.stripe.com/c/pay/cs_live_a1b2c3',
      expiresAt: time + 2_400_000,
      reservedUntil: time + 2_400_000,
    }),
  },
  hearStripeEvent: {
    request: { id: 'evt_1', object: 'event', type: 'charge.refunded', data: { object: { id: 'ch_1' } } },
    response: { success: true, watched: true },
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
