/** Several apps over one database, each with connections and a memory of its own, as on several machines. */
import { SQL } from 'bun'
import { startApp, type TestApp } from '../../app.ts'
import { openSharedDatabase } from '../../parts/test-database.ts'

export interface SeveralApps {
  readonly apps: readonly TestApp[]
  /** The database itself, past the apps. */
  readonly sql: SQL
  /** The same for all apps at once, `times` each. Answers in the order of the apps. */
  race<T>(act: (app: TestApp, index: number) => Promise<T>, times?: number): Promise<T[]>
  /** Takes the locks of these statements until the returned function is called. */
  hold(...statements: readonly string[]): Promise<() => Promise<void>>
  /** Resolves once that many writes wait for a lock or a turn. */
  waitForWaiting(count: number): Promise<void>
  close(): Promise<void>
}

export async function startApps(count: number, env: Readonly<Record<string, string>> = {}): Promise<SeveralApps> {
  const database = await openSharedDatabase()
  const apps: TestApp[] = []
  for (let each = 0; each < count; each++) apps.push(await startApp({ ...database.env, ...env }))
  const sql = new SQL({ url: database.url, max: 2, connection: { search_path: 'proofgate,pg_catalog' } })
  return {
    apps,
    sql,
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
