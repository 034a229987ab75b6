/** One fault of the configuration, worded so that a newcomer can fix it. */
import type { TSchema } from '@sinclair/typebox'
import {
  holdsTable,
  isList,
  isPlain,
  isTable,
  isUnion,
  listSettingsAlong,
  nameVariable,
  type Path,
  readEntrySchema,
  type Setting,
  type Values,
} from './outline.ts'
import { writeTomlKey, writeTomlPath, writeTomlText } from './toml-text.ts'

export interface Finding {
  /** The file as the operator knows it, or `environment`. */
  readonly source: string
  readonly line?: number
  /** Path of the setting in the file, or name of the variable. */
  readonly key: string
  readonly expected: string
  /** The found value. Absent for a missing value, or when only its place matters. */
  readonly got?: string
  /** A line that would be accepted. */
  readonly example: string
  /** All of it in one line. */
  readonly message: string
}

export class ConfigError extends Error {
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ message }) => message).join('\n'))
    this.name = 'ConfigError'
    this.findings = findings
  }
}

/** The place that set a value. `variable` is its name in the environment. */
export interface Place {
  readonly source: string
  readonly line?: number | undefined
  readonly variable?: string | undefined
}

interface Fault {
  readonly key: string
  readonly expected: string
  readonly got?: string | undefined
  readonly example: string
  /** Takes the place of "expected …, found …" where these would not say it well. */
  readonly problem?: string
}

export function makeFinding({ source, line }: Place, { key, expected, got, example, problem }: Fault): Finding {
  const where = [line === undefined ? source : `${source}:${line}`, key].filter(Boolean).join(': ')
  const what = problem ?? `expected ${expected}${got === undefined ? '' : `, found ${got}`}`
  return {
    source,
    ...(line !== undefined && { line }),
    key,
    expected,
    ...(got !== undefined && { got }),
    example,
    message: `${where}: ${what}${example ? ` (example: ${example})` : ''}`,
  }
}

/** A value that its schema refuses. The value is shown, unless it is a secret or could hold one. */
export function findWrongValue(root: TSchema, place: Place, path: Path, schema: TSchema, value: unknown): Finding {
  const along = listSettingsAlong(root, path)
  const list = along.findLast((setting) => isList(setting.schema))
  return makeFinding(place, {
    key: place.variable ?? writeTomlPath(path),
    expected: schema.expected ?? list?.schema.expected ?? describeBounds(schema, value) ?? describe(schema),
    got: show(value, holdsTable(schema) ? 'kind' : isSecret(along) || holdsSecrets(schema) ? 'length' : 'value'),
    example: writeExample(along, place.variable),
  })
}

/** A key that a table of freely chosen keys does not take. */
export function findWrongKey(root: TSchema, place: Place, path: Path, table: TSchema): Finding {
  const expected = table.expected ?? 'another name'
  return makeFinding(place, {
    key: place.variable ?? writeTomlPath(path),
    expected,
    problem: `this name cannot stand here; expected ${expected}`,
    example: writeExample(listSettingsAlong(root, path.slice(0, -1)), place.variable),
  })
}

const holdsSecrets = (schema: TSchema): boolean => isList(schema) && schema.items.secret === true

export const isSecret = (along: readonly Setting[]) => along.some(({ schema }) => schema.secret === true)

/** Describes the accepted values of a schema in words. */
export function describe(schema: TSchema): string {
  if (isTable(schema) || readEntrySchema(schema)) return 'a table'
  if (isList(schema)) return `a list, each ${describe(schema.items)}`
  if (isUnion(schema)) return `one of ${schema.anyOf.map(describe).join(', ')}`
  if ('const' in schema) return writeTomlText(schema.const)
  if (schema.type === 'boolean') return 'true or false'
  if (schema.type === 'string') return 'text in quotes'
  if (schema.type !== 'integer') return 'a number'
  const { minimum, maximum, unit } = schema
  const bounds = maximum >= Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
  return `a whole number ${bounds}${unit ? ` (${unit})` : ''}`
}

/** For a value of the right kind, whose length is wrong: the kind alone would not say what is. */
function describeBounds(schema: TSchema, value: unknown): string | undefined {
  const { minLength = 0, maxLength, pattern, minItems = 0, maxItems, uniqueItems } = schema
  if (typeof value === 'string' && schema.type === 'string' && pattern === undefined && maxLength !== undefined)
    return `text of ${minLength} to ${maxLength} characters`
  if (!isList(schema) || !Array.isArray(value) || maxItems === undefined) return undefined
  const range = minItems === 0 ? `at most ${maxItems}` : `${minItems} to ${maxItems}`
  return `a list of ${range}${uniqueItems ? ' different' : ''} entries, each ${describe(schema.items)}`
}

function show(value: unknown, shown: 'value' | 'length' | 'kind'): string {
  if (value === undefined) return 'nothing'
  if (isPlain(value)) return 'a table'
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item !== 'object')
    return shown === 'value' && isFlat ? shorten(writeTomlText(value)) : 'a list'
  }
  if (shown === 'length')
    return typeof value === 'string' ? `${value.length} characters (not shown: a secret)` : 'something that is not text'
  if (typeof value === 'string') return shown === 'kind' ? 'text' : shorten(JSON.stringify(value))
  return value instanceof Date ? `the date or time ${value.toISOString()}` : String(value)
}

const shorten = (quoted: string) => (quoted.length <= 80 ? quoted : `${quoted.slice(0, 78)}…`)

/** A line of the file, or of the environment, that the innermost described setting would accept. */
export function writeExample(along: readonly Setting[], variable?: string): string {
  const setting = along.findLast(({ schema }) => schema.example !== undefined || isTable(schema))
  if (!setting) return ''
  const { path, schema } = setting
  if (variable === `${nameVariable(path)}_FILE`) {
    if (isSecret(along)) return writeFileExample(variable)
    return schema.example === undefined ? '' : `in the file: ${writePlain(schema.example)}`
  }
  if (schema.example === undefined) return isTable(schema) && !variable ? writeHeader(path) : ''
  if (!readEntrySchema(schema))
    return variable ? `${variable}=${writePlain(schema.example)}` : writeExampleLine(path, schema.example)
  const [entry] = Object.entries(schema.example as Values)
  if (!entry) return ''
  return variable ? `${variable}=${writePlain(entry[1])}` : writeExampleLine([entry[0]], entry[1])
}

export const writeExampleLine = (path: Path, value: unknown) =>
  `${writeTomlKey(String(path.at(-1)))} = ${writeTomlText(value)}`

/** Headers name no places in a list: [[prices]] is its next table, whichever that is. */
function writeHeader(path: Path): string {
  const name = writeTomlPath(path.filter((key) => typeof key === 'string'))
  return typeof path.at(-1) === 'number' ? `[[${name}]]` : `[${name}]`
}

export const writeFileExample = (variable: string) => `${variable}=/run/secrets/name`

/** A value as it is written in the environment. */
const writePlain = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))
