/** Missing or unusable files of a data folder are reported with their path and remedy, and never recreated. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../src/commands/command.ts'
import { keys } from '../../src/commands/keys.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { inspect } from '../db/store.ts'
import { startOnFiles } from '../journeys/server.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'
import { alice } from '../wallets.ts'
import { makeDataFolder } from './data-folder.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)
const key = 'ab'.repeat(32)
const keyFile = (folder: string): string => join(folder, 'master.key')

/** A folder that a server has used: an account, and a sealed content. */
async function usedFolder(env: Record<string, string> = {}): Promise<string> {
  const folder = newFolder()
  const server = await startOnFiles(folder, env)
  const { status } = await server.submit(alice, {
    verifierIds: ['ownership-basic'],
    data: { owner: alice.address, content: 'private words' },
    options: { privacyLevel: 'private', storeOriginalContent: true },
  })
  expect(status).toBe(200)
  await server.stop()
  return folder
}

/** Starts the server as a process, which is expected to refuse. */
async function readRefusal(folder: string, env: Record<string, string> = {}, before: readonly string[] = []) {
  const child = Bun.spawn([...before, ...program, 'serve'], {
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, PROOFGATE_PORT: '0', ...env },
    cwd: '/',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 20_000,
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(out).not.toContain('is running')
  expect(await child.exited).toBe(exitCodes.unavailable)
  expect(err).not.toContain('    at ')
  return err
}

const listContents = (folder: string): unknown[] =>
  readdirSync(folder)
    .filter((name) => !name.includes('.lock'))
    .sort()
    .map((name) => [name, statSync(join(folder, name)).size])

describe('a missing file is reported, and not recreated', () => {
  test('a master key beside a used database', async () => {
    const folder = await usedFolder()
    renameSync(keyFile(folder), join(newFolder(), 'kept'))
    const refusal = await readRefusal(folder)
    expect(refusal).toContain(`${keyFile(folder)} is missing, and the database beside it was used with it`)
    expect(refusal).toContain(`Restore ${keyFile(folder)} from a backup`)
    expect(existsSync(keyFile(folder))).toBe(false)
    const beside = run(keys, ['list'], { cwd: folder, env: { PROOFGATE_DATA: folder } })
    await expect(beside).rejects.toThrow(`If the key stood in ${keyFile(folder)}, restore that file from a backup`)
  })

  test('a master key beside a database that an older build used, which noted no key', async () => {
    const folder = await usedFolder()
    inspect(folder, (db) => db.run('PRAGMA user_version = 0'))
    rmSync(keyFile(folder))
    expect(await readRefusal(folder)).toContain('is missing, and the database beside it was used with it')
    expect(existsSync(keyFile(folder))).toBe(false)
  })

  test.each([
    ['missing', (file: string) => rmSync(file), 'is missing'],
    ['empty', (file: string) => truncateSync(file), 'is empty (0 bytes)'],
  ])('a database that is %s beside a key', async (_, lose, words) => {
    const folder = await usedFolder()
    lose(locateDatabaseFile(folder))
    const before = listContents(folder)
    const refusal = await readRefusal(folder)
    expect(refusal).toContain(`${locateDatabaseFile(folder)} ${words}, and ${keyFile(folder)} is there`)
    expect(refusal).toContain(`Restore ${locateDatabaseFile(folder)} from a backup`)
    expect(refusal).toContain(`move ${keyFile(folder)} away`)
    expect(listContents(folder)).toEqual(before)

    renameSync(keyFile(folder), join(newFolder(), 'kept'))
    const anew = await startOnFiles(folder)
    await anew.stop()
  })

  test('an empty database is not turned into a new one by a command', async () => {
    const folder = await usedFolder()
    truncateSync(locateDatabaseFile(folder))
    const listing = run(keys, ['list'], { cwd: folder, env: { PROOFGATE_DATA: folder } })
    await expect(listing).rejects.toThrow(`${locateDatabaseFile(folder)} is empty (0 bytes)`)
    expect(statSync(locateDatabaseFile(folder)).size).toBe(0)
  })

  test.each(['-wal', '-shm'])('a database whose %s is there, which SQLite would delete', async (end) => {
    const folder = newFolder()
    writeFileSync(`${locateDatabaseFile(folder)}${end}`, 'x'.repeat(4096))
    const refusal = await readRefusal(folder, { PROOFGATE_MASTER_KEY: key })
    expect(refusal).toContain(
      `${locateDatabaseFile(folder)} is missing, and ${locateDatabaseFile(folder)}${end} of it is there`,
    )
    expect(statSync(`${locateDatabaseFile(folder)}${end}`).size).toBe(4096)
  })

  test.each([
    ['an empty folder', newFolder],
    ['a folder that is not there', () => join(newFolder(), 'volume', 'data')],
  ])('%s where the operator expects a used one, as of a volume that is not mounted', async (_, make) => {
    const folder = make()
    const refusal = await readRefusal(folder, { PROOFGATE_STORAGE_EXPECT_EXISTING: 'true' })
    expect(refusal).toContain('storage.expect_existing says that this folder was used before')
    expect(refusal).toContain(`see whether its disk is mounted at ${folder}`)
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })

  test('a used folder is opened where one is expected', async () => {
    const folder = await usedFolder()
    await (await startOnFiles(folder, { PROOFGATE_STORAGE_EXPECT_EXISTING: 'true' })).stop()
  })

  test('a first start that was cut off before it made its key goes on', async () => {
    const folder = newFolder()
    writeFileSync(locateDatabaseFile(folder), '')
    await (await startOnFiles(folder)).stop()
    const migrated = newFolder()
    makeDataFolder(migrated, { hasOwnKey: false })
    await (await startOnFiles(migrated)).stop()
    expect(existsSync(keyFile(migrated))).toBe(true)
  })
})

describe('a key that is not the one of the database', () => {
  test('is refused by the server and by a command, whether it is of the configuration or of the folder', async () => {
    const folder = await usedFolder({ PROOFGATE_MASTER_KEY: key })
    const configured = await readRefusal(folder, { PROOFGATE_MASTER_KEY: 'cd'.repeat(32) })
    expect(configured).toContain('the configured master key is not the key of the database in this folder')
    expect(configured).toContain('set PROOFGATE_MASTER_KEY (setting "master_key") to the key of before')
    writeFileSync(keyFile(folder), `${'cd'.repeat(32)}\n`)
    expect(await readRefusal(folder)).toContain(`${keyFile(folder)} is not the key of the database`)
    const env = { PROOFGATE_DATA: folder }
    await expect(run(keys, ['list'], { cwd: folder, env })).rejects.toThrow(/is not the key of the database/)
    await (await startOnFiles(folder, { PROOFGATE_MASTER_KEY: key })).stop()
  })

  test('is refused also where nothing is sealed yet', async () => {
    const folder = newFolder()
    await (await startOnFiles(folder, { PROOFGATE_MASTER_KEY: key })).stop()
    expect(await readRefusal(folder, { PROOFGATE_MASTER_KEY: 'cd'.repeat(32) })).toContain(
      'the configured master key is',
    )
  })

  test('is refused by the sealed data where an older build stored no key', async () => {
    const folder = await usedFolder({ PROOFGATE_MASTER_KEY: key })
    inspect(folder, (db) => db.run('PRAGMA user_version = 0'))
    expect(await readRefusal(folder, { PROOFGATE_MASTER_KEY: 'cd'.repeat(32) })).toContain(
      'the configured master key is',
    )
    expect(inspect(folder, (db) => db.query('PRAGMA user_version').get())).toEqual({ user_version: 0 })
  })

  test('in the configuration, beside the right one of the folder, gets the advice to leave it out', async () => {
    const folder = await usedFolder()
    expect(await readRefusal(folder, { PROOFGATE_MASTER_KEY: key })).toContain(
      `${keyFile(folder)} is: leave PROOFGATE_MASTER_KEY (setting "master_key") out`,
    )
  })

  test('the right key is accepted for a copy of the database that SQLite made', async () => {
    const folder = await usedFolder()
    const copy = newFolder()
    inspect(folder, (db) => db.run(`VACUUM INTO '${locateDatabaseFile(copy)}'`))
    writeFileSync(keyFile(copy), `${key}\n`)
    expect(await readRefusal(copy)).toContain('is not the key of the database')
    copyFileSync(keyFile(folder), keyFile(copy))
    await (await startOnFiles(copy)).stop()
  })
})

const isRoot = process.getuid?.() === 0
const mounts = isRoot && Bun.spawnSync(['unshare', '-m', 'true'], { stderr: 'ignore' }).exitCode === 0
if (process.env.CI) test('CI can mount', () => expect(mounts).toBe(true))

/** The start in a mount namespace of its own, in which the lines ran before. */
const mounted = (lines: string): string[] => ['unshare', '-m', 'sh', '-c', `${lines}; exec "$@"`, 'sh']

describe('an unusable disk is reported by its cause', () => {
  test('a file where the folder should be', async () => {
    const file = join(newFolder(), 'data')
    writeFileSync(file, '')
    expect(await readRefusal(file)).toMatch(/there is a file of that name|a part of the path is a file/)
  })

  test('a folder in the place of the database', async () => {
    const folder = newFolder()
    mkdirSync(locateDatabaseFile(folder))
    expect(await readRefusal(folder)).toContain(`${locateDatabaseFile(folder)} is not a file`)
  })

  test('a file that is not a database', async () => {
    const folder = newFolder()
    writeFileSync(locateDatabaseFile(folder), 'no database '.repeat(1000))
    const refusal = await readRefusal(folder)
    expect(refusal).toContain('is damaged or not a database')
    expect(refusal).toContain('put a backup in its place')
    expect(readFileSync(locateDatabaseFile(folder), 'utf8')).toStartWith('no database')
  })

  if (mounts) {
    test('a folder mounted read-only, used and new', async () => {
      const used = await usedFolder()
      for (const folder of [used, newFolder()]) {
        const refusal = await readRefusal(
          folder,
          {},
          mounted(`mount --bind '${folder}' '${folder}'; mount -o remount,bind,ro '${folder}'`),
        )
        expect(refusal).toContain('its disk is mounted read-only')
        expect(refusal).toContain('mount it for writing')
        expect(refusal).not.toContain('make it a folder')
      }
    })

    test('a disk without room, new and used', async () => {
      const used = await usedFolder()
      const place = newFolder()
      const full = `mount -t tmpfs -o size=2m tmpfs '${place}'; cp '${used}'/* '${place}'; mkdir '${place}/new'; cat /dev/zero > '${place}/fill' 2>/dev/null`
      for (const folder of [place, join(place, 'new')]) {
        const refusal = await readRefusal(folder, {}, mounted(full))
        expect(refusal).toContain('its disk is full')
        expect(refusal).toContain('free some space there')
      }
    })
  }

  if (isRoot)
    test('a folder of another user', async () => {
      const folder = await usedFolder()
      chmodSync(folder, 0o700)
      const refusal = await readRefusal(folder, {}, [
        'setpriv',
        '--reuid',
        '65534',
        '--regid',
        '65534',
        '--clear-groups',
      ])
      expect(refusal).toContain('no permission')
      expect(refusal).toContain('that this user may write to')
    })
})
