/** /api/v1/proofs/check: one check, many checks, and the older path. */

import { Type } from '@sinclair/typebox'
import { readBodyCredentials, readCredentials } from '../../auth/caller.ts'
import { showAction } from '../../auth/owner-action.ts'
import { signedMembers } from '../../auth/signed-body.ts'
import { AppError } from '../../errors.ts'
import { makeErrorBody } from '../../http/answer.ts'
import { listPlainNames, readParameters as readQuery, requireSingleValues } from '../../http/clear-query.ts'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import { mapInOrder } from '../../in-order.ts'
import type { Parts } from '../../parts.ts'
import { CheckWork } from '../../proofs/check-work.ts'
import { OwnerHeaders } from '../../proofs/wire.ts'
import { defineChoice, open } from '../../shape.ts'
import { describeGrantHeaders, makeGrantGuard } from '../../sponsor/headers.ts'
import { gateStates } from '../schedule.ts'
import { closedCodes, makeCaller, neededCheck } from './check.ts'
import { checkExamples } from './examples.ts'
import { Explanation } from './explain.ts'
import { requireKnownNames, requireOnlyChecks, takeBrandedNames, takeOtherNames } from './known-parameters.ts'
import { runMeasuredCheck } from './measured-check.ts'
import { type CheckQuery, readKnownParameters } from './parameters.ts'
import { checkRequest, readParameters } from './request.ts'

const QHashes = (description: string) => Type.Array(Type.String(), { description })

const aboutFinal =
  'Of matches that were read from a chain: whether all their blocks are final. Until then a block may still be replaced, and its proof may count no longer.'

const GateResult = Type.Object({
  gateId: Type.String(),
  allRequiredSatisfied: Type.Boolean({ description: 'The only sign that the gate may let somebody in.' }),
  satisfiedVerifierIds: Type.Array(Type.String()),
  missingVerifierIds: Type.Array(Type.String(), { description: 'What stands in the way.' }),
  matchedQHashes: QHashes('Proofs that meet requirements, as far as data.matchedQHashes would name them.'),
  state: defineChoice(gateStates, 'By the status of the gate, then by its schedule.'),
  errorCode: Type.Optional(defineChoice(closedCodes)),
  fulfillments: Type.Optional(
    Type.Array(
      Type.Object({
        qHash: Type.String(),
        state: defineChoice(['granted', 'suspended'], 'suspended: its payment was taken back.'),
        fulfilledAt: Type.Integer({ description: 'Unix milliseconds.' }),
      }),
      { description: 'What the wallet has had of the gate, the newest first: told to the wallet alone.' },
    ),
  ),
  reusedVerifierProofs: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: Type.Union([Type.String(), Type.Array(Type.String())]),
        description: 'With includeQHashes: by verifier id, the proof or the proofs that meet it.',
      },
    ),
  ),
  rows: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String({ description: 'Of the requirement.' }),
        verifierId: Type.String(),
        optional: Type.Boolean(),
        satisfied: Type.Boolean(),
        qHash: Type.Union([Type.String(), Type.Null()]),
        qHashes: Type.Array(Type.String()),
        needed: Type.Integer(),
        reused: Type.Boolean({ description: 'Whether a stored proof meets it.' }),
        final: Type.Optional(Type.Boolean({ description: aboutFinal })),
      }),
      { description: 'With includeQHashes: the requirements one by one.' },
    ),
  ),
})

const CheckResult = Type.Object({
  eligible: Type.Boolean({ description: 'Whether the criteria are met, and the gate where one is named.' }),
  matchedCount: Type.Integer({ description: 'Different claims that match.' }),
  matchedQHashes: QHashes(
    'The newest proof of each: listed ones. Unlisted ones for their owner and where qHash names them, private ones with includeQHashes only.',
  ),
  matchedTags: Type.Array(Type.String()),
  final: Type.Optional(Type.Boolean({ description: aboutFinal })),
  projections: Type.Union([Type.Array(Type.Object({}, { description: 'What select names.' })), Type.Null()]),
  criteria: Type.Object({}, { description: 'The parameters that were understood.' }),
  complete: Type.Boolean({
    description:
      'False when there are more proofs than were looked at, by limit or by the work that one request may cause. A yes is right all the same; a no is not final.',
  }),
  unavailable: Type.Optional(
    Type.Array(Type.Object({ verifierId: Type.String(), message: Type.String() }), {
      description:
        'Verifiers asked for, or missing for the gate, that are not offered here now, and what the operator would have to set. Their earlier proofs count.',
    }),
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Parts of the request that had no effect: includePrivate without the wallet that is checked.',
    }),
  ),
  gate: Type.Optional(GateResult),
  explain: Type.Optional(Type.Array(Explanation)),
})

const checkAnswer = describeAnswer({ data: CheckResult, timestamp: IsoTimestamp })

const manyAnswer = describeAnswer({
  data: Type.Object({
    results: Type.Array(
      Type.Object({
        address: Type.Union([Type.String(), Type.Null()], { description: 'As it was given.' }),
        success: Type.Boolean(),
        data: Type.Optional(CheckResult),
        error: Type.Optional(
          Type.Object({
            code: Type.String(),
            message: Type.String(),
            type: Type.String(),
            details: Type.Object({}, { description: 'What programs may want to know; depends on the code.' }),
          }),
        ),
      }),
      { description: 'In the order of checks.' },
    ),
  }),
  timestamp: IsoTimestamp,
})

const mostChecks = 100

const makeTooMuchError = (at: number): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    'the earlier checks used up the budget of this request: send this check and the later ones in another request',
    { path: `/checks/${at}`, retryable: true },
  )

/** Each entry is answered on its own, so the shape of the body leaves its members to the check. */
const Entry = open({ address: Type.Optional(Type.Unknown({ description: 'The wallet, at most 256 characters.' })) })

const ManyBody = open({
  checks: Type.Array(Entry, {
    minItems: 1,
    maxItems: mostChecks,
    description: `At most ${mostChecks} checks, each with the parameters of GET /api/v1/proofs/check; values may be numbers, booleans and lists.`,
  }),
  ...signedMembers,
  walletAddress: Type.Optional(
    Type.String({ minLength: 1, maxLength: 160, description: 'Private proofs of this wallet count, when it signs.' }),
  ),
})

const whatCounts = `Public proofs count, unlisted ones too; ids of unlisted ones are told to their owner, and to callers that name them. Unknown parameters are refused, and so are two values for one. Private ones count with includePrivate=true and a signature of the wallet over ${showAction('gate_check_private_proofs')}; without one they are left out, and data.warnings says so. Revoked, expired and replaced proofs never count, proofs about a past block or another wallet only where the check names it.`

export function gateCheckRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()
  const answerOlder = (query: CheckQuery) => {
    const { subject: _, includeQHashes: __, ...unsigned } = query
    return checkRequest(unsigned, parts)
  }

  const known = readKnownParameters(parts)
  const clientHeaders = describeGrantHeaders(parts.config.brand)
  /** Before the shape is checked, which knows the names of one brand only. */
  const readNames = ({ query, request }: { query: Record<string, unknown>; request: Request }): void => {
    requireKnownNames(Object.keys(query), known)
    // The route also takes parameters that its schema does not declare.
    const parameters = listPlainNames(request) ? undefined : readQuery(request)
    if (parameters) requireSingleValues(parameters, () => true)
    takeBrandedNames(query, known)
    takeOtherNames(query)
  }

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/proofs/check',
        callers: ['anyone', 'signature', 'session', 'access-key'],
        surface: 'checks',
        query: known.query,
        prepare: readNames,
        headers: Type.Object({ ...OwnerHeaders.properties, ...clientHeaders }),
        rate: 'reads',
        guard: makeGrantGuard(parts),
        operation: {
          tag: 'proofs',
          operationId: 'checkProofs',
          summary: 'Whether a wallet may pass, by a gate or by criteria',
          description: `Of a gate only gate.allRequiredSatisfied says that somebody may be let in. ${whatCounts}`,
          answer: checkAnswer,
          refusals: [400, 401, 403, 404, 503],
          codes: ['GATE_NOT_FOUND', 'VERIFIER_NOT_FOUND'],
          example: checkExamples.checkProofs,
        },
      },
      async ({ query, request }) => {
        const asked = checkRequest(query as CheckQuery, parts)
        const caller = await makeCaller(asked, await readCredentials(parts, request, neededCheck), parts)
        return { success: true, data: await runMeasuredCheck(parts, asked, caller), timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/proofs/gate/check',
        callers: ['anyone'],
        surface: 'checks',
        query: known.olderQuery,
        prepare: readNames,
        headers: Type.Object(clientHeaders),
        rate: 'reads',
        guard: makeGrantGuard(parts),
        operation: {
          tag: 'proofs',
          operationId: 'checkProofsOlder',
          summary: 'Whether a wallet may pass, by listed proofs (older path)',
          deprecated: true,
          description:
            'As GET /api/v1/proofs/check, by a gate, by one proof or by criteria, but only public proofs that are listed count, and nobody signs: private gates are not found. address may be left out where qHash names the proof.',
          answer: checkAnswer,
          refusals: [400, 403, 404],
          codes: ['GATE_NOT_FOUND', 'INVALID_WALLET_ADDRESS', 'VERIFIER_NOT_FOUND'],
          example: checkExamples.checkProofsOlder,
        },
      },
      async ({ query }) => ({
        success: true,
        data: await runMeasuredCheck(parts, answerOlder(query as CheckQuery), undefined, { listedOnly: true }),
        timestamp: formatNow(),
      }),
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/proofs/check',
        callers: ['anyone', 'signature', 'session', 'access-key'],
        surface: 'checks',
        body: ManyBody,
        headers: Type.Object(clientHeaders),
        rate: 'reads',
        guard: makeGrantGuard(parts),
        operation: {
          tag: 'proofs',
          operationId: 'checkManyProofs',
          summary: 'Many checks in one request',
          description: `Each entry is answered on its own, with data or with an error. ${whatCounts}`,
          answer: manyAnswer,
          refusals: [400, 401, 403, 413, 415, 503],
          example: checkExamples.checkManyProofs,
        },
      },
      async ({ body, request }) => {
        const wantsPrivate = body.checks.some((entry) => 'includePrivate' in entry)
        const anybody = { named: undefined, isAboutCaller: false, wantsPrivate }
        const caller = await makeCaller(anybody, await readBodyCredentials(body, parts, request, neededCheck), parts)
        requireOnlyChecks(body, new URL(request.url).searchParams)
        const work = new CheckWork()
        const results = await mapInOrder(body.checks, async (entry, at) => {
          const address = typeof entry.address === 'string' ? entry.address : null
          try {
            if (work.isSpent()) throw makeTooMuchError(at)
            const asked = checkRequest(readParameters(entry, parts, `/checks/${at}`), parts, `/checks/${at}`)
            const data = await runMeasuredCheck(parts, asked, caller, { work })
            // An entry that had less than the whole budget can be answered better in another request.
            if (at > 0 && work.wasStopped && !data.eligible) throw makeTooMuchError(at)
            return { address, success: true, data }
          } catch (error) {
            if (!(error instanceof AppError)) throw error
            return { address, success: false, error: makeErrorBody(error, '', 0).error }
          }
        })
        return { success: true, data: { results }, timestamp: formatNow() }
      },
    ),
  ]
}
