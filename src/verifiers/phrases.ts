/** Parts of sentences about the requirements of gates, which the words of several verifiers share. */

export interface PhraseTools {
  /** The name of an EIP-155 chain that this server knows. */
  chainName(chainId: string): string | undefined
}

export interface Criterion {
  readonly path: string
  readonly op: 'eq' | 'gte' | 'lte'
  readonly value: string
}

/** The criteria of a requirement. A phrase takes those that it names, and the others are listed after it. */
export interface Criteria {
  /** The value that a member must be, or be at least. */
  take(...names: readonly string[]): string | undefined
  readonly left: readonly Criterion[]
}

export function makeCriteria(criteria: readonly Criterion[]): Criteria {
  const left = [...criteria]
  return {
    left,
    take(...names) {
      const at = left.findIndex(({ path, op }) => op !== 'lte' && names.includes(readLastMember(path)))
      return at < 0 ? undefined : left.splice(at, 1)[0]?.value
    },
  }
}

const readLastMember = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

export const nameValue = (any: string, value: string | undefined, one = any): string =>
  value === undefined ? any : `${one} ${isolateText(value)}`

export const joinValue = (before: string, value: string | undefined, otherwise = ''): string =>
  value === undefined ? otherwise : `${before}${isolateText(value)}`

export function describeChain(criteria: Criteria, { chainName }: PhraseTools): string {
  const chain = criteria.take('chainId', 'chain')
  return chain === undefined ? '' : ` on ${chainName(chain) ?? `chain ${isolateText(chain)}`}`
}

/** Names the providers that must have judged, and the topics that they must have looked at. */
export function describeJudges(criteria: Criteria): string {
  const judges = takeAll(criteria, 'provider').map(isolateText)
  const topics = takeAll(criteria, 'checked').map(isolateText)
  return [
    ...(judges.length > 0 ? [` by ${judges.join(' and ')}`] : []),
    ...(topics.length > 0 ? [` with a look at ${topics.join(' and ')}`] : []),
  ].join('')
}

function takeAll(criteria: Criteria, name: string): string[] {
  const taken: string[] = []
  for (let value = criteria.take(name); value !== undefined; value = criteria.take(name)) taken.push(value)
  return taken
}

const longest = 120

/** Letters and digits that are written from right to left, and characters that set a direction. */
const turning =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A text of somebody else within a line. Its direction ends where it ends (Unicode UAX #9, isolates), so it cannot turn
 * the words around it. Its own isolates are removed, because one of them could close ours.
 */
export const isolateLine = (text: string): string =>
  turning.test(text) ? `\u2068${text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ')}\u2069` : text

/** As isolateLine, for a sentence: at most 120 characters. */
export function isolateText(text: string): string {
  const plain = text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ')
  return isolateLine(plain.length > longest ? `${plain.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : plain)
}
