/**
 * Plans the change that makes a valid definition apply: the differences, and their statements. It only reads.
 * owner-actions.ts and the command line check the caller.
 */
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import type { Change } from '../change.ts'
import { type ChangedLine, compareDefinitions } from '../definition/difference.ts'
import { isSameDefinition, type SplitDefinition, splitDefinition } from '../definition/normal-form.ts'
import type { Gate, GateDefinition, GateStatus } from '../gate.ts'
import { countVersionBytes, findGate, listVersions, maxVersions, readRewards } from '../store.ts'
import { chooseRemovedVersions } from './kept-versions.ts'

export type PlanTools = Pick<Parts, 'db' | 'sealer'> & {
  readonly config: { readonly gates: { readonly perOwner: number; readonly versionsKb: number } }
}

export interface Plan {
  readonly gateId: string
  readonly outcome: 'created' | 'changed' | 'unchanged'
  /** After the change. */
  readonly version: number
  readonly status: GateStatus
  readonly difference: readonly ChangedLine[]
  /** Undefined when nothing changes. */
  readonly change: Change | undefined
}

export interface Wanted {
  readonly definition: GateDefinition
  readonly owner: string
  readonly author: string
  /** The version that the change was made on; 0 for a gate that must not exist yet. Undefined: whichever is there. */
  readonly expectedVersion?: number | undefined
  /** The version that is rolled back to. */
  readonly restores?: number | undefined
}

/**
 * Errors: CONFLICT, when the id is another owner's, when another change came first, or when there is no space for it.
 */
export async function planGate(parts: PlanTools, wanted: Wanted): Promise<Plan> {
  const { definition, owner } = wanted
  const { gateId } = definition
  const gate = await findGate(parts, gateId)
  if (gate && gate.owner !== owner) throw makeTakenIdError()
  return gate ? await planChange(parts, gate, wanted) : planNew(parts, wanted)
}

/** Every new version says when its reward comes, so that the price keeps its meaning when defaults change. */
const setRewardMoment = (definition: GateDefinition): GateDefinition =>
  definition.price === undefined || definition.price.rewardAfter !== undefined
    ? definition
    : { ...definition, price: { ...definition.price, rewardAfter: 'confirmations' } }

/** Says no more than a try at creating must say. */
export const makeTakenIdError = () =>
  new AppError('CONFLICT', 'this gateId belongs to another owner: choose another gateId', { path: 'gateId' })

function planNew(parts: PlanTools, { definition, owner, author, expectedVersion = 0 }: Wanted): Plan {
  const { gateId, status = 'active' } = definition
  if (expectedVersion !== 0)
    throw new AppError(
      'CONFLICT',
      `expectedVersion is ${expectedVersion}, but you have no gate with this gateId: leave expectedVersion out to make it`,
      {
        currentVersion: 0,
      },
    )
  const after = splitDefinition(setRewardMoment(definition))
  return {
    gateId,
    outcome: 'created',
    version: 1,
    status,
    difference: compareDefinitions(undefined, { ...after, status }),
    change: { kind: 'create', gateId, owner, author, status, limit: parts.config.gates.perOwner, ...after },
  }
}

async function planChange(
  parts: PlanTools,
  gate: Gate,
  { definition, author, expectedVersion, restores }: Wanted,
): Promise<Plan> {
  const before = await readCurrent(parts, gate)
  const written = splitDefinition(definition)
  // The same text again, or an old version again, is what it was.
  const isUnchanged = restores !== undefined || (before !== undefined && isSameDefinition(before, written))
  const after = isUnchanged ? written : splitDefinition(setRewardMoment(definition))
  const status = definition.status ?? (gate.status === 'deleted' ? 'active' : gate.status)
  const isSame = before !== undefined && isSameDefinition(before, after)
  const difference = compareDefinitions(before && { ...before, status: gate.status }, { ...after, status })
  const shared = { gateId: gate.gateId, status, difference }
  if (isSame && status === gate.status)
    return { ...shared, outcome: 'unchanged', version: gate.version, change: undefined }
  // Asked only now: to repeat what is done already is no conflict.
  const isExpected = expectedVersion === gate.version || (expectedVersion === 0 && gate.status === 'deleted')
  if (expectedVersion !== undefined && !isExpected) throw await makeOvertakenError(parts, gate, expectedVersion)
  if (isSame && gate.status !== 'deleted')
    return {
      ...shared,
      outcome: 'changed',
      version: gate.version,
      change: { kind: 'status', base: gate, status, author },
    }
  if (gate.version >= maxVersions)
    throw new AppError(
      'CONFLICT',
      `this gate has ${maxVersions} versions, which is the limit: make a gate with another gateId`,
    )
  const removes = chooseRemovedVersions(await listVersions(parts, gate.id), {
    newBytes: countVersionBytes(after),
    mostBytes: parts.config.gates.versionsKb * 1024,
  })
  return {
    ...shared,
    outcome: 'changed',
    version: gate.version + 1,
    change: { kind: 'version', base: gate, status: definition.status, author, restores, removes, ...after },
  }
}

/** The gate changed since the caller read it. Nothing is lost: the other change is a version. */
async function makeOvertakenError(parts: Pick<Parts, 'db'>, gate: Gate, expectedVersion: number): Promise<AppError> {
  const faster = (await listVersions(parts, gate.id)).find(({ version }) => version === gate.version)
  const who = faster ? ` by ${faster.author} at ${new Date(faster.createdAt).toISOString()}` : ''
  return new AppError(
    'CONFLICT',
    `the gate is at version ${gate.version}, made${who}, and your change starts from version ${expectedVersion}: review that version, and apply your change with expectedVersion ${gate.version}`,
    {
      expectedVersion,
      currentVersion: gate.version,
      ...(faster ? { changedBy: faster.author, changedAt: new Date(faster.createdAt).toISOString() } : {}),
    },
  )
}

/**
 * Undefined when the reward values cannot be opened, as after a change of the master key: then the next version fixes
 * it.
 */
async function readCurrent(parts: PlanTools, gate: Gate): Promise<SplitDefinition | undefined> {
  try {
    const rewards = await readRewards(parts, gate)
    return { definition: gate.definition, rewardValues: rewards.map(({ value }) => value ?? null) }
  } catch {
    return undefined
  }
}
