/** The report of `proofgate check-config`: faults, and the effective values with their sources. No secrets. */
import { resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { settings as allSettings } from '../settings.ts'
import type { ConfigInput } from './config-input.ts'
import type { Finding, Place } from './finding.ts'
import { readConfig } from './load.ts'
import {
  type Described,
  findVariant,
  holdsTable,
  isList,
  isPlain,
  isTable,
  type Path,
  readEntrySchema,
  readMemberSchema,
  type Setting,
} from './outline.ts'
import { writeTomlPath, writeTomlText } from './toml-text.ts'

export interface AppliedSetting {
  /** Path in the file: `signing.hub_chain_id`. */
  readonly key: string
  /** As it is written in the file; a secret, or what happens without a value, in angle brackets. */
  readonly value: string
  /** `default`, `proofgate.toml:9` or `PROOFGATE_SIGNING_HUB_CHAIN_ID`. */
  readonly source: string
}

export interface ConfigCheck {
  /** Name of the file that was read, if one was. */
  readonly file: string | undefined
  readonly findings: readonly Finding[]
  readonly settings: readonly AppliedSetting[]
}

export async function checkConfig(input: ConfigInput, settings = allSettings): Promise<ConfigCheck> {
  const { file, findings, values, readPlace } = await readConfig(input, settings)
  const applied = [...leaves(settings, values, [])].map(({ path, schema, value }) => ({
    key: writeTomlPath(path),
    value: value === undefined ? `<not set: ${schema.whenEmpty ?? 'nothing'}>` : showValue(schema, value),
    source: nameSource(readPlace(path)),
  }))
  return { file, findings, settings: applied }
}

/** The configuration file, as an absolute path, where a secret stands in it. */
export async function findSecretFile(input: ConfigInput): Promise<string | undefined> {
  const { file, values, readPlace } = await readConfig(input)
  if (file === undefined) return undefined
  const secrets = [...leaves(allSettings, values, [])].filter(
    ({ path, schema, value }) => readPlace(path)?.source === file && holdsSecret(schema, value),
  )
  return secrets.length > 0 ? resolve(input.cwd, file) : undefined
}

/** Addresses of endpoints are secret for the keys that many of them carry. */
const holdsSecret = (schema: Described, value: unknown): boolean =>
  schema.secret
    ? value !== undefined && (typeof value !== 'string' || !URL.canParse(value) || /[\w-]{16,}/.test(readTail(value)))
    : isList(schema) && Array.isArray(value) && value.some((item) => holdsSecret(schema.items, item))

const readTail = (address: string): string => {
  const { pathname, search, password } = new URL(address)
  return `${pathname}${search}${password}`
}

/** Every setting with its value; of a table of freely chosen keys those that are there. */
function* leaves(schema: TSchema, value: unknown, path: Path): Generator<Setting & { readonly value: unknown }> {
  const table = findVariant(schema, value) ?? schema
  const entry = readEntrySchema(table)
  const keys = isTable(table) ? Object.keys(table.properties) : entry && isPlain(value) ? Object.keys(value) : []
  if (keys.length === 0) yield { path, schema, value }
  for (const key of keys) {
    const member = isPlain(value) && Object.hasOwn(value, key) ? value[key] : undefined
    yield* leaves(readMemberSchema(table, key)!, member, [...path, key])
  }
}

function showValue(schema: Described, value: unknown): string {
  if (value === undefined) return `<not set: ${schema.whenEmpty ?? 'nothing'}>`
  return schema.secret ? hidden : writeTomlText(hideSecrets(schema, value))
}

const hidden = '<set, not shown>'

function hideSecrets(schema: TSchema, value: unknown): unknown {
  if (schema.secret) return hidden
  if (isPlain(value)) {
    const members = Object.entries(value).map(([key, member]) => {
      const known = readMemberSchema(schema, key)
      return [key, known ? hideSecrets(known, member) : hidden]
    })
    return Object.fromEntries(members)
  }
  if (isList(schema) && Array.isArray(value)) return value.map((item) => hideSecrets(schema.items, item))
  return holdsTable(schema) ? hidden : value
}

const nameSource = (place: Place | undefined) =>
  place === undefined ? 'default' : (place.variable ?? (place.line ? `${place.source}:${place.line}` : place.source))
