/** The store on PostgreSQL: what reads and writes give, and what they give while its server fails. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { type Db, StorageError, UnreachableError } from '../../../src/db/db.ts'
import type { Query } from '../../../src/db/query.ts'
import { startPostgres } from '../../parts/postgres.ts'
import { ask, makeCounters, open, statement } from './counters.ts'

describe('on a server that works', () => {
  let db: Db
  let url: string
  beforeAll(async () => {
    url = await (await startPostgres({ version: 15 })).createDatabase()
    await makeCounters(url)
    db = await open(url)
  })
  afterAll(() => db.close())

  test('whole numbers are numbers, digits in a text stay text, and conditions are 1 and 0', async () => {
    await db.write([statement('UPDATE counters SET n = ?1, note = ?2 WHERE id = 20', 2 ** 52, '42')])
    expect(await ask(db, 'SELECT n, note, n > 3 AS yes, n IS NULL AS no FROM counters WHERE id = ?1', 20)).toEqual([
      { n: 2 ** 52, note: '42', yes: 1, no: 0 },
    ])
    expect(await db.read('SELECT n FROM counters WHERE id = 99' as Query<object, []>).get()).toBeNull()
  })

  test('a null is stored in a column of any type', async () => {
    await db.write([statement('UPDATE counters SET note = ?2, n = ?1 WHERE id = ?3', 1, null, 21)])
    expect(await ask(db, 'SELECT n, note FROM counters WHERE id = 21')).toEqual([{ n: 1, note: null }])
  })

  test('a write whose statement must change a row and does not leaves nothing of itself', async () => {
    const result = await db.write([
      statement('UPDATE counters SET n = 7 WHERE id = 1'),
      { ...statement('UPDATE counters SET n = 7 WHERE id = 99'), must: true },
      statement('INSERT INTO counters (id, n) VALUES (1, 1)'),
    ])
    expect(result).toEqual({ refusedAt: 1 })
    expect(await ask(db, 'SELECT n FROM counters WHERE id = 1')).toEqual([{ n: 0 }])
  })

  test('a query of a write is answered as it stands between its statements', async () => {
    const result = await db.write([
      statement('UPDATE counters SET n = n + 1 WHERE id = 2'),
      { ...statement('SELECT n FROM counters WHERE id = 2'), isAsked: true },
      { ...statement('SELECT 1 FROM counters WHERE id = 2'), mustFind: true },
      statement('UPDATE counters SET n = n + 1 WHERE id = 2'),
    ])
    expect(result).toEqual({ changes: [1, 0, 1, 1], rows: [{ n: 1 }] })
    expect(await db.write([{ ...statement('SELECT 1 FROM counters WHERE id = 99'), mustFind: true }])).toEqual({
      refusedAt: 0,
    })
  })

  test('a write that fails says why, and is certainly not stored', async () => {
    const failed = db.write([
      statement('UPDATE counters SET n = 9 WHERE id = 3'),
      statement('INSERT INTO counters (id, n) VALUES (3, 1)'),
      statement('UPDATE counters SET n = 10 WHERE id = 3'),
    ])
    const error = await failed.then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(StorageError)
    expect(error).toMatchObject({ isUncertain: false, message: expect.stringContaining('counters_pkey') })
    expect(await ask(db, 'SELECT n FROM counters WHERE id = 3')).toEqual([{ n: 0 }])
  })

  test('writes that lock the same rows in opposite order all happen', async () => {
    const both = (first: number, second: number) =>
      db.write([
        statement('UPDATE counters SET n = n + 1 WHERE id = ?1', first),
        statement('UPDATE counters SET n = n + 1 WHERE id = ?1', second),
      ])
    await Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 ? both(4, 5) : both(5, 4))))
    expect(await ask(db, 'SELECT n FROM counters WHERE id IN (4, 5)')).toEqual([{ n: 8 }, { n: 8 }])
  })

  test('of 200 writes with one turn, each sees what those before it stored', async () => {
    const insert = {
      ...statement(`INSERT INTO counters (id, n) SELECT 1000 + count(*), count(*) FROM counters WHERE id >= 1000
        HAVING count(*) < 10`),
      must: true,
      turns: ['ids from 1000'],
    }
    const results = await Promise.all(Array.from({ length: 200 }, () => db.write([insert])))
    expect(results.filter((result) => 'changes' in result)).toHaveLength(10)
    expect(await ask(db, 'SELECT n FROM counters WHERE id >= 1000 ORDER BY id')).toHaveLength(10)
  })

  test('a row that a write holds stays as it was found until the write is done', async () => {
    const used = Array.from({ length: 50 }, () =>
      db.write([
        { ...statement('SELECT 1 FROM counters WHERE id = 6'), mustFind: true, holds: 'update' },
        {
          ...statement('INSERT INTO counters (id, n) SELECT 2000 + n, 0 FROM counters WHERE id = 6 AND n < 3'),
          must: true,
        },
        statement('UPDATE counters SET n = n + 1 WHERE id = 6'),
      ]),
    )
    expect((await Promise.all(used)).filter((result) => 'changes' in result)).toHaveLength(3)
  })

  test('a long list is visited in its order until the visitor has enough', async () => {
    const sql = new Bun.SQL({ url, max: 1 })
    await sql.unsafe('INSERT INTO proofgate.counters SELECT i, i FROM generate_series(10000, 13000) i')
    await sql.close()
    const seen: number[] = []
    const query = 'SELECT id FROM counters WHERE id >= ?1 ORDER BY id' as Query<{ id: number }, [number]>
    await db.read(query).scan(({ id }) => seen.push(id) < 1_234, 10_000)
    expect(seen).toEqual(Array.from({ length: 1_234 }, (_, index) => 10_000 + index))
    await db.read(query).scan(({ id }) => seen.push(id) > 0, 10_000)
    expect(seen).toHaveLength(1_234 + 3_001)
  })

  test('500 reads at once open no more connections than are allowed', async () => {
    const fresh = await (await startPostgres({ version: 15 })).createDatabase()
    const other = await open(fresh)
    await Promise.all(Array.from({ length: 500 }, () => ask(other, 'SELECT 1 AS one')))
    const [found] = await ask<{ count: number }>(
      other,
      'SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database()',
    )
    expect(found!.count).toBeGreaterThan(1)
    expect(found!.count).toBeLessThanOrEqual(8)
    await other.close()
  })

  test('a second server needs the same master key', async () => {
    await expect(open(url, Buffer.alloc(32, 2))).rejects.toThrow('not the one that this database is used with')
    await (await open(url)).close()
  })

  test('a database that a newer version changed is refused', async () => {
    const newer = await (await startPostgres({ version: 15 })).createDatabase()
    const sql = new Bun.SQL({ url: newer, max: 1 })
    await sql.unsafe("INSERT INTO proofgate.migrations VALUES ('9999_later', 'x', 0, false)")
    await sql.close()
    await expect(open(newer)).rejects.toThrow('newer Proofgate')
  })

  test('a schema of the same name that another program made is refused, and stays as it was', async () => {
    const foreign = await (await startPostgres({ version: 15 })).createEmptyDatabase()
    const sql = new Bun.SQL({ url: foreign, max: 1 })
    await sql.unsafe('CREATE SCHEMA proofgate; CREATE TABLE proofgate.users (id BIGINT)').simple()
    await expect(open(foreign)).rejects.toThrow('holds "users", which is not of Proofgate')
    expect(
      (await sql.unsafe("SELECT tablename FROM pg_tables WHERE schemaname = 'proofgate'")).map(
        (row: { tablename: string }) => row.tablename,
      ),
    ).toEqual(['users'])
    await sql.close()
  })

  test.each([
    ['an unknown database', (url: string) => url.replace(/[^/]*$/, 'nope'), 'database "nope" does not exist (3D000)'],
    ['an unknown user', (url: string) => url.replace('proofgate@', 'nobody@'), 'role "nobody" does not exist (28000)'],
    ['a port without a server', (url: string) => url.replace(/:\d+\//, ':1/'), ':1 cannot be reached: nothing accepts'],
    [
      'an unknown name',
      (url: string) => `${url.replace('127.0.0.1', 'db.invalid')}?sslmode=disable`,
      'cannot be reached: no address is known for the name "db.invalid"',
    ],
    ['a server without TLS', (url: string) => `${url}?sslmode=require`, 'Server does not support SSL'],
  ])('%s is named by the error', async (_, change, said) => {
    await expect(open(change(url))).rejects.toThrow(said)
  })

  test('a server that is too old is refused', async () => {
    const url = await (await startPostgres({ version: 15 })).createEmptyDatabase()
    const sql = new Bun.SQL({ url, max: 1 })
    // Functions of our own schema come before those of the server: this one answers as an older server does.
    await sql
      .unsafe(
        `CREATE SCHEMA proofgate;
         CREATE FUNCTION proofgate.current_setting(name text) RETURNS text LANGUAGE sql RETURN CASE name
           WHEN 'server_version_num' THEN '140010' WHEN 'server_version' THEN '14.10'
           ELSE pg_catalog.current_setting(name) END`,
      )
      .simple()
    await expect(open(url)).rejects.toThrow('is PostgreSQL 14.10, and Proofgate needs 15 or later')
    expect(await sql.unsafe("SELECT 1 FROM pg_tables WHERE schemaname = 'proofgate'")).toHaveLength(0)
    await sql.close()
  })

  test('a database with another encoding is refused', async () => {
    const server = await startPostgres({ version: 15 })
    const sql = new Bun.SQL({ url: server.url, max: 1 })
    await sql.unsafe("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    await sql.close()
    await expect(open(server.url.replace(/[^/]*$/, 'latin'))).rejects.toThrow('needs UTF8')
  })

  test('a user without the right to make a schema is told which right is missing', async () => {
    const server = await startPostgres({ version: 15 })
    const empty = await server.createEmptyDatabase()
    const sql = new Bun.SQL({ url: empty, max: 1 })
    await sql.unsafe('DROP ROLE IF EXISTS weak; CREATE ROLE weak LOGIN').simple()
    await sql.close()
    await expect(open(empty.replace('//proofgate@', '//weak@'))).rejects.toThrow(
      'CREATE SCHEMA proofgate AUTHORIZATION',
    )
  })

  test('of eight servers that start at once on an empty database, one makes the tables', async () => {
    const empty = await (await startPostgres({ version: 15 })).createEmptyDatabase()
    const opened = await Promise.all(Array.from({ length: 8 }, () => open(empty)))
    const count = readdirSync(new URL('../../../migrations/postgres', import.meta.url)).length
    expect(await ask<{ count: number }>(opened[0]!, 'SELECT count(*) AS count FROM migrations')).toEqual([{ count }])
    await Promise.all(opened.map((one) => one.close()))
  })
})

test('a database that cannot be reached is told by its address, without the password', async () => {
  const error = await open('postgres://me:secret@127.0.0.1:1/nothing').catch((thrown) => thrown)
  expect(error).toBeInstanceOf(UnreachableError)
  expect(error.message).toContain('127.0.0.1:1')
  expect(error.message).not.toContain('secret')
})
