/** A command that fails says so as JSON too, where --json was given: one shape for all commands. */
import { describe, expect, test } from 'bun:test'
import type { Terminal } from '../../src/commands/command.ts'
import { commands } from '../../src/commands/index.ts'
import { runCommand } from '../../src/commands/run-command.ts'
import { temporaryFolders } from '../db/store.ts'

const newFolder = temporaryFolders()

async function fail(name: string, args: readonly string[], env: Terminal['env'] = {}) {
  let [out, err] = ['', '']
  const code = await runCommand(
    commands.find((command) => command.name === name)!,
    args,
    {
      env,
      cwd: newFolder(),
      now: () => 1,
      async *input() {},
      out: (text) => {
        out += text
      },
      outBytes: async () => {},
      err: (text) => {
        err += text
      },
      isPerson: false,
    },
    { hasColors: false, columns: undefined },
  )
  return { code, out, err }
}

test.each(commands.map(({ name }) => [name]))('%s --json', async (command) => {
  const { code, out, err } = await fail(command, ['--json', '--no-such-option'])
  expect(code).toBe(2)
  expect(JSON.parse(out)).toEqual({ ok: false, exitCode: 2, error: err.replace(/^proofgate: /, '').trimEnd() })
  expect(await fail(command, ['--no-such-option'])).toMatchObject({ code: 2, out: '' })
})

describe('backups', () => {
  const env = { PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery' }
  test.each([
    ['a backup without a data folder', 'backup', ['out/'], 69, /there is no data folder of a server at/],
    ['a restore of a file that is not there', 'restore', ['gone.backup'], 69, /gone\.backup cannot be read/],
    ['a drill of an empty place', 'drill', ['out/'], 69, /no backup|no data folder/],
    ['a wrong configuration', 'drill', ['--config', 'gone.toml'], 78, /gone\.toml: there is no such file/],
  ] as const)('%s', async (_, command, args, exitCode, says) => {
    const { code, out } = await fail(command, [...args, '--json'], env)
    expect(code).toBe(exitCode)
    expect(JSON.parse(out)).toEqual({ ok: false, exitCode, error: expect.stringMatching(says) })
  })
})

test('a sign-in that a server refuses', async () => {
  const { code, out } = await fail('sign', ['--url', 'http://127.0.0.1:9', '--json'])
  expect(JSON.parse(out)).toEqual({ ok: false, exitCode: code, error: expect.any(String) })
  expect(code).not.toBe(0)
})
