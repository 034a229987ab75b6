/** A store whose log is shipped to a folder, and restores from there. */
import { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openContinuousBackup, openLogRelay } from '../../src/backup/continuous/keeper.ts'
import { makeBackup, nameBackup } from '../../src/backup/make-backup.ts'
import { openFolderTarget } from '../../src/backup/targets/folder.ts'
import { type State, unpackState } from '../../src/backup/unpack-state.ts'
import { type Condition, openConditions } from '../../src/conditions.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Config } from '../../src/config/schema.ts'
import { type Db, locateDatabaseFile, openDb } from '../../src/db/db.ts'
import { makeLog } from '../../src/log.ts'

const silentLog = makeLog({ level: 'error', format: 'json', now: Date.now, write: () => {} })

export const passphrase = 'correct horse battery'

export interface Row {
  readonly id: number
  /** Unix milliseconds. */
  readonly askedAt: number
  readonly storedAt: number
}

export interface Shipped {
  readonly db: Db
  readonly rows: Row[]
  readonly conditions: ReturnType<typeof openConditions>
  /** As the end of a start does. */
  letMakeBackups(): void
  readLagMs(): number
  write(): Promise<void>
  /** Until the place has everything that was written. */
  settle(): Promise<void>
  close(): Promise<void>
}

export const keyMark = 0x12345678

export function makeShippingPlace(
  home: string,
  {
    walLimitBytes = 1 << 20,
    phrase = passphrase,
    fillingBytes = 2000,
    watchMs,
  }: { walLimitBytes?: number; phrase?: string | null; fillingBytes?: number; watchMs?: number } = {},
) {
  const data = join(home, 'data')
  const place = join(home, 'place')
  const target = openFolderTarget(place)
  const rows: Row[] = []
  mkdirSync(data, { recursive: true })

  async function readConfig(): Promise<Config> {
    return loadConfig({
      cwd: home,
      file: undefined,
      env: {
        PROOFGATE_DATA: data,
        PROOFGATE_BACKUP_TO: place,
        PROOFGATE_BACKUP_CONTINUOUS: 'true',
        ...(phrase ? { PROOFGATE_BACKUP_PASSPHRASE: phrase } : { PROOFGATE_BACKUP_WITHOUT_SECRETS: 'true' }),
      },
    })
  }

  const insert = async (db: Db, id: number): Promise<void> => {
    await db.write([
      { sql: 'INSERT INTO numbers VALUES (?, ?)', params: [id, randomBytes(fillingBytes).toString('hex')] },
    ])
  }

  async function backUp(): Promise<string> {
    const name = nameBackup(Date.now(), keyMark)
    await makeBackup(target, name, {
      folder: data,
      now: Date.now,
      version: 'test',
      passphrase: phrase ?? undefined,
      isContinued: true,
      secrets: {},
    })
    return name
  }

  return {
    data,
    place,
    insert,
    target,
    rows,

    async open(): Promise<Shipped> {
      const relay = openLogRelay()
      const conditions = openConditions({ log: silentLog, now: Date.now })
      const db = await openDb({
        folder: data,
        writer: 'worker',
        cacheBytes: 1 << 20,
        walLimitBytes,
        now: Date.now(),
        keepsLog: true,
        events: { log: relay.note },
      })
      await db.write([{ sql: 'CREATE TABLE IF NOT EXISTS numbers (id INTEGER PRIMARY KEY, filling BLOB)', params: [] }])
      await db.write([{ sql: `PRAGMA user_version = ${keyMark}`, params: [] }])
      const shipping = openContinuousBackup({ db, conditions, log: silentLog, now: Date.now }, relay, {
        databaseFile: locateDatabaseFile(data),
        keyMark,
        backup: (await readConfig()).backup,
        cwd: home,
        ...(watchMs === undefined ? {} : { watchMs }),
      })
      const letMakeBackups = (): void =>
        shipping.setRunner(async () => {
          await backUp()
          return { exitCode: 0, says: '' }
        })
      if (watchMs !== undefined) letMakeBackups()
      await shipping.waitUntilOpen()
      return {
        db,
        rows,
        conditions,
        letMakeBackups,
        readLagMs: shipping.readLagMs,
        async write() {
          const id = rows.length + 1
          const askedAt = Date.now()
          await insert(db, id)
          rows.push({ id, askedAt, storedAt: Date.now() })
        },
        async settle() {
          db.noteTaken(undefined)
          do await Bun.sleep(100)
          while (shipping.readLagMs() > 0)
        },
        async close() {
          await db.close()
          await shipping.stop()
        },
      }
    },

    backUp,

    /** Unpacks into a folder of its own. */
    async restore(
      name: string,
      until?: number,
      at = target,
    ): Promise<{ state: State; numbers: readonly number[]; folder: string }> {
      const folder = join(home, `restored-${randomBytes(4).toString('hex')}`)
      mkdirSync(folder)
      const state = await unpackState(
        { source: at.read(name), target: at, passphrase: phrase ?? undefined, forward: { until } },
        folder,
      )
      const db = new Database(locateDatabaseFile(folder), { readwrite: true })
      const numbers = db
        .query<{ id: number }, []>('SELECT id FROM numbers ORDER BY id')
        .all()
        .map(({ id }) => id)
      db.close()
      return { state, numbers, folder }
    },
  }
}

export const listStanding = (conditions: { list(): readonly Pick<Condition, 'name'>[] }): readonly string[] =>
  conditions.list().map(({ name }) => name)
