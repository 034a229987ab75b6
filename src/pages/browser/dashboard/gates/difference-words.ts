/** Writes a changed line of a definition with the labels of the form, because its path means nothing to an owner. */
import { nameRequirement, type RuleNode } from '../../../../gates/definition/rule.ts'
import type { CriterionField } from '../../../../verifiers/words.ts'
import { gateForm as formWords } from '../../../words/en/gate-form.ts'
import { gates as listWords } from '../../../words/en/gates.ts'
import type { Definition } from './definition.ts'
import { nameMember, nameRequirementMember, nameRewardMember } from './field-names.ts'
import { listFields, nameChain } from './match-fields.ts'
import type { ChangedLine } from './preview.ts'
import { nameRequired } from './requirement-form.tsx'

export interface WordedLine {
  readonly change: ChangedLine['change']
  readonly path: string
  readonly label: string
  readonly before?: string
  readonly after?: string
}

/** `definitions`: those that are compared, the later first. */
export function writeLines(
  lines: readonly ChangedLine[],
  definitions: readonly (Definition | undefined)[],
): readonly WordedLine[] {
  const verifierIds = new Map([
    ...lines.flatMap(readVerifierId),
    ...[...definitions].reverse().flatMap(listVerifierIds),
  ])
  return lines.map(({ change, path, before, after }) => {
    const write = (text: string): string => writeValue(path, text, verifierIds)
    return {
      change,
      path,
      label: writeLabel(path, verifierIds),
      ...(before === undefined ? {} : { before: write(before) }),
      ...(after === undefined ? {} : { after: write(after) }),
    }
  })
}

type VerifierIds = ReadonlyMap<string, string>

const listVerifierIds = (definition: Definition | undefined): (readonly [string, string])[] =>
  (definition?.requirements ?? []).map((one, at) => [nameRequirement(one, at), one.verifierId] as const)

/** A removed requirement stands in no definition that is shown, but its line names its verifier. */
function readVerifierId({ path, before, after }: ChangedLine): (readonly [string, string])[] {
  const { id, member } = splitPath(path)
  const verifierId = id !== undefined && member === 'verifierId' ? parse(after ?? before ?? '') : undefined
  return typeof verifierId === 'string' ? [[id!, verifierId]] : []
}

function splitPath(path: string): { readonly id?: string; readonly member: string } {
  const [, id, member] = /^requirements\.([\w-]+)\.(.+)$/.exec(path) ?? []
  return id === undefined ? { member: path } : { id, member: member ?? '' }
}

function writeLabel(path: string, verifierIds: VerifierIds): string {
  const { id, member } = splitPath(path)
  if (id !== undefined && member === 'verifierId') return formWords.requirement.verifierId
  if (id !== undefined) return nameRequirementMember(verifierIds.get(id), member)
  const [, at, rest] = /^rewards\[(\d+)\]\.(.+)$/.exec(path) ?? []
  return at === undefined ? nameMember(path) : nameRewardMember(Number(at), rest ?? '')
}

/** Text that was cut is no JSON any more, and is shown as it is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function writeValue(path: string, text: string, verifierIds: VerifierIds): string {
  const value = parse(text)
  const { id, member } = splitPath(path)
  if (value === undefined) return text
  if (path === 'rule') return writeRule(value as RuleNode, verifierIds)
  if (member === 'verifierId') return nameRequired(String(value)).title
  if (member === 'maxAgeMs' && typeof value === 'number') return writeDuration(value)
  if (id !== undefined && member.startsWith('match[')) return writeCondition(verifierIds.get(id) ?? '', String(value))
  if (typeof value === 'boolean') return value ? formWords.values.yes : formWords.values.no
  if (Array.isArray(value)) return value.map(String).join(', ')
  const named = choices[path.replace(/^rewards\[\d+\]/, 'rewards')]
  return named?.[String(value)] ?? (typeof value === 'object' ? text : String(value))
}

const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: listWords.statuses,
  'policy.visibility': formWords.values.visibility,
  'rewards.kind': formWords.values.kinds,
  'price.executionOrder': formWords.values.executionOrder,
  'price.rewardAfter': formWords.values.rewardAfter,
}

function writeRule(rule: RuleNode, verifierIds: VerifierIds): string {
  if (typeof rule === 'string') return nameRequirementMember(verifierIds.get(rule), '')
  const [members, joiner] = 'all' in rule ? [rule.all, formWords.values.and] : [rule.any, formWords.values.or]
  return members
    .map((one) => (typeof one === 'string' ? writeRule(one, verifierIds) : `(${writeRule(one, verifierIds)})`))
    .join(joiner)
}

/** `input.chainId eq 8453` is written as `Chain: Base (8453)`. Its author typed the path of a condition without a field. */
function writeCondition(verifierId: string, text: string): string {
  const [, path = '', op = 'eq', value = ''] = /^(\S+) (eq|gte|lte) (.*)$/s.exec(text) ?? []
  if (path === '') return text
  const field = listFields(verifierId).find((one) => one.path === path && one.op === op)
  if (!field) return `${path} ${formWords.values.ops[op as keyof typeof formWords.values.ops]} ${value}`
  const { kind, label } = field
  const shown = kind === 'chain' ? nameChain(Number(value)) : nameOption(kind, value)
  return `${label}: ${shown}`
}

const nameOption = (kind: CriterionField['kind'], value: string): string =>
  (Array.isArray(kind) ? kind.find(([one]) => one === value)?.[1] : undefined) ?? value

const units = [
  [86_400_000, formWords.values.days],
  [3_600_000, formWords.values.hours],
  [60_000, formWords.values.minutes],
] as const

function writeDuration(ms: number): string {
  const [length, write] = units.find(([one]) => ms % one === 0) ?? units[2]
  return write(Math.round(ms / length))
}
