/**
 * What a start would find wrong with the data folder, for `proofgate doctor`: those checks of the start that need no
 * writing, so that this can be run beside a server.
 */
import { SQLiteError } from 'bun:sqlite'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/load.ts'
import { type Db, databaseFileIn } from '../db/db.ts'
import { DataFolderError, requireWholeFolder } from '../db/folder-state.ts'
import { hasKeyMark, lookForKey, refuseKey } from '../db/key-mark.ts'
import { lookIntoFolder } from '../db/look.ts'
import { MasterKeyError } from '../db/master-key.ts'
import { requireSharedLocks } from '../db/prove-locks.ts'
import { sealer } from '../db/seal.ts'
import type { Found } from '../doctor/examine.ts'
import { opensWithKey } from '../gates/same-key.ts'
import { describeDamage, describeFolderFault, type FolderFault, findFolderFault } from './folder-fault.ts'

const setting = 'data'

/** Nothing where the folder is as it should be. */
export function examineFolder(config: Config): readonly Found[] {
  const { data: folder, storage } = config
  try {
    if (!isThere(folder)) {
      requireWholeFolder(folder, storage)
      accessSync(nearestAbove(folder), constants.W_OK | constants.X_OK)
      return [{ setting, level: 'ok', says: `there is no folder ${folder} yet: the first start makes it` }]
    }
    const unusable = findFolderFault(folder)
    if (unusable) return fail(unusable)
    requireWholeFolder(folder, storage)
    requireSharedLocks(folder, storage)
    if ((statSync(databaseFileIn(folder), { throwIfNoEntry: false })?.size ?? 0) === 0) return []
    const damage = lookIntoFolder(folder, (db) => examineDatabase(db, config))
    return damage ? fail(damage) : []
  } catch (error) {
    return fail(describeFault(error, folder))
  }
}

const fail = ({ says, mend }: FolderFault): readonly Found[] => [{ setting, level: 'fail', says, mend }]

const isThere = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false }) !== undefined

function nearestAbove(folder: string): string {
  const above = dirname(folder)
  return existsSync(above) || above === folder ? above : nearestAbove(above)
}

function describeFault(error: unknown, folder: string): FolderFault {
  if (error instanceof DataFolderError || error instanceof MasterKeyError)
    return { says: error.happened, mend: error.mend }
  const fault = describeFolderFault(error, folder)
  if (!fault) throw error
  return fault
}

/** Errors: MasterKeyError, SQLiteError. */
function examineDatabase(db: Pick<Db, 'prepare'>, { data: folder, masterKey: configured }: Config) {
  const missing = countMissingBytes(db, folder)
  if (missing > 0) return describeDamage(folder, `${missing} bytes of it are missing at its end`)
  try {
    const key = lookForKey(db, configured, folder)
    if (key && !hasKeyMark(db) && !opensWithKey({ db: db as Db, sealer: sealer(key) }))
      throw refuseKey(configured, `${folder}/master.key`)
  } catch (error) {
    // A database of an older build, whose tables the next start makes.
    if (error instanceof SQLiteError && error.code === 'SQLITE_ERROR') return undefined
    throw error
  }
  return undefined
}

/** Pages in the log count as there: a checkpoint brings them. */
function countMissingBytes(db: Pick<Db, 'prepare'>, folder: string): number {
  const file = databaseFileIn(folder)
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return 0
  const { bytes } = db
    .prepare<{ bytes: number }, []>(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
    )
    .get() ?? { bytes: 0 }
  return bytes - statSync(file).size
}
