/**
 * Finds the lines of keys in a TOML text in one pass, for messages: the parser locates only syntax errors. It reads
 * only the necessary grammar and never refuses. It stops at invalid text, and keeps its earlier findings. It reads
 * every character once, so its time is linear.
 */
import type { Path } from './outline.ts'

export interface TomlLines {
  /** The line of a key or table, else of the nearest table or list around it. Lines count from 1. */
  findLine(path: Path): number | undefined
  /** Settings and table headers in order, each with the offset where it begins. */
  readonly statements: readonly Statement[]
}

export interface Statement {
  readonly path: Path
  readonly line: number
  readonly start: number
}

/** A key, a table or a place in a list. */
interface Place {
  readonly key: string | number
  readonly parent: Place | undefined
  readonly members: Map<string | number, Place>
  /** The line of its own header, and the line where a longer key first implies it. */
  explicitLine?: number
  impliedLine?: number
  /** For a list of tables: the number of headers so far. */
  tables?: number
}

/** Configuration is far less deep, and the stack of the program is not endless. */
const deepest = 64

export function readTomlLines(text: string): TomlLines {
  const root = makePlace('', undefined)
  const statements: Statement[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  let line = 1

  function moveForward(end: number): void {
    for (; at < end; at++) if (text.charCodeAt(at) === 0x0a) line++
  }

  /** Reads past what the sticky pattern matches here. Undefined, and nothing read, when it does not match. */
  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found) moveForward(at + found.length)
    return found
  }

  function findMember(parent: Place, key: string | number): Place {
    const known = parent.members.get(key)
    if (known) return known
    const place = makePlace(key, parent)
    parent.members.set(key, place)
    return place
  }

  /** The place of a dotted key. The first line wins: of two equal keys the parser refuses the second. */
  function placeBelow(parent: Place, keys: readonly (string | number)[]): Place {
    let place = parent
    for (const key of keys) {
      place.impliedLine ??= line
      place = findMember(place, key)
    }
    place.explicitLine ??= line
    return place
  }

  function readKeys(): string[] | undefined {
    const keys: string[] = []
    do {
      take(/[ \t]*/y)
      const key = take(/[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y)
      if (key === undefined) return undefined
      keys.push(unquoteKey(key))
      take(/[ \t]*/y)
    } while (take(/\./y))
    return keys
  }

  const readAssignment = (place: Place, depth: number): boolean =>
    take(/=[ \t]*/y) !== undefined && readValue(place, depth)

  function readValue(place: Place, depth: number): boolean {
    if (depth > deepest) return false
    if (take(/\[/y)) {
      let index = 0
      return readMembers(/\]/y, () => readValue(placeBelow(place, [index++]), depth + 1))
    }
    if (take(/\{/y))
      return readMembers(/\}/y, () => {
        const keys = readKeys()
        return keys !== undefined && readAssignment(placeBelow(place, keys), depth + 1)
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
    moveForward(end)
    return true
  }

  /** The place of a header. A list of tables on the way stands for its last table. */
  function findHeaderPlace(keys: readonly string[], startsTable: boolean): Place {
    let place = root
    for (const [depth, key] of keys.entries()) {
      place.impliedLine ??= line
      place = findMember(place, key)
      if (startsTable && depth === keys.length - 1) place.tables = (place.tables ?? 0) + 1
      if (place.tables === undefined) continue
      place.impliedLine ??= line
      place = findMember(place, place.tables - 1)
    }
    place.explicitLine ??= line
    return place
  }

  let table = root

  function addStatement(place: Place, line: number, start: number): void {
    statements.push({
      line,
      start,
      get path() {
        return buildPath(place)
      },
    })
  }

  function readStatement(): boolean {
    const [start, startLine] = [at, line]
    const bracket = take(/\[\[?/y)
    const keys = readKeys()
    if (!keys) {
      addStatement(root, startLine, start)
      return false
    }
    const place = bracket ? findHeaderPlace(keys, bracket === '[[') : placeBelow(table, keys)
    addStatement(place, startLine, start)
    if (!bracket) return readAssignment(place, 0)
    table = place
    return take(bracket === '[[' ? /\]\]/y : /\]/y) !== undefined
  }

  /** Past the end of the line. At the end of the text there is nothing to take. */
  const endLine = (): boolean => take(/[ \t\r]*(?:#[^\n]*)?(?:\n|$)/y) !== undefined || at === text.length
  take(blank)
  while (at < text.length && readStatement() && endLine()) take(blank)

  return {
    statements,
    findLine(path) {
      let place: Place | undefined = root
      let found: number | undefined
      for (const key of path) {
        place = place.members.get(key)
        if (!place) break
        found = place.explicitLine ?? place.impliedLine ?? found
      }
      return found
    },
  }
}

const makePlace = (key: string | number, parent: Place | undefined): Place => ({ key, parent, members: new Map() })

function buildPath(place: Place): Path {
  const path: (string | number)[] = []
  for (let one = place; one.parent; one = one.parent) path.push(one.key)
  return path.reverse()
}

const blank = /(?:[ \t\r\n]|#[^\n]*)*/y

function unquoteKey(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1)
  if (!key.startsWith('"')) return key
  try {
    return JSON.parse(key)
  } catch {
    // An escape that TOML knows and JSON does not: the line of such a key is not found, nothing worse.
    return key
  }
}
