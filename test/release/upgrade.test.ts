/** `proofgate upgrade --check`, and the first start of a newer version, which has a migration of its own. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { upgrade } from '../../src/commands/upgrade.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { isMigrated, migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { tryMigrations } from '../../src/db/try-migrations.ts'
import { version } from '../../src/version.ts'
import { makeDataFolder } from '../commands/data-folder.ts'
import { run } from '../commands/terminal.ts'
import { databaseMade, findPosition, formers } from '../db/former/made.ts'
import { faultsIn, inspect } from '../db/store.ts'
import { buildNext, findCurrent, next } from '../parts/build-copy.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { mountSmallDisk } from '../parts/small-disk.ts'

setDefaultTimeout(120_000)

const folders = temporaryFolders()
let older = ''
let newer = ''
beforeAll(() => {
  older = findCurrent()
  newer = buildNext()
})

const surround = (data: string) =>
  ({
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: data, PROOFGATE_PORT: '0' },
    stdout: 'pipe',
    stderr: 'pipe',
  }) as const

async function call(command: readonly string[], data: string) {
  const child = Bun.spawn([...command], surround(data))
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** A server that is ready. */
async function start(file: string, data: string) {
  const child = Bun.spawn([file, 'serve', '--json'], surround(data))
  const { value } = await child.stdout.getReader().read()
  if (value === undefined) throw new Error(await new Response(child.stderr).text())
  const { baseUrl } = JSON.parse(new TextDecoder().decode(value)) as { baseUrl: string }
  return {
    readHealth: async () => (await (await fetch(`${baseUrl}/api/v1/health`)).json()) as object,
    async stop() {
      child.kill()
      return child.exited
    },
  }
}

/** A data folder that the older version has left. */
function makeFolder(): string {
  const data = join(folders(), 'data')
  makeDataFolder(data)
  return data
}

const plantRefusal = (data: string) =>
  inspect(data, (db) => {
    for (const subject of ['one', 'two'])
      db.run('INSERT INTO daily_numbers (kind, day, subject, count) VALUES (?, 1, ?, 1)', [next.refusedKind, subject])
  })

const isAsBefore = (data: string): boolean => inspect(data, (db) => isMigrated(db))

describe('an upgrade', () => {
  test('is tried on a copy beside the running older server, made by the first start, and bars the older one', async () => {
    const data = makeFolder()
    const server = await start(older, data)
    const files = readdirSync(data).filter((name) => name !== 'reserve')

    const tried = await call([newer, 'upgrade', '--check', '--json'], data)
    expect(tried).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(tried.out)).toMatchObject({
      works: true,
      version: next.version,
      at: migrations.at(-1)!.name,
      migrations: [{ name: next.migration, ms: expect.any(Number) }],
      changes: {
        tables: { added: ['next_marks', 'next_rows'], removed: [], altered: [] },
        rows: [{ table: 'next_rows', before: 0, after: next.rows }],
      },
      olderVersionReads: false,
    })
    const { out } = await call([newer, 'upgrade', '--check'], data)
    expect(out).toContain(`The first start of ${next.version} runs 1 migration.`)
    expect(out).toContain('New tables: next_marks, next_rows.')
    expect(out).toContain('an older version refuses the data folder')
    expect(readdirSync(data).filter((name) => name !== 'reserve')).toEqual(files)
    expect(await server.readHealth()).toMatchObject({ data: { status: 'ok', version } })
    expect(await server.stop()).toBe(0)
    expect(isAsBefore(data)).toBe(true)

    const upgraded = await start(newer, data)
    expect(await upgraded.readHealth()).toMatchObject({ data: { status: 'ok', version: next.version } })
    expect(await upgraded.stop()).toBe(0)
    const refused = await call([older, 'serve'], data)
    expect([refused.code, refused.err]).toEqual([69, expect.stringContaining(`it holds migration "${next.migration}"`)])
    expect(await call([older, 'upgrade', '--check'], data)).toMatchObject({
      code: 1,
      out: expect.stringContaining('The upgrade would fail: the database was last used by a newer Proofgate'),
    })
  })

  test('that would fail is told beforehand, and leaves the older version everything when it is tried all the same', async () => {
    const data = makeFolder()
    plantRefusal(data)

    const tried = await call([newer, 'upgrade', '--check'], data)
    expect(tried.code).toBe(1)
    expect(tried.out).toMatch(
      /^The upgrade would fail: migration "0999_next" cannot be applied .* \(UNIQUE constraint failed/m,
    )
    expect(tried.out).toEndWith('Nothing was changed.\n')
    expect(JSON.parse((await call([newer, 'upgrade', '--check', '--json'], data)).out)).toMatchObject({
      works: false,
      fault: expect.stringContaining('0999_next'),
    })

    const refused = await call([newer, 'serve'], data)
    expect(refused.code).toBe(69)
    expect(refused.err).toContain(`migration "0999_next" cannot be applied to ${locateDatabaseFile(data)}`)
    expect(refused.err).toContain('nothing was changed')
    expect(refused.err).toContain('self-update --rollback')
    expect(isAsBefore(data)).toBe(true)
    const server = await start(older, data)
    expect(await server.readHealth()).toMatchObject({ data: { status: 'ok', version } })
    await server.stop()
  })

  test.skipIf(isMissing(Bun.which('strace') || process.env.CI, 'a killed migration: apt-get install strace'))(
    'that is killed at a write leaves the old state or the whole new one, and the next start ends it',
    async () => {
      const data = makeFolder()
      const countRows = (): number | undefined =>
        inspect(data, (db) =>
          db.query("SELECT 1 FROM sqlite_schema WHERE name = 'next_rows'").get() === null
            ? undefined
            : db.query<{ count: number }, []>('SELECT count(*) AS count FROM next_rows').get()?.count,
        )
      const states: unknown[] = []
      // The pages of the migration are written by about 1,350 calls, and the fifth fsync ends its commit.
      for (const point of ['pwrite64:10', 'pwrite64:200', 'pwrite64:700', 'pwrite64:1300', 'fsync:5']) {
        const [name, number] = point.split(':')
        const inject = ['-e', `trace=${name}`, '-e', `inject=${name}:signal=KILL:when=${number}`]
        const killed = Bun.spawn(
          ['strace', '-f', '-qq', '-o', '/dev/null', ...inject, newer, 'serve', '--json'],
          surround(data),
        )
        // A start that was not killed would say that it is ready.
        const { value } = await killed.stdout.getReader().read()
        killed.kill()
        await killed.exited
        expect(value).toBeUndefined()
        expect(faultsIn(data)).toEqual([])
        states.push(countRows())
      }
      expect(states.slice(0, 3)).toEqual([undefined, undefined, undefined])
      for (const rows of states) expect<unknown[]>([undefined, next.rows]).toContain(rows)

      const upgraded = await start(newer, data)
      expect(await upgraded.readHealth()).toMatchObject({ data: { version: next.version } })
      await upgraded.stop()
      expect(countRows()).toBe(next.rows)
    },
  )
})

describe('a check', () => {
  const check = (data: string, args: readonly string[] = ['--json']) =>
    run(upgrade, ['--check', ...args], { env: { PROOFGATE_DATA: data } })

  test('of a data folder of this version finds nothing to do, and copies nothing', async () => {
    const data = makeFolder()
    expect(await check(data, [])).toMatchObject({
      code: 0,
      out: `The database is at ${migrations.at(-1)!.name}, the newest that ${version} knows.\nThere is nothing to do. An older version that knows it reads the data folder, too.\n`,
    })
    expect((await check(data)).json).toEqual({ works: true, version, migrations: [], olderVersionReads: true })
  })

  test('names the data that the migrations lose, and the forms that they bring up to date', async () => {
    const data = folders()
    const db = databaseMade(formers.find(({ name }) => name === '0004_signing_in')!)
    db.run("INSERT INTO profiles (id, subject, account, did, created_at) VALUES (1, 's', 'a', 'd', 1)")
    db.run(`INSERT INTO oauth_families (profile, client, account, scope, resource, signed_in_at, created_at, expires_at)
      VALUES (1, 'c', 'a', '', '', 1, 1, 9007199254740991)`)
    writeFileSync(locateDatabaseFile(data), db.serialize())

    const { json } = await check(data)
    expect(json).toMatchObject({ works: true, former: ['0004_signing_in'], olderVersionReads: false })
    expect(json.losses).toMatchObject([{ count: 1, says: expect.stringContaining('the sign-in of 1 app') }])
    expect(json.changes.rows).toContainEqual({ table: 'oauth_families', before: 1, after: 0 })
    expect(json.migrations.map(({ name }: { name: string }) => name)).toEqual(
      migrations.slice(findPosition('0004_signing_in') + 1).map(({ name }) => name),
    )
  })

  test('removes what a killed one left, as a start does', async () => {
    const data = makeFolder()
    const gone = Bun.spawn(['true'])
    await gone.exited
    const left = join(data, `upgrade-check-${gone.pid}`)
    mkdirSync(left)
    writeFileSync(join(left, 'proofgate.sqlite'), 'personal')

    await check(data)
    expect(existsSync(left)).toBe(false)
    mkdirSync(left)
    const server = await start(older, data)
    await server.stop()
    expect(existsSync(left)).toBe(false)
  })

  test('of the database leaves the log of an unclean end to the next start', async () => {
    const data = makeFolder()
    const db = new Database(locateDatabaseFile(data))
    db.run('PRAGMA wal_autocheckpoint = 0')
    db.run("INSERT INTO daily_numbers (kind, day, subject, count) VALUES ('x', 1, '', 1)")
    const log = statSync(`${locateDatabaseFile(data)}-wal`).size
    expect(log).toBeGreaterThan(0)

    const steps: unknown[] = []
    const extra = [...migrations, { name: '0999_more', sql: 'CREATE TABLE more AS SELECT * FROM daily_numbers' }]
    const trial = await tryMigrations(data, { now: 1, migrations: extra, tell: (step) => steps.push(step) })
    expect(trial?.changes.rows).toEqual([{ table: 'more', before: 0, after: 1 }])
    expect(statSync(`${locateDatabaseFile(data)}-wal`).size).toBe(log)
    db.close()
  })

  const disk = mountSmallDisk(24)
  afterAll(() => disk?.end())
  test.skipIf(isMissing(disk, 'a small disk: run as root'))('needs room for the copy, and says how much', async () => {
    const data = join(disk!.folder, 'data')
    mkdirSync(data)
    const db = new Database(locateDatabaseFile(data))
    db.run('PRAGMA journal_mode = WAL')
    migrate(db, migrations.slice(0, 20), 0)
    db.run(`WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 9000)
      INSERT INTO daily_numbers SELECT 'fill', number, hex(randomblob(200)), 1 FROM numbers`)
    db.close()

    await expect(check(data)).rejects.toThrow(
      /has \d+ MiB free, and the copy needs up to \d+ MiB: free some space there/,
    )
    expect(readdirSync(data).filter((name) => name.startsWith('upgrade'))).toEqual([])
  })

  test('needs --check, and a data folder', async () => {
    await expect(run(upgrade, [])).rejects.toThrow('the first start of this version upgrades the data folder')
    await expect(check(join(folders(), 'none'))).rejects.toThrow('there is no data folder of a server')
  })
})
