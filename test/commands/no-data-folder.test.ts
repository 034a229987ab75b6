/** Commands on a server's data refuse a folder where no server ever ran, and create nothing in it. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clients } from '../../src/commands/clients.ts'
import { UnavailableError } from '../../src/commands/command.ts'
import { compactCommand } from '../../src/commands/compact.ts'
import { gates } from '../../src/commands/gates.ts'
import { findCommand } from '../../src/commands/index.ts'
import { keys } from '../../src/commands/keys.ts'
import { operator } from '../../src/commands/operator.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { alice } from '../wallets.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()

const byName = { clients, compact: compactCommand, gates, keys, operator }

const calls = [
  ['keys', ['create', '--wallet', alice.address]],
  ['keys', ['list']],
  ['keys', ['revoke', 'key_1']],
  ['keys', ['rotate']],
  ['gates', ['plan', 'gates.json']],
  ['gates', ['apply', 'gates.json', '--yes']],
  ['gates', ['list']],
  ['gates', ['show', 'club']],
  ['gates', ['rollback', 'club', '1']],
  ['gates', ['guests', 'club']],
  ['gates', ['remove', 'club']],
  ['clients', ['list']],
  ['clients', ['remove', 'client']],
  ['clients', ['disconnect', '--yes']],
  ['compact', []],
  ['operator', ['link']],
  ['operator', ['list']],
  ['operator', ['remove', alice.address]],
] as const

describe.each(calls.map(([name, args]) => [`${name} ${args[0]}`, byName[name], args] as const))(
  'proofgate %s',
  (_, command, args) => {
    const refuse = async (cwd: string, data: string, env: Readonly<Record<string, string>> = {}) => {
      writeFileSync(join(cwd, 'gates.json'), '{"gates":[]}')
      const before = readdirSync(cwd, { recursive: true })
      const failing = run(command, args, { cwd, env })
      await expect(failing).rejects.toBeInstanceOf(UnavailableError)
      await expect(failing).rejects.toThrow(`there is no data folder of a server at ${data}: run this where the server`)
      await expect(failing).rejects.toThrow(/PROOFGATE_DATA or its configuration with --config/)
      expect(readdirSync(cwd, { recursive: true })).toEqual(before)
    }

    test('refuses a working directory without a data folder', async () => {
      const cwd = newFolder()
      await refuse(cwd, join(cwd, 'data'))
    })

    test('refuses an empty folder and a folder of other files', async () => {
      const cwd = newFolder()
      mkdirSync(join(cwd, 'empty'))
      await refuse(cwd, join(cwd, 'empty'), { PROOFGATE_DATA: 'empty' })
      writeFileSync(join(cwd, 'empty', 'notes.txt'), 'mine')
      await refuse(cwd, join(cwd, 'empty'), { PROOFGATE_DATA: 'empty' })
    })
  },
)

test('a data folder that cannot be read is not called missing', async () => {
  const cwd = newFolder()
  writeFileSync(join(cwd, 'file'), '')
  const failing = run(keys, ['list'], { cwd, env: { PROOFGATE_DATA: 'file' } })
  await expect(failing).rejects.toBeInstanceOf(UnavailableError)
  await expect(failing).rejects.toThrow(
    `the data folder ${join(cwd, 'file')} cannot be used (a part of the path is a file)`,
  )
})

test('the steps under test are all that the help of these commands lists, but the one that needs no data', () => {
  const listed = (['keys', 'gates', 'clients', 'operator'] as const).flatMap((name) =>
    findCommand(name)!.help.flatMap((line) => {
      const step = /^ {2}([a-z]+)\b/.exec(line)?.[1]
      return step ? [`${name} ${step}`] : []
    }),
  )
  const tried = calls.map(([name, [step]]) => `${name} ${step}`)
  expect(listed.filter((step) => !tried.includes(step))).toEqual(['gates test'])
})
