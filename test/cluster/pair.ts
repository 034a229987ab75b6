/** A primary of PostgreSQL and a standby that has every commit before it is acknowledged, at two ports that stay. */
import { SQL } from 'bun'
import { type PostgresServer, type Standby, startPostgres } from '../parts/postgres.ts'

export interface Pair {
  /** Names both hosts. */
  readonly database: string
  /** Names the primary alone. */
  readonly urlOfPrimary: string
  readonly primary: PostgresServer
  /** Kills the primary and promotes the standby. Resolves once that takes writes, to when it was asked and when it did. */
  fail(): Promise<{ readonly killedAt: number; readonly askedAt: number; readonly promotedAt: number }>
  /** A new standby in the place of the server that was killed. */
  repair(): Promise<void>
  stop(): Promise<void>
}

async function ask<Row>({ url }: PostgresServer, sql: string): Promise<Row[]> {
  const client = new SQL({ url, max: 1 })
  try {
    return [...(await client.unsafe(sql))]
  } finally {
    await client.close()
  }
}

/** After the copy for the standby was made: once promoted, that must not wait for another one. */
async function waitForStandby(primary: PostgresServer): Promise<void> {
  await ask(primary, "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'")
  await ask(primary, 'SELECT pg_reload_conf()')
  const quorum = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'"
  while ((await ask(primary, quorum)).length === 0) await Bun.sleep(50)
}

export async function startPair(): Promise<Pair> {
  let primary = await startPostgres({ version: 15, isOwn: true })
  const firstPort = primary.port
  const url = await primary.createDatabase()
  let standby: Standby = await primary.startStandby()
  await waitForStandby(primary)
  const database = url.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`)
  let killed: PostgresServer | undefined
  return {
    database,
    get urlOfPrimary() {
      return url.replace(`:${firstPort}/`, `:${primary.port}/`)
    },
    get primary() {
      return primary
    },
    async fail() {
      killed = primary
      await killed.kill()
      const killedAt = performance.now()
      const askedAt = performance.now()
      await standby.promote()
      primary = standby
      return { killedAt, askedAt, promotedAt: performance.now() }
    },
    async repair() {
      const { port } = killed!
      await killed!.stop()
      standby = await primary.startStandby(port)
      await waitForStandby(primary)
    },
    async stop() {
      await standby.stop()
      if (primary !== standby) await primary.stop()
    },
  }
}
