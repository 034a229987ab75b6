/** Checks a value against the shape of a definition, and says in words what does not fit. Not what contradicts. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import { describeKind } from '../../shape.ts'
import { GateDefinition } from '../gate.ts'
import { type CodeAndValues, type Finding, makeError, type Path } from './finding.ts'
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
  if (error.type !== ValueErrorType.ObjectAdditionalProperties) return makeError(path, ...explainShapeError(error))
  const known = Object.keys(findObject(root, path.slice(0, -1))?.properties ?? {})
  return { ...makeError(path, 'UNKNOWN_MEMBER'), unknown: { typed: String(path.at(-1)), known } }
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

/** For a value of the wrong kind, names the kind that it has. */
function explainShapeError(error: ValueError): CodeAndValues {
  const { type, schema, value } = error
  if (type === ValueErrorType.ObjectRequiredProperty) return ['MISSING']
  const isOtherKind =
    schema.enum === undefined
      ? otherKinds.has(type) && !(type === ValueErrorType.Integer && typeof value === 'number')
      : typeof value !== 'string'
  return describeShapeRule(error, isOtherKind ? { found: describeKind(value) } : {})
}

const otherKinds: ReadonlySet<ValueErrorType> = new Set([
  ValueErrorType.String,
  ValueErrorType.Integer,
  ValueErrorType.Boolean,
  ValueErrorType.Object,
  ValueErrorType.Array,
])

function describeShapeRule(
  { type, schema, path, message }: ValueError,
  kind: { readonly found?: string },
): CodeAndValues {
  const {
    enum: known,
    shownWords: words = known,
    description,
    maxLength: longest,
    minimum: least,
    maximum: most,
    minItems,
    maxItems,
  } = schema
  if (words) return ['NOT_ONE_OF', { choices: words.join(', '), ...kind }]
  const member = path.slice(path.lastIndexOf('/') + 1)
  switch (type) {
    case ValueErrorType.StringMaxLength:
      return ['TOO_LONG', { most: longest }]
    case ValueErrorType.StringMinLength:
      return ['EMPTY']
    case ValueErrorType.StringPattern:
      return ['NOT_OF_FORM', { form: description ?? `a text that matches ${schema.pattern}`, member }]
    case ValueErrorType.String:
      return description === undefined ? ['NOT_TEXT', kind] : ['NOT_OF_FORM', { form: description, member, ...kind }]
    case ValueErrorType.Integer:
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.IntegerMaximum:
      return ['NOT_WHOLE_NUMBER', { least, most, ...kind }]
    case ValueErrorType.Boolean:
      return ['NOT_BOOLEAN', kind]
    case ValueErrorType.Object:
      return ['NOT_OBJECT', kind]
    case ValueErrorType.Array:
      return ['NOT_LIST', kind]
    case ValueErrorType.ArrayMinItems:
      return ['TOO_FEW', { least: minItems }]
    case ValueErrorType.ArrayMaxItems:
      return ['TOO_MANY', { most: maxItems }]
    case ValueErrorType.ArrayUniqueItems:
      return ['REPEATED']
    default:
      return ['OTHER_SHAPE', { why: message }]
  }
}
