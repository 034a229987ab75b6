/** For authors of a gate: a preview, and a trial against a wallet. It stores nothing. */

import { Type } from '@sinclair/typebox'
import type { Credentials } from '../../auth/caller.ts'
import type { Account } from '../../auth/identity.ts'
import { showAction } from '../../auth/owner-action.ts'
import { AppError } from '../../errors.ts'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import type { Parts } from '../../parts.ts'
import { OwnerHeaders } from '../../proofs/wire.ts'
import { defineChoice, open } from '../../shape.ts'
import { Explanation } from '../check/explain.ts'
import { writePath } from '../definition/finding.ts'
import { showDefinition } from '../definition/price-names.ts'
import { GateId } from '../gate.ts'
import { nameGateOwner } from '../owner.ts'
import { scheduleStates } from '../schedule.ts'
import { DifferenceAnswer, findingMembers, KeptDefinitionAnswer } from '../wire.ts'
import { manageExamples } from './examples.ts'
import { requireOwnerOffer, requireOwnGate, requireReader } from './own-gate.ts'
import { type Preview, previewDefinition, previewText } from './preview.ts'
import { type TrialRequest, tryGate } from './try-gate.ts'

const tag = 'gates'
const anyDefinition = Type.Object(
  {},
  { additionalProperties: true, description: 'As it would be applied, finished or not.' },
)

const PreviewQuery = open({
  language: Type.Optional(defineChoice(['en', 'de'], 'The language of `lines`. Default: en.')),
})

const PreviewBody = open({
  definition: Type.Optional(anyDefinition),
  policy: Type.Optional(
    Type.Object(
      {
        text: Type.String({ description: 'The text of a policy file, as `proofgate gates apply` takes it.' }),
        format: defineChoice(['toml', 'json']),
      },
      { additionalProperties: false },
    ),
  ),
})

const makeNullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const previewAnswer = describeAnswer({
  data: Type.Object({
    publishable: Type.Boolean({ description: 'No finding is an error.' }),
    findings: Type.Array(
      Type.Object({
        path: Type.String({ description: 'requirements[0].verifierId; spelled as in the text where there is one.' }),
        ...findingMembers,
        message: Type.String({ description: 'Completes the sentence that begins with the path.' }),
        level: defineChoice(['error', 'warning']),
        line: Type.Optional(Type.Integer({ description: 'Of the text, from 1.' })),
      }),
    ),
    gates: Type.Array(
      Type.Object({
        gateId: Type.String(),
        definition: Type.Optional(KeptDefinitionAnswer),
        status: Type.String(),
        lines: Type.Array(
          Type.Object({
            path: Type.String({ description: 'What of the definition the line tells.' }),
            text: Type.String({ description: 'A sentence. Text of others stands between U+2068 and U+2069.' }),
          }),
        ),
        outcome: defineChoice(
          ['created', 'changed', 'unchanged', 'impossible'],
          'What publishing it would do. impossible: a finding says why.',
        ),
        currentVersion: Type.Integer({
          description: 'What expectedVersion must be to publish this; 0 for a new gate.',
        }),
        difference: DifferenceAnswer,
      }),
      {
        description:
          'Empty while nothing has the shape of a gate. Of a file at most 20, and fewer where they are large.',
      },
    ),
    untold: Type.Integer({ description: 'How many gates of the file were checked too, and are not in gates.' }),
  }),
  timestamp: IsoTimestamp,
})

const previewView = ({ findings, gates, untold = 0 }: Preview) => ({
  publishable: gates.length > 0 && !findings.some(({ level }) => level === 'error'),
  findings,
  gates: gates.map(({ lines, plan, definition, ...gate }) => ({
    ...gate,
    ...(definition ? { definition: showDefinition(definition) } : {}),
    lines: lines.map(({ path, text }) => ({ path: writePath(path), text })),
    outcome: plan?.outcome ?? 'impossible',
    difference: plan?.difference ?? [],
  })),
  untold,
})

const TestBody = open({
  gateId: Type.Optional(GateId),
  definition: Type.Optional(anyDefinition),
  wallet: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The wallet to try: an address (0x and 40 hexadecimal digits), did:pkh or CAIP-10 account.',
  }),
  includePrivate: Type.Optional(
    Type.Boolean({ description: 'Private proofs count as well, where the wallet is one of yours.' }),
  ),
})

const testAnswer = describeAnswer({
  data: Type.Object({
    walletAddress: Type.String(),
    passes: Type.Boolean({ description: 'Its proofs are enough, and the gate is open. Says nothing of a payment.' }),
    state: defineChoice(scheduleStates),
    version: makeNullable(Type.Integer({ description: 'null for a gate that is not published.' })),
    complete: Type.Boolean({ description: 'False when there are more proofs than were looked at.' }),
    countsPrivate: Type.Boolean(),
    missing: Type.Array(Type.String(), { description: 'Ids of the requirements that stand in the way.' }),
    requirements: Type.Array(Explanation),
    granted: makeNullable(Type.Integer({ description: 'How often the wallet has had the reward of the gate.' })),
  }),
  timestamp: IsoTimestamp,
})

export function gateBuilderRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()
  // Called with every pause in typing.
  const prepares = { headers: OwnerHeaders, rate: 'prepare', needs: 'profile' } as const

  return [
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates/preview',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        body: PreviewBody,
        query: PreviewQuery,
        ...prepares,
        operation: {
          tag,
          operationId: 'previewGate',
          summary: 'What a gate would be, before it is published',
          description: `Everything that is wrong or doubtful in it, the same in plain words, and what it would change. Stores nothing. For its owner, signed in, with an access key, or signed over ${showAction('list_gates')} in the headers.`,
          answer: previewAnswer,
          refusals: [400, 401, 403, 413, 415, 503],
          example: manageExamples.previewGate,
        },
      },
      async ({ body, query, request }) => {
        const owner = nameGateOwner(await requireReader(parts, await requireOwnerOffer(parts, request)))
        const reader = { owner, language: query.language }
        const { definition, policy } = body
        requireOne(definition, policy, '/definition', 'give definition or policy, one of them')
        const preview = policy
          ? await previewText(parts, policy.text, policy.format, reader)
          : await previewDefinition(parts, definition, reader)
        return { success: true, data: previewView(preview), timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates/test',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        body: TestBody,
        ...prepares,
        operation: {
          tag,
          operationId: 'testGate',
          summary: 'Whether a wallet would pass a gate, and why',
          description: `A gate of yours, or a definition that is not published. Of other wallets public proofs count and are told of, as in GET /api/v1/proofs/check; of your own also private ones. Signed in, with an access key, or signed over ${showAction('list_gates')} in the headers.`,
          answer: testAnswer,
          refusals: [400, 401, 403, 404, 413, 415, 503],
          codes: ['GATE_NOT_FOUND', 'INVALID_WALLET_ADDRESS'],
          example: manageExamples.testGate,
        },
      },
      async ({ body, request }) => {
        const credentials = await requireOwnerOffer(parts, request)
        const { gateId, definition, wallet, includePrivate = false } = body
        requireOne(gateId, definition, '/gateId', 'give gateId or definition, one of them')
        const caller = await requireReader(parts, credentials, gateId)
        const gate = gateId === undefined ? undefined : await requireOwnGate(parts, gateId, caller)
        const tried: TrialRequest['tried'] = gate ? { gate } : { definition }
        const own = await listOwnAccounts(credentials, caller)
        const { isComplete, ...trial } = await tryGate(parts, {
          tried,
          walletAddress: wallet,
          wantsPrivate: includePrivate,
          own,
        })
        const data = { ...trial, complete: isComplete, version: gate?.version ?? null }
        return { success: true, data, timestamp: formatNow() }
      },
    ),
  ]
}

/** Errors: VALIDATION_ERROR. */
function requireOne(one: unknown, other: unknown, path: string, message: string): void {
  if ((one === undefined) === (other === undefined)) throw new AppError('VALIDATION_ERROR', message, { path })
}

/** Everything that is the caller's own. */
const listOwnAccounts = async (credentials: Credentials, caller: Account): Promise<readonly Account[]> =>
  'identity' in credentials ? credentials.identity.listAccounts() : [caller]
