/** Opens the store of the server: its folder, its database, its key, and everything that watches over them. */
import { SQLiteError } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { backUpBeforeUpgrade } from './backup/before-upgrade.ts'
import { openContinuousBackup, openLogRelay } from './backup/continuous/keeper.ts'
import { storeRules } from './backup/store-rules.ts'
import type { Config } from './config/schema.ts'
import { type Db, locateDatabaseFile, openDb } from './db/db.ts'
import { requireWholeFolder } from './db/folder-state.ts'
import { findLosses } from './db/former-losses.ts'
import { type FreeSpace, leastLogBytes, openFreeSpace } from './db/free-space.ts'
import { findMasterKey, hasKeyMark, readMark, refuseKey, writeKeyMark } from './db/key-mark.ts'
import { lookIntoFolder } from './db/look.ts'
import { requireMasterKey } from './db/master-key.ts'
import { MigrationError, planMigrations } from './db/migrate.ts'
import { requireLocks } from './db/prove-locks.ts'
import { openReserve, type Reserve } from './db/reserve.ts'
import { makeSealer } from './db/seal.ts'
import { requireSafeSqlite } from './db/sqlite-version.ts'
import { removeCopies } from './db/try-migrations.ts'
import { watchDamage } from './db/watch-damage.ts'
import { isOpenedByKey } from './gates/master-key-check.ts'
import { openFaultsMet } from './health/faults-met.ts'
import { openHeldFiles } from './health/held-files.ts'
import { openStorageWatch } from './health/storage-watch.ts'
import { describeReserve } from './health/watch-disk.ts'
import { tellWriterFaults } from './health/writer-faults.ts'
import { admitWrites } from './http/admit-writes.ts'
import { noteFailedUpgrade, noteStartedVersion } from './jobs/upgrade.ts'
import { requireLastRunEnded } from './last-run.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import type { OpenedStore, StoreParts } from './opened-store.ts'
import type { Parts } from './parts.ts'
import { type OnFailure, undoOnFailure } from './undo-on-failure.ts'
import { version } from './version.ts'

const oneMiB = 1_048_576

/** `folder` undefined keeps everything in memory. */
export const openStore = (config: Config, folder: string | undefined, parts: StoreParts): Promise<OpenedStore> =>
  undoOnFailure((onFailure) =>
    config.database.url === undefined
      ? openEach(config, folder, parts, onFailure)
      : openPostgresStore(config, config.database.url, parts, onFailure),
  )

async function openEach(
  config: Config,
  folder: string | undefined,
  { conditions, limiter, log, now }: StoreParts,
  onFailure: OnFailure,
): Promise<OpenedStore> {
  const { storage: settings } = config
  if (folder !== undefined) prepareFolder(folder, settings)
  const freeSpace = openFreeSpace(folder, settings.minFreeMb * oneMiB)
  const reserve = openReserve(folder, settings.reserveMb * oneMiB)
  await makeRoomToOpen(freeSpace, reserve)
  if (folder !== undefined) {
    await requireLocks(folder, settings)
    requireLastRunEnded(folder)
    await tellLosses(folder, { log, now })
    if (config.backup.beforeUpgrade) await backUpBeforeUpgrade(folder, { now, version, tell: tellBackup(log) })
  }

  const file = folder && locateDatabaseFile(folder)
  const damage = watchDamage({ file, conditions, now, everyHours: settings.checkHours, rules: storeRules })
  onFailure(damage.stop)
  const faults = openFaultsMet(conditions, damage.note)
  const hang = Promise.withResolvers<void>()
  const migrations = folder === undefined ? 0 : await countPending(folder)
  const startedAt = performance.now()
  const describeStart = () => ({ version, migrations, tookMs: performance.now() - startedAt, at: now() })
  const relay = file !== undefined && config.backup.continuous ? openLogRelay() : undefined
  const written = await openDb({
    folder,
    writer: settings.writer === 'auto' ? chooseWriter(folder) : settings.writer,
    cacheBytes: settings.cacheMb * oneMiB,
    walLimitBytes: settings.walLimitMb * oneMiB,
    now: now(),
    noticeFault: faults.notice,
    events: { ...tellWriterFaults({ conditions, log, onHang: hang.resolve }), ...(relay ? { log: relay.note } : {}) },
    keepsLog: relay !== undefined,
    writeTimeoutSeconds: settings.writeTimeoutSeconds,
  }).catch(async (error) => {
    if (file !== undefined && error instanceof MigrationError)
      await noteFailedUpgrade(file, { ...describeStart(), fault: error.message })
    throw error
  })
  onFailure(written.close)
  const started = describeStart()
  const key = await openKey(written, config, folder)
  if (folder !== undefined) await noteStartedVersion(written, started)
  const continuous =
    relay &&
    openContinuousBackup({ db: written, conditions, log, now }, relay, {
      databaseFile: file!,
      keyMark: await readMark(written),
      backup: config.backup,
      cwd: process.cwd(),
    })
  if (continuous) onFailure(continuous.stop)
  await continuous?.waitUntilOpen()
  const keyOfFolder = config.masterKey ? undefined : key
  const held =
    folder === undefined
      ? undefined
      : openHeldFiles({ folder, databaseFile: locateDatabaseFile(folder), key: keyOfFolder, reserve })
  const watched = openStorageWatch({
    db: written,
    conditions,
    faults,
    freeSpace,
    lookAtFolder: held?.look,
    now,
  })
  const storage = { ...watched, lossToPrevent: () => watched.lossToPrevent() ?? damage.lossToPrevent() }
  const db = admitWrites(written, {
    freeSpace,
    reserve,
    onReserveUsed: () => conditions.begin(describeReserve(reserve)),
    limiter,
    lossToPrevent: storage.lossToPrevent,
  })
  return {
    db,
    key,
    freeSpace,
    reserve,
    storage,
    damage,
    hung: hang.promise,
    continuous,
    async close() {
      damage.stop()
      await db.close()
      await continuous?.stop()
      held?.close()
    },
  }
}

/** Errors: DataFolderError, those of the file system. */
function prepareFolder(folder: string, settings: Config['storage']): void {
  requireSafeSqlite()
  requireWholeFolder(folder, settings)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeCopies(folder)
}

/** Reports the losses of the next migrations in advance. An unreadable database is reported when it is opened. */
async function tellLosses(folder: string, { log, now }: Pick<StoreParts, 'log' | 'now'>): Promise<void> {
  try {
    for (const { says, count, mend } of (await lookIntoFolder(folder, (db) => findLosses(db, now()))) ?? [])
      log.warn(says, { event: 'upgrade-loss', count, mend })
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
  }
}

const tellBackup =
  (log: Parts['log']) =>
  (file: string, migrations: readonly string[]): void =>
    log.info('the database was copied before this version changes its form', {
      event: 'upgrade-backed-up',
      file,
      migrations: migrations.join(' '),
    })

/** Opening the database makes files beside it. */
async function makeRoomToOpen(freeSpace: FreeSpace, reserve: Reserve): Promise<void> {
  const freeBytes = freeSpace.readBytes()
  if (freeBytes !== undefined && freeBytes < leastLogBytes && (await reserve.giveUp())) await freeSpace.look()
}

/** Errors: MasterKeyError. */
async function openKey(db: Db, { masterKey: configured }: Config, folder: string | undefined): Promise<Uint8Array> {
  if (folder === undefined) return requireMasterKey(configured, folder)
  const key = await findMasterKey(db, configured, folder)
  if (!(await hasKeyMark(db)) && !(await isOpenedByKey({ db, sealer: makeSealer(key) })))
    throw refuseKey(configured, join(folder, 'master.key'))
  await writeKeyMark(db, key)
  return key
}

/** Errors: those of the database are told when it is opened. */
async function countPending(folder: string): Promise<number> {
  try {
    const plan = await lookIntoFolder(folder, (_, database) => planMigrations(database))
    return plan ? plan.pending.length + plan.former.length : 0
  } catch {
    return 0
  }
}

/** The thread that writes the database by default. */
export type WriterPlace = 'worker' | 'inline'

/**
 * Writes on a separate thread for every database on a disk. Then reads continue on a hanging disk, health reports the
 * fault, and the server can end by itself. On two cores it also stores 13 to 24 % more proofs a second. On one core it
 * costs 3 to 9 % more CPU for each proof.
 */
export const chooseWriter = (folder: string | undefined): WriterPlace => (folder === undefined ? 'inline' : 'worker')
