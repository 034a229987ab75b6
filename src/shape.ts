/** Shapes that TypeBox alone does not have. */

import { Kind, type Static, type TProperties, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { nameMember } from './member-name.ts'
import { describePattern, trimEnd } from './pattern-words.ts'

const choiceKind = 'Choice'
TypeRegistry.Set<{ readonly enum: readonly unknown[] }>(choiceKind, (schema, value) => schema.enum.includes(value))

export interface Choice<Word extends string> extends TSchema {
  readonly static: Word
  readonly enum: Word[]
}

/**
 * One of a few words. It is an `enum` in the API description, where a union of literals would print as a choice of
 * schemas. Not the one of Elysia: a command that reads settings needs no server.
 */
export const defineChoice = <const Words extends readonly [string, ...string[]]>(words: Words, description?: string) =>
  Type.Unsafe<Words[number]>({
    [Kind]: choiceKind,
    type: 'string',
    ...(description ? { description } : {}),
    enum: words,
  }) as unknown as Choice<Words[number]>

/**
 * A body or query that may hold unknown members: clients of every generation send some. A query says this or the
 * contrary (test/http/routing.test.ts), so that none is open by oversight.
 */
export const open = <Members extends TProperties>(members: Members) =>
  Type.Object(members, { additionalProperties: true })

/** A fault that a check found. `path` is a JSON pointer (RFC 6901). */
export interface ShapeFault {
  readonly path?: string
  readonly message?: string
  readonly schema?: unknown
  readonly value?: unknown
}

const isMissing = ({ message }: ShapeFault): boolean => message === 'Expected required property'

/** The first fault. A missing member comes with the other missing members of its object. */
export function takeFirstFaults(faults: Iterable<ShapeFault>): readonly ShapeFault[] {
  const taken: ShapeFault[] = []
  for (const fault of faults) {
    const [first] = taken
    if (first && !(isMissing(fault) && readParent(fault) === readParent(first))) break
    taken.push(fault)
    if (!isMissing(fault) || taken.length === mostMissing) break
  }
  return taken
}

const readParent = ({ path = '' }: ShapeFault): string => path.slice(0, path.lastIndexOf('/'))

/** No shape of a body has as many required members. */
const mostMissing = 32

/** "body: walletAddress and data are missing (walletAddress: the signer's address)". `base` stands before each name. */
export function explainMissing(faults: readonly ShapeFault[], base = ''): string {
  const named = faults.map((fault) => ({ name: nameMember(fault.path ?? '', base), hint: describeMissing(fault) }))
  const names = named.map(({ name }) => name)
  const hints = named.flatMap(({ name, hint }) => (hint === undefined ? [] : [`${name}: ${hint}`]))
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return `${list} are missing${hints.length > 0 ? ` (${hints.join('; ')})` : ''}`
}

/** The rule of a missing member, else its description where that is short. */
function describeMissing({ schema }: ShapeFault): string | undefined {
  const described = (schema ?? {}) as Described
  const { description } = described
  const rule = describeRule(described)
  if (rule !== undefined || description === undefined || description.length > longestHint) return rule
  return trimEnd(description)
}

const longestHint = 160

/** The expected value, in words for its sender: `Expected kind 'Choice'` helps no one. */
export function explainExpectation(fault: ShapeFault | undefined): string {
  const schema = (fault?.schema ?? {}) as Described
  const rule = describeRule(schema)
  if (fault && isMissing(fault)) {
    const hint = rule === undefined ? describeMissing(fault) : `it ${rule}`
    return hint === undefined ? 'is missing' : `is missing (${hint})`
  }
  if (fault?.message === 'Unexpected property') return 'is not known here: leave it out'
  const choice = describeChoice(schema)
  if (choice !== undefined) {
    const found = describeKindFault(schema, fault?.value)
    return found === undefined ? choice : `${choice}${found.slice(found.lastIndexOf(', and is '))}`
  }
  const told =
    fault &&
    (describeKindFault(schema, fault.value) ??
      describeLengthFault(schema, fault.value) ??
      describeBound(fault.message, schema))
  if (told !== undefined) return rule ? `${told} (it ${rule})` : told
  return rule ?? 'is not of the expected shape'
}

function describeRule({ pattern, enum: words, anyOf, description }: Described): string | undefined {
  if (words) return `must be one of ${words.join(', ')}`
  if (pattern) return describePattern(pattern, description)
  return anyOf && description ? `must be: ${trimEnd(description)}` : undefined
}

/** "must be a whole number from 60 to 3600 or null". Undefined for what is no choice, or not one between such values. */
function describeChoice({ anyOf }: Described): string | undefined {
  const words = anyOf?.map(({ type, minimum, maximum }) => {
    if (type === 'null') return 'null'
    const isBounded = type === 'integer' && minimum !== undefined && maximum !== undefined
    return isBounded ? `a whole number from ${minimum} to ${maximum}` : undefined
  })
  return words?.every((one) => one !== undefined) ? `must be ${words.join(' or ')}` : undefined
}

/** The parts of a schema that are shown. */
interface Described {
  readonly type?: string
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Described[]
  readonly description?: string
}

const kindWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

/** "must be a text, and is a number". Undefined where the kind is right, or the schema names none. Names no value. */
function describeKindFault(schema: Described, value: unknown): string | undefined {
  const kinds = [...new Set(listKinds(schema))]
  const found = findKind(value)
  if (kinds.length === 0 || found === undefined) return undefined
  const isWhole = Number.isInteger(value)
  if (kinds.some((kind) => kind === found || (kind === 'integer' && isWhole))) return undefined
  const words = kinds.map((kind) => kindWords[kind]).join(' or ')
  const isFraction = found === 'number' && kinds.includes('integer')
  return `must be ${words}, and is ${isFraction ? 'not one' : describeKind(value)}`
}

function listKinds({ type, const: only, anyOf }: Described): string[] {
  if (anyOf) return anyOf.flatMap(listKinds)
  const kind = type ?? (only === undefined ? undefined : findKind(only))
  return kind !== undefined && kind in kindWords ? [kind] : []
}

/** "a text" for a text, and nothing of what it says. */
export const describeKind = (value: unknown): string =>
  typeof value === 'boolean' ? 'a boolean' : (kindWords[findKind(value) ?? ''] ?? 'something else')

function findKind(value: unknown): string | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return (typeof value) in kindWords ? typeof value : undefined
}

/** Before the alphabet: who sends a text of the wrong length looks for the length first. */
function describeLengthFault({ minLength = 0, maxLength }: Described, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (maxLength !== undefined && value.length > maxLength) return `must be at most ${maxLength} characters long`
  if (value.length >= minLength) return undefined
  return minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters long`
}

/** How TypeBox says that a bound is broken, and how we do. */
const bounds: readonly (readonly [RegExp, (bound: string) => string])[] = [
  [/^Expected string length less or equal to (\d+)$/, (most) => `must be at most ${most} characters long`],
  [/^Expected string length greater or equal to 1$/, () => 'must not be empty'],
  [/^Expected string length greater or equal to (\d+)$/, (least) => `must be at least ${least} characters long`],
  [/^Expected array length to be less or equal to 1$/, () => 'must have at most one entry'],
  [/^Expected array length to be less or equal to (\d+)$/, (most) => `must have at most ${most} entries`],
  [/^Expected array length to be greater or equal to 1$/, () => 'must have at least one entry'],
  [/^Expected array length to be greater or equal to (\d+)$/, (least) => `must have at least ${least} entries`],
  [/^Expected array elements to be unique$/, () => 'must have no entry twice'],
  [/^Expected (?:integer|number) to be less or equal to (\S+)$/, (most) => `must be at most ${most}`],
  [/^Expected (?:integer|number) to be greater or equal to (\S+)$/, (least) => `must be at least ${least}`],
  [/^Expected (?:integer|number) to be less than (\S+)$/, (bound) => `must be less than ${bound}`],
  [/^Expected (?:integer|number) to be greater than (\S+)$/, (bound) => `must be more than ${bound}`],
  [/^Expected object to have no more than (\d+) properties$/, (most) => `must have at most ${most} members`],
  [/^Expected object to have at least (\d+) properties$/, (least) => `must have at least ${least} members`],
]

/** A larger bound only keeps numbers exact, and is no range that a sender thinks of. */
const largestTold = 1e12

function describeBound(message = '', { minimum, maximum }: Described = {}): string | undefined {
  const isOfNumber = /^Expected (?:integer|number) to be /.test(message)
  if (isOfNumber && minimum !== undefined && maximum !== undefined && maximum < largestTold)
    return `must be ${minimum} to ${maximum}`
  for (const [form, words] of bounds) {
    const found = form.exec(message)
    if (found) return words(found[1] ?? '')
  }
  return undefined
}

/** A shape as it is checked. */
export interface Check<Shape extends TSchema> {
  Check(value: unknown): value is Static<Shape>
  Errors(value: unknown): ReturnType<TypeCheck<Shape>['Errors']>
}

const compiledChecks = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** Compiled once for each schema, when it is first used: few starts need every check. */
export function compileCheck<Shape extends TSchema>(schema: Shape): Check<Shape> {
  const check = (): TypeCheck<Shape> => {
    let compiled = compiledChecks.get(schema) as TypeCheck<Shape> | undefined
    if (!compiled) {
      compiled = TypeCompiler.Compile(schema)
      compiledChecks.set(schema, compiled)
    }
    return compiled
  }
  return {
    Check: (value): value is Static<Shape> => check().Check(value),
    Errors: (value) => check().Errors(value),
  }
}
