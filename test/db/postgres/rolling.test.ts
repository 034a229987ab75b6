/** Servers of two versions on one database: which migrations let the older one go on, and what happens with the others. */
import { beforeAll, expect, test } from 'bun:test'
import { readDatabaseUrl } from '../../../src/config/database-url.ts'
import { MigrationError } from '../../../src/db/migrate.ts'
import { type Connection, openConnection } from '../../../src/db/postgres/connection.ts'
import { migratePostgres, type PostgresMigration, postgresMigrations } from '../../../src/db/postgres/migrate.ts'
import { type PostgresServer, startPostgres } from '../../parts/postgres.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ version: 15 })
})

async function connect(url: string): Promise<Connection> {
  const login = readDatabaseUrl(url)
  return openConnection({ server: login.servers[0]!, login: { ...login, tls: false }, timeoutMs: 10_000 })
}

const adding: PostgresMigration = {
  name: '9001_adding',
  sql: 'CREATE TABLE added (id BIGINT PRIMARY KEY)',
  olderMayRun: true,
}
const changing: PostgresMigration = {
  name: '9002_changing',
  sql: 'ALTER TABLE accounts RENAME COLUMN address TO renamed',
  olderMayRun: false,
}

/** A process of another version that lives while `work` goes on. */
async function besideLiving<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.run('INSERT INTO live_processes (id, started_at, version, host, beats) VALUES (?1, 0, ?2, ?3, 0)', [
    'older',
    '0.9.0',
    'machine-a',
  ])
  const beating = setInterval(() => void connection.runPlain('UPDATE live_processes SET beats = beats + 1'), 200)
  try {
    return await work()
  } finally {
    clearInterval(beating)
  }
}

test('a version starts on what a newer one has added, and is told so', async () => {
  const connection = await connect(await server.createEmptyDatabase())
  const newer = [...postgresMigrations, adding]
  expect((await migratePostgres(connection, 1, { migrations: newer })).applied).toContain(adding.name)
  expect(await migratePostgres(connection, 2)).toEqual({ applied: [], newer: [adding.name] })
  expect(await migratePostgres(connection, 3, { migrations: newer })).toEqual({ applied: [], newer: [] })
  await connection.close()
})

test('a version does not start on what a newer one has changed, also where something was added after it', async () => {
  const connection = await connect(await server.createEmptyDatabase())
  const newer = [...postgresMigrations, changing, { ...adding, name: '9003_adding' }]
  await migratePostgres(connection, 1, { migrations: newer })
  const refused = migratePostgres(connection, 2)
  await expect(refused).rejects.toBeInstanceOf(MigrationError)
  await expect(refused).rejects.toThrow('last used by a newer Proofgate (it holds migration "9002_changing"')
  await connection.close()
})

test('a version of which a middle migration is missing is refused, whatever the newer ones allow', async () => {
  const connection = await connect(await server.createEmptyDatabase())
  await migratePostgres(connection, 1, { migrations: [...postgresMigrations, adding] })
  const other = [...postgresMigrations, { ...adding, name: '9000_other' }]
  await expect(migratePostgres(connection, 2, { migrations: other })).rejects.toThrow('by a newer Proofgate')
  await connection.close()
})

test('what only adds is applied beside servers that run, and what changes waits until they are stopped', async () => {
  const url = await server.createDatabase()
  const [connection, other] = [await connect(url), await connect(url)]
  const added = [...postgresMigrations, adding]
  const changed = [...added, changing]
  await besideLiving(other, async () => {
    expect((await migratePostgres(connection, 1, { migrations: added })).applied).toEqual([adding.name])
    const refused = migratePostgres(connection, 2, { migrations: changed })
    await expect(refused).rejects.toThrow(
      'migration "9002_changing" changes what the version 0.9.0 reads, and a server of it runs on the machine machine-a: stop all servers of that version',
    )
    expect((await connection.run('SELECT address FROM accounts')).rows).toEqual([])
  })
  // Its row is still there, as that of a server that was killed.
  expect((await migratePostgres(connection, 3, { migrations: changed })).applied).toEqual([changing.name])
  await Promise.all([connection.close(), other.close()])
})

/** Statements that an older version cannot notice. A column needs a default, or may be null. */
const addsOnly =
  /^(CREATE TABLE |CREATE INDEX |ALTER TABLE \w+ ALTER COLUMN \w+ SET \(n_distinct = \d+\)$|ALTER TABLE \w+ ADD COLUMN (?![\s\S]*\b(NOT NULL(?![\s\S]*DEFAULT)|UNIQUE|REFERENCES)\b))/

test('migrations that say so only add', () => {
  const wrong = postgresMigrations
    .slice(1)
    .filter(({ olderMayRun }) => olderMayRun)
    .flatMap(({ name, sql }) =>
      sql
        .replaceAll(/--[^\n]*/g, '')
        .split(';')
        .map((statement) => statement.trim())
        // What it makes itself, it may make as it likes.
        .filter(
          (statement) => !sql.includes(`CREATE TABLE ${/^CREATE UNIQUE INDEX \w+ ON (\w+)/.exec(statement)?.[1]} (`),
        )
        .filter((statement) => statement !== '' && !addsOnly.test(statement))
        .map((statement) => [name, statement]),
    )
  expect(wrong).toEqual([])
  expect(addsOnly.test('ALTER TABLE a ADD COLUMN b BIGINT NOT NULL DEFAULT 0')).toBe(true)
  for (const sql of ['ALTER TABLE a ADD COLUMN b BIGINT NOT NULL', 'DROP TABLE a', 'CREATE UNIQUE INDEX a ON b (c)'])
    expect([sql, addsOnly.test(sql)]).toEqual([sql, false])
})
