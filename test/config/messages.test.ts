/** Messages about every setting, with wrong values of every kind, through the real loader. */
import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config/load.ts'
import { isTable, isUnion, readEntrySchema, type Setting } from '../../src/config/outline.ts'
import { settings } from '../../src/settings.ts'
import { findInside } from '../bad-input/plain-message.ts'
import { folders } from './folder.ts'

const folder = folders()

/** Also the settings of tables whose names the operator chooses, under the name "a". */
function listAll(schema: Setting['schema'], path: readonly string[] = []): Setting[] {
  const entry = readEntrySchema(schema)
  if (entry) return [{ path, schema }, ...listAll(entry, [...path, 'a'])]
  const tables = isUnion(schema) ? schema.anyOf.filter(isTable) : isTable(schema) ? [schema] : []
  if (tables.length === 0) return [{ path, schema }]
  return tables.flatMap(({ properties }) =>
    Object.entries(properties).flatMap(([name, member]) => listAll(member, [...path, name])),
  )
}
const all = new Map(listAll(settings).map((one) => [one.path.join('.'), one]))

const long = 'x'.repeat(2000)
const wrong = [true, -1, 0.5, 1e15, '', 'é!', 'word', long, [], [true], ['é!'], ['same', 'same'], [long], { a: 'é!' }]

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)} = ${write(member)}`)
  return `{ ${members.join(', ')} }`
}

async function messagesAbout(path: Setting['path'], value: unknown): Promise<readonly string[]> {
  const [first, ...rest] = path.map((key) => JSON.stringify(String(key)))
  const inner = rest.reduceRight((text, key) => `{ ${key} = ${text} }`, write(value))
  const cwd = folder({ 'proofgate.toml': `${first} = ${inner}\n` })
  const { findings } = await readConfig({ env: {}, cwd })
  // This sets one member alone, so other findings name what its table lacks.
  return findings.filter(({ key }) => key.startsWith(path.join('.'))).map(({ message }) => message)
}

/** True for a message that names only an expected kind, which the value already has. */
const isOfRightKind = (message: string): boolean =>
  /expected text in quotes, found (?:"|\d+ char)|expected a list, each [^,]*, found \[(?:\]|"same)/.test(message)

test.each([...all].map(([name, { path }]) => [name, path] as const))(
  'a wrong value of %s is told in plain words, with what is right',
  async (name, path) => {
    let found = 0
    for (const value of wrong)
      for (const message of await messagesAbout(path, value)) {
        found++
        const told = message.replace(/, found .*? \(example: .*$/s, '').replace(/ \(example: .*$/s, '')
        expect([message, findInside(told.replaceAll(/"[^"]*"/g, '"…"'))]).toEqual([message, undefined])
        expect([message, isOfRightKind(message)]).toEqual([message, false])
        expect(message).toContain(name)
      }
    expect(found).toBeGreaterThan(0)
  },
)
