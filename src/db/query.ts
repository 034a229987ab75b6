/**
 * SQL whose type knows its rows.
 *
 * A statement stays text. It names its columns by their keys in schema.ts, which give each its type. So a renamed
 * column fails the type check wherever it is read. The schema itself is not loaded. A column's name is its key in snake
 * case, which test/db/schema.test.ts checks.
 */
import type { SqlValue } from './commit-group.ts'
import type * as schema from './schema.ts'

type Schema = typeof schema
/** The rows of each table, by the table's name. */
type Rows = {
  [Key in keyof Schema as Schema[Key] extends { readonly _: { readonly name: infer Name extends string } }
    ? Name
    : never]: Schema[Key] extends { readonly $inferSelect: infer Row } ? Row : never
}
type Table = keyof Rows & string

/** A table, and what the statement calls it: `proofs`, or `proofs p`. */
type Source = Table | `${Table} ${string}`
type Columns<From extends Source> = From extends Table
  ? Rows[From]
  : From extends `${infer Name extends Table} ${string}`
    ? Rows[Name]
    : never
/** Keys of the columns that hold hashes, and keys of the others. */
type HashKey<Row> = { [Key in keyof Row]: Row[Key] extends Uint8Array ? Key : never }[keyof Row] & string
type PlainKey<Row> = {
  [Key in keyof Row]: Extract<Row[Key], Uint8Array> extends never ? Key : never
}[keyof Row] &
  string

/** A key, or several with names of their own in the result: `{ proofId: 'id' }`. */
type Pick<Key extends string> = Key | { readonly [name: string]: Key }
type NameIn<One> = One extends string ? One : keyof One
type KeyOfName<One, Name> = One extends string
  ? One extends Name
    ? One
    : never
  : Name extends keyof One
    ? One[Name]
    : never
type Picked<Row, One> = { readonly [Name in NameIn<One>]: Row[KeyOfName<One, Name> & keyof Row] }
type Digits<One> = { readonly [Name in NameIn<One>]: string }
type Present<Row> = { readonly [Key in keyof Row]: NonNullable<Row[Key]> }
type OrNull<Row> = { readonly [Key in keyof Row]: Row[Key] | null }

declare const selected: unique symbol
declare const given: unique symbol

/** Text of a SELECT list, or a part of it. */
export type Selected<Row> = string & { readonly [selected]: Row }
/** A whole statement: the row that it gives, and the parameters that it takes. */
export type Query<Row, Params extends readonly SqlValue[]> = string & {
  readonly [given]: { readonly row: Row; readonly params: Params }
}

type RowsIn<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? (First extends Selected<infer Row> ? Row : unknown) & RowsIn<Rest>
  : unknown
type Flat<Row> = { readonly [Key in keyof Row]: Row[Key] }

/** The row that a statement, or a part of one, gives. */
export type RowOf<Text> =
  Text extends Query<infer Row, infer _Params> ? Row : Text extends Selected<infer Row> ? Flat<Row> : never

/** Columns as they are stored. */
export const pick = <const From extends Source, const Picks extends readonly Pick<PlainKey<Columns<From>>>[]>(
  from: From,
  ...picks: Picks
) => writeList(from, picks, (column) => column) as Selected<Picked<Columns<From>, Picks[number]>>

/** Columns that a condition of the statement keeps from being null. */
export const pickPresent = <const From extends Source, const Picks extends readonly Pick<PlainKey<Columns<From>>>[]>(
  from: From,
  ...picks: Picks
) => writeList(from, picks, (column) => column) as Selected<Present<Picked<Columns<From>, Picks[number]>>>

/** Columns of a table that is joined LEFT: null where it has no row. */
export const pickOptional = <const From extends Source, const Picks extends readonly Pick<PlainKey<Columns<From>>>[]>(
  from: From,
  ...picks: Picks
) => writeList(from, picks, (column) => column) as Selected<OrNull<Picked<Columns<From>, Picks[number]>>>

/** Hashes, as hexadecimal digits. */
export const pickDigits = <const From extends Source, const Picks extends readonly Pick<HashKey<Columns<From>>>[]>(
  from: From,
  ...picks: Picks
) => writeList(from, picks, (column) => `lower(hex(${column}))`) as Selected<Digits<Picks[number]>>

/** Hashes, as `0x` and hexadecimal digits. */
export const pickHash = <const From extends Source, const Picks extends readonly Pick<HashKey<Columns<From>>>[]>(
  from: From,
  ...picks: Picks
) => writeList(from, picks, (column) => `'0x' || lower(hex(${column}))`) as Selected<Digits<Picks[number]>>

interface Kinds {
  readonly number: number
  readonly text: string
  readonly 'number or null': number | null
  readonly 'text or null': string | null
}

/** The name of a value that is computed: it follows AS. */
export const label = <const Name extends string, Kind extends keyof Kinds>(name: Name, _kind: Kind) =>
  quoteName(name) as Selected<{ readonly [Key in Name]: Kinds[Kind] }>

/** The name of a value that is computed and has the type of a column. */
export const labelLike = <const From extends Source, const One extends Pick<PlainKey<Columns<From>>>>(
  _from: From,
  like: One,
) => quoteName(typeof like === 'string' ? like : Object.keys(like)[0]!) as Selected<Picked<Columns<From>, One>>

/** A part of a statement that knows what it selects. */
export const compose = <const Parts extends readonly (string | number)[]>(
  text: TemplateStringsArray,
  ...parts: Parts
) => String.raw({ raw: text }, ...parts) as Selected<Flat<RowsIn<Parts>>>

/** Makes a statement: `query<[gateId: string]>()` and its text. */
export const query =
  <Params extends readonly SqlValue[]>() =>
  <const Parts extends readonly (string | number)[]>(text: TemplateStringsArray, ...parts: Parts) =>
    keepPlan(String.raw({ raw: text }, ...parts)) as Query<Flat<RowsIn<Parts>>, Params>

/**
 * SQLite looks at the value of a parameter that is the whole LIMIT, and plans the statement anew at every run: 10 to 20 us
 * each (sqlite3ExprIsInteger, since 3.48). It does not look into an expression. Writes with a limit are rare, and stay as
 * they are.
 */
const keepPlan = (sql: string): string => sql.replace(/\bLIMIT (\?\d*)/g, 'LIMIT $1 + 0')

function writeList(
  from: string,
  picks: readonly (string | { readonly [name: string]: string })[],
  read: (column: string) => string,
): string {
  const [table = '', alias = table] = from.split(' ')
  return picks
    .flatMap((one) => (typeof one === 'string' ? [[one, one] as const] : Object.entries(one)))
    .map(([name, key]) => {
      const column = nameColumn(key)
      const value = read(`${alias}.${column}`)
      return value.endsWith(`.${name}`) ? value : `${value} AS ${quoteName(name)}`
    })
    .join(', ')
}

const nameColumn = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** PostgreSQL keeps capitals only in quotes, and some names are words of its own. */
const quoteName = (name: string): string => `"${name}"`
