/**
 * The type of one setting: a TypeBox schema that also carries its documentation. The checker, the messages, the
 * environment names and config.example.toml all read it, so each setting is stated once. This file knows no particular
 * setting; those are in schema.ts.
 */
import { type Static, type StaticDecode, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'

export interface About<Value> {
  /** Its meaning, in one or two short sentences. */
  readonly description: string
  /** The effect of a change, or the breakage. */
  readonly consequence: string
  readonly unit?: string
  /** A setting without a default is wrapped in Type.Optional, or has `sameAs`; "" in the file means "not set". */
  readonly default?: Value
  /** The behavior while it is unset: for settings without a default. */
  readonly whenEmpty?: string
  /** Path of another setting whose value this one takes while it is not set. */
  readonly sameAs?: string
  /** A value that would be accepted, shown in every message about this setting. */
  readonly example: Value
  /** Never shown. */
  readonly secret?: true
  /**
   * The value names a file, which must be there when the server starts, a folder, or a place that is a folder or an
   * address. Relative to the working directory.
   */
  readonly names?: 'file' | 'folder' | 'place'
  /** The accepted values in words, where the schema's own bounds do not express them. */
  readonly expected?: string
  /** A rule that the schema's own bounds cannot say. Asked only for values of the right type. */
  readonly accepts?: (value: Value) => boolean
}

/** Two settings that exclude each other, each valid alone. */
export interface Contradiction {
  /** Names of tables and settings, from the table that finds it. */
  readonly path: readonly (string | number)[]
  /** The problem and its remedy, as one sentence without the name of the setting. */
  readonly problem: string
}

interface AboutTable {
  readonly description?: string
  /** Takes the valid values of the table, under the names of the file. Asked only of a table at the top of the file. */
  readonly findContradictions?: (table: Readonly<Record<string, unknown>>) => readonly Contradiction[]
}

interface TextBounds {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

export const describeText = (about: About<string> & TextBounds) =>
  Type.String({ minLength: 1, maxLength: 1000, ...about })

export const describeWhole = (about: About<number> & { readonly minimum: number; readonly maximum: number }) =>
  Type.Integer(about)

export const describeFlag = (about: About<boolean>) => Type.Boolean(about)

/** One of a few words. The cast only tells the compiler the words that the union is made of. */
export const describeChoice = <const Words extends readonly string[]>(words: Words, about: object = {}) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    about,
  ) as TSchema as TUnsafe<Words[number]>

export const list = <Item extends TSchema>(
  item: Item,
  about: About<Static<Item>[]> & {
    readonly minItems?: number
    readonly maxItems: number
    /** Given where a rule of its own says what an item repeats. */
    readonly uniqueItems?: false
  },
) => Type.Array(item, { uniqueItems: true, ...about })

/** A table whose keys the operator chooses. `key` is the pattern that they follow. */
export const describeTables = <Value extends TSchema>(
  key: string,
  value: Value,
  about: Partial<About<Record<string, Static<Value>>>> & AboutTable,
) => Type.Record(Type.String({ pattern: key }), value, { default: {}, additionalProperties: false, ...about })

/** A table with the named settings and no others. When the file omits it, it is empty. */
export const describeTable = <const Settings extends Record<string, TSchema>>(
  settings: Settings,
  about: AboutTable = {},
) => Type.Object(settings, { default: {}, additionalProperties: false, ...about })

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

type Camelised<Value> = Value extends readonly (infer Item)[]
  ? readonly Camelised<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value as Key extends string ? CamelCase<Key> : Key]: Camelised<Value[Key]> }
    : Value

/** The checked form of a schema: property names in camelCase, rates and the like parsed, nothing writable. */
export type Checked<Schema extends TSchema> = Camelised<StaticDecode<Schema>>

export const writeCamelCase = (name: string) =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
