/** The requirements of a gate: those that the person meets, those that are missing, and the step for each. */

import { isGuestList } from '../../gates/guests/guest-list.ts'
import { makeElement, renderButton } from '../../web/ui/dom.ts'
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
export const makeStep = (requirement: Requirement): Step => ({
  key: `gate ${requirement.id}`,
  verifierId: requirement.verifierId,
  fixed: readFixed(requirement),
})

const readFixed = ({ match }: Requirement): Readonly<Record<string, string>> =>
  Object.fromEntries(
    match
      .filter(({ op, path }) => op === 'eq' || (op === 'gte' && /(^|\.)minBalance$/.test(path)))
      .map(({ path, value }) => [readName(path), value]),
  )

/** Maps a member of the evidence to its name in the claim. */
const readName = (path: string): string => {
  const name = path.replace(/^input\./, '')
  return name === 'handle' ? 'pseudonymId' : name === 'verificationMethod' ? 'method' : name
}

const isRequirementMet = (rows: readonly Row[], { id }: Requirement): boolean =>
  rows.find((row) => row.id === id)?.satisfied ?? false

/** Returns the first missing requirement that can be proved. Nobody can prove a place on a list. */
export const findNext = (gate: Gate, rows: readonly Row[]): Requirement | undefined =>
  gate.requirements.find((one) => !one.optional && !isGuestList(one) && !isRequirementMet(rows, one))

/** Whether the list keeps this wallet out, whatever else it proves. */
export const isKeptOut = (gate: Gate, rows: readonly Row[]): boolean =>
  gate.rule === null &&
  gate.requirements.some((one) => isGuestList(one) && !one.optional && !isRequirementMet(rows, one))

/** Whether this wallet is on the list of the gate. */
export const isGuest = (gate: Gate, rows: readonly Row[]): boolean =>
  gate.requirements.some((one) => isGuestList(one) && isRequirementMet(rows, one))

const words = {
  list: 'Guest list',
  isOnList: ' you are on it',
  isNotOnList: ' you are not on it',
}

/** A line without a step: there is nothing to prove. */
const renderGuestList = (isMet: boolean): HTMLElement =>
  makeElement(
    'li',
    { class: isMet ? 'met' : '' },
    makeElement('strong', {}, words.list),
    makeElement('span', { class: 'quiet' }, isMet ? words.isOnList : words.isNotOnList),
  )

export function listNeeds(
  gate: Gate,
  rows: readonly Row[],
  titleOf: (verifierId: string) => string,
  open: (requirement: Requirement) => void,
): HTMLElement {
  const next = findNext(gate, rows)
  return makeElement(
    'ul',
    { class: 'needs' },
    ...gate.requirements.map((requirement) => {
      const isMet = isRequirementMet(rows, requirement)
      if (isGuestList(requirement)) return renderGuestList(isMet)
      const exact = requirement.match.map(
        ({ path, op, value }) =>
          `${path.replace(/^input\./, '')} ${op === 'eq' ? 'is' : op === 'gte' ? 'at least' : 'at most'} ${value}`,
      )
      return makeElement(
        'li',
        { class: isMet ? 'met' : '' },
        makeElement('strong', {}, titleOf(requirement.verifierId)),
        makeElement(
          'span',
          { class: 'quiet' },
          isMet ? ' you have it' : requirement.optional ? ' not needed, but possible' : ' missing',
        ),
        exact.length > 0 && makeElement('p', { class: 'hint' }, exact.join(', ')),
        requirement.final &&
          makeElement(
            'p',
            { class: 'hint' },
            'A proof counts once its block is final: some minutes after it was made.',
          ),
        requirement.recheck &&
          makeElement('p', { class: 'hint' }, 'The chain is asked again before anything is given.'),
        !isMet &&
          requirement !== next &&
          makeElement(
            'p',
            {},
            renderButton(`Prove: ${titleOf(requirement.verifierId)}`, () => open(requirement), 'secondary'),
          ),
      )
    }),
  )
}
