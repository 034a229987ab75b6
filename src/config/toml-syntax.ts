/** Parses TOML, and finds where a text is not TOML: the parser says only why. */
import { isPlain, type Path, type Values } from './outline.ts'
import { readTomlLines, type Statement } from './toml-lines.ts'

export type ParsedToml = { readonly values: Values } | { readonly error: TomlError }

export interface TomlError {
  /** The parser's words. They may quote the text, so they may quote a secret. */
  readonly message: string
  readonly line: number | undefined
  /** The setting or table in which the text stops to be TOML, as far as it can be told. */
  readonly path: Path
  /** Where the same path stood before, if it did. */
  readonly firstLine: number | undefined
}

export function parseToml(text: string): ParsedToml {
  const message = refusal(text)
  if (message !== undefined) return { error: locate(text, message) }
  const values: unknown = Bun.TOML.parse(text)
  return { values: isPlain(values) ? values : {} }
}

/** The parser's message, or undefined for a text that it takes. */
function refusal(text: string): string | undefined {
  try {
    Bun.TOML.parse(text)
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return 'nested too deeply'
    return String(error instanceof Error ? error.message : error).replace(/^TOML Parse error: /, '')
  }
}

/**
 * The parser reads from the front, so a text that ends before the error is taken, and any that includes it is
 * refused with the same message. Whole statements are halved down to the first that is refused.
 */
function locate(text: string, message: string): TomlError {
  const lines = readTomlLines(text)
  const { statements } = lines
  const endOf = (index: number) => statements[index + 1]?.start ?? text.length
  let first = 0
  for (let last = statements.length - 1; first < last; ) {
    const middle = (first + last) >> 1
    if (refusal(text.slice(0, endOf(middle))) === undefined) first = middle + 1
    else last = middle
  }
  const statement = statements[first]
  const line = statement && lineWithin(statement, text.slice(0, endOf(first)), message)
  const path = statement?.path ?? []
  const firstLine = lines.lineOf(path)
  return { message, line, path, firstLine: firstLine === line ? undefined : firstLine }
}

/** More lines than this in one statement are not tried one by one. */
const longestStatement = 500

/**
 * Within a statement, lines are added until the message is the one that the whole text gets. Before that it
 * is about the cut.
 */
function lineWithin(statement: Statement, text: string, message: string): number {
  let end = statement.start
  for (let line = statement.line; line < statement.line + longestStatement; line++) {
    end = text.indexOf('\n', end) + 1 || text.length
    if (end === text.length || refusal(text.slice(0, end)) === message) return line
  }
  return statement.line
}
