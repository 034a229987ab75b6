/**
 * Checks a data folder before it is opened. SQLite creates a missing database, and deletes the log of a missing one. A
 * new key opens nothing. So missing files are reported, not created.
 */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nameLogFile } from './name-log-file.ts'

/** A fault that the operator can mend: what happened, and the remedy. */
export class MendableError extends Error {
  constructor(
    readonly happened: string,
    readonly mend: string,
  ) {
    super(joinMend(happened, mend))
  }
}

/** A part of a data folder is missing or does not belong to the rest. The message names it and the remedy. */
export class DataFolderError extends MendableError {
  override readonly name = 'DataFolderError'
}

/** Joins a failure and its remedy: as a sentence of its own, or as the end of the first. */
export const joinMend = (happened: string, mend: string): string =>
  `${happened}${/^[A-Z]/.test(mend) ? '. ' : ': '}${mend}`

/**
 * In a folder whose files a restore moves one by one. Its content is the folder of the files of before. Until it is gone,
 * the folder holds neither the old state nor the new one.
 */
export const restoringMark = 'restore-in-progress'

/** Folders beside the data folder in which a restore was under way. One whose folder is gone may have been cut off. */
export function listUnfinished(folder: string): readonly string[] {
  const parent = dirname(folder)
  try {
    return readdirSync(parent)
      .filter((name) => name.startsWith(`${basename(folder)}.restoring-`))
      .map((name) => join(parent, name))
  } catch {
    return []
  }
}

export interface Expected {
  /** The folder has been used before, says the operator. */
  readonly expectExisting?: boolean
}

/** Throws DataFolderError. A folder that is new, or whose first start did not come to its end, passes. */
export function requireWholeFolder(folder: string, { expectExisting = false }: Expected = {}): void {
  const database = join(folder, 'proofgate.sqlite')
  const key = join(folder, 'master.key')
  if (readSize(join(folder, restoringMark)) !== undefined)
    throw new DataFolderError(
      `a restore into ${folder} did not come to its end`,
      'run it again: the files of before are in the folder before-restore-… inside it, and are still used',
    )
  if ((readSize(database) ?? 0) > 0) return
  const isEmpty = readSize(database) === 0
  const gone = isEmpty ? `${database} is empty (0 bytes)` : `${database} is missing`
  const [unfinished] = listUnfinished(folder)
  if (unfinished !== undefined && readSize(database) === undefined)
    throw new DataFolderError(
      `${gone}, and a restore left ${unfinished} beside it: it may have been cut off`,
      `Run the restore again; or, to go back, delete that folder and rename ${folder}.before-restore-…, if there is one, to ${folder}`,
    )
  const log = [nameLogFile(database), `${database}-shm`].find((file) => (readSize(file) ?? 0) > 0)
  if (log !== undefined)
    throw new DataFolderError(
      `${gone}, and ${log} of it is there: an empty database in its place would destroy the contents of that file`,
      `Put ${database} back beside it, or restore all of them from a backup. To begin anew, move these files away`,
    )
  if (readSize(key) !== undefined)
    throw new DataFolderError(
      `${gone}, and ${key} is there, so a server has stored things here`,
      `Restore ${database} from a backup, or see whether another disk should be mounted at ${folder}. To begin anew, move ${key} away; to begin anew with this key, give it as PROOFGATE_MASTER_KEY`,
    )
  if (expectExisting)
    throw new DataFolderError(
      `${gone}, and storage.expect_existing says that this folder was used before`,
      `see whether its disk is mounted at ${folder}, or restore a backup. For a first start set PROOFGATE_STORAGE_EXPECT_EXISTING=false`,
    )
}

/** Undefined for a missing file. An unreadable one is reported when it is opened. */
function readSize(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size
  } catch {
    return undefined
  }
}
