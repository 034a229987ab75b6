/** Whether the servers of database.url answer, and which of them takes writes. */
import { type DatabaseUrl, DatabaseUrlError, readDatabaseUrl, writeServer } from '../config/database-url.ts'
import { openConnection } from '../db/postgres/connection.ts'
import { describeError } from '../db/postgres/errors.ts'
import { chooseTls } from '../db/postgres/tls.ts'
import { examineDatabaseCare } from './database-care.ts'
import { examineDatabaseUse } from './database-use.ts'
import type { Found } from './found.ts'

const setting = 'database.url'
const withinMs = 3_000

/** None without the setting. */
export async function examineDatabaseServers(
  text: string | undefined,
  masterKey?: Uint8Array,
): Promise<readonly Found[]> {
  if (text === undefined) return []
  try {
    const url = readDatabaseUrl(text)
    const answers = await Promise.all(url.servers.map((server) => askServer(server, url, masterKey)))
    const findings = answers.map(({ says, isBad }): Found => ({ setting, level: isBad ? 'warn' : 'ok', says }))
    const primary = answers.find(({ takesWrites }) => takesWrites)
    if (primary) return [...findings, ...(primary.care ?? [])]
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
}

async function askServer(
  server: DatabaseUrl['servers'][number],
  url: DatabaseUrl,
  masterKey: Uint8Array | undefined,
): Promise<Answer> {
  const name = writeServer(server)
  try {
    const connection = await openConnection({ server, login: { ...url, tls: chooseTls(url) }, timeoutMs: withinMs })
    try {
      const { rows } = await connection.runPlain(
        `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS "isStandby",
          (SELECT count(*)::int FROM pg_stat_replication) AS standbys`,
      )
      const { version, isStandby, standbys } = rows[0] as { version: string; isStandby: boolean; standbys: number }
      return {
        says: isStandby
          ? `${name} answers: PostgreSQL ${version}, a standby`
          : `${name} answers: PostgreSQL ${version}, takes writes, with ${standbys} standbys`,
        isBad: false,
        takesWrites: !isStandby,
        ...(isStandby
          ? {}
          : {
              care: [...(await examineDatabaseUse(connection, masterKey)), ...(await examineDatabaseCare(connection))],
            }),
      }
    } finally {
      await connection.close()
    }
  } catch (error) {
    if (error instanceof DatabaseUrlError) throw error
    return { says: describeError(error), isBad: true, takesWrites: false }
  }
}
