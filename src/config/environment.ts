/**
 * Settings from the environment, by one rule: PROOFGATE_ and the setting's path in the file, in upper case. Every other
 * character than a letter or digit becomes _. A secret may also be in the file that PROOFGATE_…_FILE names, or be a
 * credential of systemd. An empty variable is unset. A variable without a setting is an error, as in the file.
 */
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Finding, isSecret, makeFinding, type Place, writeExample, writeSecretFileExample } from './finding.ts'
import {
  holdsTable,
  isList,
  isPlain,
  isTable,
  isUnion,
  listSettings,
  listSettingsAlong,
  type Path,
  readEntrySchema,
  readValue,
  type Values,
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

const prefix = 'PROOFGATE_'
/** Read before the settings are: it says where they are. */
const configVariable = 'PROOFGATE_CONFIG'
const fileSuffix = '_FILE'
const largestSecretBytes = 65_536

export const nameVariable = (path: Path) => `${prefix}${path.map(writeUpper).join('_')}`

const writeUpper = (key: string | number) =>
  String(key)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')

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
    else if (!isSecret(listSettingsAlong(root, path))) findings.push(refuseFileSetting(variable, settingName))
    else if (env[settingName]) findings.push(setTwice(variable, settingName))
    else {
      const secret = await readSecret(resolve(cwd, file))
      if ('problem' in secret) findings.push(refuseSecretFile(variable, resolve(cwd, file), secret.problem))
      else values.push({ path, value: secret.value, variable })
    }
  }

  for (const [variable, text] of Object.entries({ ...(await listCredentials(env)), ...env })) {
    if (!variable.startsWith(prefix) || variable === configVariable || !text) continue
    const path = findPath(root, fileValues, variable.slice(prefix.length))
    if (isServiceLink(variable, text)) findings.push(refuseServiceLink(variable))
    else if (path) values.push({ path, value: convertText(findSchema(root, path), text), variable })
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

async function readSecret(path: string): Promise<{ readonly value: string } | { readonly problem: string }> {
  const read = await readSmallFile(path, largestSecretBytes)
  if ('problem' in read) return read
  const value = new TextDecoder().decode(read.bytes).trim()
  return value ? { value } : { problem: 'this file is empty' }
}

const environment: Place = { source: 'environment' }

function refuseUnknownVariable(root: TSchema, variable: string): Finding {
  const settings = listSettings(root).filter(({ schema }) => !readEntrySchema(schema))
  const names = settings.flatMap(({ path }) =>
    isSecret(listSettingsAlong(root, path)) ? [nameVariable(path), `${nameVariable(path)}_FILE`] : [nameVariable(path)],
  )
  const meant = suggestNearest(
    variable.slice(prefix.length),
    [...names, configVariable].map((name) => name.slice(prefix.length)),
  )
  const setting = settings.find(({ path }) => nameVariable(path) === prefix + meant)
  return makeFinding(environment, {
    key: variable,
    expected: 'the name of a setting',
    problem: `there is no such setting${meant ? `; did you mean ${prefix}${meant}?` : ''}`,
    example: setting ? writeExample([setting], nameVariable(setting.path)) : '',
  })
}

const refuseFileSetting = (variable: string, settingName: string) =>
  makeFinding(environment, {
    key: variable,
    expected: settingName,
    problem: `only a secret is read from a file; set ${settingName} itself`,
    example: '',
  })

const setTwice = (variable: string, settingName: string) =>
  makeFinding(environment, {
    key: variable,
    expected: 'one of the two',
    problem: `${settingName} is set as well; set one of the two`,
    example: writeSecretFileExample(variable),
  })

const refuseSecretFile = (variable: string, file: string, problem: string) =>
  makeFinding(environment, {
    key: variable,
    expected: 'the name of a readable file',
    got: JSON.stringify(file),
    problem: `${problem} (${file}): ${mendOfFile}`,
    example: writeSecretFileExample(variable),
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
