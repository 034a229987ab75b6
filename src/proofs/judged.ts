/**
 * What a row says of who judged and what was looked at, where one or several providers did: of a wallet, or of content.
 * Rows of before there were several name one provider. Reads only what it is shown.
 *
 * One rule for every member: it means something where everything that it rests on was looked at.
 */
import { type Judgement, listTexts } from '../verifiers/judgement.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { type Condition, findValue } from './condition.ts'

/** What a member rests on, and nobody looked at: what the row says of it means nothing. */
export interface Unchecked {
  readonly unchecked: readonly string[]
}

type Data = Readonly<Record<string, unknown>>
type Asking = Pick<Condition, 'name' | 'op' | 'members' | 'paths'>

/**
 * The values of which one must be what the condition wants, or what nobody looked at. Undefined where the condition is
 * about something else, and where its value means what it says.
 */
export function listJudgedValues(
  judgement: Judgement | undefined,
  data: Evidence,
  asking: Asking,
): readonly string[] | Unchecked | undefined {
  if (!judgement) return undefined
  const { name, op } = asking
  if (op === 'eq' && (name === 'provider' || name === 'input.provider')) return listAnsweringProviders(data)
  if (op === 'eq' && name === 'checked') return judgement.listChecked(data)
  const checked = findChecked(name, data) ?? judgement.listChecked(data)
  const hasValue = () => findValue(data, asking.paths) !== undefined
  const unchecked = judgement
    .listNeeded({ name, members: asking.members, hasValue }, checked)
    .filter((topic) => !checked.includes(topic))
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

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
