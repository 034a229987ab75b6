/**
 * A policy file: gates as code, each with the examples that it must decide as its author expects. Parsed text in,
 * definitions out. Reads nothing: where a reward value stands elsewhere, the caller gets it.
 */
import { type Static, Type } from '@sinclair/typebox'
import { defineChoice } from '../../shape.ts'
import { type GateDefinition as Definition, GateDefinition, Moment, mostRewards, Reward } from '../gate.ts'
import { checkDefinition, type DefineTools } from './define.ts'
import { type Finding, makeError, type Path } from './finding.ts'
import { respellMembers, type Spelling, spellPath } from './member-case.ts'
import { listShapeFindings, mostFindings } from './shape.ts'
import { refuseUnknownVerifier } from './support.ts'

const closed = { additionalProperties: false }

const ExampleRow = Type.Object(
  {
    verifierId: Type.String({ minLength: 1, maxLength: 64 }),
    data: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  closed,
)
export type ExampleRow = Static<typeof ExampleRow>

const hours = Type.Optional(Type.Number({ minimum: 0, maximum: 876_000 }))

const ExampleProof = Type.Object(
  {
    verifierId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** The verifier's finding, as the proof shows it. */
    data: Type.Optional(Type.Object({}, { additionalProperties: true })),
    /** For a proof of several verifiers, in place of verifierId and data. */
    rows: Type.Optional(Type.Array(ExampleRow, { minItems: 1, maxItems: 16 })),
    ageHours: hours,
    expiresInHours: hours,
    isRevoked: Type.Optional(Type.Boolean()),
    /** Whether the block of the claim is final. Default: true. */
    isFinal: Type.Optional(Type.Boolean()),
    subjectWallet: Type.Optional(Type.String({ maxLength: 128 })),
  },
  closed,
)
export type ExampleProof = Static<typeof ExampleProof>

export const Example = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    expect: defineChoice(['pass', 'fail']),
    /** A code of the explanation, such as WRONG_VALUE or TOO_OLD. */
    because: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** The time of the check. Default: the start of its schedule, else 2026-01-01T00:00:00Z. */
    at: Type.Optional(Moment),
    proofs: Type.Optional(Type.Array(ExampleProof, { maxItems: 64 })),
  },
  closed,
)
export type Example = Static<typeof Example>

/** A reward value may be in the environment or in another file. Then this file can be in a repository. */
const FileReward = Type.Object(
  {
    ...Reward.properties,
    valueEnv: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    valueFile: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  },
  closed,
)
type FileReward = Static<typeof FileReward>

const FileGate = Type.Object(
  {
    ...GateDefinition.properties,
    rule: Type.Optional(Type.Unknown()),
    rewards: Type.Optional(Type.Array(FileReward)),
    cases: Type.Optional(Type.Array(Example, { maxItems: 200 })),
  },
  closed,
)

/** Gates in one file. */
export const mostGates = 500

/** For names and findings: the gates themselves are checked one by one. */
const PolicyFile = Type.Object(
  { owner: Type.Optional(Type.String({ maxLength: 200 })), gates: Type.Array(FileGate, { maxItems: mostGates }) },
  closed,
)
const Outside = Type.Object({
  owner: Type.Optional(Type.String({ maxLength: 200, description: 'a wallet address' })),
  gates: Type.Array(Type.Object({}), { minItems: 1, maxItems: mostGates }),
})
const Examples = Type.Array(Example, { maxItems: 200 })

/** The location of a reward value. */
export type ValueSource = { readonly env: string } | { readonly file: string }

export interface PolicyGate {
  readonly definition: Definition
  readonly examples: readonly Example[]
}

export interface Policy {
  readonly owner: string | undefined
  readonly gates: readonly PolicyGate[]
  /** Warnings. Paths are spelled as in the file. */
  readonly findings: readonly Finding[]
}

export interface UnusablePolicy {
  readonly owner?: undefined
  readonly gates?: undefined
  /** At least one of them is an error. */
  readonly findings: readonly Finding[]
}

export interface PolicyTools extends DefineTools {
  /** False: what this configuration lacks is no mistake of the file. */
  readonly isForHere: boolean
  /** The value, or the reason for its absence as the end of a sentence. */
  valueFrom(source: ValueSource): { readonly value: string } | { readonly fault: string }
}

/** The policy, or everything that is wrong with it, at most `mostFindings`. */
export function readPolicy(parsed: unknown, spelling: Spelling, tools: PolicyTools): Policy | UnusablePolicy {
  const { value, findings: unknownNames } = respellMembers(PolicyFile, parsed, spelling, mostFindings)
  const outside = listShapeFindings(Outside, value)
  if (outside.length > 0)
    return { findings: [...unknownNames, ...spellFindings(outside, spelling)].slice(0, mostFindings) }
  const file = value as { readonly owner?: string; readonly gates: readonly Record<string, unknown>[] }

  const findings: Finding[] = findRepeatedIds(file.gates)
  const gates: PolicyGate[] = []
  for (const [at, gate] of file.gates.entries()) {
    if (findings.length >= mostFindings) break
    const checked = readPolicyGate(gate, ['gates', at], tools)
    findings.push(...checked.findings)
    if (checked.gate) gates.push(checked.gate)
  }
  const shown = [...unknownNames, ...spellFindings(findings, spelling)].slice(0, mostFindings)
  return [...unknownNames, ...findings].some(({ level }) => level === 'error')
    ? { findings: shown }
    : { owner: file.owner, gates, findings: shown }
}

const spellFindings = (findings: readonly Finding[], spelling: Spelling): Finding[] =>
  findings.map((finding) => ({ ...finding, path: spellPath(finding.path, spelling) }))

/** The second of two gates of one id would silently take the place of the first. */
function findRepeatedIds(gates: readonly Record<string, unknown>[]): Finding[] {
  const first = new Map<unknown, number>()
  return gates.flatMap(({ gateId }, at) => {
    const earlier = first.get(gateId)
    if (typeof gateId !== 'string' || earlier === undefined) {
      first.set(gateId, at)
      return []
    }
    return [makeError(['gates', at, 'gateId'], 'REPEATED_GATE_ID', { first: earlier })]
  })
}

function readPolicyGate(
  { cases = [], ...written }: Record<string, unknown>,
  path: Path,
  tools: PolicyTools,
): { readonly gate?: PolicyGate; readonly findings: readonly Finding[] } {
  const placeBelow = (findings: readonly Finding[], ...more: Path) =>
    findings.map((finding) => ({ ...finding, path: [...path, ...more, ...finding.path] }))
  const filled = fillValues(written.rewards, tools)
  const { definition, findings } = checkDefinition(
    { ...written, ...(filled.rewards === undefined ? {} : { rewards: filled.rewards }) },
    tools,
    tools.isForHere,
  )
  const all = [
    ...placeBelow(filled.findings, 'rewards'),
    // A missing value is reported once.
    ...placeBelow(findings).filter(
      (one) => !filled.findings.some(({ path: [at] }) => isRewardValue(one.path.slice(2), at)),
    ),
    ...placeBelow(checkExamples(cases, tools), 'cases'),
  ]
  return definition && !all.some(({ level }) => level === 'error')
    ? { gate: { definition, examples: cases as Example[] }, findings: all }
    : { findings: all }
}

function checkExamples(cases: unknown, { catalog }: PolicyTools): readonly Finding[] {
  const shape = listShapeFindings(Examples, cases)
  if (shape.length > 0) return shape
  const reasonless = (cases as Example[]).flatMap(({ expect, because }, at) =>
    expect === 'pass' && because !== undefined ? [makeError([at, 'because'], 'BECAUSE_WITHOUT_FAIL')] : [],
  )
  return [...reasonless, ...findUnreadableProofs(cases as Example[], catalog)]
}

/** At most `mostFindings`: each unknown name is compared with every known one. */
function findUnreadableProofs(cases: readonly Example[], catalog: DefineTools['catalog']): Finding[] {
  const findings: Finding[] = []
  for (const [at, { proofs = [] }] of cases.entries())
    for (const [place, { verifierId, rows }] of proofs.entries()) {
      if (findings.length >= mostFindings) return findings
      const path = [at, 'proofs', place]
      if ((verifierId === undefined) === (rows === undefined)) {
        findings.push(makeError(path, 'EXAMPLE_PROOF'))
        continue
      }
      for (const [row, id] of (rows?.map((one) => one.verifierId) ?? [verifierId ?? '']).entries())
        if (!catalog.known.has(id))
          findings.push(refuseUnknownVerifier([...path, ...(rows ? ['rows', row] : []), 'verifierId'], id, catalog))
    }
  return findings
}

const isRewardValue = (path: Path, at: string | number | undefined): boolean =>
  path[0] === 'rewards' && path[1] === at && path[2] === 'value'

function fillValues(
  rewards: unknown,
  { valueFrom }: PolicyTools,
): { readonly rewards?: unknown; readonly findings: readonly Finding[] } {
  // The shape refuses a non-list or a too long list, so nothing is looked up for it.
  if (!Array.isArray(rewards) || rewards.length > mostRewards)
    return rewards === undefined ? { findings: [] } : { rewards, findings: [] }
  const findings: Finding[] = []
  const filled = rewards.map((reward: FileReward, at) => {
    if (typeof reward !== 'object' || reward === null) return reward
    const { valueEnv, valueFile, ...rest } = reward
    if (valueEnv === undefined && valueFile === undefined) return rest
    if ([rest.value, valueEnv, valueFile].filter((one) => one !== undefined).length > 1) {
      findings.push(makeError([at], 'SEVERAL_VALUES'))
      return rest
    }
    const name = valueEnv === undefined ? 'valueFile' : 'valueEnv'
    const source = valueEnv ?? valueFile
    if (typeof source !== 'string') {
      findings.push(makeError([at, name], 'NOT_TEXT', {}))
      return rest
    }
    const got = valueFrom(valueEnv === undefined ? { file: source } : { env: source })
    if ('value' in got) return { ...rest, value: got.value }
    findings.push(makeError([at, name], 'VALUE_UNREADABLE', { why: got.fault }))
    return rest
  })
  return { rewards: filled, findings }
}
