/** A backup of the database before a new version changes its form, in the data folder itself. */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { locateDatabaseFile } from '../db/db.ts'
import { nameLogFile } from '../db/file-names.ts'
import { DataFolderError } from '../db/folder-state.ts'
import { lookIntoFolder } from '../db/look.ts'
import { planMigrations } from '../db/migrate.ts'
import { BackupError } from './fault.ts'
import { makeBackup } from './make-backup.ts'
import { openFolderTarget } from './targets/folder.ts'

export interface BeforeUpgrade {
  readonly now: () => number
  readonly version: string
  /** Tells the name of the backup. */
  readonly tell: (file: string, migrations: readonly string[]) => void
}

const form = /^before-upgrade-\d{8}T\d{6}Z-[0-9a-f]{6}\.backup$/
/** The one of the upgrade before is of use when the new version is given up late. */
const keptCount = 2
const oneMiB = 1_048_576
const spareBytes = 16 * oneMiB

/**
 * Nothing where no migration is pending, or where no database is. It is not sealed and holds no key: both are in the
 * same folder. Errors: DataFolderError where there is no room, SQLiteError, MigrationError.
 */
export async function backUpBeforeUpgrade(folder: string, { now, version, tell }: BeforeUpgrade): Promise<void> {
  const applied = await lookIntoFolder(folder, (_, database) => {
    const { pending, former } = planMigrations(database)
    // A database of our own has some migrations. Others are refused when they are opened.
    const isUsed = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() !== null
    return isUsed ? [...pending, ...former] : []
  })
  if (!applied || applied.length === 0) return
  const target = openFolderTarget(folder)
  await target.clear()
  requireRoom(folder)
  // A start that was killed and repeated within a second has a name of its own.
  const name = `before-upgrade-${writeStamp(now())}-${randomBytes(3).toString('hex')}.backup`
  try {
    await makeBackup(target, name, { folder, now, version, passphrase: undefined, secrets: {} })
  } catch (error) {
    throw error instanceof BackupError
      ? new DataFolderError(
          `the database cannot be copied before the new version changes it: ${error.happened}`,
          error.mend,
        )
      : error
  }
  tell(join(folder, name), applied)
  const others = readdirSync(folder).filter((one) => form.test(one) && one !== name)
  for (const one of sortByAge(others, now()).slice(0, 1 - keptCount)) rmSync(join(folder, one))
}

/** The oldest first. A name of a clock that was ahead says nothing of its age: it counts as the oldest. */
function sortByAge(names: readonly string[], now: number): readonly string[] {
  const latest = `before-upgrade-${writeStamp(now)}`
  const isLater = (name: string): boolean => name.slice(0, latest.length) > latest
  return [...names].sort((one, other) =>
    isLater(one) === isLater(other) ? (one < other ? -1 : 1) : isLater(one) ? -1 : 1,
  )
}

const writeStamp = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')

/** Compressed it takes less, and the migration itself needs room for its log. Errors: DataFolderError. */
function requireRoom(folder: string): void {
  const file = locateDatabaseFile(folder)
  const logBytes = statSync(nameLogFile(file), { throwIfNoEntry: false })?.size ?? 0
  const needed = statSync(file).size + logBytes + spareBytes
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free < needed)
    throw new DataFolderError(
      `this version changes the form of the database, which is copied before, and the disk of ${folder} has ${Math.floor(free / oneMiB)} MiB free where the copy needs up to ${Math.ceil(needed / oneMiB)} MiB`,
      'free some space there, or set PROOFGATE_BACKUP_BEFORE_UPGRADE=false. Nothing was changed',
    )
}
