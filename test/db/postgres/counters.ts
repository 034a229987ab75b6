/** A store on PostgreSQL with a table of counters, for tests of the engine. */
import { expect } from 'bun:test'
import { readDatabaseUrl } from '../../../src/config/database-url.ts'
import { type Db, type SqlValue, StorageError } from '../../../src/db/db.ts'
import { openPostgres, type PostgresOptions } from '../../../src/db/postgres/engine.ts'
import type { Query } from '../../../src/db/query.ts'

const masterKey = Buffer.alloc(32, 1)
export const open = (url: string, key: Uint8Array = masterKey, events?: PostgresOptions['events']): Promise<Db> =>
  openPostgres({ url: readDatabaseUrl(url), connections: 8, masterKey: key, now: 5, ...(events ? { events } : {}) })
export const ask = <Row>(db: Db, sql: string, ...params: SqlValue[]): Promise<Row[]> =>
  db.read(sql as Query<Row, SqlValue[]>).all(...params)
export const statement = (sql: string, ...params: SqlValue[]) => ({ sql, params })

export async function makeCounters(url: string): Promise<void> {
  const sql = new Bun.SQL({ url, max: 1 })
  await sql
    .unsafe(
      'CREATE TABLE proofgate.counters (id BIGINT PRIMARY KEY, n BIGINT NOT NULL, note TEXT); INSERT INTO proofgate.counters SELECT i, 0 FROM generate_series(0, 31) i',
    )
    .simple()
  await sql.close()
}

/** 16 writers, each with a counter of its own, while `fault` goes on. */
export async function writeThrough(url: string, fault: () => Promise<void>, key?: Uint8Array) {
  const db = await open(url, key)
  const before = new Map(
    (await ask<{ id: number; n: number }>(db, 'SELECT id, n FROM counters')).map((row) => [row.id, row.n]),
  )
  let isOver = false
  const acknowledged = new Array<number>(16).fill(0)
  const uncertain = new Array<number>(16).fill(0)
  let longestMs = 0
  const writers = acknowledged.map(async (_, id) => {
    while (!isOver) {
      const at = performance.now()
      try {
        await db.write([{ ...statement('UPDATE counters SET n = n + 1 WHERE id = ?1', id), must: true }])
        acknowledged[id]!++
      } catch (error) {
        expect(error).toBeInstanceOf(StorageError)
        if ((error as StorageError).isUncertain) uncertain[id]!++
        await Bun.sleep(10)
      }
      longestMs = Math.max(longestMs, performance.now() - at)
    }
  })
  await Bun.sleep(200)
  await fault()
  await Bun.sleep(200)
  isOver = true
  await Promise.all(writers)
  const after = await ask<{ id: number; n: number }>(db, 'SELECT id, n FROM counters WHERE id < 16 ORDER BY id')
  await db.close()
  const wrong = after.filter(({ id, n }) => {
    const grown = n - before.get(id)!
    return grown < acknowledged[id]! || grown > acknowledged[id]! + uncertain[id]!
  })
  const sum = (values: number[]) => values.reduce((total, one) => total + one, 0)
  return { wrong, acknowledged: sum(acknowledged), uncertain: sum(uncertain), longestMs }
}
