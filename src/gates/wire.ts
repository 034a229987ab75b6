/** What goes in and out of /api/v1/profile/gates: shapes of parameters, bodies and answers. */
import { type Static, Type } from '@sinclair/typebox'
import { answerOf, Flag, IsoTimestamp } from '../http/describe.ts'
import { signedMembers } from '../http/signed-body.ts'
import { oneOf, open } from '../shape.ts'
import type { Finding } from './finding.ts'
import { type Gate, GateDefinition, GateId, Reward } from './gate.ts'
import { lackingHere } from './here.ts'
import type { Applied } from './owner-actions.ts'
import { shownFinding } from './refused.ts'
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
      description:
        'gateId, name, requirements, and what else the gate has. Checked in full, with every finding at once; unknown members are errors. A reward may have "valueFrom": {"version", "reward"} in place of its value, which then stays as it is in that version: values are shown to nobody, their owner included.',
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

export const StatusBody = open({ status: oneOf(['active', 'paused', 'draft']), ...signedMembers })

/** Without the status, which stands beside it, and without the values of rewards. */
const { status: _, ...definitionMembers } = GateDefinition.properties
const { value: __, ...rewardMembers } = Reward.properties
export const KeptDefinitionAnswer = Type.Object({
  ...definitionMembers,
  rule: Type.Optional(Type.Unknown({ description: 'An id of a requirement, {"all": […]} or {"any": […]}.' })),
  rewards: Type.Optional(Type.Array(Type.Object(rewardMembers))),
})

export const FindingAnswer = Type.Object({
  path: Type.String({ description: 'requirements[0].verifierId; places count from 0.' }),
  message: Type.String(),
  level: oneOf(['error', 'warning']),
})

export const DifferenceAnswer = Type.Array(
  Type.Object({
    change: oneOf(['added', 'removed', 'changed']),
    path: Type.String(),
    before: Type.Optional(Type.String({ description: 'JSON. Never the value of a reward.' })),
    after: Type.Optional(Type.String()),
    truncated: Type.Optional(Type.Boolean({ description: 'before or after is cut: the definitions have it in full.' })),
  }),
)

export const appliedAnswer = answerOf({
  data: Type.Object({
    gateId: Type.String(),
    outcome: oneOf(['created', 'changed', 'unchanged']),
    version: Type.Integer(),
    status: Type.String(),
    difference: DifferenceAnswer,
    findings: Type.Array(FindingAnswer, { description: 'Warnings: what works in part only.' }),
    stored: Type.Boolean({ description: 'false for a plan.' }),
  }),
  timestamp: IsoTimestamp,
})

export const appliedView = ({ findings, isStored, ...plan }: Applied) => ({
  ...plan,
  findings: findings.map(shownFinding),
  stored: isStored,
})

const OwnGate = Type.Object({
  gateId: Type.String(),
  name: Type.String(),
  status: Type.String(),
  version: Type.Integer(),
  fulfilledCount: Type.Integer(),
  definition: KeptDefinitionAnswer,
  findings: Type.Array(FindingAnswer, { description: 'What this server lacks for the gate now.' }),
  createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
  updatedAt: Type.Integer(),
})

export function ownGateView(gate: Gate, tools: SnapshotTools): Static<typeof OwnGate> {
  const { gateId, status, version, fulfilledCount, definition, createdAt, updatedAt } = gate
  const findings: readonly Finding[] = lackingHere(definition, tools)
  return {
    gateId,
    name: definition.name,
    status,
    version,
    fulfilledCount,
    definition: definition as Static<typeof KeptDefinitionAnswer>,
    findings: findings.map(shownFinding),
    createdAt,
    updatedAt,
  }
}

const versionMembers = {
  version: Type.Integer(),
  author: Type.String({ description: 'A wallet, or operator for the command line.' }),
  createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
}
export const versionView = ({ version, author, createdAt }: VersionEntry): VersionEntry => ({
  version,
  author,
  createdAt,
})

export const snapshotAnswer = answerOf({ data: Type.Object({ gate: GateSnapshot }), timestamp: IsoTimestamp })
export const discoverAnswer = answerOf({
  data: Type.Object({ gates: Type.Array(GateSnapshot) }),
  timestamp: IsoTimestamp,
})
export const ownGatesAnswer = answerOf({ data: Type.Object({ gates: Type.Array(OwnGate) }), timestamp: IsoTimestamp })
export const ownGateAnswer = answerOf({ data: Type.Object({ gate: OwnGate }), timestamp: IsoTimestamp })
export const versionsAnswer = answerOf({
  data: Type.Object({
    gateId: Type.String(),
    versions: Type.Array(Type.Object(versionMembers), { description: 'The newest first.' }),
  }),
  timestamp: IsoTimestamp,
})
export const versionAnswer = answerOf({
  data: Type.Object({ gateId: Type.String(), ...versionMembers, definition: KeptDefinitionAnswer }),
  timestamp: IsoTimestamp,
})
export const deletedAnswer = answerOf({
  data: Type.Object({ gateId: Type.String(), status: Type.String() }),
  timestamp: IsoTimestamp,
})
