/** `proofgate doctor` tells what a start would find wrong with the data folder, and changes nothing there. */
import { constants, Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { compactCommand } from '../../src/commands/compact.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { healthcheck } from '../../src/commands/healthcheck.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { lookForDamage } from '../../src/db/look.ts'
import { startOnFiles } from '../journeys/server.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'
import { mountImage, mountSmallDisk } from '../parts/small-disk.ts'
import { makeDataFolder } from './data-folder.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)
const keyFile = (folder: string): string => join(folder, 'master.key')
const quiet = { PROOFGATE_MODERATION_TEXT: 'none' }
/** Without what is said of backups. */
async function look(folder: string, env: Record<string, string> = {}) {
  const { code, json } = await run(doctor, ['--json'], {
    cwd: newFolder(),
    env: { ...quiet, PROOFGATE_DATA: folder, ...env },
  })
  const findings = json.findings.filter(({ setting }: { setting: string }) => setting !== 'backup.to')
  return { code, json: { ...json, findings } }
}
const contents = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => [name, statSync(join(folder, name)).size, Bun.hash(readFileSync(join(folder, name)))])

const expectWhole = (folder: string) => {
  const says = expect.stringMatching(new RegExp(`the data folder ${folder} is whole; its disk has \\d+ MiB free`))
  return { code: 0, json: { findings: [{ setting: 'data', level: 'ok', says }] } }
}
const expectFault = (says: RegExp, mend: RegExp) => ({
  code: 1,
  json: {
    findings: [
      { setting: 'data', level: 'fail', says: expect.stringMatching(says), mend: expect.stringMatching(mend) },
    ],
  },
})

test('a folder beside a running server and after its stop is whole, and its free space is shown', async () => {
  const folder = newFolder()
  const server = await startOnFiles(folder)
  expect(await look(folder)).toMatchObject(expectWhole(folder))
  await server.stop()
  const before = contents(folder)
  expect(await look(folder)).toMatchObject(expectWhole(folder))
  expect(contents(folder)).toEqual(before)
})

test.each<[string, (folder: string) => void, RegExp, RegExp]>([
  ['a missing key', (folder) => rmSync(keyFile(folder)), /master\.key is missing/, /^Restore .*master\.key/],
  [
    'another key',
    (folder) => writeFileSync(keyFile(folder), 'cd'.repeat(32)),
    /is not the key of the database/,
    /^restore/,
  ],
  ['half a key', (folder) => writeFileSync(keyFile(folder), 'cd'), /does not hold 64/, /^restore/],
  [
    'a missing database',
    (folder) => renameSync(locateDatabaseFile(folder), join(newFolder(), 'kept')),
    /proofgate\.sqlite is missing/,
    /^Restore/,
  ],
  [
    'a database that is none',
    (folder) => writeFileSync(locateDatabaseFile(folder), 'none '.repeat(5000)),
    /damaged or not a database/,
    /put a backup in its place/,
  ],
  [
    'a database cut short',
    (folder) => truncateSync(locateDatabaseFile(folder), statSync(locateDatabaseFile(folder)).size - 8192),
    /damaged or not a database/,
    /put a backup in its place/,
  ],
])('%s is told with what mends it', async (_, spoil, says, mend) => {
  const folder = newFolder()
  await (await startOnFiles(folder)).stop()
  spoil(folder)
  const before = contents(folder)
  expect(await look(folder)).toMatchObject(expectFault(says, mend))
  expect(contents(folder)).toEqual(before)
})

/**
 * Makes a folder as a kill leaves it: with the log and the mark of the run. The last pages of the database are read by
 * no start.
 */
async function makeKilledFolder(): Promise<string> {
  const [folder, left] = [newFolder(), join(newFolder(), 'data')]
  makeDataFolder(folder)
  const db = new Database(locateDatabaseFile(folder))
  db.run('CREATE TABLE unread (text BLOB)')
  for (let row = 0; row < 100; row++) db.run('INSERT INTO unread VALUES (randomblob(2000))')
  db.close()
  const server = await startOnFiles(folder)
  cpSync(folder, left, { recursive: true })
  await server.stop()
  expect(statSync(`${locateDatabaseFile(left)}-wal`).size).toBeGreaterThan(0)
  return left
}

/** The index of the log is SQLite's own: the first process that opens the database makes it anew. */
const keptContents = (folder: string) => contents(folder).filter(([name]) => name !== 'proofgate.sqlite-shm')

function setTimeAhead(file: string): void {
  const ahead = new Date(Date.now() + 600_000)
  utimesSync(file, ahead, ahead)
}

test('a database cut short beside a log that has other pages is reported', async () => {
  const folder = await makeKilledFolder()
  expect(await look(folder)).toMatchObject(expectWhole(folder))
  truncateSync(locateDatabaseFile(folder), statSync(locateDatabaseFile(folder)).size - 81_920)
  const before = keptContents(folder)
  expect(await look(folder)).toMatchObject(expectFault(/damaged.*unread/, /put a backup in its place/))
  expect(keptContents(folder)).toEqual(before)
})

test('a database that was put beside the log of another one is reported', async () => {
  const folder = await makeKilledFolder()
  setTimeAhead(locateDatabaseFile(folder))
  const before = keptContents(folder)
  expect(await look(folder)).toMatchObject(expectFault(/is not as the last run left it/, /-wal .* away/))
  expect(keptContents(folder)).toEqual(before)
})

test('a database that a running server writes is not taken for a replaced one', async () => {
  const folder = newFolder()
  const child = Bun.spawn([...program, 'serve', '--json'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, PROOFGATE_PORT: '0', ...quiet },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  try {
    await child.stdout.getReader().read()
    setTimeAhead(locateDatabaseFile(folder))
    expect(await look(folder)).toMatchObject(expectWhole(folder))
  } finally {
    child.kill()
    await child.exited
  }
})

test('a page that was overwritten is reported with its table', async () => {
  const folder = newFolder()
  await (await startOnFiles(folder)).stop()
  overwriteRootOf('profiles', locateDatabaseFile(folder))
  const before = contents(folder)
  expect(await look(folder)).toMatchObject(expectFault(/damaged.*profiles/, /put a backup in its place/))
  expect(contents(folder)).toEqual(before)
})

function overwriteRootOf(table: string, file: string): void {
  const db = new Database(`file://${file}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  const { at, size } = db
    .query<{ at: number; size: number }, [string]>(
      'SELECT (rootpage - 1) * page_size AS at, page_size AS size FROM sqlite_schema, pragma_page_size() WHERE name = ?',
    )
    .get(table)!
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(size, 0xaa), 0, size, at)
  closeSync(handle)
}

test('a database of a newer build is reported', async () => {
  const folder = newFolder()
  makeDataFolder(folder)
  const db = new Database(locateDatabaseFile(folder))
  db.run("INSERT INTO migrations (name, sha256, applied_at) VALUES ('9999_later', 'x', 1)")
  db.close()
  const { code, json } = await look(folder)
  expect(code).toBe(1)
  expect(json.findings[0]).toMatchObject({ level: 'fail', says: expect.stringContaining('newer Proofgate') })
})

if (process.platform === 'linux')
  test('a folder that was deleted under a running server is reported with the process that still has it', async () => {
    const folder = newFolder()
    const server = await startOnFiles(folder)
    try {
      rmSync(folder, { recursive: true })
      expect(await look(folder)).toMatchObject(
        expectFault(new RegExp(`deleted.*process ${process.pid}\\b`), /do not stop it/),
      )
    } finally {
      await server.stop().catch(String)
    }
  })

test('a database that is not read to its end in time is not reported as whole', async () => {
  const folder = newFolder()
  makeDataFolder(folder)
  expect(await lookForDamage(folder, 0)).toEqual({ hasReadAll: false })
  expect(await lookForDamage(folder, 60_000)).toEqual({ hasReadAll: true })
})

test('a folder that does not exist yet is no fault, unless one is expected', async () => {
  const folder = join(newFolder(), 'data')
  const { code, json } = await look(folder)
  expect(code).toBe(0)
  expect(json.findings[0].says).toContain('the first start makes it')
  const expected = await look(folder, { PROOFGATE_STORAGE_EXPECT_EXISTING: 'true' })
  expect(expected.code).toBe(1)
  expect(expected.json.findings[0].says).toContain('storage.expect_existing says')
})

test('a file in the place of the folder is reported', async () => {
  const file = join(newFolder(), 'data')
  writeFileSync(file, '')
  const { code, json } = await look(file)
  expect(code).toBe(1)
  expect(json.findings[0].says).toMatch(/there is a file of that name/)
})

if (process.getuid?.() === 0)
  test('a folder of another user and one on a read-only disk are reported, and compact says the same of the disk', async () => {
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
      // Long lines break at words.
      return { code: await child.exited, said: (out + err).replace(/\s+/g, ' ') }
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

test('compact reports damage and a missing database by their cause', async () => {
  const folder = newFolder()
  makeDataFolder(folder)
  const compactIn = () => run(compactCommand, [], { cwd: folder, env: { PROOFGATE_DATA: folder } })
  writeFileSync(locateDatabaseFile(folder), 'none '.repeat(5000))
  await expect(compactIn()).rejects.toThrow(/damaged or not a database.*put a backup in its place/)
  rmSync(locateDatabaseFile(folder))
  for (const end of ['-wal', '-shm']) rmSync(`${locateDatabaseFile(folder)}${end}`, { force: true })
  await expect(compactIn()).rejects.toThrow(/is missing, and .*master\.key is there/)
})

const image = mountImage()
if (image)
  test('a file system that the kernel made read-only after a fault is reported', async () => {
    try {
      const folder = join(image.folder, 'data')
      makeDataFolder(folder)
      expect(await look(folder, { PROOFGATE_STORAGE_MIN_FREE_MB: '0' })).toMatchObject({ code: 0 })
      expect(Bun.spawnSync(['mount', '-o', 'remount,abort', image.folder]).success).toBe(true)
      const { code, json } = await look(folder, { PROOFGATE_STORAGE_MIN_FREE_MB: '0' })
      expect(code).toBe(1)
      expect(json.findings.at(-1)).toMatchObject({
        level: 'fail',
        says: expect.stringContaining('its disk is mounted read-only'),
        mend: expect.stringContaining('log of the kernel'),
      })
    } finally {
      image.end()
    }
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

test('a healthcheck without an answer says what to look at', async () => {
  const { code, err } = await run(healthcheck, [], { env: { PROOFGATE_PORT: '1' } })
  expect(code).toBe(1)
  expect(err).toMatch(/nothing answers.*\nwhat to do: see whether the server is started .*PROOFGATE_PORT/)
})
