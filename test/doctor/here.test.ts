/** What doctor finds on this machine without a call. */
import { expect, test } from 'bun:test'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { doctor } from '../../src/commands/doctor.ts'
import { openConnection } from '../../src/db/connection.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { selectMount } from '../../src/db/mounts.ts'
import { readSqliteVersion, requireSafeSqlite } from '../../src/db/sqlite-version.ts'
import { judgeMount } from '../../src/doctor/database-ground.ts'
import { judgeSync, measureSync } from '../../src/doctor/sync-speed.ts'
import { noteJobRun } from '../../src/jobs/store.ts'
import { makeDataFolder } from '../commands/data-folder.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../parts/folders.ts'

const newFolder = temporaryFolders()

interface Given {
  readonly env?: Record<string, string>
  readonly now?: () => number
}
/** The findings of doctor on a folder, but for those that say that it is whole. */
async function examine(folder: string, { env = {}, now = Date.now }: Given = {}) {
  const { json } = await run(doctor, ['--json'], {
    cwd: folder,
    now,
    env: {
      PROOFGATE_MODERATION_TEXT: 'none',
      PROOFGATE_DATA: join(folder, 'data'),
      PROOFGATE_BACKUP_TO: join(folder, 'backups'),
      PROOFGATE_BACKUP_WITHOUT_SECRETS: 'true',
      ...env,
    },
  })
  return (json.findings as { setting: string; level: string; says: string; mend?: string }[]).filter(
    ({ level }) => level !== 'ok',
  )
}
interface Run {
  readonly job: 'backup' | 'drill'
  readonly isGood?: boolean
  readonly at?: number
}
function noteRuns(data: string, runs: readonly Run[]): void {
  const db = openConnection({ file: locateDatabaseFile(data), cacheBytes: 1_048_576, walLimitBytes: 1_048_576 })
  for (const { job, isGood = true, at = Date.now() } of runs) {
    const { sql, params } = noteJobRun({ job, isGood, endedAt: at, tookMs: 1, says: 'the disk is full' })
    db.query(sql).run(...(params as (string | number)[]))
  }
  db.close()
}

/** With a backup and a drill of a moment ago. */
function makeUsed(): { readonly folder: string; readonly data: string } {
  const folder = newFolder()
  const data = join(folder, 'data')
  makeDataFolder(data)
  noteRuns(data, [{ job: 'backup' }, { job: 'drill' }])
  return { folder, data }
}

test('a folder as a start leaves it gets no finding, and keeps its files', async () => {
  const { folder, data } = makeUsed()
  const before = readdirSync(data)
  expect(await examine(folder)).toEqual([])
  expect(readdirSync(data)).toEqual(before)
})

test.each([
  ['3.51.2', false],
  ['3.51.0', false],
  ['3.9.0', false],
  ['2.99.99', false],
  ['3.51.3', true],
  ['3.51.3.1', true],
  ['3.52.0', true],
  ['4.0.0', true],
  ['', false],
])('SQLite "%s" may run a server: %p', (version, isSafe) => {
  const require = () => requireSafeSqlite(version)
  if (isSafe) expect(require()).toBeUndefined()
  else expect(require).toThrow(new RegExp(`runs with SQLite ${version.replaceAll('.', '\\.')},`))
})

test('the SQLite of this program may run a server', () => {
  expect(readSqliteVersion()).toMatch(/^3\.\d+\.\d+$/)
  expect(() => requireSafeSqlite()).not.toThrow()
})

test.each([
  ['nfs4', true],
  ['cifs', true],
  ['fuse.sshfs', true],
  ['ext4', false],
  ['overlay', false],
])('a data folder on %s is told as one of the network: %p', (type, isTold) => {
  const mount = selectMount('/srv/data', `36 35 98:0 / /srv rw,noatime shared:1 - ${type} host:/disk rw`)
  const found = judgeMount('/srv/data', mount)
  expect(found.map(({ level }) => level)).toEqual(isTold ? ['warn'] : [])
  if (isTold) expect(found[0]).toMatchObject({ says: expect.stringContaining(`(${type}, mounted at /srv)`) })
})

test('the time of a small write is measured without leaving a file, and told where it is slow', async () => {
  const folder = newFolder()
  expect(await measureSync(folder)).toBeGreaterThan(0)
  expect(readdirSync(folder)).toEqual([])
  expect(await measureSync(join(folder, 'missing'))).toBeUndefined()
  expect(judgeSync(folder, 3)).toEqual([])
  expect(judgeSync(folder, 84.6)).toMatchObject([{ level: 'warn', says: expect.stringContaining('takes 85 ms') }])
})

test('files that others can read are told with the command that closes them', async () => {
  const { folder, data } = makeUsed()
  chmodSync(join(data, 'master.key'), 0o640)
  expect(await examine(folder)).toMatchObject([
    {
      level: 'warn',
      says: expect.stringMatching(/master key .*its group \(mode 640\)/),
      mend: expect.stringContaining('chmod 600'),
    },
  ])
  chmodSync(join(data, 'master.key'), 0o600)
  chmodSync(locateDatabaseFile(data), 0o644)
  expect(await examine(folder)).toEqual([])
  chmodSync(data, 0o755)
  expect((await examine(folder)).map(({ mend }) => mend?.split(',')[0])).toEqual([
    `chmod 700 ${data}`,
    `chmod 600 ${locateDatabaseFile(data)}`,
  ])
})

test('a configuration that others can read is told only if it holds secrets', async () => {
  const { folder } = makeUsed()
  const file = join(folder, 'proofgate.toml')
  writeFileSync(file, 'port = 1234\n')
  chmodSync(file, 0o644)
  expect(await examine(folder)).toEqual([])
  const writeChain = (rpc: string) =>
    writeFileSync(file, `[chains.base]\nchain = "eip155:8453"\nrpc = ["http://127.0.0.1:1${rpc}"]\n`)
  const findModes = async () => (await examine(folder)).filter(({ setting }) => setting === 'config').length
  writeChain('/v1/rpc')
  expect(await findModes()).toBe(0)
  writeChain(`/v2/${'k3y'.repeat(10)}`)
  expect(await findModes()).toBe(1)
  writeFileSync(file, `master_key = "${'ab'.repeat(32)}"\n`)
  const found = await examine(folder)
  expect(found.filter(({ setting }) => setting === 'config')).toMatchObject([
    { level: 'warn', says: expect.stringContaining('every user'), mend: expect.stringMatching(/^chmod 6[04]0 /) },
  ])
  expect(JSON.stringify(found)).not.toContain('abab')
})

test('a signing key of more than a year is told with the command that rotates it', async () => {
  const { folder, data } = makeUsed()
  const at = Date.UTC(2026, 0, 1)
  const db = openConnection({ file: locateDatabaseFile(data), cacheBytes: 1_048_576, walLimitBytes: 1_048_576 })
  db.run(
    "INSERT INTO oauth_keys (kid, alg, sealed, public_jwk, created_at, not_before) VALUES ('one', 'ES256', 'x', '{}', ?1, ?1)",
    [at],
  )
  db.close()
  const told = async (days: number) =>
    (await examine(folder, { now: () => at + days * 86_400_000 })).filter(({ setting }) => setting === 'oauth')
  expect(await told(300)).toEqual([])
  expect(await told(400)).toMatchObject([
    {
      level: 'warn',
      says: expect.stringContaining('400 days'),
      mend: expect.stringContaining('proofgate keys rotate'),
    },
  ])
})

test('a server without backups is told', async () => {
  const { folder } = makeUsed()
  const env = { PROOFGATE_BACKUP_TO: '', PROOFGATE_BACKUP_WITHOUT_SECRETS: '' }
  expect(await examine(folder, { env })).toMatchObject([{ setting: 'backup.to', level: 'warn' }])
})

test('a backup that failed, is late or was never made is told, and so is a drill', async () => {
  const { folder, data } = makeUsed()
  const tell = async () => (await examine(folder)).map(({ setting, level, says }) => [setting, level, says])
  noteRuns(data, [{ job: 'drill', isGood: false }])
  expect(await tell()).toEqual([
    ['backup.drill_schedule', 'fail', 'the last restore on trial failed: the disk is full'],
  ])
  noteRuns(data, [{ job: 'drill' }, { job: 'backup', at: Date.now() - 2.5 * 3_600_000 }])
  expect(await tell()).toEqual([['backup.schedule', 'warn', expect.stringContaining('one is overdue')]])
  noteRuns(data, [{ job: 'backup', at: Date.now() - 1.5 * 3_600_000 }])
  expect(await tell()).toEqual([])
  const other = join(newFolder(), 'data')
  makeDataFolder(other)
  expect((await examine(join(other, '..'))).map(({ says }) => says)).toEqual([
    'there was no backup yet',
    'there was no drill yet',
  ])
})
