/** `proofgate move-to sqlite:FOLDER`: all data from PostgreSQL into a new data folder. */

import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { UnavailableError, UsageError } from '../../src/commands/command.ts'
import { readDatabaseUrl } from '../../src/config/database-url.ts'
import { UnreachableError } from '../../src/db/db.ts'
import { requireWholeFolder } from '../../src/db/folder-state.ts'
import { MasterKeyError } from '../../src/db/master-key.ts'
import { MigrationError } from '../../src/db/migrate.ts'
import { moveToFolder } from '../../src/db/move/to-folder.ts'
import { masterKey } from '../db/schemas/story.ts'
import { faultsIn, inspect, temporaryFolders } from '../db/store.ts'
import { startOnFiles } from '../journeys/server.ts'
import { freePort } from '../parts/free-port.ts'
import { type PostgresServer, startPostgres } from '../parts/postgres.ts'
import { program } from '../parts/program.ts'
import { ask, key, listMoved, makeModel, move, readFolderRows, readServerRows } from './move-stage.ts'

setDefaultTimeout(120_000)

const newFolder = temporaryFolders()
let server: PostgresServer
let makeFolder: () => string

beforeAll(async () => {
  server = await startPostgres({ version: 15 })
  makeFolder = await makeModel(newFolder)
})

async function fillDatabase(folder = makeFolder()): Promise<string> {
  const url = await server.createEmptyDatabase()
  await move(folder, url)
  return url
}

const moveBack = (url: string, to: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  move(newFolder(), `sqlite:${to}`, args, { PROOFGATE_DATABASE_URL: url, ...env })

test('brings every row back into a folder that a server starts on with its own key', async () => {
  const folder = makeFolder()
  const url = await fillDatabase(folder)
  const back = join(newFolder(), 'data')
  const done = await moveBack(url, back, ['--json'])

  expect(done.code).toBe(0)
  const tables = listMoved(folder)
  expect(done.json.tables.map(({ table }: { table: string }) => table).sort()).toEqual([...tables].sort())
  for (const table of tables)
    expect([table, readFolderRows(back, table)]).toEqual([table, readFolderRows(folder, table)])
  const readTriggers = (at: string) =>
    inspect(at, (db) => db.query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name").all())
  expect(readTriggers(back)).toEqual(readTriggers(folder))
  expect(faultsIn(back)).toEqual([])
  expect(readFileSync(join(back, 'master.key'), 'utf8')).toBe(`${masterKey}\n`)
  for (const name of ['master.key', 'proofgate.sqlite']) expect(statSync(join(back, name)).mode & 0o777).toBe(0o600)

  const started = await startOnFiles(back, { PROOFGATE_LOG_LEVEL: 'error' })
  expect((await started.get('/api/v1/gates/gate_holders')).body.data.gate.name).toBe('Holders')
  await started.stop()
})

test('leaves the database as it was, and adds totals that several rows count', async () => {
  const url = await fillDatabase()
  await ask(url, 'INSERT INTO totals VALUES (3, 5, -2), (9, 1, 1)')
  const before = await readServerRows(url, 'totals')
  const back = newFolder()
  await moveBack(url, back)
  expect(await readServerRows(url, 'totals')).toEqual(before)
  const sum = before.map((row) => JSON.parse(row)).reduce(([, a, p], [, b, q]) => [1, a + b, p + q])
  expect(readFolderRows(back, 'totals')).toEqual([JSON.stringify(sum)])
})

test('a move that is killed with SIGKILL leaves no data folder, and is run again', async () => {
  const url = await fillDatabase()
  await ask(
    url,
    `INSERT INTO audit_events (at, event, details)
     SELECT i, 'test', '{"text":"' || repeat(md5(i::text), 20) || '"}' FROM generate_series(1, 60000) i`,
  )
  const back = join(newFolder(), 'data')
  const start = () =>
    Bun.spawn([...program, 'move-to', `sqlite:${back}`], {
      cwd: '/',
      env: { ...key, PATH: process.env.PATH ?? '', PROOFGATE_DATABASE_URL: url },
      stdout: 'pipe',
      stderr: 'pipe',
    })
  const killed = start()
  for await (const chunk of killed.stdout) if (Buffer.from(chunk).includes('accounts:')) break
  killed.kill('SIGKILL')
  await killed.exited
  expect(existsSync(join(back, 'proofgate.sqlite'))).toBe(false)
  expect(readdirSync(back)).toContain('proofgate.sqlite.moving')
  // A server would begin with nothing, and take the place of the data.
  expect(() => requireWholeFolder(back)).toThrow('a move into')

  const again = start()
  const said = await new Response(again.stderr).text()
  expect([await again.exited, said]).toEqual([0, ''])
  expect(readdirSync(back).sort()).toEqual(['master.key', 'proofgate.sqlite', 'proofgate.sqlite.lock'])
  expect(readFolderRows(back, 'audit_events')).toEqual(await readServerRows(url, 'audit_events'))
})

test('no server can start while a folder is filled, because the folder would miss what it stores', async () => {
  const url = await fillDatabase()
  const starting = new SQL({ url, max: 1, connection: { search_path: 'proofgate' } })
  await starting.unsafe('SELECT 1')
  const tries: Promise<string>[] = []
  await moveToFolder({
    from: readDatabaseUrl(url),
    folder: newFolder(),
    masterKey: Buffer.from(masterKey, 'hex'),
    now: 1,
    // A server puts its row among the living first. It would wait for the end of the move.
    tell: () =>
      tries.push(
        starting
          .unsafe('BEGIN; LOCK TABLE live_processes IN ROW EXCLUSIVE MODE NOWAIT; ROLLBACK')
          .simple()
          .then(
            () => 'a server could start',
            (error: Error) => error.message,
          ),
      ),
  })
  expect(await tries[0]).toBe('could not obtain lock on relation "live_processes"')
  await starting.close()
})

test('says how the server is started, without the key', async () => {
  const back = newFolder()
  const { out } = await moveBack(await fillDatabase(), back)
  expect(out.replaceAll('\n', ' ')).toContain(
    `Start one server with PROOFGATE_DATA=${back}, without "database.url" and "master_key"`,
  )
  expect(out).not.toContain(masterKey)
})

const refusal = async (moving: Promise<unknown>, kind: new (...args: never[]) => Error, says: string) => {
  await expect(moving).rejects.toBeInstanceOf(kind)
  await expect(moving).rejects.toThrow(says)
}

test('a folder that holds anything is refused, and so is the key of another server in it', async () => {
  const url = await fillDatabase()
  const used = makeFolder()
  await refusal(moveBack(url, used), UnavailableError, `the folder ${used} is not empty: "`)
  const keyed = newFolder()
  writeFileSync(join(keyed, 'master.key'), '8'.repeat(64))
  await refusal(moveBack(url, keyed), MasterKeyError, 'master.key holds another key')
  expect(readdirSync(keyed).filter((name) => !name.endsWith('.lock'))).toEqual(['master.key'])
})

test('a folder that cannot be written is named', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  const moving = moveBack(await fillDatabase(), join(file, 'data'))
  await refusal(moving, UnavailableError, `the data folder ${join(file, 'data')} cannot be used`)
})

test('another key than that of the servers is refused', async () => {
  const moving = moveBack(await fillDatabase(), newFolder(), [], { PROOFGATE_MASTER_KEY: '8'.repeat(64) })
  await refusal(moving, MasterKeyError, 'the configured master key is not the one that this database is used with')
})

test('a database on which a server runs is refused', async () => {
  const url = await fillDatabase()
  const running = await startOnFiles(newFolder(), { ...key, PROOFGATE_DATABASE_URL: url })
  await refusal(moveBack(url, newFolder()), UnavailableError, 'a server runs on the database, on the machine')
  await running.stop()
})

test('a database without data, of an unfinished move, or of another version is refused', async () => {
  const back = newFolder()
  const empty = await server.createEmptyDatabase()
  await refusal(moveBack(empty, back), UnavailableError, 'the database holds no data of a server')
  const unfinished = await fillDatabase()
  await ask(unfinished, 'CREATE TABLE unfinished_move (x text)')
  await refusal(moveBack(unfinished, back), MigrationError, 'a move of a data folder into this database did not come')
  const newer = await fillDatabase()
  await ask(newer, "INSERT INTO migrations VALUES ('9999_later', 'x', 1, false)")
  await refusal(moveBack(newer, back), MigrationError, 'the database was last used by a newer Proofgate')
  const older = await fillDatabase()
  await ask(older, 'DELETE FROM migrations WHERE name = (SELECT pg_catalog.max(name) FROM migrations)')
  await refusal(moveBack(older, back), MigrationError, 'the database was last used by an older version')
  expect(readdirSync(back)).toEqual([])
})

test('a server that does not answer is named', async () => {
  const moving = moveBack(`postgres://proofgate@127.0.0.1:${await freePort()}/proofs`, newFolder())
  await refusal(moving, UnreachableError, 'the database server cannot be used (')
})

test('a call without a folder or a database is refused', async () => {
  await refusal(move(makeFolder(), `sqlite:${newFolder()}`), UsageError, '"database.url", which is not set')
  await refusal(move(makeFolder(), 'sqlite:'), UsageError, 'name the new folder behind "sqlite:"')
})
