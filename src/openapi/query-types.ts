/**
 * Types the parameters of a query or path, for programs that generate clients from the description. A route checks
 * text, because an address holds text, and `1`, `yes` and `true` are one flag. Bounds come from the pattern, or from
 * the narrower range in the description ("1 to 120"). A test holds the server to both.
 */
import { flagWords } from '../http/describe.ts'
import type { Parameter, Schema } from './operation.ts'

/** The decimal parameters whose values fit into a number without loss. */
const numbers = new Set(['traitGte'])

export function typeParameter(parameter: Parameter): Parameter {
  const { name, schema, description } = parameter
  if (parameter.in === 'header') return parameter
  const typed = isFlag(schema)
    ? { type: 'boolean' }
    : numbers.has(name)
      ? { type: 'number', minimum: 0 }
      : isWhole(schema)
        ? completeSchema(schema.pattern, description)
        : undefined
  return typed ? { ...parameter, schema: typed } : parameter
}

/** The example of a parameter in the type of its schema: examples are written as in an address. */
export const typeExample = ({ type }: Schema, text: string): string | number | boolean =>
  type === 'boolean' ? text === 'true' : type === 'integer' || type === 'number' ? Number(text) : text

const isFlag = ({ enum: words }: Schema): boolean =>
  Array.isArray(words) && words.length === flagWords.length && flagWords.every((word) => words.includes(word))

/** Whether the pattern allows only digits, their number and their range. */
const isWhole = (schema: Schema): schema is Schema & { readonly pattern: string } =>
  typeof schema.pattern === 'string' && /^\^[0-9()[\]{}|,?-]+\$$/.test(schema.pattern)

function completeSchema(pattern: string, description = ''): Schema {
  const [, least, most] = /\b([0-9]+) to ([0-9]+)\b/.exec(description) ?? []
  const minimum = least === undefined ? readLeast(pattern) : Number(least)
  const maximum = most === undefined ? readMost(pattern) : Number(most)
  return { type: 'integer', ...(maximum > 2 ** 31 - 1 ? { format: 'int64' } : {}), minimum, maximum }
}

const readLeast = (pattern: string): number => (new RegExp(pattern).test('0') ? 0 : 1)

/**
 * The greatest number that the pattern accepts and a program can hold. For patterns with a bound of their own: up to
 * 999.
 */
function readMost(pattern: string): number {
  const takes = new RegExp(pattern)
  for (let digits = 16; digits > 0; digits--) {
    if (takes.test('9'.repeat(digits))) return Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER)
    for (let count = digits <= 3 ? 10 ** digits - 1 : 0; count >= 10 ** (digits - 1); count--)
      if (takes.test(String(count))) return count
  }
  throw new Error(`no number fits ${pattern}`)
}
