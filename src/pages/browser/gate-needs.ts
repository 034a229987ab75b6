/** The requirements of a gate: those that the person meets, those that are missing, and the step for each. */

import { chooseRule, isRuleMet, type RuleNode } from '../../gates/definition/rule.ts'
import { isGuestList } from '../../gates/guests/guest-list.ts'
import type { CriterionField } from '../../verifiers/words.ts'
import { makeElement, renderButton } from '../../web/ui/dom.ts'
import type { OfferedVerifier } from '../verify-model.ts'
import { gateNeeds as words } from '../words/en/checkout.ts'
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

/**
 * The ids of the requirements whose proof helps to get in, in the order of the rule. Empty: none does, because nobody
 * can prove a place on a list.
 */
export function listHelpful(
  { rule, requirements }: Pick<Gate, 'rule' | 'requirements'>,
  met: ReadonlySet<string>,
): readonly string[] {
  const within = new Set([...met, ...requirements.flatMap((one) => (isGuestList(one) ? [] : [one.id]))])
  const list = (node: RuleNode): readonly string[] => {
    if (isRuleMet(node, met) || !isRuleMet(node, within)) return []
    if (typeof node === 'string') return [node]
    return ('all' in node ? node.all : node.any).flatMap(list)
  }
  return [...new Set(list(chooseRule({ requirements, ...(rule === null ? {} : { rule }) })))]
}

const findHelpful = (gate: Gate, rows: readonly Row[]): readonly string[] =>
  listHelpful(gate, new Set(rows.flatMap(({ id, satisfied }) => (satisfied ? [id] : []))))

/** Returns the first missing requirement whose proof helps. */
export function findNext(gate: Gate, rows: readonly Row[]): Requirement | undefined {
  const helpful = findHelpful(gate, rows)
  return gate.requirements.find(({ id }) => helpful.includes(id))
}

/** Whether the list keeps this wallet out, whatever else it proves. Asked while requirements are missing. */
export const isKeptOut = (gate: Gate, rows: readonly Row[]): boolean =>
  gate.requirements.some(isGuestList) && findHelpful(gate, rows).length === 0

/** Whether this wallet is on the list of the gate. */
export const isGuest = (gate: Gate, rows: readonly Row[]): boolean =>
  gate.requirements.some((one) => isGuestList(one) && isRequirementMet(rows, one))

/** A line without a step: there is nothing to prove. */
const renderGuestList = (isMet: boolean): HTMLElement =>
  makeElement(
    'li',
    { class: isMet ? 'met' : '' },
    makeElement('strong', {}, words.list),
    makeElement('span', { class: 'quiet' }, isMet ? words.isOnList : words.isNotOnList),
  )

/** What the gate asks for, before anybody has shown anything. */
export const listAsked = (gate: Gate, verifiers: Readonly<Record<string, OfferedVerifier>>): HTMLElement =>
  makeElement(
    'div',
    {},
    makeElement(
      'ul',
      { class: 'asked' },
      ...gate.requirements.map((requirement) => {
        const { title = requirement.verifierId, fields = [], lead } = verifiers[requirement.verifierId] ?? {}
        const exact = requirement.match.map((criterion) => describeCriterion(criterion, fields)).join(', ')
        const isListed = isGuestList(requirement)
        return makeElement(
          'li',
          {},
          makeElement('strong', {}, isListed ? words.list : title),
          requirement.optional && gate.rule === null && makeElement('span', { class: 'quiet' }, words.optional),
          makeElement('p', { class: 'hint' }, isListed ? words.listLead : exact || lead),
        )
      }),
    ),
    gate.rule !== null && makeElement('p', { class: 'quiet' }, words.perhapsEnough),
  )

/** Ticks what the person has of the list that listAsked() made. */
export function tickAsked(gate: Gate, rows: readonly Row[]): void {
  for (const [at, item] of document.querySelectorAll('.asked > li').entries()) {
    const requirement = gate.requirements[at]
    const isMet = requirement !== undefined && isRequirementMet(rows, requirement)
    item.classList.toggle('met', isMet)
    item.querySelector('.tick')?.remove()
    if (!isMet) continue
    const said = isGuestList(requirement) ? words.isOnList : words.has
    item.querySelector('strong')?.after(makeElement('span', { class: 'quiet tick' }, said))
  }
}

export function listNeeds(
  gate: Gate,
  rows: readonly Row[],
  verifiers: Readonly<Record<string, OfferedVerifier>>,
  open: (requirement: Requirement) => void,
): HTMLElement {
  const next = findNext(gate, rows)
  const helpful = findHelpful(gate, rows)
  const isShut = helpful.length === 0 && isKeptOut(gate, rows)
  const canHelp = ({ id, optional }: Requirement): boolean =>
    helpful.includes(id) || (gate.rule === null && optional && !isShut)
  return makeElement(
    'ul',
    { class: 'needs' },
    ...gate.requirements.map((requirement) => {
      const isMet = isRequirementMet(rows, requirement)
      if (isGuestList(requirement)) return renderGuestList(isMet)
      const { title = requirement.verifierId, fields = [] } = verifiers[requirement.verifierId] ?? {}
      const exact = requirement.match.map((criterion) => describeCriterion(criterion, fields))
      return makeElement(
        'li',
        { class: isMet ? 'met' : '' },
        makeElement('strong', {}, title),
        makeElement(
          'span',
          { class: 'quiet' },
          isMet ? words.has : requirement.optional ? words.optional : words.missing,
        ),
        exact.length > 0 && makeElement('p', { class: 'hint' }, exact.join(', ')),
        requirement.final && makeElement('p', { class: 'hint' }, words.final),
        requirement.recheck && makeElement('p', { class: 'hint' }, words.recheck),
        !isMet &&
          requirement !== next &&
          canHelp(requirement) &&
          makeElement(
            'p',
            {},
            renderButton(words.prove(title), () => open(requirement), 'secondary'),
          ),
      )
    }),
  )
}

/** By the label of its field in the form of a gate, where it has one. */
function describeCriterion(
  { path, op, value }: Requirement['match'][number],
  fields: readonly CriterionField[],
): string {
  const field = fields.find((one) => one.path === path && one.op === op)
  if (field) return words.is(field.label, findLabel(field, value))
  const name = path.replace(/^input\./, '')
  return op === 'eq' ? words.is(name, value) : op === 'gte' ? words.atLeast(name, value) : words.atMost(name, value)
}

const findLabel = ({ kind }: CriterionField, value: string): string =>
  (typeof kind === 'object' && kind.find(([one]) => one === value)?.[1]) || value
