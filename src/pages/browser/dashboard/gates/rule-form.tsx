/** The form for the rule: all requirements, any of them, or groups of them. Deeper trees are edited in the source. */

import { nameRequirement, type RuleNode } from '../../../../gates/definition/rule.ts'
import { gateForm as words } from '../../../words/en/gate-form.ts'
import type { Definition, Requirement } from './definition.ts'
import { SelectField } from './fields.tsx'
import { nameRequired } from './requirement-form.tsx'

type Word = 'all' | 'any'

const splitRule = (node: RuleNode): readonly [Word, readonly RuleNode[]] | undefined =>
  typeof node === 'string' ? undefined : 'all' in node ? ['all', node.all] : ['any', node.any]

const groupRules = (word: Word, members: readonly RuleNode[]): RuleNode =>
  word === 'all' ? { all: members } : { any: members }

/** `all` is the default, `any` takes any of all requirements, and a tree has groups. */
function readMode({ rule, requirements }: Definition): 'all' | 'any' | 'groups' {
  if (rule === undefined) return 'all'
  const [word, members] = splitRule(rule) ?? ['all', [rule]]
  const isFlat = members.every((one) => typeof one === 'string')
  return isFlat && word === 'any' && members.length === requirements.length ? 'any' : 'groups'
}

/** Removes requirements that no longer exist from the tree, and then empty groups. */
export function keepRule(rule: RuleNode | undefined, ids: readonly string[]): RuleNode | undefined {
  if (rule === undefined) return undefined
  if (typeof rule === 'string') return ids.includes(rule) ? rule : undefined
  const [word, members] = splitRule(rule)!
  const left = members.flatMap((one) => keepRule(one, ids) ?? [])
  return left.length === 0 ? undefined : groupRules(word, left)
}

/** Adds a new requirement to the rule: an `any` rule takes it as one more choice. */
export function extendRule(definition: Definition, id: string): RuleNode | undefined {
  const { rule } = definition
  const parts = rule === undefined ? undefined : splitRule(rule)
  if (rule === undefined) return undefined
  return parts ? groupRules(parts[0], [...parts[1], id]) : { all: [rule, id] }
}

export function RuleForm({
  definition,
  onChange,
}: {
  readonly definition: Definition
  onChange(rule: RuleNode | undefined): void
}) {
  const { requirements, rule } = definition
  if (requirements.length < 2) return null
  const ids = requirements.map(nameRequirement)
  const mode = readMode(definition)
  return (
    <>
      <SelectField
        label={words.fields.rule}
        value={mode}
        options={[
          ['all', words.form.allOf],
          ['any', words.form.anyOf],
          ['groups', words.form.groups],
        ]}
        onChange={(next) =>
          onChange(
            next === 'all'
              ? undefined
              : next === 'any'
                ? { any: ids }
                : { all: [{ any: ids.slice(0, -1) }, ids.at(-1)!] },
          )
        }
      />
      {mode === 'groups' && rule !== undefined && (
        <GroupForm node={rule} requirements={requirements} depth={1} onChange={onChange} />
      )}
    </>
  )
}

const deepest = 3

function GroupForm({
  node,
  requirements,
  depth,
  onChange,
}: {
  readonly node: RuleNode
  readonly requirements: readonly Requirement[]
  readonly depth: number
  onChange(node: RuleNode | undefined): void
}) {
  const [word, members] = splitRule(node) ?? ['all', [node]]
  const set = (next: readonly RuleNode[], as: Word = word) =>
    onChange(next.length === 0 ? undefined : groupRules(as, next))
  const groups = members.flatMap((one, at) => (typeof one === 'string' ? [] : [{ one, at }]))
  return (
    <fieldset class="rule-group">
      <legend>{word === 'all' ? words.form.allOfThese : words.form.anyOfThese}</legend>
      <SelectField
        label={words.form.enough}
        value={word}
        options={[
          ['all', words.form.allOfThese],
          ['any', words.form.anyOfThese],
        ]}
        onChange={(next) => set(members, next as Word)}
      />
      <div class="rule-members">
        {requirements.map((requirement, at) => {
          const id = nameRequirement(requirement, at)
          return (
            <label key={id} class="rule-member">
              <input
                type="checkbox"
                class="rule-tick"
                checked={members.includes(id)}
                onChange={({ currentTarget }) =>
                  set(currentTarget.checked ? [...members, id] : members.filter((one) => one !== id))
                }
              />{' '}
              {nameRequired(requirement.verifierId).title}
            </label>
          )
        })}
      </div>
      {groups.map(({ one, at }) => (
        <GroupForm
          key={at}
          node={one}
          requirements={requirements}
          depth={depth + 1}
          onChange={(next) => set(members.flatMap((member, index) => (index === at ? (next ?? []) : member)))}
        />
      ))}
      {depth < deepest && (
        <button
          type="button"
          class="link"
          onClick={() => set([...members, { any: [nameRequirement(requirements[0]!, 0)] }])}
        >
          {words.form.addGroup}
        </button>
      )}
    </fieldset>
  )
}
