/**
 * Checks a data folder before it is opened. SQLite creates a missing database, and deletes the log of a missing one. A
 * new key opens nothing. So missing files are reported, not created.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { nameLogFile } from './file-names.ts'

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

/** The database of a folder into which `move-to sqlite:` still writes, or was cut off. */
export const movingName = 'proofgate.sqlite.moving'

const mostLinks = 40

/** Where a link to a folder leads, also when that folder is gone: what renames the folder must not rename the link. */
export function followLink(path: string): string {
  let found = path
  for (let steps = 0; steps < mostLinks; steps++) {
    const target = readLink(found)
    if (target === undefined) return found
    found = resolve(realpathSync(dirname(found)), target)
  }
  return path
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Folders beside the data folder in which a restore is or was under way. One whose folder is gone may have been cut off. */
export const listUnfinished = (folder: string): readonly string[] => listNeighbors(folder, 'restoring')

/** Folders beside it in which an import unpacks a tar file, before there is a data folder. */
export const listImporting = (folder: string): readonly string[] => listNeighbors(folder, 'import')

/** In the folder of a restore that is about to take the place of the data folder: what that one is renamed to. */
export const replacesName = 'replaces'

/** The data folder of before, where a restore was cut off between moving it away and taking its place. */
export function findReplaced(folder: string): string | undefined {
  for (const unfinished of listUnfinished(folder)) {
    const mark = join(unfinished, replacesName)
    const former = existsSync(mark) ? readFileSync(mark, 'utf8').trim() : ''
    if (former !== '' && existsSync(former)) return former
  }
  return undefined
}

/** What restores have moved out of the way, the oldest first. Beside the data folder, or in it where it is a mount. */
export const listFormer = (folder: string): readonly string[] => [
  ...listNeighbors(folder, 'before-restore'),
  ...listNames(folder, 'before-restore-'),
]

const listNeighbors = (folder: string, kind: string): readonly string[] => {
  const place = followLink(folder)
  return listNames(dirname(place), `${basename(place)}.${kind}-`)
}

function listNames(folder: string, beginning: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(beginning))
      .sort()
      .map((name) => join(folder, name))
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
  if (readSize(join(folder, movingName)) !== undefined)
    throw new DataFolderError(
      `a move into ${folder} was cut off or is under way: ${movingName} is there`,
      `run "proofgate move-to sqlite:${folder}" again, or delete the folder`,
    )
  if (readSize(join(folder, restoringMark)) !== undefined)
    throw new DataFolderError(
      `a restore into ${folder} did not come to its end`,
      `run it again: the files of before are in ${readFormer(folder) ?? folder}, and are still used`,
    )
  if ((readSize(database) ?? 0) > 0) return
  const isEmpty = readSize(database) === 0
  const gone = isEmpty ? `${database} is empty (0 bytes)` : `${database} is missing`
  const [unfinished] = listUnfinished(folder)
  if (unfinished !== undefined && readSize(database) === undefined) {
    const former = findReplaced(folder)
    throw new DataFolderError(
      `${gone}, and a restore left ${unfinished} beside it: it may have been cut off`,
      `Run the restore again${former === undefined ? '; or delete that folder' : `; or, to go back, delete that folder and rename ${former} to ${followLink(folder)}`}`,
    )
  }
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

/** The folder that the mark of a restore names, if it is there. */
export function readFormer(folder: string): string | undefined {
  const [former = ''] = readFileSync(join(folder, restoringMark), 'utf8').split('\n')
  return former !== '' && existsSync(former) ? former : undefined
}

/** Undefined for a missing file. An unreadable one is reported when it is opened. */
function readSize(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size
  } catch {
    return undefined
  }
}
