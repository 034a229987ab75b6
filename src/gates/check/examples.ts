/** The author of the examples meets the requirements of its own gate. */
import { type ExampleSource, makeExampleAnswer, story } from '../../http/example.ts'

const { gateId, qHash, wallet } = story
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

/** By operationId. */
export const checkExamples = {
  checkProofs: {
    query: { address: wallet, gateId, includeQHashes: 'true' },
    response: makeExampleAnswer({
      ...matched,
      criteria: { address: wallet, gateId, includeQHashes: 'true' },
      complete: true,
      gate: { ...gate, reusedVerifierProofs: { 'ownership-basic': qHash }, rows: [row] },
    }),
  },
  checkProofsOlder: {
    query: { address: wallet, verifierIds: 'ownership-basic' },
    response: makeExampleAnswer({
      ...matched,
      criteria: { address: wallet, verifierIds: 'ownership-basic' },
      complete: true,
    }),
  },
  checkManyProofs: {
    request: {
      checks: [
        { address: wallet, gateId },
        { address: wallet, verifierIds: 'agent-identity' },
      ],
    },
    response: makeExampleAnswer({
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
} as const satisfies Readonly<Record<string, ExampleSource>>
