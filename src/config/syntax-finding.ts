/**
 * Explains to a newcomer why a text is not TOML. It keeps the parser's words where they help, and never where they
 * quote a value. A secret without quotes must not end up in a log.
 */
import type { TSchema } from '@sinclair/typebox'
import { describe, type Finding, makeFinding, writeExample } from './finding.ts'
import { listSettingsAlong } from './outline.ts'
import type { TomlError } from './toml-syntax.ts'
import { writeTomlPath } from './toml-text.ts'

export function makeSyntaxFinding(
  root: TSchema,
  source: string,
  { reason, message, line, path, firstLine }: TomlError,
): Finding {
  const along = listSettingsAlong(root, path)
  const setting = along.length === path.length ? along.at(-1)?.schema : undefined
  const fault = {
    key: writeTomlPath(path),
    expected: setting?.expected ?? (setting ? describe(setting) : 'text in quotes, a number, true, false or a list'),
    example: (setting && writeExample(along)) || 'host = "127.0.0.1"',
  }
  const place = { source, line }

  if (reason === 'unquoted') return makeFinding(place, { ...fault, got: 'text without quotes' })
  if (reason === 'too-large') return makeFinding(place, { ...fault, got: 'a number that is too large' })
  if (reason === 'twice') {
    const problem = firstLine === undefined ? 'set twice' : `set twice, first in line ${firstLine}`
    return makeFinding(place, { ...fault, expected: 'each setting and table once', problem })
  }
  if (reason === 'escape') {
    const problem = 'a \\ in double quotes has a meaning of its own: write \\\\, or put the text in single quotes'
    return makeFinding(place, {
      ...fault,
      expected: 'text in single quotes',
      problem,
      example: "data = 'C:\\proofgate'",
    })
  }
  return makeFinding(place, { ...fault, expected: 'valid TOML', problem: `not valid TOML: ${message}` })
}
