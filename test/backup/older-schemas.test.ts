/** Backups of databases of every older schema: made without changing them, tried, and restored by this build. */
import type { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backup } from '../../src/commands/backup.ts'
import { drill } from '../../src/commands/drill.ts'
import { restore } from '../../src/commands/restore.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { isMigrated } from '../../src/db/migrate.ts'
import { run } from '../commands/terminal.ts'
import { listBoundaries } from '../db/schemas/history.ts'
import { masterKey } from '../db/schemas/story.ts'
import { inspect, temporaryFolders } from '../db/store.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

/** The rows of the schemas are made column by column: what counts them is set right here. */
function setCountersRight(db: Database): void {
  const tryRun = (sql: string): void => {
    try {
      db.run(sql)
    } catch (error) {
      // Of a table or column that came later.
      if (!/no (such|column)|has no column/.test(String(error))) throw error
    }
  }
  const ofAccount = 'FROM proofs p WHERE p.account_id = accounts.id'
  tryRun(
    `UPDATE accounts SET all_count = (SELECT count(*) ${ofAccount}),
       current_count = (SELECT count(*) ${ofAccount} AND p.superseded = 0 AND p.revoked_at IS NULL)`,
  )
  tryRun('UPDATE gates SET guest_count = (SELECT count(*) FROM gate_guests l WHERE l.gate = gates.id)')
  tryRun(
    `UPDATE gates SET fulfilled_count = (SELECT count(*) FROM fulfillments f WHERE f.gate = gates.id AND f.state = 'granted')`,
  )
  const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('gate_versions')").all()
  if (columns.length === 0) return
  const names = columns.map(({ name }) => name)
  const values = names.map((name) => ({ rewards: 'NULL', gate: 'g.id', version: 'g.version' })[name] ?? `v.${name}`)
  db.run(
    `INSERT INTO gate_versions (${names.join()}) SELECT ${values.join()}
     FROM gates g, (SELECT * FROM gate_versions LIMIT 1) v
     WHERE NOT EXISTS (SELECT 1 FROM gate_versions o WHERE o.gate = g.id AND o.version = g.version)`,
  )
}

test.each(listBoundaries().map(({ migration, image }) => [migration, image] as const))(
  '%s',
  async (migration, image) => {
    const home = newFolder()
    const data = join(home, 'data')
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(locateDatabaseFile(data), image)
    inspect(data, setCountersRight)
    const env = { PROOFGATE_DATA: data, PROOFGATE_MASTER_KEY: masterKey, PROOFGATE_BACKUP_WITHOUT_SECRETS: 'true' }
    const given = { cwd: home, env, now: () => 1_767_225_600_000 + 86_400_000 }

    const made = await run(backup, ['out/', '--json'], given)
    expect((await run(drill, ['out/', '--json'], given)).json).toMatchObject({ ok: true, faults: [] })
    inspect(data, (db) => {
      const newest = db.query<{ name: string }, []>('SELECT max(name) AS name FROM migrations').get()
      expect(newest?.name).toBe(migration)
    })
    rmSync(data, { recursive: true })
    expect((await run(restore, ['out/', '--json'], given)).json).toMatchObject({
      sound: true,
      counts: made.json.counts,
    })
    inspect(data, (db) => expect(isMigrated(db)).toBe(true))
    expect(readFileSync(locateDatabaseFile(data)).length).toBeGreaterThan(0)
  },
)
