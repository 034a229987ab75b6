/** Names the field of a finding by the label that the form shows, because a path means nothing to an owner. */
import { gateForm as words } from '../../../words/en/gate-form.ts'
import type { Definition, RewardKind } from './definition.ts'
import { listFields } from './match-fields.ts'
import { nameRequired } from './requirement-form.tsx'

const labels: Readonly<Record<string, string>> = words.fields
const members: Readonly<Record<string, unknown>> = words.requirement
const rewardMembers: Readonly<Record<string, unknown>> = words.reward

/** The label of a member that is no part of a list. */
export const nameMember = (path: string): string => labels[path] ?? labels[path.split(/[.[]/)[0] ?? ''] ?? path

/** `Token balance, Not older than`: a requirement, and one of its members. */
export function nameRequirementMember(verifierId: string | undefined, member: string): string {
  const title = verifierId === undefined ? words.requirement.unknown : nameRequired(verifierId).title
  // The title names the verifier.
  return member === 'verifierId' ? title : join(title, pickText(members, member))
}

/** The label of a value depends on the kind of the reward. */
export function nameRewardMember(at: number, member: string, kind?: RewardKind): string {
  const isValue = member.startsWith('value')
  const values: Readonly<Record<string, string>> = words.rewards.values
  const label = isValue && kind !== undefined ? values[kind] : undefined
  return join(words.reward.numbered(at + 1), label ?? pickText(rewardMembers, member))
}

const pickText = (texts: Readonly<Record<string, unknown>>, name: string): string =>
  typeof texts[name] === 'string' ? texts[name] : ''

/** The label of a condition's field. Conditions without a field have the path that their author typed. */
export const nameCondition = (verifierId: string, path: string): string =>
  listFields(verifierId).find((field) => field.path === path)?.label ?? path

/** `Token balance, Contract`: what is asked for, and its field. */
export function nameField(path: string, definition: Definition | undefined): string {
  const [, list, index = '', rest = ''] = /^(requirements|rewards)\[(\d+)\]\.?(.*)$/.exec(path) ?? []
  if (list === undefined) return nameMember(path)
  const at = Number(index)
  if (list === 'rewards') return nameRewardMember(at, rest, definition?.rewards?.[at]?.kind)
  const requirement = definition?.requirements[at]
  if (!requirement) return join(words.requirement.numbered(at + 1), pickText(members, rest))
  const row = requirement.match?.[Number(/^match\[(\d+)\]/.exec(rest)?.[1] ?? -1)]
  if (!row) return nameRequirementMember(requirement.verifierId, rest)
  return join(nameRequired(requirement.verifierId).title, nameCondition(requirement.verifierId, row.path))
}

/** For a path in a file: `gates[0].price.amount_usd`. The page does not know the requirements of the file. */
export function nameFileField(path: string): string {
  const [, at, rest = path] = /^gates\[(\d+)\]\.?(.*)$/.exec(path) ?? []
  const name =
    rest === ''
      ? ''
      : nameField(
          rest.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
          undefined,
        )
  return at === undefined ? name : join(words.form.numbered(Number(at) + 1), name)
}

const join = (one: string, other: string): string => (other === '' ? one : `${one}, ${other}`)
