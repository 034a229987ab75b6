/** One connection to one server of PostgreSQL. Statements are sent at once and answered in their order. */
import { lookup } from 'node:dns/promises'
import { SQL } from 'bun'
import { writeServer } from '../../config/database-url.ts'
import type { SqlValue } from '../commit-group.ts'
import { fillNulls, translate } from './dialect.ts'
import { describeError, isConnectRefused, isLost, LostError } from './errors.ts'
import type { TlsChoice } from './tls.ts'

/** How to reach one server. */
export interface Server {
  readonly host: string
  readonly port: number
}

export interface Login {
  readonly database: string
  readonly user: string
  readonly password: string | undefined
  readonly tls: TlsChoice
}

export interface Answered {
  readonly rows: readonly unknown[]
  /** Rows found or changed. */
  readonly count: number
  /** The word of the server: SELECT, COMMIT, … */
  readonly command: string
}

export interface Connection {
  readonly server: Server
  /** What a session of the server knows that belongs to this connection alone. */
  readonly sessionMark: string
  /** A statement of a store, in SQLite's form. Errors: LostError, PostgresError. */
  run(sql: string, params?: readonly SqlValue[]): Promise<Answered>
  /** Statements in the form of PostgreSQL, without parameters: several are allowed. */
  runPlain(sql: string): Promise<Answered>
  /** COPY … FROM STDIN. Returns the number of rows. Errors: LostError, PostgresError, those of the chunks. */
  copyIn(sql: string, chunks: Iterable<Uint8Array>): Promise<number>
  /** COPY … TO STDOUT. A chunk may end in the middle of a row. Returns the number of rows. Errors: as copyIn. */
  copyOut(sql: string, take: (chunk: Uint8Array) => void): Promise<number>
  /** Statements that have no answer yet. */
  countOpen(): number
  isLost(): boolean
  /** Everything that has no answer yet fails. */
  lose(why: string): void
  /** Waits for what is open. */
  close(): Promise<void>
}

/** Of our own tables and functions. Ours come first, because some of them stand in for built-in ones. */
export const schemaName = 'proofgate'

/**
 * A statement that runs longer is ended by the server. A transaction that waits for us is given up sooner: its locks
 * stop others, and a process that was stopped in between finds out by the error. Statements of a client that is gone
 * are ended, too. A commit is on disk before it is acknowledged, also where the user of the database was told otherwise.
 *
 * A session keeps a plan for later calls. One for an empty table walks through it, and would still do so when it is long:
 * 8 ms for each proof after some thousands, until the server analyzes the table by itself. Every statement of a store has
 * an index (test/plans.ts), so walks cost more than anything here. That cost would let the server compile each walk
 * through a small table, hence no jit.
 */
const sessionSettings = `
  SET search_path = ${schemaName}, pg_catalog;
  SET statement_timeout = '30s';
  SET lock_timeout = '10s';
  SET idle_in_transaction_session_timeout = '5s';
  SET client_connection_check_interval = '2s';
  SET enable_seqscan = off;
  SET jit = off;
  SET default_transaction_isolation = 'read committed';
  SET standard_conforming_strings = on;
  SET client_min_messages = warning;
  SET TIME ZONE 'UTC';
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

/** A setting of the session, in which the connection leaves its mark. */
export const markSetting = `${schemaName}.session`

export interface ConnectOptions {
  readonly server: Server
  readonly login: Login
  readonly timeoutMs: number
}

/** Errors: LostError where the server cannot be reached in time, PostgresError where it refuses. */
export async function openConnection({ server, login, timeoutMs }: ConnectOptions): Promise<Connection> {
  const sessionMark = Bun.randomUUIDv7()
  const waiting = new Set<(error: Error) => void>()
  let lost: LostError | undefined
  let isOpened = false
  let closedBy: unknown
  const client = new SQL({
    adapter: 'postgres',
    hostname: server.host,
    port: server.port,
    database: login.database,
    username: login.user,
    ...(login.password === undefined ? {} : { password: login.password }),
    tls: login.tls,
    max: 1,
    // Numbers of the server come as BigInt, and so are told from digits in a text.
    bigint: true,
    idleTimeout: 0,
    maxLifetime: 0,
    connectionTimeout: Math.ceil(timeoutMs / 1000),
    // The driver would connect anew by itself, without the settings of the session.
    onclose(error) {
      closedBy = error
      lose(error ? describeError(error) : 'it was closed')
    },
  })

  function lose(why: string): void {
    if (lost) return
    const happened = isOpened ? 'the connection was lost' : 'no connection was opened'
    lost = new LostError(`${writeServer(server)}: ${happened}: ${why}`)
    for (const reject of waiting) reject(lost)
    waiting.clear()
    client.close({ timeout: 0 }).catch(() => {})
  }

  /** Fails as soon as the connection is lost. */
  const guard = <T>(ask: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (lost) return reject(lost)
      waiting.add(reject)
      ask().then(
        (answer) => {
          waiting.delete(reject)
          resolve(answer)
        },
        (error) => {
          waiting.delete(reject)
          if (isLost(error)) lose(describeError(error))
          reject(lost ?? error)
        },
      )
    })

  const wait = async (
    ask: () => Promise<Iterable<unknown> & { count?: number | null; command?: string }>,
  ): Promise<Answered> => {
    const answer = await guard(ask)
    const rows = [...answer]
    return { rows, count: answer.count ?? rows.length, command: answer.command ?? '' }
  }

  const connection: Connection = {
    server,
    sessionMark,
    run(sql, params = []) {
      const filled = fillNulls(translate(sql), params)
      return wait(() => client.unsafe(filled.sql, filled.params))
    },
    runPlain: (sql) => wait(() => client.unsafe(sql).simple()),
    copyIn: (sql, chunks) => guard(() => sendRows(client.unsafe(sql), chunks)),
    copyOut: (sql, take) => guard(() => takeRows(client.unsafe(sql), take)),
    countOpen: () => waiting.size,
    isLost: () => lost !== undefined,
    lose,
    async close() {
      lost ??= new LostError('the database is closed')
      await client.close({ timeout: 5 }).catch(() => {})
    },
  }
  const timer = setTimeout(() => lose(`no answer within ${timeoutMs} ms`), timeoutMs)
  try {
    await connection.runPlain(`${sessionSettings}; SET ${markSetting} = '${sessionMark}'`)
    isOpened = true
    return connection
  } catch (error) {
    lose('it could not be opened')
    throw isConnectRefused(closedBy) ? new LostError(await explainUnreached(server)) : error
  } finally {
    clearTimeout(timer)
  }
}

type Copying = ReturnType<SQL['unsafe']>

async function sendRows(asked: Copying, chunks: Iterable<Uint8Array>): Promise<number> {
  const writer = asked.writable().getWriter()
  // A failure reaches the writer too.
  asked.catch(() => {})
  writer.closed.catch(() => {})
  try {
    for (const chunk of chunks) await writer.write(chunk)
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => {})
    throw error
  }
  return (await asked).count ?? 0
}

async function takeRows(asked: Copying, take: (chunk: Uint8Array) => void): Promise<number> {
  for await (const chunk of asked.readable()) take(chunk)
  return (await asked).count ?? 0
}

/** The driver says no more than that it failed. */
async function explainUnreached(server: Server): Promise<string> {
  const isKnown = await lookup(server.host).then(
    () => true,
    () => false,
  )
  const why = isKnown ? 'nothing accepts connections there' : `no address is known for the name "${server.host}"`
  return `${writeServer(server)} cannot be reached: ${why}`
}
