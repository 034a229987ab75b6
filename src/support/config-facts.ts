/** What is told of a configuration: which settings are set and from where, and values that are numbers or choices. */
import type { TSchema } from '@sinclair/typebox'
import { checkConfig } from '../config/check.ts'
import type { ConfigInput } from '../config/config-input.ts'
import { readConfig } from '../config/load.ts'
import { isUnion } from '../config/outline.ts'
import { settings } from '../settings.ts'

export interface ConfigFacts {
  readonly isRight: boolean
  /** Settings with a fault, without the sentence, which may quote the value. */
  readonly faults: readonly string[]
  readonly settings: readonly { readonly name: string; readonly from: string; readonly value?: string }[]
}

export async function gatherConfigFacts(input: ConfigInput): Promise<ConfigFacts> {
  const { file, findings, settings: applied } = await checkConfig(input)
  const names = new Set(applied.map(({ key }) => key))
  return {
    isRight: findings.length === 0,
    faults: findings.map(({ key, line }) => `${names.has(key) ? key : 'another name'}${line ? `, line ${line}` : ''}`),
    settings: applied
      .filter(({ source }) => source !== 'default')
      .map(({ key, value, source }) => ({
        name: writeName(key),
        from: file !== undefined && source.startsWith(file) ? 'file' : 'environment',
        ...(isPlainValue(value) || choices.has(value) ? { value } : {}),
      })),
  }
}

/** Names that the operator chose stay when they are words: `chains.base.rpc`. */
const writeName = (key: string): string => (/^[a-z0-9_]+(?:\.[a-z0-9_-]{1,32})*$/.test(key) ? key : key.split('.')[0]!)

const isPlainValue = (value: string): boolean => /^(?:true|false|-?\d{1,12}(?:\.\d{1,6})?)$/.test(value)

/** Every word that some setting offers, as TOML writes it. */
const choices = new Set(listChoices(settings))

function listChoices(schema: TSchema): string[] {
  if (isUnion(schema)) return schema.anyOf.flatMap((one) => listChoices(one))
  if (typeof schema.const === 'string') return [JSON.stringify(schema.const)]
  const members = [...Object.values(schema.properties ?? {}), ...Object.values(schema.patternProperties ?? {})]
  return members.flatMap((member) => listChoices(member as TSchema))
}

/** Everything that the configuration says in words, for it to be taken out of all texts. */
export async function listConfiguredTexts(input: ConfigInput): Promise<readonly string[]> {
  const { values } = await readConfig(input)
  return listTexts(values).flatMap((text) => (isTelling(text) ? [text, ...listParts(text)] : []))
}

/** A short word such as "json" stands in the names of settings too. */
const isTelling = (text: string): boolean => text.length >= 16 || (text.length >= 6 && /[^a-z_-]/.test(text))

/** An address travels in parts: its host, its path and what stands in its query. */
function listParts(text: string): readonly string[] {
  const url = URL.parse(text)
  if (!url || url.host === '') return []
  const parts = [url.host, url.username, url.password, ...url.pathname.split('/'), ...url.searchParams.values()]
  return parts.filter((part) => part.length >= 8)
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap((member) => listTexts(member))
}
