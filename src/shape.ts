/** Shapes that TypeBox alone does not have. */

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { t } from 'elysia'
import { caip2Pattern, evmAddressPattern, universalAddressPattern } from './wallet/account.ts'

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
export function expectation(
  fault: { readonly message?: string; readonly schema?: unknown; readonly value?: unknown } | undefined,
): string {
  const schema = (fault?.schema ?? {}) as Described
  const rule = describeRule(schema)
  if (fault?.message === 'Expected required property') return rule ? `is missing (it ${rule})` : 'is missing'
  if (fault?.message === 'Unexpected property') return 'is not known here: leave it out'
  const told =
    fault &&
    (describeKindFault(schema, fault.value) ?? describeLengthFault(schema, fault.value) ?? describeBound(fault.message))
  if (told !== undefined) return rule ? `${told} (it ${rule})` : told
  return rule ?? 'is not of the expected shape'
}

function describeRule({ pattern, enum: words, anyOf, description }: Described): string | undefined {
  if (words) return `must be one of ${words.join(', ')}`
  if (pattern) return describePattern(pattern, description)
  return anyOf && description ? `must be: ${trimEnd(description)}` : undefined
}

/** What follows ends the sentence. */
const trimEnd = (text: string): string => text.replace(/[.\s]+$/, '')

/** The parts of a schema that are told. */
interface Described {
  readonly type?: string
  readonly const?: unknown
  readonly pattern?: string
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

function describeBound(message = ''): string | undefined {
  for (const [form, words] of bounds) {
    const found = form.exec(message)
    if (found) return words(found[1] ?? '')
  }
  return undefined
}

/** Alphabets, as patterns write them, in words. */
const alphabets: readonly (readonly [string, string])[] = [
  ['a-zA-Z0-9:_-', 'letters, digits, ":", "_" and "-"'],
  ['a-zA-Z0-9_-', 'letters, digits, "_" and "-"'],
  ['A-Za-z0-9_-', 'letters, digits, "_" and "-"'],
  ['A-Za-z0-9_', 'letters, digits and "_"'],
  ['a-z0-9._-', 'lower-case letters, digits, ".", "_" and "-"'],
  ['0-9a-f', 'digits and the letters a to f'],
]

/** Patterns that need more than an alphabet, by the words for them. */
const patternWords: ReadonlyMap<string, string> = new Map([
  [evmAddressPattern, 'must be an EVM address: 0x and 40 hexadecimal digits'],
  [universalAddressPattern, 'must be an address: 0x and 40 hexadecimal digits, a base58 key or an account name'],
  ['^(0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$', 'must be an EVM address or a base58 key'],
  [caip2Pattern, 'must be a CAIP-2 chain id, such as eip155:1'],
  [
    '^[a-z0-9-]{3,8}:[a-zA-Z0-9._-]{1,64}:[-.%a-zA-Z0-9]{1,128}$',
    'must be a CAIP-10 account, such as eip155:1:0x and 40 hexadecimal digits',
  ],
  ['^[0-9]+$', 'must be a whole number'],
  [
    '^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$',
    'must be lower-case letters, digits, ".", "_" and "-", with a letter or digit at both ends',
  ],
  ['^[0-9]{1,60}(\\.[0-9]{1,60})?$', 'must be a number such as 12 or 0.5, with at most 60 digits on each side'],
  ['^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$', 'must be names of letters, digits, "_" and "-", with "." between them'],
  ['^[a-z][a-z0-9-]{0,31}$', 'must be a lower-case letter, then lower-case letters, digits and "-", at most 32'],
  ['^[A-Za-z][A-Za-z0-9_]{0,63}$', 'must be a letter, then letters, digits and "_", at most 64'],
  ['^[^\\u0000-\\u001f\\u007f]+$', 'must be without control characters, such as line breaks'],
  [
    '^[a-z0-9][a-z0-9._-]{1,30}[a-z0-9]$',
    'must be 3 to 32 characters of lower-case letters, digits, ".", "_" and "-", with a letter or digit at both ends',
  ],
  ['^[a-zA-Z][a-zA-Z0-9+.-]*:[^\\s]+$', 'must be a URI without blanks, such as https://example.com'],
])

/**
 * What a pattern means, in words. A query spells numbers as text, so that only the description of a pattern says between
 * which ones.
 */
function describePattern(pattern: string, description = ''): string {
  const range = isOfDigits(pattern) ? /^[0-9]+ to [0-9]+\b/.exec(description)?.[0] : undefined
  if (range !== undefined) return `must be ${range}`
  const known = patternWords.get(pattern)
  if (known !== undefined) return known
  const digits = /^\^\[0-9\]\{1,([0-9]+)\}\$$/.exec(pattern)?.[1]
  if (digits !== undefined) return `must be a whole number of at most ${digits} digits`
  const most = /^\^(?:\(0\|)?\[1-9\]\[0-9\]\{0,([0-9]+)\}\)?\$$/.exec(pattern)?.[1]
  if (most !== undefined)
    return `must be a whole number from ${pattern.startsWith('^(0') ? 0 : 1}, of at most ${Number(most) + 1} digits`
  const [, hexLeast, hexMost = hexLeast] = /^\^0x\[[0-9a-fA-F-]+\]\{([0-9]+)(?:,([0-9]+))?\}\$$/.exec(pattern) ?? []
  if (hexLeast !== undefined)
    return `must be 0x and ${hexLeast === hexMost ? hexLeast : `${hexLeast} to ${hexMost}`} hexadecimal digits`
  const [, prefix = '', letters, least, most2] =
    /^\^(\w*)\[([^\]]+)\](?:\+|\{([0-9]+)(?:,([0-9]+))?\})\$$/.exec(pattern) ?? []
  const alphabet = alphabets.find(([written]) => written === letters)?.[1]
  if (alphabet !== undefined) {
    const length = least === undefined ? '' : `${most2 === undefined ? least : `${least} to ${most2}`} characters of `
    return `must be ${prefix ? `${prefix} and ` : ''}${length || 'made of '}${alphabet}`
  }
  return description ? `must be: ${trimEnd(description)}` : 'must be of another form: the API description shows which'
}

/** Of a number that is written as text. */
const isOfDigits = (pattern: string): boolean => !/[a-zA-Z]/.test(pattern)

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
