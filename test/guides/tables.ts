/** The tables of the README that come from the code: `bun test/guides/tables.ts` writes them, a test compares them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { isTable, listSettings, readEntrySchema } from '../../src/config/outline.ts'
import { writeTomlPath, writeTomlText } from '../../src/config/toml-text.ts'
import { errorKinds } from '../../src/errors.ts'
import { settings } from '../../src/settings.ts'

const readmeFile = new URL('../../README.md', import.meta.url).pathname

export const readme = (): string => readFileSync(readmeFile, 'utf8')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** With the settings of the tables that the operator names: `chains.<name>.rpc`. */
const everySetting = () =>
  listSettings(settings).flatMap(({ path, schema }) => {
    const entry = readEntrySchema(schema)
    if (!entry || !isTable(entry)) return [{ path: writeTomlPath(path), schema }]
    return listSettings(entry).map((inner) => ({
      path: `${writeTomlPath(path)}.<name>.${writeTomlPath(inner.path)}`,
      schema: inner.schema,
    }))
  })

const settingsTable = (): string =>
  table(
    ['Setting', 'Default', 'What it is'],
    everySetting().map(({ path, schema }) => [
      `\`${path}\``,
      schema.default === undefined ? (schema.whenEmpty ?? 'none') : `\`${writeTomlText(schema.default)}\``,
      [schema.description, schema.unit ? `Unit: ${schema.unit}.` : ''].filter(Boolean).join(' '),
    ]),
  )

const errorsTable = (): string =>
  table(
    ['Code', 'Status', 'Type', 'Try again unchanged'],
    Object.entries(errorKinds).map(([code, kind]) => [
      `\`${code}\``,
      String(kind.status),
      kind.type,
      kind.retryable ? 'later' : 'no',
    ]),
  )

/** The README as it should be. */
export function withTables(text: string): string {
  const between = (name: string, content: string) => (from: string) =>
    from.replace(
      new RegExp(`(<!-- ${name}[^>]*-->\n)[^]*?(<!-- /${name} -->)`),
      (_, open, close) => `${open}${content}\n${close}`,
    )
  return between('errors', errorsTable())(between('settings', settingsTable())(text))
}

if (import.meta.main) writeFileSync(readmeFile, withTables(readme()))
