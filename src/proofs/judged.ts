/**
 * What a row says of who judged and what was looked at, where one or several providers did: of a wallet, or of content.
 * Rows of before there were several name one provider. Reads only what it is shown.
 */
import type { Evidence } from '../verifiers/verifier.ts'
import type { Condition } from './condition.ts'

/** Looked at by nobody: what the row says of it means nothing. */
export const unchecked = 'unchecked'

type Data = Readonly<Record<string, unknown>>

interface Judgement {
  /** Everything that was looked at. */
  listChecked(data: Evidence): readonly string[]
  /** What must have been looked at for a member to mean anything. */
  readonly topicOf: Readonly<Record<string, string>>
}

/** Those of before that do not say what they looked at, by what each provider has always looked at. */
const checkedBefore: ReadonlyMap<string, readonly string[]> = new Map([
  ['webacy', ['sanctions', 'activity', 'poisoning']],
  ['goplus', ['sanctions', 'activity']],
  ['chainalysis', ['sanctions']],
])

const judgements: Readonly<Record<string, Judgement>> = {
  'wallet-risk': {
    listChecked({ checked, provider, sources }) {
      if (Array.isArray(checked)) return textsIn(checked)
      const listed = textsIn(sources).includes('risk.deny_list') ? ['sanctions'] : []
      return [...((typeof provider === 'string' && checkedBefore.get(provider)) || []), ...listed]
    },
    topicOf: { sanctioned: 'sanctions', poisoned: 'poisoning' },
  },
  'ai-content-moderation': {
    listChecked: ({ categories }) => (isData(categories) ? Object.keys(categories) : []),
    topicOf: {},
  },
}

/**
 * The values of which one must be what the condition wants; `unchecked` where nobody looked at it. Undefined where the
 * condition is about something else.
 */
export function judgedValues(
  verifierId: string,
  data: Evidence,
  { name, op, members }: Pick<Condition, 'name' | 'op' | 'members'>,
): readonly string[] | typeof unchecked | undefined {
  const judgement = Object.hasOwn(judgements, verifierId) ? judgements[verifierId] : undefined
  if (!judgement) return undefined
  if (op === 'eq' && (name === 'provider' || name === 'input.provider')) return answeringIn(data)
  if (op === 'eq' && name === 'checked') return judgement.listChecked(data)
  const topics = Object.entries(judgement.topicOf).flatMap(([member, topic]) => (members.has(member) ? topic : []))
  if (topics.length === 0) return undefined
  const checked = judgement.listChecked(data)
  return topics.every((topic) => checked.includes(topic)) ? undefined : unchecked
}

/** Those who were asked and answered. One who was asked about other chains alone has not judged what the row is about. */
const answeringIn = ({ asked, provider }: Evidence): readonly string[] =>
  Array.isArray(asked)
    ? textsIn(
        asked.filter((one) => isData(one) && one.answered === true && !one.chains).map((one: Data) => one.provider),
      )
    : textsIn([provider])

const textsIn = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
