/** Several apps over one database, each with connections and a memory of its own, as on several machines. */
import { SQL } from 'bun'
import type { Write, WritePurpose } from '../../../src/db/db.ts'
import { startApp, type TestApp } from '../../app.ts'
import { openSharedDatabase, type TestDatabase } from '../../parts/test-database.ts'

export interface SeveralApps {
  readonly apps: readonly TestApp[]
  /** The database itself, past the apps. */
  readonly sql: SQL
  /** Another one, like the first. */
  startAnother(): Promise<TestApp>
  /** The same for all apps at once, `times` each. Answers in the order of the apps. */
  race<T>(act: (app: TestApp, index: number) => Promise<T>, times?: number): Promise<T[]>
  /** Takes the locks of these statements until the returned function is called. */
  hold(...statements: readonly string[]): Promise<() => Promise<void>>
  /** Resolves once that many writes wait for a lock or a turn. */
  waitForWaiting(count: number): Promise<void>
  /** Holds the commits of an app's writes that have this text, for a moment in which others go on. */
  delayCommit(app: TestApp, text: string): void
  /** Resolves once such a write has done everything but its commit. */
  waitForCommit(): Promise<void>
  close(): Promise<void>
}

/** Long enough for what others do in one request. */
const delaySeconds = 1

export const startApps = (count: number, env: Readonly<Record<string, string>> = {}): Promise<SeveralApps> =>
  openApps((database) => Array.from({ length: count }, () => () => startApp({ ...database.env, ...env })))

/** On machines whose clocks differ from the right time by so many milliseconds. They go by the clock of the database. */
export const startAppsOn = (
  machines: readonly number[],
  env: Readonly<Record<string, string>> = {},
): Promise<SeveralApps> =>
  openApps((database) =>
    machines.map(
      (offsetMs) => () =>
        startApp({ ...database.env, ...env }, undefined, Date.now() + offsetMs, { followsDatabase: true }),
    ),
  )

async function openApps(list: (database: TestDatabase) => readonly (() => Promise<TestApp>)[]): Promise<SeveralApps> {
  const database = await openSharedDatabase()
  const apps: TestApp[] = []
  const starts = list(database)
  for (const start of starts) apps.push(await start())
  const count = apps.length
  const sql = new SQL({ url: database.url, max: 2, connection: { search_path: 'proofgate,pg_catalog' } })
  return {
    apps,
    sql,
    async startAnother() {
      const app = await starts[0]!()
      apps.push(app)
      return app
    },
    race: (act, times = 1) =>
      Promise.all(Array.from({ length: count * times }, (_, index) => act(apps[index % count]!, index))),
    async hold(...statements) {
      const holder = await sql.reserve()
      await holder.unsafe('BEGIN')
      for (const statement of statements) await holder.unsafe(statement)
      return async () => {
        await holder.unsafe('COMMIT')
        holder.release()
      }
    },
    delayCommit({ parts: { db } }, text) {
      const { write } = db
      const wait = { sql: `SELECT 1 FROM pg_sleep(${delaySeconds})`, params: [] }
      Object.assign(db, {
        write: (statements: Write, purpose?: WritePurpose) =>
          write(statements.some(({ sql }) => sql.includes(text)) ? [...statements, wait] : statements, purpose),
      })
    },
    async waitForCommit() {
      const ask = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`
      while ((await sql.unsafe(ask)).length === 0) await Bun.sleep(10)
    },
    async waitForWaiting(waiting) {
      const ask = `SELECT count(*)::integer AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      while ((await sql.unsafe(ask))[0].n < waiting) await Bun.sleep(10)
    },
    async close() {
      await sql.close()
      for (const app of apps) await app.close()
      await database.drop()
    },
  }
}
