/** The requirements of a gate: those that the person meets, those that are missing, and the step for each. */

import { button, el } from '../../web/ui/dom.ts'
import type { Gate, Requirement } from './gate.ts'
import type { Step } from './step.ts'

/** The answer of a gate check for one requirement. */
export interface Row {
  readonly id: string
  readonly verifierId: string
  readonly satisfied: boolean
  readonly qHash: string | null
}

/** The step that meets a requirement, with the criteria of the gate filled in. */
export const stepOf = (requirement: Requirement): Step => ({
  key: `gate ${requirement.id}`,
  verifierId: requirement.verifierId,
  fixed: fixedOf(requirement),
})

const fixedOf = ({ match }: Requirement): Readonly<Record<string, string>> =>
  Object.fromEntries(
    match
      .filter(({ op, path }) => op === 'eq' || (op === 'gte' && /(^|\.)minBalance$/.test(path)))
      .map(({ path, value }) => [nameIn(path), value]),
  )

/** Maps a member of the evidence to its name in the claim. */
const nameIn = (path: string): string => {
  const name = path.replace(/^input\./, '')
  return name === 'handle' ? 'pseudonymId' : name === 'verificationMethod' ? 'method' : name
}

const isMetIn = (rows: readonly Row[], { id }: Requirement): boolean =>
  rows.find((row) => row.id === id)?.satisfied ?? false

/** Returns the first missing requirement. */
export const nextOf = (gate: Gate, rows: readonly Row[]): Requirement | undefined =>
  gate.requirements.find((one) => !one.optional && !isMetIn(rows, one))

export function listOf(
  gate: Gate,
  rows: readonly Row[],
  titleOf: (verifierId: string) => string,
  open: (requirement: Requirement) => void,
): HTMLElement {
  const next = nextOf(gate, rows)
  return el(
    'ul',
    { class: 'needs' },
    ...gate.requirements.map((requirement) => {
      const isMet = isMetIn(rows, requirement)
      const exact = requirement.match.map(
        ({ path, op, value }) =>
          `${path.replace(/^input\./, '')} ${op === 'eq' ? 'is' : op === 'gte' ? 'at least' : 'at most'} ${value}`,
      )
      return el(
        'li',
        { class: isMet ? 'met' : '' },
        el('strong', {}, titleOf(requirement.verifierId)),
        el(
          'span',
          { class: 'quiet' },
          isMet ? ' you have it' : requirement.optional ? ' not needed, but possible' : ' missing',
        ),
        exact.length > 0 && el('p', { class: 'hint' }, exact.join(', ')),
        requirement.final &&
          el('p', { class: 'hint' }, 'A proof counts once its block is final: some minutes after it was made.'),
        requirement.recheck && el('p', { class: 'hint' }, 'The chain is asked again before anything is given.'),
        !isMet &&
          requirement !== next &&
          el(
            'p',
            {},
            button(`Prove: ${titleOf(requirement.verifierId)}`, () => open(requirement), 'secondary'),
          ),
      )
    }),
  )
}
