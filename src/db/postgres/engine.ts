/** The store on PostgreSQL: the same queries and writes as on SQLite (db.ts), for several processes at once. */
import type { DatabaseUrl } from '../../config/database-url.ts'
import { diskSecondBounds, openDistribution, sizeBounds } from '../../distribution.ts'
import type { SqlValue, Write } from '../commit-group.ts'
import type { Db, Reader, Reads, Standby } from '../db.ts'
import type { NoticeFault } from '../notice-faults.ts'
import type { Query } from '../query.ts'
import { type LastCommit, StorageError, UnreachableError, type WriteResult } from '../writer.ts'
import type { Connection, Server } from './connection.ts'
import { describeError, isFaultOfServer, isLost, isUnreadable } from './errors.ts'
import { requireSameKey } from './key-mark.ts'
import { migratePostgres } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'
import { openReplicas, type Replica, type ReplicaEvents, type Replicas } from './replicas.ts'
import { readRow } from './rows.ts'
import { chooseTls } from './tls.ts'
import { openVacuum, type Vacuum } from './vacuum.ts'
import { writeTogether } from './write.ts'

export interface PostgresOptions {
  readonly url: DatabaseUrl
  readonly connections: number
  /** Of the sealed contents. */
  readonly masterKey: Uint8Array
  /** Unix milliseconds, noted beside each migration. */
  readonly now: number
  /** Receives every failed read and write. */
  readonly noticeFault?: NoticeFault
  readonly events?: {
    lost?(why: string): void
    found?(server: Server, afterMs: number): void
    /** A newer version has applied these migrations, and lets this one go on. */
    newer?(migrations: readonly string[]): void
  }
  /** For reads that may be old. */
  readonly replicas?: {
    readonly url: DatabaseUrl
    readonly lagMs: number
    readonly events?: ReplicaEvents
  }
}

/** Errors: DatabaseUrlError, MigrationError, MasterKeyError, UnreachableError where no server is reached. */
export async function openPostgres({
  url,
  connections,
  masterKey,
  now,
  noticeFault,
  events,
  replicas,
}: PostgresOptions): Promise<Db> {
  const login = { ...url, tls: chooseTls(url) }
  const pool = openPool({ servers: url.servers, login, connections, ...(events ? { events } : {}) })
  try {
    const { newer } = await pool.use((connection) => migratePostgres(connection, now))
    pool.needTables()
    if (newer.length > 0) events?.newer?.(newer)
    await requireSameKey(pool, masterKey)
    return makeDb({
      pool,
      vacuum: openVacuum(pool, login),
      replicas:
        replicas &&
        openReplicas({
          primary: pool,
          servers: replicas.url.servers,
          login: { ...replicas.url, tls: chooseTls(replicas.url) },
          lagMs: replicas.lagMs,
          connections: Math.max(1, Math.floor(connections / 4)),
          ...(replicas.events ? { events: replicas.events } : {}),
        }),
      notice: noticeFault,
    })
  } catch (error) {
    await pool.close()
    throw isLost(error) ? new UnreachableError(describeError(error)) : error
  }
}

/** Rows of a long list that are fetched at once. */
const rowsEachFetch = 500
/** Marks of writes are looked for as long as their callers wait, which is seconds. */
const marksKeptMinutes = 60
const purgeEveryMs = 600_000
/** While every second one of many writes fails, the fault lasts. */
const faultLastsMs = 5_000

type Ask = (sql: string, params: readonly SqlValue[]) => Promise<readonly unknown[]>

interface EngineParts {
  readonly pool: Pool
  readonly vacuum: Vacuum
  readonly replicas: Replicas | undefined
  readonly notice: NoticeFault | undefined
}

function makeDb({ pool, vacuum, replicas, notice = () => {} }: EngineParts): Db {
  const sizes = openDistribution(sizeBounds)
  const seconds = openDistribution(diskSecondBounds)
  const commitSeconds = openDistribution(diskSecondBounds)
  const underWay = new Set<{ readonly since: number }>()
  let last: LastCommit | undefined
  /** Beside it others may succeed: one that finds room where another has none. */
  let lastFault: LastCommit | undefined
  let storedAt: number | undefined
  let failed = 0
  let isClosed = false

  /** The fault is noticed here, because a caller may catch it. */
  async function tellFaults<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      const isToldAlready = error instanceof StorageError || !isUnreadable(error)
      const told = isToldAlready ? error : new UnreachableError(describeError(error))
      notice(told as Error)
      throw told
    }
  }

  async function write(statements: Write): Promise<WriteResult> {
    if (isClosed) throw new StorageError('the service is shutting down')
    const own = { since: performance.now() }
    underWay.add(own)
    try {
      const result = await tellFaults(writeTogether(pool, statements, (ms) => commitSeconds.note(ms / 1000)))
      storedAt = performance.now()
      last = { endedAt: storedAt, error: undefined }
      return result
    } catch (error) {
      failed++
      // A write that the data refuses says nothing about the server.
      if (error instanceof UnreachableError) last = { endedAt: performance.now(), error }
      else if (error instanceof StorageError && isFaultOfServer(error.cause))
        lastFault = { endedAt: performance.now(), error }
      throw error
    } finally {
      underWay.delete(own)
      sizes.note(1)
      seconds.note((performance.now() - own.since) / 1000)
    }
  }

  /** What waited for a server begins to wait for its answer once that is found. */
  function readWaitingSince(): number | undefined {
    const [oldest] = underWay
    return oldest && Math.max(oldest.since, pool.readArrival())
  }

  const purging = setInterval(() => {
    pool.use((connection) => connection.runPlain(purgeMarks)).catch(() => {})
  }, purgeEveryMs)
  purging.unref()

  const askPrimary: Ask = async (sql, params) =>
    (await tellFaults(pool.share((connection) => connection.run(sql, params)))).rows

  const makeReader = (askRows: Ask): Reader => ({
    read: <Row, Params extends readonly SqlValue[]>(query: Query<Row, Params>): Reads<Row, Params> => {
      const ask = (params: Params) => askRows(query, params)
      return {
        get: async (...params) => {
          const [row] = await ask(params)
          return row === undefined ? null : readRow<Row>(row)
        },
        all: async (...params) => (await ask(params)).map((row) => readRow<Row>(row)),
        scan: (visit, ...params) => tellFaults(pool.use((connection) => scanRows(connection, query, params, visit))),
      }
    },
  })

  return {
    ...makeReader(askPrimary),
    ...(replicas
      ? {
          chooseReplica: () => {
            const replica = replicas.choose()
            return replica && makeReader(preferRows(replica, askPrimary))
          },
          listReplicas: replicas.list,
        }
      : {}),
    write,
    isShared: true,
    mergesUnions: false,
    hasFiles: false,
    forgetDeleted: vacuum.forgetDeleted,
    whatHoldsDeleted: vacuum.whatHoldsDeleted,
    writeFailure: () => (isClosed ? new StorageError('the database is closed') : undefined),
    writerState: () => ({
      last: lastFault && performance.now() - lastFault.endedAt < faultLastsMs ? lastFault : last,
      waitingSince: readWaitingSince(),
      storedAt,
      isUncertain: false,
    }),
    writerFigures: { sizes, seconds, commitSeconds, countFailed: () => failed, countWaiting: () => underWay.size },
    measureBytes: () => tellFaults(pool.share(measureDatabase)),
    readTime: () => tellFaults(pool.share(readClock)),
    readStandbys: () => tellFaults(pool.share(listStandbys)),
    async close() {
      isClosed = true
      clearInterval(purging)
      vacuum.close()
      while (underWay.size > 0) await Bun.sleep(10)
      await replicas?.close()
      await pool.close()
    },
  }
}

/**
 * The replica answers a request unless its first read finds nothing there: what was asked for may have been made since.
 * Once the other server has answered, it answers what follows, so that later reads never see less than earlier ones.
 */
function preferRows(replica: Replica, askPrimary: Ask): Ask {
  let isOver = false
  let hasFound = false
  return async (sql, params) => {
    const rows = !isOver && replica.isNew() ? await replica.ask(sql, params) : undefined
    if (rows && (hasFound || rows.length > 0)) {
      hasFound = true
      return rows
    }
    isOver = true
    return askPrimary(sql, params)
  }
}

async function measureDatabase(connection: Connection): Promise<number> {
  const { rows } = await connection.run('SELECT pg_database_size(current_database()) AS bytes')
  return readRow<{ readonly bytes: number }>(rows[0]).bytes
}

async function readClock(connection: Connection): Promise<number> {
  const { rows } = await connection.run(`SELECT 1000 * date_part('epoch', clock_timestamp()) AS time`)
  return readRow<{ readonly time: number }>(rows[0]).time
}

/** The lag is null for one that has nothing to do: then the places in the log tell. Without pg_monitor all is null. */
const selectStandbys = `
  SELECT coalesce(nullif(application_name, ''), host(client_addr), 'a standby') AS name,
    CASE WHEN replay_lsn >= pg_current_wal_flush_lsn() THEN 0 ELSE 1000 * date_part('epoch', replay_lag) END AS "lagMs"
  FROM pg_stat_replication ORDER BY 1`

const listStandbys = async (connection: Connection): Promise<readonly Standby[]> =>
  (await connection.run(selectStandbys)).rows.map((row) => readRow<Standby>(row))

const purgeMarks = `
  DELETE FROM write_marks WHERE at < now() - interval '${marksKeptMinutes} minutes'`

/** In slices, so that a reader that stops early has not fetched everything. */
async function scanRows<Row>(
  connection: Connection,
  query: string,
  params: readonly SqlValue[],
  visit: (row: Row) => boolean,
): Promise<void> {
  try {
    await connection.run('BEGIN READ ONLY')
    await connection.run(`DECLARE scanned CURSOR FOR ${query}`, params)
    for (;;) {
      const { rows } = await connection.run(`FETCH ${rowsEachFetch} FROM scanned`)
      for (const row of rows)
        if (!visit(readRow<Row>(row))) {
          await connection.run('COMMIT')
          return
        }
      if (rows.length < rowsEachFetch) break
    }
    await connection.run('COMMIT')
  } catch (error) {
    if (!connection.isLost()) await connection.run('ROLLBACK').catch(() => connection.lose('a transaction did not end'))
    throw error
  }
}
