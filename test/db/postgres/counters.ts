/** A store on PostgreSQL with a table of counters, for tests of the engine. */
import { readDatabaseUrl } from '../../../src/config/database-url.ts'
import type { Db, SqlValue } from '../../../src/db/db.ts'
import { openPostgres } from '../../../src/db/postgres/engine.ts'
import type { Query } from '../../../src/db/query.ts'

const masterKey = Buffer.alloc(32, 1)
export const open = (url: string, key: Uint8Array = masterKey): Promise<Db> =>
  openPostgres({ url: readDatabaseUrl(url), connections: 8, masterKey: key, now: 5 })
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
