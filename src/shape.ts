/** Shapes that TypeBox alone does not have. */

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { t } from 'elysia'

/** One of a few words: an `enum` in the API description, where a union of literals would print as a choice of schemas. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words, description?: string) {
  const schema = t.UnionEnum<[Words[number], ...Words[number][]]>(
    words as unknown as [Words[number], ...Words[number][]],
    { type: 'string', ...(description ? { description } : {}) },
  )
  // Elysia makes the first word the default, and would fill it in where a caller said nothing.
  delete schema.default
  return schema
}

/**
 * A body or query that may hold members we do not know: clients of every generation send some. Said outright, because
 * Elysia closes every schema of a route that leaves it open.
 */
export const open = <Members extends TProperties>(members: Members) =>
  Type.Object(members, { additionalProperties: true })

/** What a value must be, in words for its sender: `Expected kind 'UnionEnum'` helps nobody. */
export function expectation(fault: { readonly message?: string; readonly schema?: unknown } | undefined): string {
  const schema = (fault?.schema ?? {}) as {
    readonly pattern?: string
    readonly enum?: readonly string[]
    readonly anyOf?: unknown
    readonly description?: string
  }
  const { pattern, enum: words, anyOf, description } = schema
  const choice = anyOf && description ? `must be: ${description}` : undefined
  const rule = words ? `must be one of ${words.join(', ')}` : pattern ? describePattern(pattern, description) : choice
  if (fault?.message === 'Expected required property') return rule ? `is missing (it ${rule})` : 'is missing'
  return rule ?? fault?.message ?? 'is not of the expected shape'
}

/** A query spells numbers as text, so that only the description of a pattern says between which ones. */
function describePattern(pattern: string, description = ''): string {
  const range = /^[0-9]+ to [0-9]+\b/.exec(description)?.[0]
  if (range !== undefined) return `must be ${range}`
  const digits = /^\^\[0-9\]\{1,([0-9]+)\}\$$/.exec(pattern)?.[1]
  return digits === undefined ? `must match ${pattern}` : `must be a whole number of at most ${digits} digits`
}

/** A shape as it is checked. */
export interface Check<Shape extends TSchema> {
  Check(value: unknown): value is Static<Shape>
  Errors(value: unknown): ReturnType<TypeCheck<Shape>['Errors']>
}

/** Compiled when it is first used: what few requests need would otherwise be paid for by every start. */
export function checkOf<Shape extends TSchema>(schema: Shape): Check<Shape> {
  let compiled: TypeCheck<Shape> | undefined
  const check = (): TypeCheck<Shape> => (compiled ??= TypeCompiler.Compile(schema))
  return {
    Check: (value): value is Static<Shape> => check().Check(value),
    Errors: (value) => check().Errors(value),
  }
}
