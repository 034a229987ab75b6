/**
 * Counts the work of a request in characters, not milliseconds, so that tests agree on every machine. Slow functions of
 * the runtime are wrapped while a request runs; the code under test does not know.
 *
 * It does not count code without these functions, such as loops over characters, nor regular expressions in native
 * code. `bun run bench --only worst` measures CPU time and sees those.
 */
import { Database } from 'bun:sqlite'

/** Kinds of work that are counted. Each is in characters, so that the sum means something. */
export interface Work {
  /** Characters, plus the square of each run of marks: reordering compares neighbors (UAX #15). */
  normalized: number
  /** Characters of texts whose case was changed, or in which something was replaced. */
  rewritten: number
  /** Characters of JSON that were read or written. */
  json: number
  /** Characters of TOML, plus the square of the keys: the parser looks for each among those before it. */
  toml: number
  /** Characters of the rows that came from the database, and a hundred for each call. */
  rows: number
  /** Characters that were hashed. */
  hashed: number
}

const noWork = (): Work => ({ normalized: 0, rewritten: 0, json: 0, toml: 0, rows: 0, hashed: 0 })

export const totalOf = (work: Work): number => Object.values(work).reduce((sum, one) => sum + one, 0)

/** Stops a request far above every bound, which would otherwise keep the test for minutes. */
export class TooMuchWork extends Error {
  constructor(readonly work: Work) {
    super('more work than anybody may cause')
  }
}

let current: Work | undefined
let most = Number.POSITIVE_INFINITY
/** Ends the wait for an answer: code that catches the error might never give one. */
let stop: ((error: TooMuchWork) => void) | undefined

function count(kind: keyof Work, characters: number): void {
  if (current === undefined) return
  current[kind] += characters
  if (totalOf(current) <= most) return
  const error = new TooMuchWork(current)
  stop?.(error)
  throw error
}

const marksIn = /\p{M}{2,}/gu

function marksSquared(text: string): number {
  let sum = 0
  for (const [run] of text.matchAll(marksIn)) sum += run.length ** 2
  return sum
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.byteLength : 0

/** Columns of one row, whose objects are all flat. */
const widthOf = (row: unknown): number =>
  typeof row === 'object' && row !== null
    ? Object.values(row).reduce<number>((sum, value) => sum + 8 + lengthOf(value), 0)
    : 0

const perCall = 100
/** In TOML, each equals sign counts as one key, which is close enough here. */
const keysIn = (text: string): number => text.split('=').length - 1

interface Wrapped {
  readonly owner: object
  readonly name: string
  readonly original: unknown
}
const wrapped: Wrapped[] = []

// biome-ignore lint/suspicious/noExplicitAny: functions of every shape are wrapped
type AnyFunction = (...args: any[]) => any

function wrap(owner: object, name: string, counting: (original: AnyFunction) => AnyFunction): void {
  const original = (owner as Record<string, AnyFunction>)[name]!
  wrapped.push({ owner, name, original })
  ;(owner as Record<string, AnyFunction>)[name] = counting(original)
}

/** Before, so that a text that would take minutes is not begun. */
const before = (kind: keyof Work, cost: (self: unknown, args: unknown[]) => number) => (original: AnyFunction) =>
  function (this: unknown, ...args: unknown[]) {
    count(kind, cost(this, args))
    return original.apply(this, args)
  }

const after = (kind: keyof Work, cost: (result: unknown) => number) => (original: AnyFunction) =>
  function (this: unknown, ...args: unknown[]) {
    const result = original.apply(this, args)
    count(kind, cost(result))
    return result
  }

const rowsOf = (result: unknown): number =>
  perCall + (Array.isArray(result) ? result.reduce<number>((sum, row) => sum + widthOf(row), 0) : widthOf(result))

/** The methods of a statement are its own, so that each statement is wrapped as it is made. */
const statements = new WeakSet<object>()
const counted = (original: AnyFunction) =>
  function (this: unknown, ...args: unknown[]) {
    const statement = original.apply(this, args) as Record<string, AnyFunction>
    if (statements.has(statement)) return statement
    statements.add(statement)
    for (const name of ['get', 'all', 'values', 'run']) {
      const method = statement[name]!
      statement[name] = (...params) => {
        const result = method.apply(statement, params)
        count('rows', rowsOf(result))
        return result
      }
    }
    return statement
  }

/** Before the app opens its database: statements that were made earlier are not counted. */
export function startCounting(): void {
  const self = (text: unknown): number => lengthOf(String(text))
  wrap(
    String.prototype,
    'normalize',
    before('normalized', (text) => self(text) + marksSquared(String(text))),
  )
  for (const name of ['toLowerCase', 'toUpperCase', 'replace', 'replaceAll'])
    wrap(String.prototype, name, before('rewritten', self))
  wrap(
    JSON,
    'parse',
    before('json', (_, [text]) => lengthOf(text)),
  )
  wrap(JSON, 'stringify', after('json', lengthOf))
  wrap(
    Bun.TOML,
    'parse',
    before('toml', (_, [text]) => lengthOf(text) + keysIn(String(text)) ** 2),
  )
  for (const name of ['query', 'prepare']) wrap(Database.prototype, name, counted)
  wrap(
    Bun.SHA256,
    'hash',
    before('hashed', (_, [text]) => lengthOf(text)),
  )
}

export function stopCounting(): void {
  for (const { owner, name, original } of wrapped.splice(0)) (owner as Record<string, unknown>)[name] = original
}

/** The work of one request; `stopAt` ends it there. Requests must not overlap. */
export async function workOf(run: () => Promise<void>, stopAt: number): Promise<Work> {
  const work = noWork()
  current = work
  most = stopAt
  const stopped = new Promise<never>((_, reject) => {
    stop = reject
  })
  try {
    await Promise.race([run(), stopped])
    return work
  } catch (error) {
    if (error instanceof TooMuchWork) return error.work
    throw error
  } finally {
    current = undefined
    stop = undefined
    most = Number.POSITIVE_INFINITY
  }
}
