/** From what was set to what applies: defaults filled in, then the checked and frozen `Config`. */
import { TransformKind, type TSchema } from '@sinclair/typebox'
import {
  findVariant,
  isList,
  isOptional,
  isPlain,
  isTable,
  listSettings,
  readEntrySchema,
  readValue,
  setValue,
  type Values,
} from './outline.ts'
import { writeCamelCase } from './setting.ts'

/** `values` with every default in its place. Wrong values stay as they are, for the check to find. */
export function fillDefaults(root: TSchema, values: Values): Values {
  const filled = fill(root, values) as Values
  for (const { path, schema } of listSettings(root))
    if (schema.sameAs && readValue(filled, path) === undefined)
      setValue(filled, path, readValue(filled, schema.sameAs.split('.')))
  return filled
}

function fill(schema: TSchema, value: unknown): unknown {
  if (value === undefined) {
    if (isOptional(schema) || schema.default === undefined) return undefined
    return fill(schema, structuredClone(schema.default))
  }
  const table = findVariant(schema, value) ?? schema
  if (isList(table) && Array.isArray(value)) return value.map((item) => fill(table.items, item))
  if (!isPlain(value)) return value
  const entry = readEntrySchema(table)
  const keys = isTable(table) ? Object.keys({ ...table.properties, ...value }) : Object.keys(value)
  const members = keys.map((key) => {
    const member = entry ?? (isTable(table) && Object.hasOwn(table.properties, key) ? table.properties[key] : undefined)
    const own = Object.hasOwn(value, key) ? value[key] : undefined
    return [key, member ? fill(member, own) : own] as const
  })
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

/** Names in camelCase, rates parsed, nothing writable. For values that have passed the check, and only these. */
export function settle(schema: TSchema, value: unknown): unknown {
  const table = findVariant(schema, value) ?? schema
  if (isList(table)) return Object.freeze((value as unknown[]).map((item) => settle(table.items, item)))
  const entry = readEntrySchema(table)
  if (entry)
    return Object.freeze(
      Object.fromEntries(Object.entries(value as Values).map(([key, member]) => [key, settle(entry, member)])),
    )
  if (isTable(table))
    return Object.freeze(
      Object.fromEntries(
        Object.entries(value as Values).map(([key, member]) => [
          writeCamelCase(key),
          settle(table.properties[key]!, member),
        ]),
      ),
    )
  return TransformKind in table
    ? Object.freeze((table[TransformKind] as { Decode(value: unknown): unknown }).Decode(value))
    : value
}
