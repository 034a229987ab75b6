/**
 * Reward values that stay unchanged. A reward's value is never shown, not even to its owner, so an editor cannot send
 * it again. They name the version and its place. A version never changes, so the name stays valid when others are made.
 */
import { mapInOrder } from '../../in-order.ts'
import type { Parts } from '../../parts.ts'
import { type GateReward, mostRewards } from '../gate.ts'
import { findGate, readRewards } from '../store.ts'
import { type Finding, makeError } from './finding.ts'

export interface Filled {
  /** The definition with the values in place of their names. */
  readonly definition: unknown
  readonly findings: readonly Finding[]
}

type Tools = Pick<Parts, 'db' | 'sealer'>

/**
 * `owner` is the caller: values of other owners' gates do not exist for them. Anything but a definition is returned
 * unchanged.
 */
export async function fillKeptValues(parts: Tools, definition: unknown, owner: string): Promise<Filled> {
  const { gateId, rewards } = (definition ?? {}) as { readonly gateId?: unknown; readonly rewards?: unknown }
  // A list that is too long is refused by its shape: nothing is opened for it.
  const isList = Array.isArray(rewards) && rewards.length <= mostRewards
  if (typeof gateId !== 'string' || !isList || !rewards.some(namesValue)) return { definition, findings: [] }
  const gate = await findGate(parts, gateId)
  const rewardAt = gate?.owner === owner ? rewardReader(parts, gate) : async () => undefined
  const findings: Finding[] = []
  const filled = await mapInOrder<unknown, unknown>(rewards, async (reward, at) => {
    if (!namesValue(reward)) return reward
    const { valueFrom, ...rest } = reward
    const found = await readRewardValue(rewardAt, { kind: rest.kind, valueFrom })
    if ('value' in found && rest.value === undefined) return { ...rest, value: found.value }
    const fault = 'fault' in found ? found.fault : ('KEPT_VALUE_TWICE' as const)
    findings.push(makeError(['rewards', at, 'valueFrom'], fault))
    return rest
  })
  return { definition: { ...(definition as object), rewards: filled }, findings }
}

type Naming = { readonly valueFrom: unknown; readonly value?: unknown; readonly kind?: unknown }

const namesValue = (reward: unknown): reward is Naming =>
  typeof reward === 'object' && reward !== null && Object.hasOwn(reward, 'valueFrom')

interface Named {
  readonly kind: unknown
  readonly valueFrom: unknown
}

type KeptValueFault = 'KEPT_VALUE_FORM' | 'KEPT_VALUE_SEALED' | 'KEPT_VALUE_GONE' | 'KEPT_VALUE_OTHER_KIND'

type ReadReward = (version: number, reward: number) => Promise<GateReward | 'sealed' | undefined>

async function readRewardValue(
  rewardAt: ReadReward,
  { kind, valueFrom }: Named,
): Promise<{ readonly value: string } | { readonly fault: KeptValueFault }> {
  const { version, reward, ...more } = (typeof valueFrom === 'object' && valueFrom !== null ? valueFrom : {}) as {
    readonly version?: unknown
    readonly reward?: unknown
  }
  if (!isPlace(version) || !isPlace(reward) || Object.keys(more).length > 0) return { fault: 'KEPT_VALUE_FORM' }
  const kept = await rewardAt(version, reward)
  if (kept === 'sealed') return { fault: 'KEPT_VALUE_SEALED' }
  if (kept?.value === undefined) return { fault: 'KEPT_VALUE_GONE' }
  // A secret text is no address because a caller says so.
  return kept.kind === kind ? { value: kept.value } : { fault: 'KEPT_VALUE_OTHER_KIND' }
}

/** Opens each version once, however many rewards are taken from it. */
function rewardReader(parts: Tools, gate: Parameters<typeof readRewards>[1]): ReadReward {
  const opened = new Map<number, readonly GateReward[] | 'sealed'>()
  return async (version, reward) => {
    const rewards = opened.get(version) ?? (await openRewards(parts, gate, version))
    opened.set(version, rewards)
    return rewards === 'sealed' ? rewards : rewards[reward]
  }
}

async function openRewards(
  parts: Tools,
  gate: Parameters<typeof readRewards>[1],
  version: number,
): Promise<readonly GateReward[] | 'sealed'> {
  try {
    return await readRewards(parts, gate, version)
  } catch {
    return 'sealed'
  }
}

const isPlace = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1e6
