/** Parses TOML once. It reports the place and reason of a fault without quoting the text, which may hold a secret. */
import { parse, TomlError as SyntaxFault, TomlDate } from 'smol-toml'
import { isPlain, type Path, type Values } from './outline.ts'
import { readTomlLines } from './toml-lines.ts'

export type ParsedToml = { readonly values: Values } | { readonly error: TomlError }

export interface TomlError {
  readonly reason: TomlReason
  /** The parser's words, which quote nothing of the text. */
  readonly message: string
  readonly line: number
  /** The setting or table in which the text stops to be TOML, as far as it can be told. */
  readonly path: Path
  /** The line of an earlier occurrence of the same path, if any. */
  readonly firstLine: number | undefined
}

/** The mistakes that people make most, told apart so that they can be told in a newcomer's words. */
export type TomlReason = 'unquoted' | 'too-large' | 'twice' | 'escape' | 'too-deep' | 'syntax'

/** Deeper than any configuration or policy, and far from what exhausts the stack of a walk over the values. */
const deepest = 100

export function parseToml(text: string): ParsedToml {
  let values: unknown
  try {
    values = parse(text)
  } catch (error) {
    if (error instanceof SyntaxFault) return { error: explainFault(text, error) }
    throw error
  }
  const fault = findFault(values, new Set(text.match(/\d{4}-\d{2}-\d{2}/g)))
  if (fault) return { error: locateFault(text, fault) }
  return { values: isPlain(values) ? values : {} }
}

interface ValueFault {
  readonly path: Path
  readonly reason: TomlReason
  readonly message: string
}

/** Values that the parser accepts wrongly: dotted keys of any depth, and 30 February, which it reads as 2 March. */
function findFault(value: unknown, writtenDays: ReadonlySet<string>, path: Path = []): ValueFault | undefined {
  if (path.length > deepest) return { path: path.slice(0, 1), reason: 'too-deep', message: 'nested too deeply' }
  if (value instanceof TomlDate)
    return value.isTime() || writtenDays.has(value.toISOString().slice(0, 10))
      ? undefined
      : { path, reason: 'syntax', message: 'there is no such day' }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof member !== 'object') continue
    const fault = findFault(member, writtenDays, [...path, key])
    if (fault) return fault
  }
  return undefined
}

function locateFault(text: string, { path, ...fault }: ValueFault): TomlError {
  return { ...fault, path, line: readTomlLines(text).findLine(path) ?? 1, firstLine: undefined }
}

function explainFault(text: string, { message: full, line, column }: SyntaxFault): TomlError {
  // The parser appends the lines around the error, which may hold a secret.
  const message = full.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '')
  const lines = readTomlLines(text)
  const path = lines.statements.findLast((one) => one.line <= line)?.path ?? []
  const firstLine = lines.findLine(path)
  const rest = readLine(text, line).slice(column - 1)
  const reason = readReason(message, rest)
  return {
    reason,
    message: reason === 'too-deep' ? 'nested too deeply' : writePlainWords(message, rest),
    line,
    path,
    firstLine: firstLine === line ? undefined : firstLine,
  }
}

function writePlainWords(message: string, rest: string): string {
  if (message === 'invalid value' && /^\s*(?:#|$)/.test(rest))
    return 'the value after = is missing; it must be on the same line'
  if (message === 'control characters are not allowed in strings' && /^\r?$/.test(rest))
    return 'a text in quotes does not end on its line: the second quote may be missing'
  return plainWords[message] ?? message
}

/** Replaces parser messages that only help readers who know its grammar. */
const plainWords: Readonly<Record<string, string>> = {
  'illegal character in key':
    'a name here holds a character that needs quotes, or the ] after the name of a table is missing',
  'expected comma or end of structure': 'a comma, or the bracket that closes the list or table, is missing before this',
  'unfinished string': 'a text in quotes is never closed: the second quote may be missing',
  'incomplete key-value: cannot find end of key': 'there is a name without = and a value',
}

function readReason(message: string, rest: string): TomlReason {
  if (message.startsWith('invalid value') && /^[^\s#=,[\]{}"'0-9+-]/.test(rest)) return 'unquoted'
  if (message.includes('represented losslessly')) return 'too-large'
  if (message.startsWith('trying to redefine')) return 'twice'
  if (message.includes('escape')) return 'escape'
  return message.includes('nested') ? 'too-deep' : 'syntax'
}

function readLine(text: string, line: number): string {
  let start = 0
  for (let passed = 1; passed < line; passed++) start = text.indexOf('\n', start) + 1
  const end = text.indexOf('\n', start)
  return text.slice(start, end < 0 ? undefined : end)
}
