/** Faults in the params of a message: people read this text instead of the validator's list. */
const invalidParams = -32602
const internalError = -32603
/** The library repeats no part of a message, so a longer answer is another error. */
const mostLength = 16_384

interface Issue {
  readonly code?: unknown
  readonly expected?: unknown
  readonly path?: unknown
  readonly message?: unknown
}

/** The text of an answer, with a list of a validator in plain words. Every other text stays as it is. */
export function tellPlainly(text: string): string {
  if (text.length > mostLength || !/"code":-3260[23]\b/.test(text)) return text
  const answer = JSON.parse(text) as { readonly error?: { readonly code?: unknown; readonly message?: unknown } }
  const { code, message } = answer.error ?? {}
  if ((code !== invalidParams && code !== internalError) || typeof message !== 'string') return text
  const issues = readIssues(message)
  if (issues === undefined) return text
  return JSON.stringify({ ...answer, error: { code: invalidParams, message: issues.map(describe).join('; ') } })
}

/** Before the list may stand a word or two. */
function readIssues(message: string): readonly Issue[] | undefined {
  const start = message.indexOf('[\n')
  if (start < 0) return undefined
  try {
    const issues: unknown = JSON.parse(message.slice(start))
    const isList = Array.isArray(issues) && issues.length > 0
    return isList && issues.every((one) => Array.isArray((one as Issue | null)?.path)) ? issues : undefined
  } catch {
    return undefined
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

function describe({ expected, path, message }: Issue): string {
  const name = (path as readonly unknown[]).map(String).join('.') || 'the message'
  const kind = typeof expected === 'string' && Object.hasOwn(kinds, expected) ? kinds[expected] : undefined
  if (kind === undefined) return `${name} is not what the protocol asks for`
  return String(message).endsWith('received undefined')
    ? `${name} is missing: it must be ${kind}`
    : `${name} must be ${kind}`
}
