/** The wire format of /api/v1/profile/gates: parameters, bodies and answers. */

import { type Static, Type } from '@sinclair/typebox'
import { signedMembers } from '../auth/signed-body.ts'
import { describeAnswer, Flag, IsoTimestamp } from '../http/describe.ts'
import { aliasWords, listNames } from '../payments/methods.ts'
import { ShownPrice } from '../payments/price-shape.ts'
import { defineChoice, open } from '../shape.ts'
import type { Finding } from './definition/finding.ts'
import { showDefinition } from './definition/price-names.ts'
import { showFinding } from './definition/refuse-findings.ts'
import type { Summary } from './definition/summary.ts'
import { listUnsupported } from './definition/support.ts'
import { type Gate, GateDefinition, GateId, Reward } from './gate.ts'
import type { Applied } from './manage/owner-actions.ts'
import { GateSnapshot, type SnapshotTools } from './snapshot.ts'
import type { VersionEntry } from './store.ts'

export const GateParams = Type.Object({ gateId: GateId })
export const VersionParams = Type.Object({
  gateId: GateId,
  version: Type.String({ pattern: '^[1-9][0-9]{0,5}$', description: 'Number of a version, from 1.' }),
})

export const DiscoverQuery = open({
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]|[1-9][0-9]|1[01][0-9]|120)$', description: '1 to 120. Default 60.' }),
  ),
})

export const mostOwnGates = 500

export const OwnGatesQuery = open({
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|[1-4][0-9]{2}|500)$',
      description: `1 to ${mostOwnGates}, which is the default.`,
    }),
  ),
  offset: Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]{0,5})$', description: 'How many to leave out.' })),
})

export const PlanQuery = open({ plan: Flag('Say what would change, and change nothing.') })

const expectedVersion = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'The version that your change starts from, 0 for a new gate. Refused with 409 when there is another.',
  }),
)

export const ApplyBody = open({
  definition: Type.Object(
    {},
    {
      additionalProperties: true,
      description: `gateId, name, requirements, and what else the gate has. Checked in full, with every finding at once; unknown members are errors. price.methods names ${listNames(() => true)}; ${aliasWords}. A reward may have "valueFrom": {"version", "reward"} in place of its value, which then stays as it is in that version: values are shown to nobody, their owner included.`,
    },
  ),
  expectedVersion,
  ...signedMembers,
})

export const RollbackBody = open({
  version: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'The version whose text applies again.' }),
  expectedVersion,
  ...signedMembers,
})

export const StatusBody = open({ status: defineChoice(['active', 'paused', 'draft']), ...signedMembers })

export const ArchiveBody = open({
  archived: Type.Boolean({ description: 'true: out of the default list of the dashboard. false: in it again.' }),
  ...signedMembers,
})

/** Without the status, which stands beside it, and without the values of rewards. */
const { status: _, ...definitionMembers } = GateDefinition.properties
const { value: __, ...rewardMembers } = Reward.properties
export const KeptDefinitionAnswer = Type.Object({
  ...definitionMembers,
  price: Type.Optional(ShownPrice),
  rule: Type.Optional(Type.Unknown({ description: 'An id of a requirement, {"all": […]} or {"any": […]}.' })),
  rewards: Type.Optional(Type.Array(Type.Object(rewardMembers))),
})

/** What a finding says beside its place. */
export const findingMembers = {
  code: Type.String({ description: 'What is wrong, for programs: MISSING, TOO_LONG and so on.' }),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'What the message fills in, such as a limit: {"most": 200}.',
  }),
}

export const FindingAnswer = Type.Object({
  path: Type.String({ description: 'requirements[0].verifierId; places count from 0.' }),
  ...findingMembers,
  message: Type.String(),
  level: defineChoice(['error', 'warning']),
})

export const DifferenceAnswer = Type.Array(
  Type.Object({
    change: defineChoice(['added', 'removed', 'changed']),
    path: Type.String(),
    before: Type.Optional(Type.String({ description: 'JSON. Never the value of a reward.' })),
    after: Type.Optional(Type.String()),
    truncated: Type.Optional(Type.Boolean({ description: 'before or after is cut: the definitions have it in full.' })),
  }),
)

export const appliedAnswer = describeAnswer({
  data: Type.Object({
    gateId: Type.String(),
    outcome: defineChoice(['created', 'changed', 'unchanged']),
    version: Type.Integer(),
    status: Type.String(),
    difference: DifferenceAnswer,
    findings: Type.Array(FindingAnswer, { description: 'Warnings: what works in part only.' }),
    stored: Type.Boolean({ description: 'false for a plan.' }),
  }),
  timestamp: IsoTimestamp,
})

export const buildAppliedView = ({ findings, isStored, ...plan }: Applied) => ({
  ...plan,
  findings: findings.map(showFinding),
  stored: isStored,
})

const Truncated = (description: string) => Type.Optional(Type.Boolean({ description }))

const OwnGate = Type.Object({
  gateId: Type.String(),
  name: Type.String(),
  status: Type.String(),
  version: Type.Integer(),
  fulfilledCount: Type.Integer(),
  guestCount: Type.Integer({ description: 'Wallets on its guest list.' }),
  archived: Type.Boolean({
    description: 'Its owner put it out of the default list of the dashboard. It changes nothing else.',
  }),
  definition: KeptDefinitionAnswer,
  truncated: Truncated(
    'true in a list: definition and findings are shortened. GET …/versions/{version} has the definition in full.',
  ),
  findings: Type.Array(FindingAnswer, { description: 'What this server lacks for the gate now.' }),
  createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
  updatedAt: Type.Integer(),
})

export const buildOwnGateView = ({ definition, ...gate }: Gate, tools: SnapshotTools): Static<typeof OwnGate> =>
  buildOwnRowView({ outline: { ...gate, name: definition.name }, definition, isTruncated: false }, tools)

/** The limit for a gate in short form. */
const mostFindingsInShort = 3

type ShownRow = Summary & { readonly outline: Omit<Gate, 'definition'> & { readonly name: string } }

export function buildOwnRowView(
  { outline, definition, isTruncated }: ShownRow,
  tools: SnapshotTools,
): Static<typeof OwnGate> {
  const { gateId, name, status, version, fulfilledCount, guestCount, archivedAt, createdAt, updatedAt } = outline
  const findings: readonly Finding[] = listUnsupported(definition, tools)
  return {
    gateId,
    name,
    status,
    version,
    fulfilledCount,
    guestCount,
    archived: archivedAt !== null,
    definition: showDefinition(definition) as Static<typeof KeptDefinitionAnswer>,
    ...(isTruncated ? { truncated: true } : {}),
    findings: (isTruncated ? findings.slice(0, mostFindingsInShort) : findings).map(showFinding),
    createdAt,
    updatedAt,
  }
}

const versionMembers = {
  version: Type.Integer(),
  author: Type.String({ description: 'A wallet, or operator for the command line.' }),
  createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
  bytes: Type.Integer({ description: 'What it takes of maxBytes.' }),
}
export const buildVersionView = ({ version, author, createdAt, bytes }: VersionEntry) => ({
  version,
  author,
  createdAt,
  bytes,
})

/** The size of a gate's kept versions, and the number of removed ones. */
export const buildKeptView = (gate: Gate, versions: readonly VersionEntry[], maxBytes: number) => ({
  bytes: versions.reduce((sum, { bytes }) => sum + bytes, 0),
  maxBytes,
  removed: gate.version - versions.length,
})

export const snapshotAnswer = describeAnswer({ data: Type.Object({ gate: GateSnapshot }), timestamp: IsoTimestamp })
export const discoverAnswer = describeAnswer({
  data: Type.Object({
    gates: Type.Array(
      Type.Object({
        ...GateSnapshot.properties,
        truncated: Truncated(
          'true: long texts and conditions are cut or left out. The gate by its id has all of them.',
        ),
      }),
    ),
  }),
  timestamp: IsoTimestamp,
})
export const ownGatesAnswer = describeAnswer({
  data: Type.Object({
    gates: Type.Array(OwnGate, { description: 'The oldest first.' }),
    totalCount: Type.Integer({ description: 'Over all pages.' }),
  }),
  timestamp: IsoTimestamp,
})
export const ownGateAnswer = describeAnswer({ data: Type.Object({ gate: OwnGate }), timestamp: IsoTimestamp })
export const versionsAnswer = describeAnswer({
  data: Type.Object({
    gateId: Type.String(),
    versions: Type.Array(Type.Object(versionMembers), { description: 'The newest first.' }),
    bytes: Type.Integer({ description: 'What they take together.' }),
    maxBytes: Type.Integer({ description: 'What they may take: the oldest go first (gates.versions_kb).' }),
    removed: Type.Integer({ description: 'How many are not kept any more. None that was fulfilled.' }),
  }),
  timestamp: IsoTimestamp,
})
export const versionAnswer = describeAnswer({
  data: Type.Object({ gateId: Type.String(), ...versionMembers, definition: KeptDefinitionAnswer }),
  timestamp: IsoTimestamp,
})
export const deletedAnswer = describeAnswer({
  data: Type.Object({ gateId: Type.String(), status: Type.String() }),
  timestamp: IsoTimestamp,
})
