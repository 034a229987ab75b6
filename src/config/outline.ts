/** The schema seen as tables and settings: the one place that knows how TypeBox stores them. */
import { KindGuard, type TArray, type TObject, type TSchema, type TUnion } from '@sinclair/typebox'
import type { About } from './setting.ts'

/** Names of tables and settings from the top; a number is a place in a list. */
export type Path = readonly (string | number)[]
export type Values = Record<string, unknown>
export type Described = TSchema & Partial<About<unknown>>

export interface Setting {
  readonly path: Path
  readonly schema: Described
}

export const isTable = (schema: TSchema): schema is TObject => KindGuard.IsObject(schema)
export const isUnion = (schema: TSchema): schema is TUnion => KindGuard.IsUnion(schema)
export const isList = (schema: TSchema): schema is TArray => KindGuard.IsArray(schema)
export const isOptional = (schema: TSchema): boolean => KindGuard.IsOptional(schema)

export const variablePrefix = 'PROOFGATE_'

/** The name of a setting in the environment. */
export const nameVariable = (path: Path) => `${variablePrefix}${path.map(writeUpper).join('_')}`

export const writeUpper = (key: string | number) =>
  String(key)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')

/** The schema of the values of a `describeTables`, else undefined. */
export const readEntrySchema = (schema: TSchema): TSchema | undefined =>
  KindGuard.IsRecord(schema) ? Object.values(schema.patternProperties)[0] : undefined

/** Whether a value is a TOML table. Dates and times are objects too, but no tables. */
export const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** The schema one step down. Looks at own properties only: `constructor` is not a setting. */
export function readMemberSchema(schema: TSchema, key: string | number): TSchema | undefined {
  if (isList(schema)) return schema.items
  if (isTable(schema)) return Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
  if (!isUnion(schema)) return readEntrySchema(schema)
  // The chosen table of the union is unknown here. If one variant holds a secret there, all are treated so.
  const members = schema.anyOf.map((variant) => readMemberSchema(variant, key)).filter((member) => member !== undefined)
  return members.find((member) => member.secret) ?? members[0]
}

/** True for a table, or a value that holds one: the value in its place may be a secret inside. */
export const holdsTable = (schema: TSchema): boolean =>
  isTable(schema) ||
  readEntrySchema(schema) !== undefined ||
  (isList(schema) && holdsTable(schema.items)) ||
  (isUnion(schema) && schema.anyOf.some(holdsTable))

/** The table of a union that a value means: the one whose fixed words (`kind = "a"`) the value has. */
export function findVariant(schema: TSchema, value: unknown): TSchema | undefined {
  if (!isUnion(schema) || !isPlain(value)) return undefined
  return schema.anyOf.find(
    (variant) => isTable(variant) && listKinds(variant).every(([key, member]) => member.const === value[key]),
  )
}

/** The members of a table that are fixed words, and so say of which kind it is. */
export const listKinds = (table: TSchema): [string, TSchema][] =>
  isTable(table) ? Object.entries(table.properties).filter(([, member]) => 'const' in member) : []

/** Every setting by its path, tables resolved. A `describeTables` counts as one setting: its keys are the operator's. */
export function listSettings(schema: TSchema, path: Path = []): Setting[] {
  if (!isTable(schema)) return [{ path, schema }]
  return Object.entries(schema.properties).flatMap(([key, member]) => listSettings(member, [...path, key]))
}

/** The schemas that contain a path, from the outside in, as far as the schema knows it. */
export function listSettingsAlong(root: TSchema, path: Path): Setting[] {
  const along: Setting[] = []
  let schema: TSchema | undefined = root
  for (const [depth, key] of path.entries()) {
    schema = readMemberSchema(schema, key)
    if (!schema) break
    along.push({ path: path.slice(0, depth + 1), schema })
  }
  return along
}

export function readValue(values: unknown, path: Path): unknown {
  let value = values
  for (const key of path) {
    if (Array.isArray(value) && typeof key === 'number') value = value[key]
    else if (isPlain(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}

/** Sets a value below tables, made where they are missing. `values` must hold tables where the schema has them. */
export function setValue(values: Values, path: Path, value: unknown): void {
  let table = values
  for (const key of path.slice(0, -1)) {
    if (!isPlain(table[key])) table[key] = {}
    table = table[key] as Values
  }
  table[path.at(-1)!] = value
}
