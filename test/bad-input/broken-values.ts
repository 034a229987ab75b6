/** Values that a described input does not take, at every place that its schema describes. */

export interface Described {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly example?: unknown
  readonly minimum?: number
  readonly items?: Described
  readonly anyOf?: readonly Described[]
  readonly properties?: Readonly<Record<string, Described>>
}

export type Place = readonly (string | number)[]

const wrong: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  0.5,
  1e15,
  '',
  'é!',
  'x'.repeat(70_000),
  [],
  {},
  [''],
  1_767_225_600,
]

/** Wrong texts for values outside of a body. */
export const wrongTexts: readonly string[] = [
  '',
  ' ',
  'x'.repeat(5000),
  'é!',
  '-1',
  '0',
  '9'.repeat(21),
  '1.5',
  '1767225600',
]

const deepest = 4

/** Every member and entry that a schema describes. */
export function* listPlaces(schema: Described, at: Place = []): Generator<Place> {
  if (at.length > deepest) return
  for (const one of schema.anyOf ?? []) yield* listPlaces(one, at)
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    yield [...at, name]
    yield* listPlaces(member, [...at, name])
  }
  if (schema.items === undefined) return
  yield [...at, 0]
  yield* listPlaces(schema.items, [...at, 0])
}

/** A value that comes near to the described one. */
export function makeSample(schema: Described): unknown {
  const { example, const: only, enum: words, anyOf, type, items, properties, minimum } = schema
  if (example !== undefined) return example
  if (only !== undefined) return only
  if (words) return words[0]
  if (anyOf) return makeSample(anyOf[0]!)
  if (type === 'array') return items ? [makeSample(items)] : []
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, member]) => [name, makeSample(member)]))
  if (type === 'integer' || type === 'number') return minimum ?? 1
  return type === 'boolean' ? true : 'x'
}

/**
 * The value with a wrong one at each place. Nested places get every third wrong value, a different third at each place.
 */
export function* breakEverywhere(schema: Described, base: unknown): Generator<unknown> {
  let turn = 0
  for (const place of new Map([...listPlaces(schema)].map((one) => [one.join('/'), one])).values()) {
    turn++
    for (const [index, value] of wrong.entries())
      if (place.length === 1 || (index + turn) % 3 === 0) yield putAt(base, place, value)
  }
}

function putAt(base: unknown, [first, ...rest]: Place, value: unknown): unknown {
  if (first === undefined) return value
  if (typeof first === 'number') return [putAt(Array.isArray(base) ? base[0] : undefined, rest, value)]
  const members = typeof base === 'object' && base !== null ? (base as Record<string, unknown>) : {}
  return { ...members, [first]: putAt(members[first], rest, value) }
}
