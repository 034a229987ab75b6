/** `proofgate doctor` tells what a start would find wrong with the data folder, and changes nothing there. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compactCommand } from '../../src/commands/compact.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { healthcheck } from '../../src/commands/healthcheck.ts'
import { databaseFileIn } from '../../src/db/db.ts'
import { startIn } from '../journeys/server.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'
import { mountSmallDisk } from '../parts/small-disk.ts'
import { makeDataFolder } from './data-folder.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)
const keyFile = (folder: string): string => join(folder, 'master.key')
const quiet = { PROOFGATE_MODERATION_TEXT: 'none' }
const look = (folder: string, env: Record<string, string> = {}) =>
  run(doctor, ['--json'], { cwd: newFolder(), env: { ...quiet, PROOFGATE_DATA: folder, ...env } })
const contents = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => [name, statSync(join(folder, name)).size, Bun.hash(readFileSync(join(folder, name)))])

test('a folder beside a running server and after its stop has no finding', async () => {
  const folder = newFolder()
  const server = await startIn(folder)
  expect(await look(folder)).toMatchObject({ code: 0, json: { findings: [] } })
  await server.stop()
  const before = contents(folder)
  expect(await look(folder)).toMatchObject({ code: 0, json: { findings: [] } })
  expect(contents(folder)).toEqual(before)
})

test.each<[string, (folder: string) => void, RegExp, RegExp]>([
  ['a missing key', (folder) => rmSync(keyFile(folder)), /master\.key is missing/, /^Restore .*master\.key/],
  [
    'another key',
    (folder) => writeFileSync(keyFile(folder), 'cd'.repeat(32)),
    /is not the key that the database/,
    /^restore/,
  ],
  ['half a key', (folder) => writeFileSync(keyFile(folder), 'cd'), /does not hold 64/, /^restore/],
  [
    'a missing database',
    (folder) => renameSync(databaseFileIn(folder), join(newFolder(), 'kept')),
    /proofgate\.sqlite is missing/,
    /^Restore/,
  ],
  [
    'a database that is none',
    (folder) => writeFileSync(databaseFileIn(folder), 'none '.repeat(5000)),
    /damaged or not a database/,
    /put a backup in its place/,
  ],
  [
    'a database cut short',
    (folder) => truncateSync(databaseFileIn(folder), statSync(databaseFileIn(folder)).size - 8192),
    /damaged or not a database/,
    /put a backup in its place/,
  ],
])('%s is told with what mends it', async (_, spoil, says, mend) => {
  const folder = newFolder()
  await (await startIn(folder)).stop()
  spoil(folder)
  const before = contents(folder)
  const { code, json } = await look(folder)
  expect(code).toBe(1)
  expect(json.findings).toMatchObject([
    { setting: 'data', level: 'fail', says: expect.stringMatching(says), mend: expect.stringMatching(mend) },
  ])
  expect(contents(folder)).toEqual(before)
})

test('a folder that is not there yet is no fault, unless one is expected', async () => {
  const folder = join(newFolder(), 'data')
  const { code, json } = await look(folder)
  expect(code).toBe(0)
  expect(json.findings[0].says).toContain('the first start makes it')
  const expected = await look(folder, { PROOFGATE_STORAGE_EXPECT_EXISTING: 'true' })
  expect(expected.code).toBe(1)
  expect(expected.json.findings[0].says).toContain('storage.expect_existing says')
})

test('a file in the place of the folder is told', async () => {
  const file = join(newFolder(), 'data')
  writeFileSync(file, '')
  const { code, json } = await look(file)
  expect(code).toBe(1)
  expect(json.findings[0].says).toMatch(/there is a file of that name/)
})

if (process.getuid?.() === 0)
  test('a folder of another user and one on a read-only disk are told, and compact says the same of the disk', async () => {
    const folder = newFolder()
    makeDataFolder(folder)
    const start = async (before: string[], command: string) => {
      const child = Bun.spawn([...before, ...program, command], {
        env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, ...quiet },
        cwd: '/',
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      return { code: await child.exited, said: out + err }
    }
    const other = await start(['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'], 'doctor')
    expect(other).toMatchObject({ code: 1, said: expect.stringContaining('no permission') })
    const readOnly = [
      'unshare',
      '-m',
      'sh',
      '-c',
      `mount --bind '${folder}' '${folder}'; mount -o remount,bind,ro '${folder}'; exec "$@"`,
      'sh',
    ]
    const words = expect.stringContaining('its disk is mounted read-only')
    expect(await start(readOnly, 'doctor')).toMatchObject({ code: 1, said: words })
    expect(await start(readOnly, 'compact')).toMatchObject({ code: 69, said: words })
  })

test('compact tells damage and a missing database as what they are', async () => {
  const folder = newFolder()
  makeDataFolder(folder)
  const compactIn = () => run(compactCommand, [], { cwd: folder, env: { PROOFGATE_DATA: folder } })
  writeFileSync(databaseFileIn(folder), 'none '.repeat(5000))
  await expect(compactIn()).rejects.toThrow(/damaged or not a database.*put a backup in its place/)
  rmSync(databaseFileIn(folder))
  for (const end of ['-wal', '-shm']) rmSync(`${databaseFileIn(folder)}${end}`, { force: true })
  await expect(compactIn()).rejects.toThrow(/is missing, and .*master\.key is there/)
})

const disk = mountSmallDisk(8)
if (disk)
  test('compact on a full disk says how much room it needs and where', async () => {
    try {
      makeDataFolder(disk.folder)
      Bun.spawnSync(['sh', '-c', `cat /dev/zero > '${disk.folder}/fill'`], { stderr: 'ignore' })
      await expect(run(compactCommand, [], { cwd: disk.folder, env: { PROOFGATE_DATA: disk.folder } })).rejects.toThrow(
        `${disk.folder} has 0 MiB free, and the copy needs`,
      )
    } finally {
      disk.end()
    }
  })

test('a start refused for a wrong setting is JSON where the log is JSON, by environment and by file', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'proofgate.toml'), 'port = 70000\n[log]\nformat = "json"\n')
  for (const env of [{ PROOFGATE_CONFIG: 'proofgate.toml' }, { PROOFGATE_LOG_FORMAT: 'json', PROOFGATE_PORT: 'x' }]) {
    const child = Bun.spawn([...program], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', ...env },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const lines = (await new Response(child.stderr).text()).trimEnd().split('\n')
    expect(await child.exited).toBe(78)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', exitCode: 78, error: expect.stringMatching(/port/i) },
    ])
  }
})

test('a healthcheck that nothing answers says what to look at', async () => {
  const { code, err } = await run(healthcheck, [], { env: { PROOFGATE_PORT: '1' } })
  expect(code).toBe(1)
  expect(err).toMatch(/nothing answers.*\nwhat to do: see whether the server is started .*PROOFGATE_PORT/)
})
