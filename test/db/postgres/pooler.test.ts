/** PgBouncer between the store and its server: in session mode it is as if it were not there, in others it is refused. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { examineDatabaseServers } from '../../../src/doctor/database-server.ts'
import { isMissing } from '../../parts/optional.ts'
import { pgBouncer, startPgBouncer } from '../../parts/pgbouncer.ts'
import { startPostgres } from '../../parts/postgres.ts'
import { ask, makeCounters, open, statement } from './counters.ts'

setDefaultTimeout(60_000)

describe.skipIf(isMissing(pgBouncer, 'the store behind PgBouncer: apt-get install pgbouncer'))(
  'behind PgBouncer',
  () => {
    let url: string
    beforeAll(async () => {
      url = await (await startPostgres({ version: 15 })).createDatabase()
      await makeCounters(url)
    })

    test('in session mode every write is stored once, and reads find it', async () => {
      const pooler = await startPgBouncer(url, 'session')
      const db = await open(pooler.url)
      const write = { ...statement('UPDATE counters SET n = n + 1 WHERE id = ?1', 3), must: true }
      await Promise.all(Array.from({ length: 200 }, () => db.write([write])))
      expect(await ask(db, 'SELECT n FROM counters WHERE id = 3')).toEqual([{ n: 200 }])
      await db.close()
      await pooler.stop()
    })

    test.each(['transaction', 'statement'] as const)(
      'in %s mode it is not opened, and the reason says what to set',
      async (mode) => {
        const pooler = await startPgBouncer(url, mode)
        await expect(open(pooler.url)).rejects.toThrow('set pool_mode = session')
        const found = await examineDatabaseServers({ url: pooler.url, replicaLagSeconds: 5 })
        expect(found.map(({ level, says }) => [level, says])).toEqual([
          ['warn', expect.stringContaining('set pool_mode = session')],
          ['fail', 'no server of the database takes writes'],
        ])
        await pooler.stop()
      },
    )

    test('in transaction mode it is not opened either while others keep many of its sessions busy', async () => {
      const pooler = await startPgBouncer(url, 'transaction')
      let isOver = false
      const others = Array.from({ length: 12 }, async () => {
        const client = new SQL({ url: pooler.url, max: 1 })
        while (!isOver) await client.unsafe('SELECT pg_sleep(0.002)').simple()
        await client.close()
      })
      const answers: string[] = []
      for (let times = 0; times < 3; times++)
        answers.push(
          await open(pooler.url).then(
            () => 'opened',
            (error) => error.message,
          ),
        )
      isOver = true
      await Promise.all(others)
      await pooler.stop()
      expect(answers).toEqual(Array(3).fill(expect.stringContaining('set pool_mode = session')))
    })
  },
)
