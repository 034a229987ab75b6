/**
 * The faults that a start would find in the data folder, for `proofgate doctor`. It runs only the start's checks
 * without writes, so that it can run beside a server.
 */
import { SQLiteError } from 'bun:sqlite'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/schema.ts'
import { type Db, locateDatabaseFile, type Reader } from '../db/db.ts'
import { findDeletedHolder } from '../db/deleted-holder.ts'
import { DataFolderError, requireWholeFolder } from '../db/folder-state.ts'
import { hasKeyMark, lookForKey, refuseKey } from '../db/key-mark.ts'
import { lookForDamage, lookIntoFolder } from '../db/look.ts'
import { MasterKeyError } from '../db/master-key.ts'
import { isMigrated, MigrationError } from '../db/migrate.ts'
import { requireSharedLocks } from '../db/prove-locks.ts'
import { label, query } from '../db/query.ts'
import { makeSealer } from '../db/seal.ts'
import { readFreeMiB } from '../doctor/disk.ts'
import type { Found } from '../doctor/found.ts'
import { isOpenedByKey } from '../gates/master-key-check.ts'
import { requireLogOfLastRun } from '../last-run.ts'
import { describeDamage, describeFolderFault, type FolderFault, findFolderFault } from './folder-fault.ts'

const setting = 'data'

/** Longer than most databases take to be read. A running server's check continues beyond this limit. */
const readForSeconds = 20

export async function examineFolder(config: Config): Promise<readonly Found[]> {
  const { data: folder, storage } = config
  try {
    const deleted = existsSync(locateDatabaseFile(folder)) ? undefined : findDeletedHolder(locateDatabaseFile(folder))
    if (deleted !== undefined) return fail(describeDeleted(folder, deleted))
    if (!isThere(folder)) {
      requireWholeFolder(folder, storage)
      accessSync(findNearestAbove(folder), constants.W_OK | constants.X_OK)
      return [{ setting, level: 'ok', says: `there is no folder ${folder} yet: the first start makes it` }]
    }
    const unusable = findFolderFault(folder)
    if (unusable) return fail(unusable)
    requireWholeFolder(folder, storage)
    requireSharedLocks(folder, storage)
    requireLogOfLastRun(folder)
    if ((statSync(locateDatabaseFile(folder), { throwIfNoEntry: false })?.size ?? 0) === 0)
      return pass(folder, 'holds no database yet: the first start makes it')
    const unfit = await lookIntoFolder(folder, (db, database) => {
      isMigrated(database)
      return examineDatabase(db, config)
    })
    if (unfit) return fail(unfit)
    const { damage, hasReadAll } = await lookForDamage(folder, readForSeconds * 1_000)
    if (damage) return fail(describeDamage(folder, `table ${damage.table}: ${damage.says}`))
    return pass(folder, hasReadAll ? 'is whole' : 'is as it should be, as far as it could be read here')
  } catch (error) {
    return fail(describeFault(error, folder))
  }
}

const fail = (fault: Pick<Found, 'says' | 'mend'>): readonly Found[] => [{ setting, level: 'fail', ...fault }]

function pass(folder: string, is: string): readonly Found[] {
  const freeMiB = readFreeMiB(folder)
  const free = freeMiB === undefined ? '' : `; its disk has ${freeMiB} MiB free`
  return [{ setting, level: 'ok', says: `the data folder ${folder} ${is}${free}` }]
}

const describeDeleted = (folder: string, pid: number): FolderFault => ({
  says: `the database in ${folder} was deleted, and process ${pid} still has it open`,
  mend: `do not stop it: copy the database, its log and the key out of /proc/${pid}/fd first, as the guide on faults says ("A deleted data folder")`,
})

const isThere = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false }) !== undefined

function findNearestAbove(folder: string): string {
  const above = dirname(folder)
  return existsSync(above) || above === folder ? above : findNearestAbove(above)
}

function describeFault(error: unknown, folder: string): Pick<Found, 'says' | 'mend'> {
  if (error instanceof DataFolderError || error instanceof MasterKeyError)
    return { says: error.happened, mend: error.mend }
  // Its message names the remedy.
  if (error instanceof MigrationError) return { says: error.message }
  const fault = describeFolderFault(error, folder)
  if (!fault) throw error
  return fault
}

/** Errors: MasterKeyError, SQLiteError. */
async function examineDatabase(db: Reader, { data: folder, masterKey: configured }: Config) {
  const missing = await countMissingBytes(db, folder)
  if (missing > 0) return describeDamage(folder, `${missing} bytes of it are missing at its end`)
  try {
    const key = await lookForKey(db, configured, folder)
    if (key && !(await hasKeyMark(db)) && !(await isOpenedByKey({ db: db as Db, sealer: makeSealer(key) })))
      throw refuseKey(configured, `${folder}/master.key`)
  } catch (error) {
    // A database of an older build, whose missing tables the next start creates.
    if (error instanceof SQLiteError && error.code === 'SQLITE_ERROR') return undefined
    throw error
  }
  return undefined
}

const selectBytes = query<[]>()`
  SELECT page_count * page_size AS ${label('bytes', 'number')} FROM pragma_page_count(), pragma_page_size()`

/** Pages in the log count as present: a checkpoint moves them. */
async function countMissingBytes(db: Reader, folder: string): Promise<number> {
  const file = locateDatabaseFile(folder)
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return 0
  const held = await db.read(selectBytes).get()
  return (held?.bytes ?? 0) - statSync(file).size
}
