/**
 * One spelling for equal definitions, so that applying a file again makes no new version. It also separates the open
 * parts from the sealed ones.
 */
import { writeCanonicalJson } from '../../envelope/canonical-json.ts'
import { findUnsafeText } from '../../stream-safe.ts'
import type { RewardValues } from '../change.ts'
import type { GateDefinition, GateRequirement, GateReward, KeptDefinition } from '../gate.ts'
import { nameRequirement } from './rule.ts'

export interface SplitDefinition {
  readonly definition: KeptDefinition
  readonly rewardValues: RewardValues
}

/** Takes the status off, which stands beside the definition, and the reward values, which are sealed. */
export function splitDefinition({
  status,
  rewards,
  rule,
  policy,
  schedule,
  listing,
  ...rest
}: GateDefinition): SplitDefinition {
  return {
    definition: {
      ...rest,
      requirements: rest.requirements.map(normalizeRequirement),
      ...(rule === undefined ? {} : { rule }),
      ...keepUnlessEmpty('policy', policy),
      ...keepUnlessEmpty('schedule', schedule),
      ...(listing ? { listing: { label: listing.label, ...keepUnlessEmpty('tags', listing.tags) } } : {}),
      ...(rewards && rewards.length > 0 ? { rewards: rewards.map(omitValue) } : {}),
    },
    rewardValues: (rewards ?? []).map(({ value }) => value ?? null),
  }
}

/**
 * True when the two are one definition, including rewards. A definition that is not stream-safe dates from before such
 * text was refused. It has no canonical form, and equals nothing new.
 */
export const isSameDefinition = (one: SplitDefinition, other: SplitDefinition): boolean =>
  findUnsafeText([one, other]) === undefined && writeCanonicalJson(one) === writeCanonicalJson(other)

function normalizeRequirement(requirement: GateRequirement, at: number): GateRequirement {
  const { match, optional, minCount, final, recheck, ...rest } = requirement
  return {
    ...rest,
    id: nameRequirement(requirement, at),
    ...(match && match.length > 0 ? { match } : {}),
    ...(optional ? { optional } : {}),
    ...(minCount !== undefined && minCount > 1 ? { minCount } : {}),
    ...(final ? { final } : {}),
    ...(recheck ? { recheck } : {}),
  }
}

function omitValue({ value, ...shown }: GateReward): Omit<GateReward, 'value'> {
  return shown
}

const keepUnlessEmpty = <Name extends string, Value extends object>(name: Name, value: Value | undefined) =>
  (value && Object.keys(value).length > 0 ? { [name]: value } : {}) as { [Key in Name]?: Value }
