/**
 * Reads from a row which providers judged a wallet or content, and their checks. Rows from before several providers
 * existed name one. It reads only its input.
 *
 * One rule holds for every member: it counts when everything that it depends on was checked.
 */
import { type Judgment, listTexts } from '../verifiers/judgment.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { type Condition, findValue } from './condition.ts'

/** The unchecked inputs of a member: the row's value for it means nothing. */
export interface Unchecked {
  readonly unchecked: readonly string[]
}

type Data = Readonly<Record<string, unknown>>
type Asking = Pick<Condition, 'name' | 'op' | 'members' | 'paths'>

/**
 * The values of which one must satisfy the condition, or the unchecked parts. Undefined for a condition on something
 * else, and for a value with its plain meaning.
 */
export function listJudgedValues(
  judgment: Judgment | undefined,
  data: Evidence,
  asking: Asking,
): readonly string[] | Unchecked | undefined {
  if (!judgment) return undefined
  const { name, op } = asking
  if (op === 'eq' && (name === 'provider' || name === 'input.provider')) return listAnsweringProviders(data)
  if (op === 'eq' && name === 'checked') return judgment.listChecked(data)
  const checked = findChecked(name, data) ?? judgment.listChecked(data)
  const hasValue = () => findValue(data, asking.paths) !== undefined
  const unchecked = judgment
    .listNeeded({ name, members: asking.members, hasValue }, checked)
    .filter((topic) => !checked.includes(topic))
  return unchecked.length === 0 ? undefined : { unchecked }
}

export const isUnchecked = (judged: readonly string[] | Unchecked | undefined): judged is Unchecked =>
  judged !== undefined && 'unchecked' in judged

/** The checks of one asked provider, for a path into its answer. Undefined for any other path. */
function findChecked(name: string, { asked }: Evidence): readonly string[] | undefined {
  const [, position] = /^asked\.(\d+)\./.exec(name) ?? []
  if (position === undefined) return undefined
  const one: unknown = Array.isArray(asked) ? asked[Number(position)] : undefined
  return isData(one) ? listTexts(one.checked) : []
}

/** The providers that answered. One asked about other chains alone has not judged the row's subject. */
const listAnsweringProviders = ({ asked, provider }: Evidence): readonly string[] =>
  Array.isArray(asked)
    ? listTexts(
        asked.filter((one) => isData(one) && one.answered === true && !one.chains).map((one: Data) => one.provider),
      )
    : listTexts([provider])

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
