/** What callers of the store get while its servers fail, and what is stored afterwards. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { UnreachableError } from '../../../src/db/db.ts'
import { type PostgresServer, startPostgres } from '../../parts/postgres.ts'
import { ask, makeCounters, open, statement, writeThrough } from './counters.ts'

describe('on a server that fails', () => {
  let server: PostgresServer
  let url: string
  beforeAll(async () => {
    server = await startPostgres({ version: 15, isOwn: true })
    url = await server.createDatabase()
    await makeCounters(url)
  })
  afterAll(() => server.stop())

  test('sessions that the server ends are taken up by others: every write happens once, and none fails', async () => {
    const admin = new Bun.SQL({ url: server.url, max: 1 })
    const { wrong, acknowledged, uncertain } = await writeThrough(url, async () => {
      for (let times = 0; times < 10; times++) {
        await admin.unsafe(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL',
        )
        await Bun.sleep(60)
      }
    })
    await admin.close()
    expect({ wrong, uncertain }).toEqual({ wrong: [], uncertain: 0 })
    expect(acknowledged).toBeGreaterThan(100)
  })

  test('a server that is killed and starts again has lost nothing that was acknowledged, and has nothing twice', async () => {
    const { wrong, acknowledged } = await writeThrough(url, async () => {
      for (let times = 0; times < 3; times++) {
        await server.kill()
        await server.restart()
        await Bun.sleep(400)
      }
    })
    expect(wrong).toEqual([])
    expect(acknowledged).toBeGreaterThan(100)
  })

  test('a write for which it has no room is a fault of the server, and one that the data refuses is not', async () => {
    const sql = new Bun.SQL({ url, max: 1 })
    await sql
      .unsafe(
        `CREATE FUNCTION proofgate.find_no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           RAISE 'no space left on device' USING ERRCODE = 'disk_full';
         END $$;
         CREATE TRIGGER no_room BEFORE UPDATE ON proofgate.counters FOR EACH ROW WHEN (NEW.note = 'large')
           EXECUTE FUNCTION proofgate.find_no_room()`,
      )
      .simple()
    await sql.close()
    const db = await open(url)
    const change = (note: string) => db.write([statement('UPDATE counters SET note = ?1 WHERE id = 20', note)])
    await change('small')
    await expect(db.write([statement('INSERT INTO counters (id, n) VALUES (20, 0)')])).rejects.toThrow('23505')
    expect(db.writerState().last?.error).toBeUndefined()
    await expect(change('large')).rejects.toMatchObject({ isDiskFull: true })
    // Others find room meanwhile.
    await change('small')
    expect(db.writerState().last?.error?.message).toContain('53100')
    await db.close()
  })

  test('a read is repeated where its server comes back within a moment', async () => {
    const db = await open(url)
    await ask(db, 'SELECT 1 AS one')
    const restarted = server.restart()
    expect(await ask<{ one: number }>(db, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await restarted
    await db.close()
  })
})

describe('a server that hangs', () => {
  test('gets every caller an answer within seconds, and goes on where it stood', async () => {
    const server = await startPostgres({ version: 15, isOwn: true })
    const url = await server.createDatabase()
    await makeCounters(url)
    const db = await open(url)
    const increment = () => db.write([{ ...statement('UPDATE counters SET n = n + 1 WHERE id = 1'), must: true }])
    await Promise.all([increment(), increment()])
    server.freeze()
    const answers = await Promise.allSettled([increment(), ask(db, 'SELECT 1 AS one'), increment()])
    expect(answers.map((one) => one.status === 'rejected' && one.reason instanceof UnreachableError)).toEqual([
      true,
      true,
      true,
    ])
    // Known by now, so that nobody waits for it.
    await expect(ask(db, 'SELECT 1 AS one')).rejects.toThrow('no server of the database takes writes')
    server.thaw()
    let isBack = false
    while (!isBack)
      isBack = await ask(db, 'SELECT 1 AS one').then(
        () => true,
        () => Bun.sleep(50).then(() => false),
      )
    const [before] = await ask<{ n: number }>(db, 'SELECT n FROM counters WHERE id = 1')
    await increment()
    expect(await ask<{ n: number }>(db, 'SELECT n FROM counters WHERE id = 1')).toEqual([{ n: before!.n + 1 }])
    await db.close()
    await server.stop()
  })
})

test('a write that was under way when its server began to hang waits no longer than others', async () => {
  const server = await startPostgres({ version: 15, isOwn: true })
  const url = await server.createDatabase()
  await makeCounters(url)
  const isLost = Promise.withResolvers<void>()
  const db = await open(url, undefined, { lost: () => isLost.resolve() })
  const increment = () => db.write([statement('UPDATE counters SET n = n + 1 WHERE id = 1')])
  await increment()
  server.freeze()
  const answered: string[] = []
  const underWay = increment().catch(() => void answered.push('under way'))
  await isLost.promise
  const asked = ask(db, 'SELECT 1 AS one').catch(() => void answered.push('asked when it was known'))
  await Promise.all([underWay, asked])
  expect(answered).toEqual(['under way', 'asked when it was known'])
  await db.close()
  server.thaw()
  await server.stop()
})

describe('a server and its standby', () => {
  test('a standby alone is refused', async () => {
    const primary = await startPostgres({ version: 15, isOwn: true })
    const url = await primary.createDatabase()
    const standby = await primary.startStandby()
    await expect(open(url.replace(`:${primary.port}/`, `:${standby.port}/`))).rejects.toThrow('is a standby')
    await standby.stop()
    await primary.stop()
  })

  test('when the server is killed and the standby promoted, nothing that was acknowledged is lost or stored twice', async () => {
    const primary = await startPostgres({
      version: 15,
      isOwn: true,
      settings: ['synchronous_standby_names=*', 'synchronous_commit=local'],
    })
    const url = await primary.createDatabase()
    await makeCounters(url)
    const standby = await primary.startStandby()
    const admin = new Bun.SQL({ url: primary.url, max: 1 })
    await admin.unsafe("ALTER SYSTEM SET synchronous_commit = 'on'")
    await admin.unsafe('SELECT pg_reload_conf()')
    await admin.close()
    const both = url.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`)
    const { wrong, acknowledged } = await writeThrough(both, async () => {
      await primary.kill()
      await standby.promote()
      await Bun.sleep(500)
    })
    expect(wrong).toEqual([])
    expect(acknowledged).toBeGreaterThan(50)
    await standby.stop()
  })

  test('a primary that comes back after the promotion of its standby gets no writes, in whatever order they stand', async () => {
    const old = await startPostgres({ version: 15, isOwn: true })
    const url = await old.createDatabase()
    await makeCounters(url)
    const standby = await old.startStandby()
    await old.kill()
    await standby.promote()
    await old.restart()
    const both = url.replace(`:${old.port}/`, `:${old.port},127.0.0.1:${standby.port}/`)
    const increment = { ...statement('UPDATE counters SET n = n + 1 WHERE id = 1'), must: true }

    const db = await open(both)
    await db.write([increment])
    expect(await readFirst(`:${old.port}/`)).toBe(0)
    expect(await readFirst(`:${standby.port}/`)).toBe(1)

    // The right one is away for a while: waiting is better than writing where it will be thrown away.
    await standby.kill()
    await expect(db.write([increment])).rejects.toThrow(UnreachableError)
    await expect(db.write([increment])).rejects.toThrow(`127.0.0.1:${old.port} was left behind by a promotion`)
    expect(await readFirst(`:${old.port}/`)).toBe(0)
    await db.close()
    await standby.stop()
    await old.stop()

    async function readFirst(place: string): Promise<number> {
      const client = new Bun.SQL({ url: url.replace(`:${old.port}/`, place), max: 1 })
      const [row] = await client.unsafe('SELECT n FROM proofgate.counters WHERE id = 1')
      await client.close()
      return Number(row.n)
    }
  })
})
