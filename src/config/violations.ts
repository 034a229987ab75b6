/** The refusals of TypeBox, and of the rules that TypeBox cannot express. One finding for each wrong value. */
import { type TSchema, Type } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import {
  findVariant,
  isList,
  isPlain,
  isTable,
  isUnion,
  listKinds,
  type Path,
  readEntrySchema,
  readValue,
  type Values,
} from './outline.ts'

export interface Violation {
  readonly path: Path
  /** The schema that the value violates. */
  readonly schema: TSchema
  readonly value: unknown
  /** The key is wrong, whatever its value; `schema` is that of its table. */
  readonly isKey?: true
}

export function findViolations(root: TSchema, values: Values): Violation[] {
  const byPath = new Map<string, Violation>()
  const add = (violation: Violation) => {
    const key = JSON.stringify(violation.path)
    // A missing value is reported twice, and a bad item again for its list: the first says it best.
    if (!byPath.has(key)) byPath.set(key, violation)
  }
  // The check alone takes half the time of a search for faults, and nearly every start finds none.
  if (!Value.Check(root, values))
    for (const error of Value.Errors(root, values))
      for (const violation of listViolations(error, values)) add(violation)
  for (const violation of listRuleBreaks(root, values, []))
    if (!byPath.has(JSON.stringify(violation.path))) add(violation)
  return [...byPath.values()]
}

/** For a union of tables: the faults in the intended table, or in the word that selects it. */
function* listViolations(error: ValueError, values: Values): Generator<Violation> {
  const path = parsePath(error.path, values)
  const { schema, value } = error
  const variant = error.type === ValueErrorType.Union ? findVariant(schema, value) : undefined
  const [kind] = isUnion(schema) && isPlain(value) ? listKinds(schema.anyOf[0]!) : []
  if (variant) {
    for (const inner of Value.Errors(variant, value))
      for (const violation of listViolations(inner, value as Values))
        yield { ...violation, path: [...path, ...violation.path] }
  } else if (kind) {
    const kinds = isUnion(schema) ? schema.anyOf.flatMap((table) => listKinds(table).map(([, member]) => member)) : []
    yield { path: [...path, kind[0]], schema: Type.Union(kinds), value: readValue(value, [kind[0]]) }
  } else {
    const isKey = error.type === ValueErrorType.ObjectAdditionalProperties
    yield { path, schema, value, ...(isKey && { isKey }) }
  }
}

function* listRuleBreaks(schema: TSchema, value: unknown, path: Path): Generator<Violation> {
  const table = findVariant(schema, value) ?? schema
  if (isList(table) && Array.isArray(value))
    for (const [index, item] of value.entries()) yield* listRuleBreaks(table.items, item, [...path, index])
  const entry = readEntrySchema(table)
  if (isPlain(value))
    for (const [key, member] of Object.entries(value)) {
      const known =
        entry ?? (isTable(table) && Object.hasOwn(table.properties, key) ? table.properties[key] : undefined)
      if (known) yield* listRuleBreaks(known, member, [...path, key])
    }
  if (schema.accepts && Value.Check(schema, value) && !schema.accepts(value)) yield { path, schema, value }
}

/** JSON pointers (RFC 6901) do not tell places in a list from keys; the values do. */
function parsePath(pointer: string, values: unknown): Path {
  const path: (string | number)[] = []
  let value = values
  for (const part of pointer.split('/').slice(1)) {
    const key = Array.isArray(value) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(key)
    value = (value as Record<string | number, unknown> | undefined)?.[key]
  }
  return path
}
