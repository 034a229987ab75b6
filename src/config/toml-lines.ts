/**
 * Finds lines in a TOML text, which the parser does not give. It reads only as much of the grammar as this
 * needs, and never refuses: where the text makes no sense it stops, and what it found before stands.
 */
import type { Path } from './outline.ts'

export interface TomlLines {
  /** The line of a key or table, else of the nearest thing that it lies in. Lines count from 1. */
  lineOf(path: Path): number | undefined
  /** Settings and table headers in order, each with the offset where it begins. */
  readonly statements: readonly Statement[]
  /** The line where it stopped, because the text makes no sense there or goes too deep. Undefined: it read all of it. */
  readonly stoppedAt: number | undefined
}

export interface Statement {
  path: Path
  readonly line: number
  readonly start: number
}

export interface TomlBounds {
  /** Deeper text than this means nothing to us, and must not exhaust the stack or the memory. */
  readonly deepest?: number
  /** Keys, tables and members of lists. */
  readonly mostEntries?: number
}

export function readTomlLines(
  text: string,
  { deepest = 64, mostEntries = Number.POSITIVE_INFINITY }: TomlBounds = {},
): TomlLines {
  let entries = 0
  const explicit = new Map<string, number>()
  const implied = new Map<string, number>()
  const listLengths = new Map<string, number>()
  const statements: Statement[] = []
  let at = 0
  let line = 1

  function moveTo(end: number): void {
    for (let newline = text.indexOf('\n', at); newline >= 0 && newline < end; newline = text.indexOf('\n', newline + 1))
      line++
    at = end
  }

  /** Reads past what the sticky pattern matches here. Undefined, and nothing read, when it does not match. */
  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found) moveTo(at + found.length)
    return found
  }

  /** The first line wins: of two equal keys the second is the error, and is found by other means. */
  function record(path: Path): void {
    entries++
    for (let depth = 1; depth <= path.length; depth++) {
      const lines = depth === path.length ? explicit : implied
      const key = JSON.stringify(path.slice(0, depth))
      if (!lines.has(key)) lines.set(key, line)
    }
  }

  function readKeys(): string[] | undefined {
    const keys: string[] = []
    do {
      take(/[ \t]*/y)
      const key = take(/[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y)
      if (key === undefined || keys.length === deepest) return undefined
      keys.push(unquoted(key))
      take(/[ \t]*/y)
    } while (take(/\./y))
    return keys
  }

  function readAssignment(path: Path, depth: number): boolean {
    record(path)
    return take(/=[ \t]*/y) !== undefined && readValue(path, depth)
  }

  function readValue(path: Path, depth: number): boolean {
    if (depth > deepest || entries > mostEntries) return false
    if (take(/\[/y)) {
      let index = 0
      return readMembers(/\]/y, () => {
        const member = [...path, index++]
        record(member)
        return readValue(member, depth + 1)
      })
    }
    if (take(/\{/y))
      return readMembers(/\}/y, () => {
        const keys = readKeys()
        return keys !== undefined && readAssignment([...path, ...keys], depth + 1)
      })
    if (text.startsWith('"""', at) || text.startsWith("'''", at)) return readLongText(text.slice(at, at + 3))
    return take(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s,\]}#"'][^,\]}#\n]*/y) !== undefined
  }

  function readMembers(end: RegExp, readMember: () => boolean): boolean {
    for (;;) {
      take(blank)
      if (take(end)) return true
      if (!readMember()) return false
      take(blank)
      if (!take(/,/y)) return take(end) !== undefined
    }
  }

  function readLongText(quotes: string): boolean {
    let end = at + 3
    while (end < text.length && !text.startsWith(quotes, end)) end += quotes === '"""' && text[end] === '\\' ? 2 : 1
    if (end >= text.length) return false
    end += 3
    // Up to two more quotes belong to the text, before the three that close it.
    for (let more = 0; more < 2 && text[end] === quotes[0]; more++) end++
    moveTo(end)
    return true
  }

  /** The path of a header. A list of tables on the way stands for its last table. */
  function headerPath(keys: readonly string[], startsTable: boolean): Path {
    const path: (string | number)[] = []
    for (const [depth, key] of keys.entries()) {
      path.push(key)
      const name = JSON.stringify(path)
      if (startsTable && depth === keys.length - 1) listLengths.set(name, (listLengths.get(name) ?? 0) + 1)
      const length = listLengths.get(name)
      if (length !== undefined) path.push(length - 1)
    }
    return path
  }

  let table: Path = []

  function readStatement(): boolean {
    const statement: Statement = { path: [], line, start: at }
    statements.push(statement)
    const bracket = take(/\[\[?/y)
    const keys = readKeys()
    if (!keys) return false
    if (!bracket) {
      statement.path = [...table, ...keys]
      return readAssignment(statement.path, 0)
    }
    table = headerPath(keys, bracket === '[[')
    statement.path = table
    record(table)
    return take(bracket === '[[' ? /\]\]/y : /\]/y) !== undefined
  }

  /** Past the end of the line. At the end of the text there is nothing to take. */
  const endLine = (): boolean => take(/[ \t\r]*(?:#[^\n]*)?(?:\n|$)/y) !== undefined || at === text.length
  take(blank)
  let isRead = true
  while (isRead && at < text.length) {
    isRead = readStatement() && endLine()
    if (isRead) take(blank)
  }

  return {
    statements,
    stoppedAt: isRead ? undefined : line,
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const key = JSON.stringify(path.slice(0, length))
        const found = explicit.get(key) ?? implied.get(key)
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

const blank = /(?:[ \t\r\n]|#[^\n]*)*/y

function unquoted(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1)
  if (!key.startsWith('"')) return key
  try {
    return JSON.parse(key)
  } catch {
    // An escape that TOML knows and JSON does not: the line of such a key is not found, nothing worse.
    return key
  }
}
