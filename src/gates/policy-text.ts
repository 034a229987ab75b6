/** The text of a policy file, TOML or JSON, as a value; and where in the text a finding lies. Reads no file. */
import { nearest } from '../config/suggest.ts'
import { readTomlLines, type TomlLines } from '../config/toml-lines.ts'
import { parseToml } from '../config/toml-syntax.ts'
import { strictJsonFault } from '../envelope/strict-json.ts'
import type { Finding } from './finding.ts'
import { camelCase, type Spelling, snakeCase } from './spelling.ts'

export type PolicyFormat = 'toml' | 'json'

export interface ParsedText {
  readonly value: unknown
  readonly spelling: Spelling
  readonly lines?: TomlLines
}

/** Completes the sentence that begins with the name of the file. Quotes nothing of it, which may be a reward. */
export interface TextFault {
  readonly fault: string
  readonly line?: number
}

export const parsedText = (text: string, format: PolicyFormat): ParsedText | TextFault =>
  format === 'json' ? fromJson(text) : fromToml(text)

function fromToml(text: string): ParsedText | TextFault {
  const parsed = parseToml(text)
  if ('error' in parsed) {
    const { line, message } = parsed.error
    // The parser quotes text where it says that quotes are missing, and that text may be a reward.
    const why = message.startsWith('Strings must be quoted') ? 'a text without quotes' : message
    return { fault: `this is not TOML: ${why}`, ...(line === undefined ? {} : { line }) }
  }
  // Dates and times without quotes become texts, as they are over the wire.
  return { value: JSON.parse(JSON.stringify(parsed.values)), spelling: snakeCase, lines: readTomlLines(text) }
}

function fromJson(text: string): ParsedText | TextFault {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: `this is not JSON${text.trimStart().startsWith('{') ? '' : ': it does not begin with {'}` }
  }
  const fault = strictJsonFault(text)
  return fault === undefined ? { value, spelling: camelCase } : { fault }
}

/** A finding as the author of the text is told of it: `does not exist; did you mean "gate_id"?`, and its line. */
export function toldOf({ path, message, unknown }: Finding, lines: TomlLines | undefined) {
  const line = lines?.lineOf(path)
  const meant = unknown && nearest(unknown.typed, unknown.known)
  return {
    message: `${message}${meant ? `; did you mean "${meant}"?` : ''}`,
    ...(line === undefined ? {} : { line }),
  }
}
