/** Whether the servers of database.replicas follow the one that takes writes. */
import { DatabaseUrlError, readDatabaseUrl, writeServer } from '../config/database-url.ts'
import type { Connection, Server } from '../db/postgres/connection.ts'
import { describeError } from '../db/postgres/errors.ts'
import { hasMark } from '../db/postgres/newest-mark.ts'
import type { Found } from './found.ts'
import { useServer } from './use-server.ts'

const setting = 'database.replicas'
const lookEveryMs = 100
/** An operator waits for the answer. */
const mostWaitMs = 5_000

/** `newest`: the mark that the server which takes writes stored last. */
export async function examineReplicas(text: string, lagMs: number, newest?: string): Promise<readonly Found[]> {
  try {
    const url = readDatabaseUrl(text)
    const look = async (server: Server): Promise<Found> => {
      const name = writeServer(server)
      try {
        return await useServer(server, url, (connection) => lookAt(connection, name, { newest, lagMs }))
      } catch (error) {
        if (error instanceof DatabaseUrlError) throw error
        return warn(describeError(error), 'start it, or mend its address, user or password. Until then it is left out')
      }
    }
    return await Promise.all(url.servers.map(look))
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error
    return [{ setting, level: 'fail', says: error.message, mend: 'mend the file or the address' }]
  }
}

interface Wanted {
  readonly newest: string | undefined
  readonly lagMs: number
}

async function lookAt(connection: Connection, name: string, { newest, lagMs }: Wanted): Promise<Found> {
  const { rows } = await connection.runPlain('SELECT pg_is_in_recovery() AS follows')
  if (!(rows[0] as { readonly follows: boolean }).follows)
    return warn(
      `${name} takes writes itself, so it answers no reads as a replica`,
      'name a standby of the server in database.url. One that was promoted belongs into database.url',
    )
  if (newest === undefined) return { setting, level: 'ok', says: `${name} answers: a standby` }
  const waitMs = Math.min(lagMs, mostWaitMs)
  if (await hasMarkWithin(connection, newest, waitMs))
    return { setting, level: 'ok', says: `${name} answers: a standby that follows the server that takes writes` }
  return warn(
    `${name} has not got what was stored ${waitMs / 1000} seconds ago: it is behind, or follows another server`,
    'look at its replication (pg_stat_wal_receiver there, pg_stat_replication on the server that takes writes)',
  )
}

async function hasMarkWithin(connection: Connection, mark: string, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  for (;;) {
    if (await hasMark(connection, mark)) return true
    if (performance.now() >= until) return false
    await Bun.sleep(lookEveryMs)
  }
}

const warn = (says: string, mend: string): Found => ({ setting, level: 'warn', says, mend })
