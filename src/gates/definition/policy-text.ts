/** The text of a policy file, TOML or JSON, as a value; and where in the text a finding lies. Reads no file. */
import { suggestNearest } from '../../config/suggest.ts'
import { readTomlLines, type TomlLines } from '../../config/toml-lines.ts'
import { parseToml } from '../../config/toml-syntax.ts'
import { findStrictJsonFault } from '../../envelope/strict-json.ts'
import { findUnsafeText, unsafeTextFault } from '../../stream-safe.ts'
import type { Finding, Path } from './finding.ts'
import { camelCase, type Spelling, snakeCase } from './member-case.ts'

export type PolicyFormat = 'toml' | 'json'

export interface ParsedText {
  readonly value: unknown
  readonly spelling: Spelling
  readonly lines?: Pick<TomlLines, 'findLine'>
}

/** Completes the sentence that begins with the name of the file. Quotes nothing of it, which may be a reward. */
export interface TextFault {
  readonly fault: string
  readonly line?: number
  /** The path of the wrong text, spelled as in the file. */
  readonly path?: Path
}

/** Reads past a byte order mark, which some editors write at the start of a file. */
export function parsePolicyText(text: string, format: PolicyFormat): ParsedText | TextFault {
  const read = text.startsWith('\ufeff') ? text.slice(1) : text
  const parsed = format === 'json' ? parseJsonPolicy(read) : parseTomlPolicy(read)
  if ('fault' in parsed) return parsed
  // An escape of JSON or TOML can spell what the text itself does not hold.
  const unsafe = findUnsafeText(parsed.value)
  if (unsafe === undefined) return parsed
  const path = readPath(parsed.value, unsafe)
  const line = parsed.lines?.findLine(path)
  return { fault: unsafeTextFault, path, ...(line === undefined ? {} : { line }) }
}

/** The members and places that a JSON pointer names in a value. */
function readPath(value: unknown, pointer: string): Path {
  let below = value
  return pointer
    .split('/')
    .slice(1)
    .map((token) => {
      const key = Array.isArray(below) ? Number(token) : token.replaceAll('~1', '/').replaceAll('~0', '~')
      below = (below as Record<string | number, unknown> | undefined)?.[key]
      return key
    })
}

function parseTomlPolicy(text: string): ParsedText | TextFault {
  const parsed = parseToml(text)
  if ('error' in parsed) {
    const { reason, line, message } = parsed.error
    return { fault: `this is not TOML: ${reason === 'unquoted' ? 'a text without quotes' : message}`, line }
  }
  // Dates and times without quotes become texts, as they are over the wire.
  return { value: JSON.parse(JSON.stringify(parsed.values)), spelling: snakeCase, lines: readLinesLazily(text) }
}

/** Only findings need lines, and most texts have none. */
function readLinesLazily(text: string): Pick<TomlLines, 'findLine'> {
  let lines: TomlLines | undefined
  return {
    findLine(path) {
      lines ??= readTomlLines(text)
      return lines.findLine(path)
    },
  }
}

function parseJsonPolicy(text: string): ParsedText | TextFault {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: `this is not JSON${text.trimStart().startsWith('{') ? '' : ': it does not begin with {'}` }
  }
  const fault = findStrictJsonFault(text)
  return fault === undefined ? { value, spelling: camelCase } : { fault }
}

/** A finding as the text's author sees it: `does not exist; did you mean "gate_id"?`, and its line. */
export function buildTold({ path, message, values, unknown }: Finding, lines: ParsedText['lines']) {
  const line = lines?.findLine(path)
  const meant = unknown && suggestNearest(unknown.typed, unknown.known)
  return {
    message: `${message}${meant ? `; did you mean "${meant}"?` : ''}`,
    values: meant ? { ...values, meant } : values,
    ...(line === undefined ? {} : { line }),
  }
}
