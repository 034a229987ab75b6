/** The gate of the examples, as everybody sees it. */
import { type ExampleSource, makeExampleAnswer, story } from '../http/example.ts'

const { gateId, wallet, time } = story
export const exampleMatch = [{ path: 'reference.type', op: 'eq', value: 'url' }]
export const exampleListing = { label: 'Authors', tags: ['writing'] }

const snapshot = {
  schemaVersion: 1,
  version: 1,
  gateId,
  name: 'Authors',
  status: 'active',
  requirements: [{ id: 'r1', verifierId: 'ownership-basic', match: exampleMatch, optional: false, minCount: 1 }],
  rule: null,
  policy: { visibility: 'public' },
  monetization: { charge: null },
  checkout: {
    mode: 'free',
    flowPlan: { batches: 1, hasInteractive: false, hasBackground: false },
    description: null,
    successReturnUrl: null,
  },
  marketplaceTemplate: { templateId: gateId, ...exampleListing },
  schedule: { startsAt: null, endsAt: null },
  supply: { total: null, left: null, held: null },
  perWallet: null,
  artifact: { type: 'redirect', label: 'Come in' },
}

/** The signature of a request that no test sends. */
export const exampleSigned = { walletAddress: wallet, signature: `0x${'5a'.repeat(65)}`, signedTimestamp: time }

/** By operationId. */
export const gateExamples = {
  discoverGates: { response: makeExampleAnswer({ gates: [snapshot] }) },
  getGate: { params: { gateId }, response: makeExampleAnswer({ gate: snapshot }) },
} as const satisfies Readonly<Record<string, ExampleSource>>
