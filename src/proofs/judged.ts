/**
 * What a row says of who judged and what was looked at, where one or several providers did: of a wallet, or of content.
 * Rows of before there were several name one provider. Reads only what it is shown.
 *
 * One rule for every member: it means something where everything that it rests on was looked at.
 */
import type { Evidence } from '../verifiers/verifier.ts'
import { type Condition, findValue } from './condition.ts'

/** What a member rests on, and nobody looked at: what the row says of it means nothing. */
export interface Unchecked {
  readonly unchecked: readonly string[]
}

type Data = Readonly<Record<string, unknown>>
type Asking = Pick<Condition, 'name' | 'op' | 'members' | 'paths'>

interface Judgement {
  /** Everything that was looked at. */
  listChecked(data: Evidence): readonly string[]
  /** What the condition rests on. Empty where it is about something else. */
  listNeeded(asking: Asking, data: Evidence, checked: readonly string[]): readonly string[]
}

/** Those of before that do not say what they looked at, by what each provider has always looked at. */
const formerChecks: ReadonlyMap<string, readonly string[]> = new Map([
  ['webacy', ['sanctions', 'activity', 'poisoning']],
  ['goplus', ['sanctions', 'activity']],
  ['chainalysis', ['sanctions']],
])

/**
 * What each member of a finding about a wallet rests on, whoever found it. A level is made of what the wallet did or is:
 * one who knows lists of sanctions alone calls every other wallet "low".
 */
const memberTopics: Readonly<Record<string, string>> = {
  sanctioned: 'sanctions',
  poisoned: 'poisoning',
  riskLevel: 'activity',
  overallRisk: 'activity',
}

const judgements: Readonly<Record<string, Judgement>> = {
  'wallet-risk': {
    listChecked({ checked, provider, sources, blocks }) {
      if (Array.isArray(checked)) return listTexts(checked)
      const known = (typeof provider === 'string' && formerChecks.get(provider)) || []
      const listed = listTexts(sources).includes('risk.deny_list') ? ['sanctions'] : []
      const hasReadChain = provider === 'embedded' && Array.isArray(blocks) && blocks.length > 0
      return [...known, ...listed, ...(hasReadChain ? ['activity'] : [])]
    },
    listNeeded: ({ members }) =>
      Object.entries(memberTopics).flatMap(([member, topic]) => (members.has(member) ? topic : [])),
  },
  'ai-content-moderation': {
    listChecked: ({ categories }) => (isData(categories) ? Object.keys(categories) : []),
    listNeeded({ name, members, paths }, data, checked) {
      if (members.has('safe')) return checked.length > 0 ? [] : ['any category']
      const [, category] = /^(?:categories|scores)\.(.+)$/.exec(name) ?? []
      return category === undefined || findValue(data, paths) !== undefined ? [] : [category]
    },
  },
}

/**
 * The values of which one must be what the condition wants, or what nobody looked at. Undefined where the condition is
 * about something else, and where its value means what it says.
 */
export function listJudgedValues(
  verifierId: string,
  data: Evidence,
  asking: Asking,
): readonly string[] | Unchecked | undefined {
  const judgement = Object.hasOwn(judgements, verifierId) ? judgements[verifierId] : undefined
  if (!judgement) return undefined
  const { name, op } = asking
  if (op === 'eq' && (name === 'provider' || name === 'input.provider')) return listAnsweringProviders(data)
  if (op === 'eq' && name === 'checked') return judgement.listChecked(data)
  const checked = findChecked(name, data) ?? judgement.listChecked(data)
  const unchecked = judgement.listNeeded(asking, data, checked).filter((topic) => !checked.includes(topic))
  return unchecked.length === 0 ? undefined : { unchecked }
}

export const isUnchecked = (judged: readonly string[] | Unchecked | undefined): judged is Unchecked =>
  judged !== undefined && 'unchecked' in judged

/** What one of those who were asked looked at, for a path into what it said. Undefined for any other path. */
function findChecked(name: string, { asked }: Evidence): readonly string[] | undefined {
  const [, position] = /^asked\.(\d+)\./.exec(name) ?? []
  if (position === undefined) return undefined
  const one: unknown = Array.isArray(asked) ? asked[Number(position)] : undefined
  return isData(one) ? listTexts(one.checked) : []
}

/** Those who were asked and answered. One who was asked about other chains alone has not judged what the row is about. */
const listAnsweringProviders = ({ asked, provider }: Evidence): readonly string[] =>
  Array.isArray(asked)
    ? listTexts(
        asked.filter((one) => isData(one) && one.answered === true && !one.chains).map((one: Data) => one.provider),
      )
    : listTexts([provider])

const listTexts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
