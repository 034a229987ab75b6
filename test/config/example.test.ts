import { describe, expect, test } from 'bun:test'
import { checkConfig } from '../../src/config/check.ts'
import { writeExampleToml } from '../../src/config/example.ts'
import { writeExample } from '../../src/config/finding.ts'
import { loadConfig } from '../../src/config/load.ts'
import { isUnion, listSettings, readEntrySchema } from '../../src/config/outline.ts'
import { writeTomlPath } from '../../src/config/toml-text.ts'
import { settings } from '../../src/settings.ts'
import { folders, messages } from './folder.ts'

const folder = folders()

const example = await Bun.file(`${import.meta.dir}/../../config.example.toml`).text()

/** Uncomments every setting, as an operator would by hand for one. */
const uncommented = example.replace(/^# (?=[a-z_]+ = )/gm, '')

describe('config.example.toml', () => {
  test('equals the output of `bun src/config/example.ts`', () => {
    expect(example).toBe(writeExampleToml())
  })

  test('changes no setting when it is used unchanged', async () => {
    const cwd = folder({ 'proofgate.toml': example })
    expect(await loadConfig({ env: {}, cwd })).toEqual(await loadConfig({ env: {}, cwd, file: '/dev/null' }))
  })

  test('with every setting uncommented says just the defaults', async () => {
    const cwd = folder({ 'proofgate.toml': uncommented })
    expect(await loadConfig({ env: {}, cwd })).toEqual(await loadConfig({ env: {}, cwd, file: '/dev/null' }))
  })

  test('has every setting, and nothing else', () => {
    const written: string[] = []
    let table = ''
    for (const line of uncommented.split('\n')) {
      const header = /^\[(.+)\]$/.exec(line)?.[1]
      const key = /^([a-z_]+) = /.exec(line)?.[1]
      if (header) table = header
      if (key) written.push(table ? `${table}.${key}` : key)
    }
    const tablesOf = listSettings(settings).filter(({ schema }) => readEntrySchema(schema))
    const plain = listSettings(settings).filter(({ schema }) => !readEntrySchema(schema))

    expect(written.sort()).toEqual(plain.map(({ path }) => writeTomlPath(path)).sort())
    for (const { path } of tablesOf) expect(uncommented).toContain(`\n[${writeTomlPath(path)}]\n`)
  })

  test('names a table whose settings it holds before them, so that uncommenting one line is enough', async () => {
    const lines = example.split('\n')
    const edited = lines.map((line) => (line.startsWith('# cache_mb') ? 'cache_mb = 1' : line)).join('\n')
    expect(await loadConfig({ env: {}, cwd: folder({ 'proofgate.toml': edited }) })).toMatchObject({
      storage: { cacheMb: 1 },
    })
  })

  test('has no long lines, but for lists, which are uncommented in one go', () => {
    const isList = (line: string) => /^# [a-z_]+ = \[/.test(line)
    expect(example.split('\n').filter((line) => line.length > 120 && !isList(line))).toEqual([])
  })
})

describe('every setting', () => {
  test.each(listSettings(settings).map((setting) => [writeTomlPath(setting.path), setting] as const))(
    '%s',
    async (_, setting) => {
      const { schema, path } = setting
      expect(schema.description).toMatch(/^[A-Za-z0-9].*\.$/)
      expect(schema.consequence).toMatch(/^[A-Za-z0-9].*\.$/)
      if (schema.default === undefined) expect(schema.whenEmpty).toBeString()
      // Every example must be accepted. Exceptions are a secret's, which must be refused, and a file's, which is absent
      // here.
      // A place needs a passphrase beside it, and the continuous backup a place.
      const isIncomplete = ['backup.to', 'backup.continuous'].includes(writeTomlPath(path))
      const line = writeExample([setting])
      const toml = readEntrySchema(schema)
        ? `[${writeTomlPath(path)}]\n${line}`
        : `[${writeTomlPath(path.slice(0, -1))}]\n${line}`
      expect(await messages({ toml: toml.replace('[]\n', '') })).toHaveLength(
        schema.secret || schema.names === 'file' || isIncomplete ? 1 : 0,
      )
      if (schema.type === 'integer')
        expect([schema.minimum, schema.maximum]).toEqual([expect.any(Number), expect.any(Number)])
      if (isUnion(schema)) for (const { const: word } of schema.anyOf) expect(word).toBeString()
    },
  )
})

test('check-config sees no finding in the example', async () => {
  expect((await checkConfig({ env: {}, cwd: folder({ 'proofgate.toml': uncommented }) })).findings).toEqual([])
})
