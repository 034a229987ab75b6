/**
 * Whether a server takes writes, asked in a session of one's own. A pooler such as PgBouncer may give a connection another
 * session for each transaction: then settings and prepared statements of one process reach another one, and a lock is
 * held by somebody else. Each connection leaves a mark in its session, and a foreign mark tells.
 */
import { writeServer } from '../../config/database-url.ts'
import { type Connection, markSetting } from './connection.ts'
import { LostError } from './errors.ts'

/** Errors: LostError where the answer came from a session that is not of this connection. */
export async function isReadOnly(connection: Connection): Promise<boolean> {
  const { rows } = await connection.runPlain(
    `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS standby,
      current_setting('${markSetting}', true) AS mark`,
  )
  const { standby, mark } = rows[0] as { readonly standby: boolean; readonly mark: string | null }
  if (mark !== connection.sessionMark)
    throw new LostError(
      `${writeServer(connection.server)} is a pooler that gives one connection several sessions: set pool_mode = session for this database in PgBouncer, or name the database server itself`,
    )
  return standby
}

/** One look may find the right session by chance, where other clients keep the pooler busy. */
const turns = 4

/** Asks on two connections in turn: such a pooler soon gives one the session of the other. Errors: LostError. */
export async function requireOwnSession(connection: Connection, open: () => Promise<Connection>): Promise<void> {
  const other = await open()
  try {
    for (let turn = 0; turn < turns; turn++) for (const one of [other, connection]) await isReadOnly(one)
  } finally {
    void other.close()
  }
}
