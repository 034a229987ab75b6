/**
 * From the text of a store to the text of PostgreSQL. Stores write what both engines take, so that little is left to
 * change: parameters, and hints for SQLite's planner.
 */
import type { SqlValue } from '../commit-group.ts'

/** Texts, names in quotes and comments come first, so that nothing is changed inside them. */
const tokens =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?\d*|\b(?:NOT INDEXED|INDEXED BY \w+)|\bCROSS JOIN(?=\s+\w+(?:\s+(?:AS\s+)?\w+)?\s+ON\b)/g

const translated = new Map<string, string>()

/** Each text is translated once: stores have some hundreds. */
export function translate(sql: string): string {
  const known = translated.get(sql)
  if (known !== undefined) return known
  let last = 0
  const text = sql
    .replace(tokens, (token) => {
      if (token.startsWith('?')) {
        const number = token === '?' ? last + 1 : Number(token.slice(1))
        last = Math.max(last, number)
        return `$${number}`
      }
      if (token.startsWith('CROSS')) return 'JOIN'
      return /^(NOT|INDEXED)/.test(token) ? '' : token
    })
    // A hint that lets SQLite keep its plan (query.ts).
    .replace(/\bLIMIT (\$\d+) \+ 0\b/g, 'LIMIT $1')
  translated.set(sql, text)
  return text
}

export interface Filled {
  readonly sql: string
  readonly params: string[]
}

/** The text for one set of nulls, and the parameters that it still has, by their places from 0. */
interface Form {
  readonly sql: string
  readonly places: readonly number[]
}

const forms = new Map<string, Map<string, Form>>()

/**
 * Values as PostgreSQL gets them: as texts, whose types it infers. No text holds U+0000 there: U+FFFD stands for it, as
 * where JSON is read. The driver declares a null as an integer, so a null is written into the text. The same text with the same nulls is always the same text, so that it is prepared once.
 */
export function fillNulls(sql: string, params: readonly SqlValue[]): Filled {
  const known = forms.get(sql) ?? new Map<string, Form>()
  forms.set(sql, known)
  const nulls = params.map((value) => (value === null ? 'n' : 'v')).join('')
  const form = known.get(nulls) ?? writeForm(sql, params)
  known.set(nulls, form)
  return { sql: form.sql, params: form.places.map((place) => String(params[place]).replaceAll('\0', '\ufffd')) }
}

const numbered = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$\d+/g

/** A parameter that the text does not use would have no type, so it is left out. */
function writeForm(sql: string, params: readonly SqlValue[]): Form {
  const used = new Set<number>()
  sql.replace(numbered, (token) => {
    const place = Number(token.slice(1)) - 1
    if (token.startsWith('$') && params[place] !== null) used.add(place)
    return token
  })
  const places = [...used].sort((one, other) => one - other)
  return {
    sql: sql.replace(numbered, (token) => {
      if (!token.startsWith('$')) return token
      const index = places.indexOf(Number(token.slice(1)) - 1)
      return index < 0 ? 'NULL' : `$${index + 1}`
    }),
    places,
  }
}
