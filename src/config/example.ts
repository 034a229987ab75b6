/**
 * Writes config.example.toml from the schema: every setting with its default, its unit and what a change does.
 * `bun src/config/example.ts > config.example.toml`; a test fails while the file is not what this writes.
 */
import type { TSchema } from '@sinclair/typebox'
import { settings as allSettings } from '../settings.ts'
import { writeExample } from './finding.ts'
import { type Described, isTable, type Path, readEntrySchema } from './outline.ts'
import { writeTomlKey, writeTomlPath, writeTomlText } from './toml-text.ts'

const introduction = `# Every setting of Proofgate.
#
# Proofgate starts without any of this. To change a setting, copy this file to proofgate.toml beside the data
# folder (or name it with --config FILE), take the "# " away before "name = value" and put your value there.
# "proofgate check-config" says what is wrong, and which value comes from where.
#
# The environment wins over the file. The name of a variable is PROOFGATE_ and the path of the setting, in upper
# case, with _ for every dot and hyphen: signing.hub_chain_id is PROOFGATE_SIGNING_HUB_CHAIN_ID. Lists have commas
# between their items. An empty variable counts as not set. Any value may be in a file that PROOFGATE_…_FILE names.
`

const width = 110

export function writeExampleToml(settings = allSettings): string {
  return [introduction, ...writeTable(settings, [])].join('\n')
}

/** The settings of a table, then the tables in it: what follows a [header] in TOML belongs to that header. */
function writeTable(table: TSchema, path: Path): string[] {
  const members = Object.entries(table.properties as Record<string, TSchema>)
  const own = members.filter(([, member]) => !isTable(member) && !readEntrySchema(member))
  const inner = members.filter(([, member]) => isTable(member) || readEntrySchema(member))
  return [
    ...own.flatMap(([key, setting]) => writeSetting(key, [...path, key], setting)),
    ...inner.flatMap(([key, member]) => [
      ...(isTable(member) ? [] : writeAbout([...path, key], member)),
      `[${writeTomlPath([...path, key])}]`,
      '',
      ...(isTable(member) ? writeTable(member, [...path, key]) : writeEntry(member, [...path, key])),
    ]),
  ]
}

/** Shows the content of a table under the operator's own name as a comment, because none exists by default. */
function writeEntry(tables: Described, path: Path): string[] {
  const entry = readEntrySchema(tables)
  const name = Object.keys((tables.example as object | undefined) ?? {})[0]
  if (!entry || !isTable(entry) || name === undefined) return []
  const lines = Object.entries(entry.properties as Record<string, Described>).flatMap(([key, setting]) => [
    ...writeAbout([...path, name, key], setting),
    `${writeTomlKey(key)} = ${writeTomlText(setting.default ?? setting.example ?? '')}`,
    '',
  ])
  return [`[${writeTomlPath([...path, name])}]`, '', ...lines.slice(0, -1)]
    .map((line) => `#   ${line}`.trimEnd())
    .concat('')
}

const writeSetting = (key: string, path: Path, setting: Described) => [
  ...writeAbout(path, setting),
  `# ${writeTomlKey(key)} = ${writeTomlText(setting.default ?? '')}`,
  '',
]

function writeAbout(path: Path, setting: Described): string[] {
  const { description, consequence, unit, whenEmpty, secret, example, minimum, maximum } = setting
  const range = maximum === Number.MAX_SAFE_INTEGER ? `at least ${minimum}` : `${minimum} to ${maximum}`
  const notes = [
    unit && `Unit: ${unit}.`,
    minimum !== undefined && `Range: ${range}.`,
    whenEmpty && `Empty: ${whenEmpty}.`,
  ]
  const showsExample = !secret && writeTomlText(example) !== writeTomlText(setting.default)
  return [
    ...wrapText(description ?? ''),
    ...wrapText(consequence ?? ''),
    ...wrapText(notes.filter(Boolean).join(' ')),
    ...(showsExample ? wrapText(`Example: ${writeExample([{ path, schema: setting }])}`, '  ') : []),
  ]
}

/** Indents continued lines of examples: a continuation could be taken for a setting. */
function wrapText(text: string, indent = ''): string[] {
  if (!text) return []
  const lines = ['#']
  for (const word of text.split(' '))
    if (lines.at(-1)!.length + 1 + word.length > width) lines.push(`# ${indent}${word}`)
    else lines[lines.length - 1] += ` ${word}`
  return lines
}

if (import.meta.main) process.stdout.write(writeExampleToml())
