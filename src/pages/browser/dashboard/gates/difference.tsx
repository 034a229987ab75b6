/** Shows the changes between two versions of a gate, line by line. Reward values are not known here. */

import { nameRequirement } from '../../../../gates/definition/rule.ts'
import { gateForm as formWords } from '../../../words/en/gate-form.ts'
import { gateWorkspace as workspaceWords } from '../../../words/en/gate-workspace.ts'
import type { Definition } from './definition.ts'
import { writeLines } from './difference-words.ts'
import type { ChangedLine } from './preview.ts'

export function Difference({
  lines,
  definitions,
  label,
}: {
  readonly lines: readonly ChangedLine[]
  /** Those that are compared, the later first. */
  readonly definitions: readonly (Definition | undefined)[]
  readonly label: string
}) {
  if (lines.length === 0) return <p class="quiet">{workspaceWords.difference.none}</p>
  return (
    <ul class="difference" aria-label={label}>
      {writeLines(lines, definitions).map(({ change, path, label: name, before, after }) => (
        <li key={path} class={change}>
          <span class="difference-word">{workspaceWords.difference[change]}</span>
          <span class="difference-text">
            <strong>
              <bdi>{name}</bdi>
            </strong>{' '}
            {before === undefined && after === undefined && <span class="quiet">{formWords.values.hidden}</span>}
            {before !== undefined && (
              <del>
                <bdi>{shorten(before)}</bdi>
              </del>
            )}{' '}
            {after !== undefined && (
              <ins>
                <bdi>{shorten(after)}</bdi>
              </ins>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

const longest = 300
const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/** Compares two versions as the server compares a version with the newest one: each member by its path. */
export function compareDefinitions(before: Definition, after: Definition): readonly ChangedLine[] {
  const [old, next] = [listMembers(before), listMembers(after)]
  return [
    ...[...next].flatMap(([path, value]): ChangedLine[] => {
      const last = old.get(path)
      if (last === value) return []
      return [
        last === undefined
          ? { change: 'added', path, after: value }
          : { change: 'changed', path, before: last, after: value },
      ]
    }),
    ...[...old].flatMap(([path, value]): ChangedLine[] =>
      next.has(path) ? [] : [{ change: 'removed', path, before: value }],
    ),
  ]
}

/** Requirements by their id and conditions as one line each, as the server writes them. */
function listMembers({ gateId: _, requirements, rewards = [], ...rest }: Definition): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  for (const [name, value] of Object.entries(rest)) addMembers(members, name, value)
  for (const [at, { id: __, match = [], ...requirement }] of requirements.entries()) {
    const path = `requirements.${nameRequirement(requirements[at]!, at)}`
    addMembers(members, path, requirement)
    for (const [row, { path: member, op, value }] of match.entries())
      addMembers(members, `${path}.match[${row}]`, `${member} ${op} ${value}`)
  }
  for (const [at, reward] of rewards.entries()) addMembers(members, `rewards[${at}]`, reward)
  return members
}

function addMembers(members: Map<string, string>, path: string, value: unknown): void {
  if (path === 'rule' || typeof value !== 'object' || value === null || Array.isArray(value))
    members.set(path, JSON.stringify(value))
  else for (const [name, member] of Object.entries(value)) addMembers(members, `${path}.${name}`, member)
}
