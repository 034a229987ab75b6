/** Shows the changes between two versions of a gate, line by line. Reward values are not known here. */
import type { Definition } from './definition.ts'
import type { ChangedLine } from './preview.ts'

const words = { added: 'New', removed: 'Gone', changed: 'Changed' } as const

export function Difference({ lines, label }: { readonly lines: readonly ChangedLine[]; readonly label: string }) {
  if (lines.length === 0) return <p class="quiet">Nothing.</p>
  return (
    <ul class="difference" aria-label={label}>
      {lines.map(({ change, path, before, after }) => (
        <li key={path} class={change}>
          <span class="difference-word">{words[change]}</span>
          <span class="difference-text">
            <code>
              <bdi>{path}</bdi>
            </code>{' '}
            {before === undefined && after === undefined && <span class="quiet">a value that is not shown</span>}
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

function listMembers(value: object, prefix = '', members = new Map<string, string>()): ReadonlyMap<string, string> {
  for (const [name, member] of Object.entries(value)) {
    const path = Array.isArray(value) ? `${prefix}[${name}]` : prefix ? `${prefix}.${name}` : name
    if (typeof member === 'object' && member !== null && name !== 'rule') listMembers(member, path, members)
    else members.set(path, JSON.stringify(member))
  }
  return members
}
