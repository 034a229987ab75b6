/** The tables of the guides that the code knows best, as Markdown. */
import { isTable, listSettings, readEntrySchema, type Setting } from '../config/outline.ts'
import { writeTomlPath, writeTomlText } from '../config/toml-text.ts'
import { type ErrorCode, errorKinds, errorMeanings } from '../errors.ts'
import { logEvents } from '../log-events.ts'
import { families } from '../monitoring/families.ts'
import { settings } from '../settings.ts'
import type { Catalog } from '../verifiers/index.ts'

/** Every verifier of this build. For one that this server does not offer, the table says what would change that. */
export const writeVerifierTable = (catalog: Pick<Catalog, 'known' | 'enabled' | 'absence' | 'accessLevel'>): string =>
  writeTable(
    ['Verifier', 'What a proof of it says', 'Offered here'],
    [...catalog.known.values()].map(({ id, description }) => [
      writeCode(id),
      escapeCell(description),
      !catalog.enabled.has(id)
        ? `no: ${escapeCell(readReason(catalog.absence(id)))}`
        : catalog.accessLevel(id) === 'key'
          ? 'with an access key'
          : 'yes',
    ]),
  )

/** The clause behind `"id" is not offered here: `. */
const readReason = (absence: string): string => absence.replace(/^"[^"]*" is .*? here: /, '')

export const writeErrorTable = (): string =>
  writeTable(
    ['Code', 'Status', 'What it means', 'Try again unchanged'],
    (Object.keys(errorKinds) as ErrorCode[]).map((code) => [
      writeCode(code),
      String(errorKinds[code].status),
      errorMeanings[code],
      errorKinds[code].retryable ? 'later' : 'no',
    ]),
  )

export const writeEventTable = (): string =>
  writeTable(
    ['Event', 'Levels', 'What happened'],
    Object.entries(logEvents).map(([name, { levels, about }]) => [
      writeCode(name),
      levels.join(', '),
      escapeCell(about),
    ]),
  )

export const writeMetricTable = (): string =>
  writeTable(
    ['Metric', 'Type', 'What it is'],
    families.map(({ name, type, help }) => [writeCode(name), type, escapeCell(help)]),
  )

/** One table for the settings at the top, then one for each `[table]` of the configuration, below its name. */
export const writeSettingTables = (): string =>
  Object.entries(Object.groupBy(listEverySetting(), ({ path }) => (path.length === 1 ? '' : String(path[0]))))
    .flatMap(([name, members = []]) => [
      ...(name === '' ? [] : [`### ${writeCode(`[${name}]`)}`]),
      writeTable(
        ['Setting', 'Default', 'What it is'],
        members.map(({ path, schema }) => [
          writeCode(path.join('.')),
          schema.default === undefined
            ? escapeCell(schema.whenEmpty ?? 'none')
            : writeCode(writeTomlText(schema.default)),
          escapeCell(
            [schema.description, schema.unit ? `Unit: ${schema.unit}.` : '', schema.consequence]
              .filter(Boolean)
              .join(' '),
          ),
        ]),
      ),
    ])
    .join('\n\n')

interface ListedSetting {
  readonly path: readonly string[]
  readonly schema: Setting['schema']
}

/** With the settings of tables whose keys the operator chooses, such as `chains.<name>.rpc`. */
const listEverySetting = (): ListedSetting[] =>
  listSettings(settings).flatMap(({ path, schema }) => {
    const written = path.map((key) => writeTomlPath([key]))
    const entry = readEntrySchema(schema)
    if (!entry || !isTable(entry)) return [{ path: written, schema }]
    return listSettings(entry).map((inner) => ({
      path: [...written, '<name>', writeTomlPath(inner.path)],
      schema: inner.schema,
    }))
  })

const writeTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** A pipe ends a cell, also inside code. */
const writeCode = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

/** Text that is not Markdown, except for code between backticks. */
const escapeCell = (text: string): string =>
  text.replace(/`[^`]*`|[<*[\]]/g, (found) => (found.length === 1 ? `\\${found}` : found)).replaceAll('|', '\\|')
