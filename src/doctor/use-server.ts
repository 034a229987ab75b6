/** A connection of the doctor to a server of the database, for one look. */
import type { DatabaseUrl } from '../config/database-url.ts'
import { type Connection, openConnection, type Server } from '../db/postgres/connection.ts'
import { requireOwnSession } from '../db/postgres/own-session.ts'
import { chooseTls } from '../db/postgres/tls.ts'

const withinMs = 3_000

/** Errors: LostError, also behind a pooler that a server refuses, and DatabaseUrlError for a file that cannot be read. */
export async function useServer<T>(
  server: Server,
  url: DatabaseUrl,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const open = (): Promise<Connection> =>
    openConnection({ server, login: { ...url, tls: chooseTls(url) }, timeoutMs: withinMs })
  const connection = await open()
  try {
    await requireOwnSession(connection, open)
    return await work(connection)
  } finally {
    await connection.close()
  }
}
