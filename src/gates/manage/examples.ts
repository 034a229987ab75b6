/** The author of the examples writes a gate and gives it new versions. */
import { type ExampleSource, makeExampleAnswer, story } from '../../http/example.ts'
import { exampleListing, exampleMatch, exampleSigned } from '../examples.ts'

const { gateId, qHash, time, wallet } = story
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

const definition = {
  gateId,
  name: 'Authors',
  requirements: [{ verifierId: 'ownership-basic', match: exampleMatch }],
  rewards: [{ kind: 'redirect', value: 'https://example.com/welcome', label: 'Come in' }],
  listing: exampleListing,
}
const kept = {
  ...definition,
  requirements: [{ id: 'r1', verifierId: 'ownership-basic', match: exampleMatch }],
  rewards: [{ kind: 'redirect', label: 'Come in' }],
}
const managed = {
  gateId,
  name: 'Authors',
  version: 1,
  fulfilledCount: 0,
  guestCount: 0,
  archived: false,
  definition: kept,
  findings: [],
  createdAt: time,
  updatedAt: time,
}
const version = { version: 1, author: wallet.toLowerCase(), createdAt: time, bytes: 412 }

/** By operationId. */
export const manageExamples = {
  previewGate: {
    request: { definition },
    response: makeExampleAnswer({
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
              text: 'Anyone who has claimed content (reference.type is url) gets a link (“Come in”).',
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
    response: makeExampleAnswer({
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
  listGates: { response: makeExampleAnswer({ gates: [{ ...managed, status: 'active' }], totalCount: 1 }) },
  applyGate: {
    request: {
      definition,
      walletAddress: wallet,
      signature:
        '0x9dd8144bbb29b9ae29abf396139294ae4804746c02dc5917a0d58d88aaede56160c9cf226995e06eb49f9fc11a744b12c7211a34b80644ef37921a97de4744851c',
      signedTimestamp: time,
    },
    response: makeExampleAnswer({
      gateId,
      outcome: 'created',
      version: 1,
      status: 'active',
      difference,
      findings: [],
      stored: true,
    }),
  },
  listGateVersions: {
    params: { gateId },
    response: makeExampleAnswer({ gateId, versions: [version], bytes: 412, maxBytes: 4_194_304, removed: 0 }),
  },
  getGateVersion: {
    params: { gateId, version: '1' },
    response: makeExampleAnswer({ gateId, ...version, definition: kept }),
  },
  rollbackGate: {
    params: { gateId },
    request: { version: 1, expectedVersion: 2, ...exampleSigned },
    response: makeExampleAnswer({
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
    params: { gateId },
    request: { status: 'paused', ...exampleSigned },
    response: makeExampleAnswer({ gate: { ...managed, status: 'paused' } }),
  },
  archiveGate: {
    params: { gateId },
    request: { archived: true, ...exampleSigned },
    response: makeExampleAnswer({ gate: { ...managed, status: 'active', archived: true } }),
  },
  deleteGate: { params: { gateId }, response: makeExampleAnswer({ gateId, status: 'deleted' }) },
} as const satisfies Readonly<Record<string, ExampleSource>>
