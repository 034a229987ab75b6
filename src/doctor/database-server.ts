/** Whether the servers of database.url answer, which of them takes writes, and whether replicas follow it. */
import { type DatabaseUrl, DatabaseUrlError, readDatabaseUrl, writeServer } from '../config/database-url.ts'
import type { Config } from '../config/schema.ts'
import type { Connection, Server } from '../db/postgres/connection.ts'
import { describeError } from '../db/postgres/errors.ts'
import { readNewestMark } from '../db/postgres/newest-mark.ts'
import { examineDatabaseCare } from './database-care.ts'
import { examineReplicas } from './database-replicas.ts'
import { examineDatabaseUse } from './database-use.ts'
import type { Found } from './found.ts'
import { useServer } from './use-server.ts'

const setting = 'database.url'

/** None without database.url. */
export async function examineDatabaseServers(
  { url: text, replicas, replicaLagSeconds }: Omit<Config['database'], 'connections'>,
  masterKey?: Uint8Array,
): Promise<readonly Found[]> {
  if (text === undefined) return []
  try {
    const url = readDatabaseUrl(text)
    const answers = await Promise.all(url.servers.map((server) => askServer(server, url, masterKey)))
    const findings = answers.map(({ says, isBad }): Found => ({ setting, level: isBad ? 'warn' : 'ok', says }))
    const primary = answers.find(({ takesWrites }) => takesWrites)
    if (primary) {
      const found = [...findings, ...(primary.care ?? [])]
      return replicas === undefined
        ? found
        : [...found, ...(await examineReplicas(replicas, 1000 * replicaLagSeconds, primary.newestMark))]
    }
    return [
      ...findings,
      {
        setting,
        level: 'fail',
        says: 'no server of the database takes writes',
        mend: 'see what each answered above: start one, promote a standby, or mend the address, user or password',
      },
    ]
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error
    return [{ setting, level: 'fail', says: error.message, mend: 'mend the file or the address' }]
  }
}

interface Answer {
  readonly says: string
  readonly isBad: boolean
  readonly takesWrites: boolean
  /** Of the server that takes writes. */
  readonly care?: readonly Found[]
  readonly newestMark?: string | undefined
}

async function askServer(server: Server, url: DatabaseUrl, masterKey: Uint8Array | undefined): Promise<Answer> {
  try {
    return await useServer(server, url, (connection) => lookAt(connection, writeServer(server), masterKey))
  } catch (error) {
    if (error instanceof DatabaseUrlError) throw error
    return { says: describeError(error), isBad: true, takesWrites: false }
  }
}

async function lookAt(connection: Connection, name: string, masterKey: Uint8Array | undefined): Promise<Answer> {
  const { rows } = await connection.runPlain(
    `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS "isStandby",
      (SELECT count(*)::int FROM pg_stat_replication) AS standbys`,
  )
  const { version, isStandby, standbys } = rows[0] as { version: string; isStandby: boolean; standbys: number }
  if (isStandby) return { says: `${name} answers: PostgreSQL ${version}, a standby`, isBad: false, takesWrites: false }
  return {
    says: `${name} answers: PostgreSQL ${version}, takes writes, with ${standbys} standbys`,
    isBad: false,
    takesWrites: true,
    care: [...(await examineDatabaseUse(connection, masterKey)), ...(await examineDatabaseCare(connection))],
    newestMark: await readNewestMark(connection).catch(() => undefined),
  }
}
