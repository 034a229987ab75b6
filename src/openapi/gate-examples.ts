/** The part of the story in examples.ts that is about gates: the author of a novel lets authors in. */
import type { Example } from './examples.ts'

interface Told {
  readonly baseUrl: string
  readonly qHash: string
  /** As its owner spells it. */
  readonly wallet: string
  readonly time: number
}

const gateId = 'authors'
const receiptId = 'wlug0JBJCGBcKJ83_9q8mw'
const match = [{ path: 'reference.type', op: 'eq', value: 'url' }]
const listing = { label: 'Authors', tags: ['writing'] }

const snapshot = {
  schemaVersion: 1,
  version: 1,
  gateId,
  name: 'Authors',
  status: 'active',
  requirements: [{ id: 'r1', verifierId: 'ownership-basic', match, optional: false, minCount: 1 }],
  rule: null,
  policy: { visibility: 'public' },
  monetization: { charge: null },
  checkout: {
    mode: 'free',
    flowPlan: { batches: 1, hasInteractive: false, hasBackground: false },
    description: null,
    successReturnUrl: null,
  },
  marketplaceTemplate: { templateId: gateId, ...listing },
  schedule: { startsAt: null, endsAt: null },
  supply: { total: null, left: null, held: null },
  perWallet: null,
  artifact: { type: 'redirect', label: 'Come in' },
}

const difference = [
  { change: 'added', path: 'status', after: '"active"' },
  { change: 'added', path: 'name', after: '"Authors"' },
  { change: 'added', path: 'listing.label', after: '"Authors"' },
  { change: 'added', path: 'listing.tags', after: '["writing"]' },
  { change: 'added', path: 'requirements.r1.verifierId', after: '"ownership-basic"' },
  { change: 'added', path: 'requirements.r1.match[0]', after: '"reference.type eq url"' },
  { change: 'added', path: 'rewards[0].kind', after: '"redirect"' },
  { change: 'added', path: 'rewards[0].label', after: '"Come in"' },
  { change: 'added', path: 'rewards[0].value' },
]

/** By operationId. */
export function gateExamplesAt({ baseUrl, qHash, wallet, time }: Told): Readonly<Record<string, Example>> {
  const timestamp = new Date(time).toISOString()
  const answer = (data: object): object => ({ success: true, data, timestamp })
  const matched = { eligible: true, matchedCount: 1, matchedQHashes: [qHash], matchedTags: [], projections: null }
  const gate = {
    gateId,
    allRequiredSatisfied: true,
    satisfiedVerifierIds: ['ownership-basic'],
    missingVerifierIds: [],
    matchedQHashes: [qHash],
    state: 'open',
  }
  const row = {
    id: 'r1',
    verifierId: 'ownership-basic',
    optional: false,
    satisfied: true,
    qHash,
    qHashes: [qHash],
    needed: 1,
    reused: true,
  }
  /** Money that bought nothing: the seller lists it, and then says that it went back. */
  const owed = {
    identity: `tx:eip155:8453:0x${'1f'.repeat(32)}:${wallet}`,
    method: 'usdc',
    state: 'owed',
    reason: 'GATE_SOLD_OUT',
    payer: wallet,
    amount: '4990000',
    amountUsd: '4.99',
    transactionHash: `0x${'1f'.repeat(32)}`,
    paidAt: time,
  }
  const signedElsewhere = { walletAddress: wallet, signature: `0x${'5a'.repeat(65)}`, signedTimestamp: time }
  const granted = { gateId, qHash, walletAddress: wallet.toLowerCase(), fulfilledAt: time }
  const definition = {
    gateId,
    name: 'Authors',
    requirements: [{ verifierId: 'ownership-basic', match }],
    rewards: [{ kind: 'redirect', value: 'https://example.com/welcome', label: 'Come in' }],
    listing,
  }
  const kept = {
    ...definition,
    requirements: [{ id: 'r1', verifierId: 'ownership-basic', match }],
    rewards: [{ kind: 'redirect', label: 'Come in' }],
  }
  const managed = {
    gateId,
    name: 'Authors',
    version: 1,
    fulfilledCount: 0,
    definition: kept,
    findings: [],
    createdAt: time,
    updatedAt: time,
  }
  const version = { version: 1, author: wallet.toLowerCase(), createdAt: time, bytes: 412 }
  const sale = {
    gateId,
    gateName: 'Authors',
    version: 1,
    walletAddress: wallet.toLowerCase(),
    state: 'granted',
    fulfilledAt: time,
    updatedAt: time,
    payment: null,
  }
  return {
    previewGate: {
      request: { definition },
      response: answer({
        publishable: true,
        findings: [],
        gates: [
          {
            gateId,
            definition: kept,
            status: 'active',
            lines: [
              {
                path: 'requirements',
                text: 'Whoever has claimed content (reference.type is url), gets an address to go to (“Come in”).',
              },
              { path: 'listing', text: 'It is on public display as “Authors”.' },
            ],
            outcome: 'created',
            currentVersion: 0,
            difference,
          },
        ],
        untold: 0,
      }),
    },
    testGate: {
      request: { definition, wallet },
      response: answer({
        walletAddress: wallet.toLowerCase(),
        passes: true,
        state: 'open',
        version: null,
        complete: true,
        countsPrivate: false,
        missing: [],
        requirements: [
          {
            id: 'r1',
            verifierIds: ['ownership-basic'],
            isOptional: false,
            isSatisfied: true,
            needed: 1,
            matched: 1,
            lookedAt: 1,
            code: 'SATISFIED',
            message: 'met by 1 proof',
            nearest: { qHash, status: 'verified', createdAt: time, failed: [] },
          },
        ],
        granted: null,
      }),
    },
    listGateFulfillments: { response: answer({ totalCount: 1, fulfillments: [sale], nextCursor: null }) },
    listMyFulfillments: { response: answer({ fulfillments: [{ ...sale, receiptId, qHash }], nextCursor: null }) },
    listPayments: {
      response: answer({
        side: 'received',
        totals: { fulfilled: 1, paid: 1, amountUsd: '4.99' },
        payments: [
          {
            ...sale,
            payment: {
              method: 'stripe',
              reference: 'card:pi_1',
              amount: '499',
              amountUsd: '4.99',
              state: 'final',
              refundedAmount: null,
              disputed: false,
              payer: null,
              paidAt: time,
            },
          },
        ],
        nextCursor: null,
      }),
    },
    listUnmatchedPayments: {
      response: answer({
        side: 'received',
        payments: [
          {
            gateId,
            gateName: 'Authors',
            walletAddress: wallet,
            createdAt: time,
            updatedAt: time,
            ...owed,
            usableBy: ['payer'],
            returnTransactionHash: null,
          },
        ],
        nextCursor: null,
      }),
    },
    returnPayment: {
      request: {
        identity: owed.identity,
        transactionHash: `0x${'2e'.repeat(32)}`,
        ...signedElsewhere,
      },
      response: answer({
        payment: {
          ...owed,
          state: 'refunded',
          givenBackBy: 'seller',
          returnTransactionHash: `0x${'2e'.repeat(32)}`,
        },
      }),
    },
    applyGate: {
      request: {
        definition,
        walletAddress: wallet,
        signature:
          '0x9dd8144bbb29b9ae29abf396139294ae4804746c02dc5917a0d58d88aaede56160c9cf226995e06eb49f9fc11a744b12c7211a34b80644ef37921a97de4744851c',
        signedTimestamp: time,
      },
      response: answer({
        gateId,
        outcome: 'created',
        version: 1,
        status: 'active',
        difference,
        findings: [],
        stored: true,
      }),
    },
    getGate: { response: answer({ gate: snapshot }) },
    discoverGates: { response: answer({ gates: [snapshot] }) },
    checkProofs: {
      query: { address: wallet, gateId, includeQHashes: 'true' },
      response: answer({
        ...matched,
        criteria: { address: wallet, gateId, includeQHashes: 'true' },
        complete: true,
        gate: { ...gate, reusedVerifierProofs: { 'ownership-basic': qHash }, rows: [row] },
      }),
    },
    checkProofsOlder: {
      query: { address: wallet, verifierIds: 'ownership-basic' },
      response: answer({ ...matched, criteria: { address: wallet, verifierIds: 'ownership-basic' }, complete: true }),
    },
    checkManyProofs: {
      request: {
        checks: [
          { address: wallet, gateId },
          { address: wallet, verifierIds: 'agent-identity' },
        ],
      },
      response: answer({
        results: [
          {
            address: wallet,
            success: true,
            data: { ...matched, criteria: { address: wallet, gateId }, complete: true, gate },
          },
          {
            address: wallet,
            success: true,
            data: {
              ...matched,
              eligible: false,
              matchedCount: 0,
              matchedQHashes: [],
              criteria: { address: wallet, verifierIds: 'agent-identity' },
              complete: true,
            },
          },
        ],
      }),
    },
    fulfillGate: {
      request: {
        qHash,
        walletAddress: wallet,
        signature:
          '0x1cfcf8a9982e549a39a885062ef0788de8aefcca4d74ec8713f866e111944080279003ac4fd8b88d705c2129f59a32ffb83daf19182041ff3018d05207df1bd31c',
        signedTimestamp: time,
      },
      response: answer({
        gateId,
        qHash,
        fulfillment: {
          delivery: 'redirect',
          type: 'redirect_url',
          value: 'https://example.com/welcome',
          label: 'Come in',
        },
        rewardProof: {
          receiptId,
          ...granted,
          gateVersion: 1,
          payment: null,
          receiptUrl: `${baseUrl}/api/v1/profile/gates/${gateId}/fulfillments/${receiptId}`,
        },
        rewardPack: [],
      }),
    },
    getReceipt: { response: answer({ state: 'granted', ...granted, version: 1, refundedAmount: null }) },
    rollbackGate: {
      request: { version: 1, expectedVersion: 2, ...signedElsewhere },
      response: answer({
        gateId,
        outcome: 'changed',
        version: 3,
        status: 'active',
        difference: [{ change: 'changed', path: 'name', before: '"Writers"', after: '"Authors"' }],
        findings: [],
        stored: true,
      }),
    },
    setGateStatus: {
      request: { status: 'paused', ...signedElsewhere },
      response: answer({ gate: { ...managed, status: 'paused' } }),
    },
    deleteGate: { response: answer({ gateId, status: 'deleted' }) },
    listGates: { response: answer({ gates: [{ ...managed, status: 'active' }], totalCount: 1 }) },
    listGateVersions: {
      response: answer({ gateId, versions: [version], bytes: 412, maxBytes: 4_194_304, removed: 0 }),
    },
    getGateVersion: { response: answer({ gateId, ...version, definition: kept }) },
    openCheckout: {
      request: { gateId, qHash, successUrl: 'https://example.com/welcome', ...signedElsewhere },
      response: answer({
        sessionId: 'cs_live_a1b2c3',
        url: 'https://checkout.stripe.com/c/pay/cs_live_a1b2c3',
        expiresAt: time + 2_400_000,
        reservedUntil: time + 2_400_000,
      }),
    },
    openQuote: {
      request: { gateId, qHash, ...signedElsewhere },
      response: answer({
        quoteId: 'quote_3f6c0d1e2a4b5c6d7e8f90a1b2c3d4e5',
        gateId,
        qHash,
        version: 1,
        ...quoted,
        recipient: '0x5409ed021d9299bf6814279a6a1411a7e866a631',
        tokens: [quoted],
        rewardAfter: 'confirmations',
        openedAt: time,
        expiresAt: time + 900_000,
        reservedUntil: time + 900_000,
      }),
    },
    hearStripeEvent: {
      request: { id: 'evt_1', object: 'event', type: 'charge.refunded', data: { object: { id: 'ch_1' } } },
      response: { success: true, watched: true },
    },
    listPaymentMethods: { response: answer({ methods: [] }) },
  }
}

const quoted = {
  network: 'eip155:8453',
  asset: 'USDC',
  assetAddress: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  decimals: 6,
  amount: '4993217',
  amountText: '4.993217',
}

/** Of parameters in a path, by name. */
export const gateParameterExamples = { gateId, receiptId, version: '1' }
