/**
 * Writes config.example.toml from the schema: every setting with its default, its unit and what a change does.
 * `bun src/config/example.ts > config.example.toml`; a test fails while the file is not what this writes.
 */
import type { TSchema } from '@sinclair/typebox'
import { exampleFor } from './finding.ts'
import { type Described, entrySchema, isTable, type Path } from './outline.ts'
import { settings } from './schema.ts'
import { tomlKey, tomlPath, tomlText } from './toml-text.ts'

const introduction = `# Every setting of Proofgate.
#
# Proofgate starts without any of this. To change a setting, copy this file to proofgate.toml beside the data
# folder (or name it with --config FILE), take the "# " away before "name = value" and put your value there.
# "proofgate check-config" says what is wrong, and which value comes from where.
#
# The environment wins over the file. The name of a variable is PROOFGATE_ and the path of the setting, in upper
# case, with _ for every dot and hyphen: signing.hub_chain_id is PROOFGATE_SIGNING_HUB_CHAIN_ID. Lists have commas
# between their items. An empty variable counts as not set. A secret may be in a file that PROOFGATE_…_FILE names.
`

const width = 110

export function exampleToml(): string {
  return [introduction, ...tableLines(settings, [])].join('\n')
}

/** The settings of a table, then the tables in it: what follows a [header] in TOML belongs to that header. */
function tableLines(table: TSchema, path: Path): string[] {
  const members = Object.entries(table.properties as Record<string, TSchema>)
  const own = members.filter(([, member]) => !isTable(member) && !entrySchema(member))
  const inner = members.filter(([, member]) => isTable(member) || entrySchema(member))
  return [
    ...own.flatMap(([key, setting]) => settingLines(key, [...path, key], setting)),
    ...inner.flatMap(([key, member]) => [
      ...(isTable(member) ? [] : aboutLines([...path, key], member)),
      `[${tomlPath([...path, key])}]`,
      '',
      ...(isTable(member) ? tableLines(member, [...path, key]) : entryLines(member, [...path, key])),
    ]),
  ]
}

/** What stands in a table of the operator's own name: shown as a comment, because no such table is there by default. */
function entryLines(tables: Described, path: Path): string[] {
  const entry = entrySchema(tables)
  const name = Object.keys((tables.example as object | undefined) ?? {})[0]
  if (!entry || !isTable(entry) || name === undefined) return []
  const lines = Object.entries(entry.properties as Record<string, Described>).flatMap(([key, setting]) => [
    ...aboutLines([...path, name, key], setting),
    `${tomlKey(key)} = ${tomlText(setting.default ?? setting.example ?? '')}`,
    '',
  ])
  return [`[${tomlPath([...path, name])}]`, '', ...lines.slice(0, -1)].map((line) => `#   ${line}`.trimEnd()).concat('')
}

const settingLines = (key: string, path: Path, setting: Described) => [
  ...aboutLines(path, setting),
  `# ${tomlKey(key)} = ${tomlText(setting.default ?? '')}`,
  '',
]

function aboutLines(path: Path, setting: Described): string[] {
  const { description, consequence, unit, whenEmpty, secret, example, minimum, maximum } = setting
  const range = maximum === Number.MAX_SAFE_INTEGER ? `at least ${minimum}` : `${minimum} to ${maximum}`
  const notes = [
    unit && `Unit: ${unit}.`,
    minimum !== undefined && `Range: ${range}.`,
    whenEmpty && `Empty: ${whenEmpty}.`,
  ]
  const showsExample = !secret && tomlText(example) !== tomlText(setting.default)
  return [
    ...wrapped(description ?? ''),
    ...wrapped(consequence ?? ''),
    ...wrapped(notes.filter(Boolean).join(' ')),
    ...(showsExample ? wrapped(`Example: ${exampleFor([{ path, schema: setting }])}`, '  ') : []),
  ]
}

/** What goes on in the next line is indented in examples: a line of one could be taken for a setting. */
function wrapped(text: string, indent = ''): string[] {
  if (!text) return []
  const lines = ['#']
  for (const word of text.split(' '))
    if (lines.at(-1)!.length + 1 + word.length > width) lines.push(`# ${indent}${word}`)
    else lines[lines.length - 1] += ` ${word}`
  return lines
}

if (import.meta.main) process.stdout.write(exampleToml())
