/** Checks a value against the shape of a definition, and says in words what does not fit. Not what contradicts. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import { describeKind } from '../../shape.ts'
import { GateDefinition } from '../gate.ts'
import { type Finding, isMissing, makeError, type Path } from './finding.ts'
import { checkRuleShape } from './rule-findings.ts'

/** More than these are useless, and a file of a megabyte may hold a hundred thousand mistakes. */
export const mostFindings = 50

/** The tree of `rule` is checked by rules.ts, which can say more than a union of shapes. */
const shape = Type.Object(
  { ...GateDefinition.properties, rule: Type.Optional(Type.Unknown()) },
  { additionalProperties: false },
)

/** Code that walks over, words or compares a definition runs after this. */
export function checkShape(value: unknown): Finding[] {
  const findings = listShapeFindings(shape, value)
  const rule = (value as { readonly rule?: unknown } | null | undefined)?.rule
  const inRule = rule === undefined ? [] : checkRuleShape(rule)
  return [...findings.slice(0, mostFindings - inRule.length), ...inRule]
}

/** One finding for each place, at most `mostFindings`. */
export function listShapeFindings(schema: TSchema, value: unknown): Finding[] {
  const found = new Map<string, Finding>()
  for (const error of Value.Errors(schema, value)) {
    // A missing member is reported twice, as missing and as of the wrong kind: the first says it.
    if (!found.has(error.path)) found.set(error.path, makeShapeFinding(schema, error))
    if (found.size >= mostFindings) break
  }
  return [...found.values()]
}

function makeShapeFinding(root: TSchema, error: ValueError): Finding {
  const path = readPointer(error.path)
  if (error.type !== ValueErrorType.ObjectAdditionalProperties) return makeError(path, explainShapeError(error))
  const known = Object.keys(findObject(root, path.slice(0, -1))?.properties ?? {})
  return { ...makeError(path, 'does not exist'), unknown: { typed: String(path.at(-1)), known } }
}

/** A JSON pointer (RFC 6901). Members of a definition are no numbers. */
const readPointer = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))

function findObject(schema: TSchema | undefined, path: Path): TObject | undefined {
  const [first, ...rest] = path
  if (first === undefined) return schema?.properties ? (schema as TObject) : undefined
  return findObject(typeof first === 'number' ? schema?.items : schema?.properties?.[first], rest)
}

/** For a value of the wrong kind, names the expected one. */
function explainShapeError(error: ValueError): string {
  const { type, schema, value } = error
  if (type === ValueErrorType.ObjectRequiredProperty) return isMissing
  const isOtherKind =
    schema.enum === undefined
      ? otherKinds.has(type) && !(type === ValueErrorType.Integer && typeof value === 'number')
      : typeof value !== 'string'
  return isOtherKind ? `${describeShapeRule(error)}, and is ${describeKind(value)}` : describeShapeRule(error)
}

const otherKinds: ReadonlySet<ValueErrorType> = new Set([
  ValueErrorType.String,
  ValueErrorType.Integer,
  ValueErrorType.Boolean,
  ValueErrorType.Object,
  ValueErrorType.Array,
])

function describeShapeRule({ type, schema, message }: ValueError): string {
  const {
    enum: known,
    shownWords: words = known,
    description,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
  } = schema
  if (words) return `must be one of ${words.join(', ')}`
  switch (type) {
    case ValueErrorType.StringMaxLength:
      return `is longer than ${maxLength} characters`
    case ValueErrorType.StringMinLength:
      return 'is empty'
    case ValueErrorType.StringPattern:
      return `must be ${description ?? `a text that matches ${schema.pattern}`}`
    case ValueErrorType.String:
      return `must be ${description ?? 'a text'}`
    case ValueErrorType.Integer:
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.IntegerMaximum:
      return `must be a whole number from ${minimum} to ${maximum}`
    case ValueErrorType.Boolean:
      return 'must be true or false'
    case ValueErrorType.Object:
      return 'must be an object with members'
    case ValueErrorType.Array:
      return 'must be a list'
    case ValueErrorType.ArrayMinItems:
      return `needs at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`
    case ValueErrorType.ArrayMaxItems:
      return `has more than ${maxItems} entries`
    case ValueErrorType.ArrayUniqueItems:
      return 'names something twice'
    default:
      return `is not right: ${message}`
  }
}
