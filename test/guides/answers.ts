/** Answers that pages show, compared with what commands print. `…` stands for values that change from run to run. */

/** Removes values that change from run to run. */
const removeChanging = (text: string): string =>
  text
    .replace(/block \d+/g, 'block N')
    .replace(/\d+ s old/g, 'N s old')
    .replace(/data folder \S+ (.*) \d+ MiB/g, 'data folder F $1 N MiB')
    .trim()

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** The printed text, with `…` where the shown one has it. Equal to the shown text when they agree. */
export function alignText(printed: string, shown: string): { readonly printed: string; readonly shown: string } {
  const [left, right] = [removeChanging(printed), removeChanging(shown)]
  const pattern = right
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?.*' : line.split('…').map(escapePattern).join('.*?')))
    .join('\n')
  return { printed: new RegExp(`^${pattern}$`).test(left) ? right : left, shown: right }
}

const isWord = (text: string): boolean => /^[a-z]+([_-][a-z]+)*$|^[A-Z]+(_[A-Z]+)*$/.test(text)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keeps of a value what is equal in every run: booleans, words, and the types of other values. */
function describeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(describeValue)
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, member]) => [name, describeValue(member)] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    )
  if (value === null) return 'null'
  if (typeof value === 'boolean' || (typeof value === 'string' && isWord(value))) return value
  return typeof value
}

/**
 * Drops from the answer what the shown value leaves open. A value "…" matches anything; a member "…" allows further
 * members.
 */
function leaveOpen(value: unknown, shown: unknown): unknown {
  if (shown === '…') return '…'
  if (Array.isArray(value) && Array.isArray(shown)) return value.slice(0, 1).map((item) => leaveOpen(item, shown[0]))
  if (!isObject(value) || !isObject(shown)) return value
  const entries = Object.entries(value).filter(([name]) => name in shown || !('…' in shown))
  const kept = Object.fromEntries(entries.map(([name, member]) => [name, leaveOpen(member, shown[name])]))
  return '…' in shown ? { ...kept, '…': '…' } : kept
}

export const alignJson = (answer: unknown, shown: unknown): { readonly answer: unknown; readonly shown: unknown } => ({
  answer: describeValue(leaveOpen(answer, shown)),
  shown: describeValue(shown),
})
