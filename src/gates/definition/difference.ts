/**
 * The changes between two definitions, line by line. For a reward it only reports that the value changes, never the
 * values.
 */

import type { SplitDefinition } from './normal-form.ts'
import { showDefinition } from './price-names.ts'
import { countJsonBytes } from './summary.ts'

export interface ChangedLine {
  readonly change: 'added' | 'removed' | 'changed'
  /** `requirements.r1.match[0]`: requirements by their id, because their order means nothing. */
  readonly path: string
  /** JSON. Absent for a missing value, and for a hidden one. */
  readonly before?: string
  readonly after?: string
  /** `before` or `after` is cut or omitted: the definitions have it in full. */
  readonly truncated?: true
}

/** The settings beside the definition that change with it. */
export interface Described extends SplitDefinition {
  readonly status: string
}

/** Characters of one text, and bytes of all texts of a difference. A definition may hold a megabyte of both. */
const longestText = 1_000
const longestTotal = 48_000

/** In the order of the newer definition, what was removed at its end. Long texts are cut and flagged. */
export function compareDefinitions(before: Described | undefined, after: Described): ChangedLine[] {
  let room = longestTotal
  const cut = (text: string): string => {
    const shown = room > 0 ? text.slice(0, longestText).replace(/[\ud800-\udbff]$/, '') : ''
    room -= countJsonBytes(shown)
    return shown.length < text.length ? `${shown}…` : text
  }
  return listChanges(before, after).map((line) => {
    const shown = {
      ...line,
      ...(line.before === undefined ? {} : { before: cut(line.before) }),
      ...(line.after === undefined ? {} : { after: cut(line.after) }),
    }
    return shown.before === line.before && shown.after === line.after ? line : { ...shown, truncated: true }
  })
}

function listChanges(before: Described | undefined, after: Described): ChangedLine[] {
  const [old, next] = [listLines(before), listLines(after)]
  return [
    ...[...next].flatMap(([path, line]): ChangedLine[] => {
      const last = old.get(path)
      if (!last) return [{ change: 'added', path, ...(line.shown && { after: line.text }) }]
      if (last.text === line.text) return []
      return [{ change: 'changed', path, ...(line.shown && { before: last.text, after: line.text }) }]
    }),
    ...[...old].flatMap(([path, line]): ChangedLine[] =>
      next.has(path) ? [] : [{ change: 'removed', path, ...(line.shown && { before: line.text }) }],
    ),
  ]
}

interface Line {
  /** JSON. */
  readonly text: string
  readonly shown: boolean
}

function listLines(described: Described | undefined): Map<string, Line> {
  const lines = new Map<string, Line>()
  if (!described) return lines
  const add = (path: string, value: unknown): void => void lines.set(path, { text: JSON.stringify(value), shown: true })
  const { gateId: _, requirements, rewards = [], ...rest } = showDefinition(described.definition)
  add('status', described.status)
  for (const [name, value] of Object.entries(rest)) addMembers(name, value, add)
  for (const { id = '', match = [], ...requirement } of requirements) {
    addMembers(`requirements.${id}`, requirement, add)
    for (const [at, { path, op, value }] of match.entries())
      add(`requirements.${id}.match[${at}]`, `${path} ${op} ${value}`)
  }
  for (const [at, reward] of rewards.entries()) {
    addMembers(`rewards[${at}]`, reward, add)
    const value = described.rewardValues[at]
    if (value != null) lines.set(`rewards[${at}].value`, { text: value, shown: false })
  }
  return lines
}

/** Lists and the tree of the rule are one line each. */
function addMembers(path: string, value: unknown, add: (path: string, value: unknown) => void): void {
  if (path === 'rule' || typeof value !== 'object' || value === null || Array.isArray(value)) add(path, value)
  else for (const [name, member] of Object.entries(value)) addMembers(`${path}.${name}`, member, add)
}
