/** One connection for a move: its statements may take long, and no pool watches it. */
import { type DatabaseUrl, writeServer } from '../../config/database-url.ts'
import { type Connection, openConnection } from '../postgres/connection.ts'
import { describeError, isLost, LostError } from '../postgres/errors.ts'
import { chooseTls } from '../postgres/tls.ts'
import { UnreachableError } from '../writer.ts'
import { MoveError } from './move-error.ts'

const connectMs = 10_000

/** Any number that no other program on the same database takes: one move at a time. */
const lockKey = 7_402_381_176

/**
 * Runs the work on the server that takes writes, alone among moves. Errors: MoveError, UnreachableError,
 * DatabaseUrlError, those of the work.
 */
export async function usePrimary<T>(url: DatabaseUrl, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await openPrimary(url)
  try {
    // Whole tables are read and counted.
    await connection.runPlain(
      `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET enable_seqscan = on;
       SELECT pg_advisory_lock(${lockKey})`,
    )
    return await work(connection)
  } catch (error) {
    throw explainServerError(error)
  } finally {
    await connection.close()
  }
}

/** Errors: UnreachableError, DatabaseUrlError. */
export async function openPrimary(url: DatabaseUrl): Promise<Connection> {
  const login = { ...url, tls: chooseTls(url) }
  const reasons: string[] = []
  for (const server of url.servers)
    try {
      const connection = await openConnection({ server, login, timeoutMs: connectMs })
      const { rows } = await connection.runPlain('SELECT pg_is_in_recovery() AS standby')
      if (!(rows[0] as { standby: boolean }).standby) return connection
      await connection.close()
      reasons.push(`${writeServer(server)} is a standby, which takes no writes`)
    } catch (error) {
      reasons.push(describeError(error))
    }
  throw new UnreachableError(`the database server cannot be used (${reasons.join('; ')})`)
}

/** SQLSTATE 42501: no rights. 55P03: somebody holds a lock. 22: a value that it does not take. */
function explainServerError(error: unknown): unknown {
  if (error instanceof LostError || isLost(error)) return new UnreachableError(describeError(error))
  const state = error instanceof Error && 'errno' in error ? String(error.errno) : ''
  if (state === '42501')
    return new MoveError(
      `the user of the database may not do this (${describeError(error)}): use the user that owns the tables, or make an empty database that this user owns`,
    )
  if (state === '55P03')
    return new MoveError(
      `another program uses the tables of the database (${describeError(error)}): end it, also another "proofgate move-to", and run this again`,
    )
  return error instanceof Error && error.name === 'PostgresError'
    ? new MoveError(`the database server refused (${describeError(error)})`)
    : error
}
