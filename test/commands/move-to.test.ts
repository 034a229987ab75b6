/** `proofgate move-to postgres://…`: all data from a data folder into PostgreSQL. */
import { Database } from 'bun:sqlite'
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UnavailableError, UsageError } from '../../src/commands/command.ts'
import { moveTo } from '../../src/commands/move-to.ts'
import { readDatabaseUrl } from '../../src/config/database-url.ts'
import { locateDatabaseFile, UnreachableError } from '../../src/db/db.ts'
import { takeLock } from '../../src/db/lock.ts'
import { MasterKeyError } from '../../src/db/master-key.ts'
import { MigrationError } from '../../src/db/migrate.ts'
import { moveToPostgres } from '../../src/db/move/to-postgres.ts'
import { countRows, listBoundaries } from '../db/schemas/history.ts'
import { masterKey } from '../db/schemas/story.ts'
import { inspect, temporaryFolders } from '../db/store.ts'
import { startOnFiles } from '../journeys/server.ts'
import { freePort } from '../parts/free-port.ts'
import { type PostgresServer, startPostgres } from '../parts/postgres.ts'
import { program } from '../parts/program.ts'
import { alice } from '../wallets.ts'
import { ask, key, listMoved, makeModel, move, readFolderRows, readServerRows } from './move-stage.ts'
import { run } from './terminal.ts'

setDefaultTimeout(120_000)

const newFolder = temporaryFolders()

let server: PostgresServer
let makeFolder: () => string

beforeAll(async () => {
  server = await startPostgres({ version: 15 })
  makeFolder = await makeModel(newFolder)
})

const readFiles = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, Bun.SHA256.hash(readFileSync(join(folder, name)), 'hex')]),
  )

test('moves every row of every table, and leaves the folder as it was', async () => {
  const folder = makeFolder()
  const before = readFiles(folder)
  const url = await server.createEmptyDatabase()
  const done = await move(folder, url, ['--json'])

  expect(done.code).toBe(0)
  expect(readFiles(folder)).toEqual(before)
  const tables = listMoved(folder)
  expect(done.json.tables.map(({ table }: { table: string }) => table).sort()).toEqual([...tables].sort())
  for (const table of tables) {
    expect([table, await readServerRows(url, table)]).toEqual([table, readFolderRows(folder, table)])
    const { rows } = done.json.tables.find((one: { table: string }) => one.table === table)
    expect([table, rows]).toEqual([table, inspect(folder, (db) => countRows(db, table))])
  }
})

/** All that the data model says of tables, and the rows do not. */
const readModel = (at: string) =>
  ask(
    at,
    `SELECT 'trigger' AS kind, tgname::text AS name, tgenabled::text AS is FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'proofgate'
     UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) || convalidated
       FROM pg_constraint WHERE connamespace = 'proofgate'::regnamespace
     ORDER BY 1, 2, 3`,
  )

test('puts every trigger, key, index and reference back, and numbers new rows behind the highest id', async () => {
  const empty = await server.createDatabase()
  const url = await server.createEmptyDatabase()
  const folder = makeFolder()
  await interrupt(folder, url, 12)
  await move(folder, url)
  const only = (rows: readonly unknown[]) =>
    rows.map((row) => JSON.stringify(row)).filter((row) => !/write_marks|master_key_mark/.test(row))
  expect(only(await readModel(url))).toEqual(only(await readModel(empty)))

  const highest = inspect(folder, (db) => db.query<{ id: number }, []>('SELECT max(id) AS id FROM accounts').get()!.id)
  const [made] = await ask<{ id: bigint }>(url, "INSERT INTO accounts (address) VALUES ('0xnew') RETURNING id")
  expect(Number(made!.id)).toBe(highest + 1)
  const taken = inspect(folder, (db) => db.query<{ id: number }, []>('SELECT max(id) AS id FROM taken_away').get()!.id)
  const [noted] = await ask<{ id: bigint }>(
    url,
    "INSERT INTO taken_away (id, at, kind, thing, detail) VALUES (0, 1, 'k', 't', '{}') RETURNING id",
  )
  expect(Number(noted!.id)).toBe(taken + 1)
})

test('a server on the database answers as one on the folder', async () => {
  const folder = makeFolder()
  const url = await server.createEmptyDatabase()
  await move(folder, url)
  const proofs = inspect(folder, (db) =>
    db.query<{ hash: string }, []>('SELECT lower(hex(q_hash)) AS hash FROM proofs ORDER BY id').all(),
  )
  const reads = [
    ...proofs.map(({ hash }) => `/api/v1/proofs/0x${hash}`),
    `/api/v1/proofs/by-wallet/${alice.address}`,
    `/api/v1/proofs/check?address=${alice.address}&verifierIds=ownership-basic`,
    '/api/v1/gates/gate_holders',
    '/.well-known/jwks.json',
    '/api/v1/verification/verifiers',
  ]
  const readAll = async (env: Record<string, string>) => {
    const started = await startOnFiles(folder, { ...key, ...env })
    try {
      const answers = []
      for (const path of reads) answers.push([path, await started.get(path)])
      return JSON.stringify(answers, null, 1)
        .replaceAll(`127.0.0.1:${started.port}`, 'HOST')
        .replaceAll(/"(timestamp": "20|requestId": )[^"\n]*"?[^"\n]*"?/g, '')
    } finally {
      await started.stop()
    }
  }
  const fromServer = await readAll({ PROOFGATE_DATABASE_URL: url })
  expect(fromServer).toContain('An essay for everybody')
  expect(fromServer).toBe(await readAll({}))
})

/** Ends the move after some tables, as a process that is killed does. */
async function interrupt(folder: string, url: string, tables: number): Promise<void> {
  const from = new Database(locateDatabaseFile(folder))
  let told = 0
  const failing = moveToPostgres({
    from,
    to: readDatabaseUrl(url),
    masterKey: Buffer.from(masterKey, 'hex'),
    now: 1,
    tell: () => {
      if (++told === tables) throw new Error('ended in between')
    },
  })
  await expect(failing).rejects.toThrow('ended in between')
  from.close()
}

test('an interrupted move goes on behind the tables that are there, and no server starts before', async () => {
  const folder = makeFolder()
  const url = await server.createEmptyDatabase()
  await interrupt(folder, url, 9)
  await expect(startOnFiles(newFolder(), { ...key, PROOFGATE_DATABASE_URL: url })).rejects.toThrow(
    'a move of a data folder into this database did not come to its end: run "proofgate move-to" again',
  )

  const { tables } = (await move(folder, url, ['--json'])).json
  expect(tables.filter(({ wasThere }: { wasThere: boolean }) => wasThere)).toHaveLength(9)
  for (const table of listMoved(folder))
    expect([table, await readServerRows(url, table)]).toEqual([table, readFolderRows(folder, table)])
})

test('an interrupted move of a folder that has changed since begins anew', async () => {
  const folder = makeFolder()
  const url = await server.createEmptyDatabase()
  await interrupt(folder, url, 30)
  inspect(folder, (db) => db.run('UPDATE accounts SET listed_count = 77 WHERE id = 1'))
  const { tables } = (await move(folder, url, ['--json'])).json
  expect(tables.filter(({ wasThere }: { wasThere: boolean }) => wasThere)).toEqual([])
  for (const table of listMoved(folder))
    expect([table, await readServerRows(url, table)]).toEqual([table, readFolderRows(folder, table)])
})

test('a move that is killed with SIGKILL goes on when it is run again', async () => {
  const folder = makeFolder()
  inspect(folder, (db) => {
    db.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
       INSERT INTO audit_events (at, event, details) SELECT i, 'test', '{"text":"' || hex(randomblob(200)) || '"}' FROM n`,
    )
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  })
  const url = await server.createEmptyDatabase()
  const start = () =>
    Bun.spawn([...program, 'move-to', url], {
      env: { ...key, PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder },
      stdout: 'pipe',
      stderr: 'pipe',
    })
  const killed = start()
  for await (const chunk of killed.stdout) if (Buffer.from(chunk).includes('accounts:')) break
  killed.kill('SIGKILL')
  await killed.exited

  const again = start()
  const said = await new Response(again.stdout).text()
  expect(await again.exited).toBe(0)
  expect(said).toContain('moved before')
  expect(await readServerRows(url, 'audit_events')).toEqual(readFolderRows(folder, 'audit_events'))
})

test('rows that differ at the end are told, and the next run begins anew', async () => {
  const folder = makeFolder()
  const url = await server.createEmptyDatabase()
  await interrupt(folder, url, 20)
  await ask(url, 'UPDATE accounts SET all_count = all_count + 1')
  await expect(move(folder, url)).rejects.toThrow(/^the table accounts is not the same on both sides: the folder has/)
  expect((await move(folder, url)).code).toBe(0)
  expect(await readServerRows(url, 'accounts')).toEqual(readFolderRows(folder, 'accounts'))
})

test('says how the servers are configured, without the key and the password', async () => {
  const folder = makeFolder()
  const url = (await server.createEmptyDatabase()).replace('proofgate@', 'proofgate:word-of-pass@')
  const { out } = await move(folder, 'postgres', [], { PROOFGATE_DATABASE_URL: url })
  expect(out).toContain('PROOFGATE_DATABASE_URL_FILE: a file with the URL of the database')
  expect(out).toContain('PROOFGATE_MASTER_KEY_FILE: a file with the master key that is configured now')
  expect(out).toMatch(/^accounts: \d+ rows, \d+\.\d s$/m)
  expect(out).not.toContain(masterKey)
  expect(out).not.toContain('word-of-pass')
})

const refusal = async (moving: Promise<unknown>, kind: new (...args: never[]) => Error, says: string | RegExp) => {
  await expect(moving).rejects.toBeInstanceOf(kind)
  await expect(moving).rejects.toThrow(says)
}

test('a text that PostgreSQL cannot hold is named by table and row, and nothing is copied', async () => {
  const folder = makeFolder()
  inspect(folder, (db) => db.run("UPDATE gates SET gate_id = gate_id || char(0) || 'x' WHERE id = 1"))
  const url = await server.createEmptyDatabase()
  await refusal(
    move(folder, url),
    UnavailableError,
    'the table gates, row id 1, holds the character U+0000 in gate_id, which PostgreSQL cannot store',
  )
  expect(await ask(url, "SELECT 1 FROM pg_namespace WHERE nspname = 'proofgate'")).toEqual([])
})

test('a number that JavaScript cannot hold is named by table and row, and nothing is copied', async () => {
  const folder = makeFolder()
  inspect(folder, (db) => db.run('UPDATE accounts SET all_count = 9007199254740993 WHERE id = 1'))
  const url = await server.createEmptyDatabase()
  await refusal(
    move(folder, url),
    UnavailableError,
    'the table accounts, row id 1, holds a number beyond 2^53 in all_count, which PostgreSQL cannot store',
  )
  expect(await ask(url, "SELECT 1 FROM pg_namespace WHERE nspname = 'proofgate'")).toEqual([])
})

test('a database of another server is refused, and is not changed', async () => {
  const url = await server.createEmptyDatabase()
  await (await startOnFiles(newFolder(), { ...key, PROOFGATE_DATABASE_URL: url })).stop()
  const before = await readServerRows(url, 'migrations')
  await refusal(move(makeFolder(), url), UnavailableError, /^the database is not empty: it holds the data of a server/)
  expect(await readServerRows(url, 'migrations')).toEqual(before)
})

test('the beginning of a move of another folder is refused', async () => {
  const url = await server.createEmptyDatabase()
  await interrupt(makeFolder(), url, 3)
  const other = newFolder()
  await (await startOnFiles(other, { PROOFGATE_LOG_LEVEL: 'error' })).stop()
  await refusal(
    run(moveTo, [url], { cwd: other, env: { PROOFGATE_DATA: other } }),
    UnavailableError,
    'the database holds the beginning of a move of another folder, with another master key',
  )
})

test('a server that does not answer is named', async () => {
  const port = await freePort()
  const moving = move(makeFolder(), `postgres://proofgate@127.0.0.1:${port}/proofs`)
  await refusal(moving, UnreachableError, 'the database server cannot be used (')
})

test('a database of another encoding is refused', async () => {
  await ask(server.url, "CREATE DATABASE latin_target ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
  const url = server.url.replace(/postgres$/, 'latin_target')
  await refusal(move(makeFolder(), url), MigrationError, 'the database "latin_target" has the encoding LATIN1')
})

test('a user without rights is told which one is missing', async () => {
  const url = await server.createEmptyDatabase()
  await ask(server.url, 'CREATE ROLE mover LOGIN')
  const asGuest = url.replace('proofgate@', 'mover@')
  await refusal(move(makeFolder(), asGuest), MigrationError, 'the user "mover" may not create a schema in the database')
})

test('another key than that of the folder is refused', async () => {
  const url = await server.createEmptyDatabase()
  const moving = move(makeFolder(), url, [], { PROOFGATE_MASTER_KEY: '8'.repeat(64) })
  await refusal(moving, MasterKeyError, 'the configured master key is not the key of the database in this folder')
})

test('a folder on which a server runs is refused', async () => {
  const folder = makeFolder()
  const lock = takeLock(locateDatabaseFile(folder))
  await refusal(move(folder, await server.createEmptyDatabase()), UnavailableError, `a server runs on the data folder`)
  lock.release()
})

test('a folder of a newer version and one of an older version are refused', async () => {
  const url = await server.createEmptyDatabase()
  const newer = makeFolder()
  inspect(newer, (db) => db.run("INSERT INTO migrations VALUES ('9999_later', 'x', 1)"))
  await refusal(move(newer, url), MigrationError, 'the database was last used by a newer Proofgate')
  const older = newFolder()
  writeFileSync(locateDatabaseFile(older), listBoundaries().at(-2)!.image)
  await refusal(move(older, url), UnavailableError, 'was last used by an older version: start a server of this version')
})

test('a folder that is changed during the move is told', async () => {
  const folder = makeFolder()
  const url = await server.createEmptyDatabase()
  const moving = run(moveTo, [url], {
    cwd: folder,
    env: { ...key, PROOFGATE_DATA: folder },
    now: () => {
      inspect(folder, (db) => db.run('UPDATE accounts SET listed_count = 78'))
      return 1
    },
  })
  await refusal(moving, UnavailableError, 'was changed while it was moved')
})

test('a call that names no usable place is refused', async () => {
  await refusal(run(moveTo, []), UsageError, 'name where the data goes')
  await refusal(move(makeFolder(), 'mysql://a@b/c'), UsageError, 'the place cannot be used: it is not of the form')
  await refusal(move(makeFolder(), 'postgres'), UsageError, 'database.url, which is not set')
})
