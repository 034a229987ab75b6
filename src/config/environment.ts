/**
 * Settings from the environment, by one rule: PROOFGATE_ and the setting's path in the file, in upper case. Every other
 * character than a letter or digit becomes _. A value may also be in the file that PROOFGATE_…_FILE names, or be a
 * credential of systemd. An empty variable is unset. A variable without a setting is an error, as in the file.
 */
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ConfigInput } from './config-input.ts'
import { type Finding, makeFinding, type Place, writeExample, writeFileExample } from './finding.ts'
import {
  holdsTable,
  isList,
  isPlain,
  isTable,
  isUnion,
  listSettings,
  listSettingsAlong,
  nameVariable,
  type Path,
  variablePrefix as prefix,
  readEntrySchema,
  readValue,
  type Values,
  writeUpper,
} from './outline.ts'
import { mendOfFile, readSmallFile } from './read-file.ts'
import { suggestNearest } from './suggest.ts'
import { parseToml } from './toml-syntax.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface EnvironmentValue {
  readonly path: Path
  readonly value: unknown
  readonly variable: string
}

/** Read before the settings are: it says where they are. */
const configVariable = 'PROOFGATE_CONFIG'
const fileSuffix = '_FILE'
const largestValueBytes = 65_536
const dataVariable = nameVariable(['data'])

/** Where the environment puts the data folder. A wrong file is reported with all other variables. */
export async function readDataFolder({ env, cwd }: ConfigInput): Promise<string | undefined> {
  if (env[dataVariable]) return env[dataVariable]
  const name = `${dataVariable}${fileSuffix}`
  const file = env[name] || (await listCredentials(env))[name]
  const read = file ? await readValueFile(resolve(cwd, file)) : undefined
  return read && 'text' in read ? read.text : undefined
}

export async function readEnvironment(
  root: TSchema,
  { env, cwd }: { readonly env: Environment; readonly cwd: string },
  fileValues: Values,
) {
  const values: EnvironmentValue[] = []
  const findings: Finding[] = []

  async function readFiled(variable: string, file: string): Promise<void> {
    const settingName = variable.slice(0, -fileSuffix.length)
    const path = variable.endsWith(fileSuffix)
      ? findPath(root, fileValues, settingName.slice(prefix.length))
      : undefined
    if (!path) findings.push(refuseUnknownVariable(root, variable))
    else if (env[settingName]) findings.push(setTwice(variable, settingName))
    else {
      const read = await readValueFile(resolve(cwd, file))
      if ('problem' in read) findings.push(refuseValueFile(variable, resolve(cwd, file), read.problem))
      else values.push({ path, value: convertFileText(findSchema(root, path), read.text), variable })
    }
  }

  for (const [variable, text] of Object.entries({ ...(await listCredentials(env)), ...env })) {
    if (!variable.startsWith(prefix) || variable === configVariable || !text) continue
    const path = findPath(root, fileValues, variable.slice(prefix.length))
    if (isServiceLink(variable, text)) findings.push(refuseServiceLink(variable))
    else if (path && !namesFileOfEntry(root, fileValues, path))
      values.push({ path, value: convertText(findSchema(root, path), text), variable })
    else await readFiled(variable, text)
  }
  return { values, findings }
}

/**
 * LoadCredential of systemd: a file in $CREDENTIALS_DIRECTORY that has the name of its setting's variable. It counts as
 * if PROOFGATE_…_FILE named it.
 */
async function listCredentials({ CREDENTIALS_DIRECTORY: folder }: Environment): Promise<Environment> {
  const names = folder ? await readdir(folder).catch(() => []) : []
  return Object.fromEntries(
    names.filter((name) => name.startsWith(prefix)).map((name) => [`${name}${fileSuffix}`, join(folder!, name)]),
  )
}

const findSchema = (root: TSchema, path: Path) => listSettingsAlong(root, path).at(-1)?.schema ?? root

/**
 * The path of a name without prefix. In a table with keys of the operator's choice, a key of the file matches by its
 * own name. Otherwise the key is the name in small letters with hyphens.
 */
function findPath(schema: TSchema, values: unknown, name: string): Path | undefined {
  if (isTable(schema)) {
    for (const [key, member] of Object.entries(schema.properties)) {
      const rest =
        name === writeUpper(key)
          ? ''
          : name.startsWith(`${writeUpper(key)}_`)
            ? name.slice(writeUpper(key).length + 1)
            : undefined
      const path = rest === undefined ? undefined : findPath(member, readValue(values, [key]), rest)
      if (path) return [key, ...path]
    }
    return undefined
  }
  if (isUnion(schema) && holdsTable(schema)) {
    const paths = schema.anyOf.map((variant) => findPath(variant, values, name))
    return paths.find((path) => path !== undefined)
  }
  const entry = readEntrySchema(schema)
  if (!entry) return name === '' ? [] : undefined
  for (let end = name.length; end > 0; end = name.lastIndexOf('_', end - 1)) {
    const chosen = name.slice(0, end)
    const inFile = isPlain(values) ? Object.keys(values).find((key) => writeUpper(key) === chosen) : undefined
    const key = inFile ?? chosen.toLowerCase().replaceAll('_', '-')
    const path = findPath(entry, readValue(values, [key]), name.slice(end + 1))
    if (path) return [key, ...path]
  }
  return undefined
}

/** `…_AGENT_IDENTITY_FILE` names the file of the entry `agent-identity`, unless the file has an `agent-identity-file`. */
const namesFileOfEntry = (root: TSchema, fileValues: Values, path: Path) =>
  String(path.at(-1)).endsWith('-file') &&
  readEntrySchema(findSchema(root, path.slice(0, -1))) !== undefined &&
  readValue(fileValues, path) === undefined

/** A list in a file may have one item in each line. Empty lines and lines that begin with # are left out. */
function convertFileText(schema: TSchema, text: string): unknown {
  if (!isList(schema) || text.startsWith('[')) return convertText(schema, text)
  const lines = text.split('\n').map((line) => line.trim())
  const items = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return items.length === 0 ? [] : convertText(schema, items.join(','))
}

/** Converts text to the type of its schema. Text of another type stays text, and the check refuses it. */
function convertText(schema: TSchema, text: string): unknown {
  if (isUnion(schema)) {
    const values = schema.anyOf.map((variant) => convertText(variant, text))
    return values.find((value) => Value.Check(schema, value)) ?? text
  }
  if (isList(schema)) {
    // The file's form, for items that contain a comma, and for [] (an empty variable is unset).
    if (text.trimStart().startsWith('[')) return parseTomlValue(text) ?? text
    return text.split(',').map((item) => convertText(schema.items, item.trim()))
  }
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (schema.type === 'integer' || schema.type === 'number') {
    const number = Number(text)
    return /^[+-]?\d+(\.\d+)?$/.test(text) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
  }
  return text
}

function parseTomlValue(text: string): unknown {
  const parsed = parseToml(`value = ${text}`)
  return 'values' in parsed ? parsed.values.value : undefined
}

async function readValueFile(path: string): Promise<{ readonly text: string } | { readonly problem: string }> {
  const read = await readSmallFile(path, largestValueBytes)
  if ('problem' in read) return read
  const text = new TextDecoder().decode(read.bytes).trim()
  return text ? { text } : { problem: 'this file is empty' }
}

const environment: Place = { source: 'environment' }

function refuseUnknownVariable(root: TSchema, variable: string): Finding {
  const settings = listSettings(root).filter(({ schema }) => !readEntrySchema(schema))
  const names = settings.flatMap(({ path }) => [nameVariable(path), `${nameVariable(path)}${fileSuffix}`])
  const meant = suggestNearest(
    variable.slice(prefix.length),
    [...names, configVariable].map((name) => name.slice(prefix.length)),
  )
  const setting = settings.find(({ path }) => nameVariable(path) === prefix + meant)
  return makeFinding(environment, {
    key: variable,
    expected: 'the name of a setting',
    problem:
      variable === `${configVariable}${fileSuffix}`
        ? `${configVariable} names the configuration file itself: set that one`
        : `there is no such setting${meant ? `; did you mean ${prefix}${meant}?` : ''}`,
    example: setting ? writeExample([setting], nameVariable(setting.path)) : '',
  })
}

const setTwice = (variable: string, settingName: string) =>
  makeFinding(environment, {
    key: variable,
    expected: 'one of the two',
    problem: `${settingName} is set as well; set one of the two`,
    example: writeFileExample(variable),
  })

const refuseValueFile = (variable: string, file: string, problem: string) =>
  makeFinding(environment, {
    key: variable,
    expected: 'the name of a readable file',
    got: JSON.stringify(file),
    problem: `${problem} (${file}): ${mendOfFile}`,
    example: writeFileExample(variable),
  })

/** Kubernetes tells every pod about a service named `proofgate` in variables of just these names. */
const isServiceLink = (variable: string, text: string) =>
  /^PROOFGATE_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$|^PROOFGATE_PORT_\d+_(TCP|UDP|SCTP)/.test(variable) ||
  (variable === 'PROOFGATE_PORT' && /^(tcp|udp|sctp):\/\//.test(text))

const refuseServiceLink = (variable: string) =>
  makeFinding(environment, {
    key: variable,
    expected: 'no variables made by Kubernetes',
    problem: 'Kubernetes made this variable for a service named proofgate; set enableServiceLinks: false in the pod',
    example: '',
  })
