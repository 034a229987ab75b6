/** The least rights with which the store works, and what a user without them is told. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type Db, UnreachableError } from '../../../src/db/db.ts'
import { examineDatabaseServers } from '../../../src/doctor/database-server.ts'
import { type PostgresServer, startPostgres } from '../../parts/postgres.ts'
import { ask, open, statement } from './counters.ts'

let server: PostgresServer
let url: string
let asOwner: SQL

/** Connects to the database as a user that owns nothing yet. */
const urlOf = (user: string): string => url.replace(/^postgres:\/\/[^@]*@/, `postgres://${user}@`)

beforeAll(async () => {
  server = await startPostgres({ version: 15 })
  url = await server.createEmptyDatabase()
  asOwner = new SQL({ url, max: 1 })
  const database = new URL(url).pathname.slice(1)
  await asOwner
    .unsafe(
      `CREATE ROLE with_schema LOGIN; CREATE ROLE without_schema LOGIN;
       REVOKE ALL ON DATABASE ${database} FROM PUBLIC; GRANT CONNECT ON DATABASE ${database} TO with_schema, without_schema`,
    )
    .simple()
})
afterAll(async () => {
  const database = new URL(url).pathname.slice(1)
  await asOwner
    .unsafe(
      `DROP OWNED BY with_schema CASCADE; DROP OWNED BY without_schema;
       REVOKE ALL ON DATABASE ${database} FROM with_schema, without_schema; DROP ROLE with_schema, without_schema`,
    )
    .simple()
  await asOwner.close()
})

test('a user that may create no schema is told what to grant', async () => {
  await expect(open(urlOf('without_schema'))).rejects.toThrow('CREATE SCHEMA proofgate AUTHORIZATION')
})

test('a user that owns the schema, and may only connect besides, is enough', async () => {
  await asOwner.unsafe('CREATE SCHEMA proofgate AUTHORIZATION with_schema')
  // Once to make the tables, and once to find them.
  for (let times = 0; times < 2; times++) {
    const db = await open(urlOf('with_schema'))
    await db.write([statement('INSERT INTO clock_jumps (at, size_ms) VALUES (?1, 1)', times)])
    await db.close()
  }
})

const readJumps = (db: Db): Promise<unknown[]> => ask(db, 'SELECT size_ms FROM clock_jumps')

/** Waits for what the watch of the server notices within half a second. */
async function expectUnreachable(read: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const error = await read().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect([error === undefined, error instanceof UnreachableError]).toContain(true)
    if (error instanceof UnreachableError && /lost its tables/.test(error.message)) return
    await Bun.sleep(50)
  }
}

test('tables and rights that are taken away at run time are told as a database that is away, until they are back', async () => {
  const db = await open(urlOf('with_schema'))
  await asOwner.unsafe('REVOKE INSERT ON proofgate.write_marks FROM with_schema')
  await expectUnreachable(() => readJumps(db))
  await asOwner.unsafe('GRANT INSERT ON proofgate.write_marks TO with_schema')
  await db.write([statement('INSERT INTO clock_jumps (at, size_ms) VALUES (?1, 1)', 7)])
  await asOwner.unsafe('ALTER SCHEMA proofgate RENAME TO elsewhere')
  await expectUnreachable(() => readJumps(db))
  await asOwner.unsafe('ALTER SCHEMA elsewhere RENAME TO proofgate')
  expect((await readJumps(db)).length).toBe(3)
  await db.close()
})

test('a table that an administrator locks is told as a database that is away, and not as a fault of the program', async () => {
  const db = await open(urlOf('with_schema'))
  const locking = await asOwner.reserve()
  await locking.unsafe('BEGIN; LOCK TABLE proofgate.clock_jumps IN ACCESS EXCLUSIVE MODE').simple()
  await expect(readJumps(db)).rejects.toBeInstanceOf(UnreachableError)
  await locking.unsafe('ROLLBACK')
  locking.release()
  await db.close()
})

test('a commit waits for the disk, also where the user of the database was told otherwise', async () => {
  await asOwner.unsafe('ALTER ROLE with_schema SET synchronous_commit = off')
  const db = await open(urlOf('with_schema'))
  expect(await ask<unknown>(db, "SELECT current_setting('synchronous_commit') AS setting")).toEqual([{ setting: 'on' }])
  await db.close()
})

test('the doctor finds what a server would refuse: another key, rights that are missing, and no schema', async () => {
  const key = Buffer.alloc(32, 1)
  const fails = async (from: string, masterKey: Uint8Array): Promise<string[]> =>
    (await examineDatabaseServers({ url: from, replicaLagSeconds: 5 }, masterKey))
      .filter(({ level }) => level === 'fail')
      .map(({ says }) => says)
  const used = urlOf('with_schema')
  expect(await fails(used, key)).toEqual([])
  expect(await fails(used, Buffer.alloc(32, 2))).toEqual([expect.stringContaining('not the key of the servers')])
  expect(await fails(urlOf('without_schema'), key)).toEqual([
    'without_schema may not use the schema "proofgate" of the database',
  ])
  await asOwner.unsafe('ALTER SCHEMA proofgate RENAME TO elsewhere')
  expect(await fails(used, key)).toEqual(['the database has no schema "proofgate", and with_schema may not make one'])
  await asOwner.unsafe('ALTER SCHEMA elsewhere RENAME TO proofgate')
})
