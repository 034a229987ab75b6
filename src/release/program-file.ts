/**
 * The file of the running executable, and its replacement by another one: aside in the same folder, then by a rename, so
 * that the name leads to a whole executable at every moment. The old one stays beside it.
 */
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFile, syncFolder } from '../db/sync-file.ts'
import { findPackage, readUserName } from './file-manager.ts'
import { ReleaseError } from './release-list.ts'

export interface ProgramFile {
  readonly path: string
  /** The version before this one. */
  readonly previous: string
  /** Where a new one is written. */
  readonly aside: string
}

export const describeProgramFile = (path: string): ProgramFile => ({
  path,
  previous: nameBeside(path, 'previous'),
  aside: nameBeside(path, 'update'),
})

/** Windows starts files by their ending. */
function nameBeside(path: string, what: string): string {
  const [, name, end] = /^(.*?)(\.exe)?$/i.exec(basename(path))!
  return join(dirname(path), `${name}.${what}${end ?? ''}`)
}

/** Errors: ReleaseError where this user, or this program, is not the one to replace the file. */
export function requireReplaceable({ path }: ProgramFile): void {
  const owner = findPackage(path)
  if (owner !== undefined) throw new ReleaseError(owner.mend)
  const folder = dirname(path)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS')
      throw new ReleaseError(
        `${folder} is mounted read-only: a container is updated by its image, and another mount by what makes it`,
      )
    const { uid } = statSync(folder)
    throw new ReleaseError(
      `this user may not write to ${folder}, which belongs to ${readUserName(uid)}: run this as that user, with sudo for one`,
    )
  }
}

const oneMiB = 1_048_576
/** For what else the disk is used for in the meantime. */
const spareBytes = 16 * oneMiB

/** Errors: ReleaseError. */
export function requireRoom({ path }: ProgramFile, bytes: number): void {
  const folder = dirname(path)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const needed = bytes + spareBytes
  if (free < needed)
    throw new ReleaseError(
      `the disk of ${folder} has ${Math.floor(free / oneMiB)} MiB free, and the new version needs ${Math.ceil(needed / oneMiB)} MiB: free some space there. Nothing was changed`,
    )
}

/** Gives the file aside the rights of the executable, and brings it to the disk. Errors: those of the file system. */
export function finishAside({ path, aside }: ProgramFile): void {
  takeRights(aside, statSync(path))
  syncFile(aside)
}

/** Puts the file aside into the place of the executable, and keeps that one. Errors: those of the file system. */
export function replaceProgram({ path, previous, aside }: ProgramFile): void {
  keepAs(path, previous)
  renameSync(aside, path)
  // Both names are on disk before this says that it is done.
  syncFolder(dirname(path))
}

/** Exchanges the executable and the previous one. Errors: those of the file system. */
export function exchangeProgram({ path, previous, aside }: ProgramFile): void {
  keepAs(path, aside)
  // A moment without the previous one, and none without an executable.
  renameSync(previous, path)
  renameSync(aside, previous)
  syncFolder(dirname(path))
}

/** A second name for the running executable. Windows renames one that runs, and replaces none. */
function keepAs(path: string, name: string): void {
  if (process.platform === 'win32') {
    rmSync(name, { force: true })
    renameSync(path, name)
    return
  }
  const temporary = `${name}.kept`
  rmSync(temporary, { force: true })
  try {
    linkSync(path, temporary)
  } catch {
    // Not every file system has a second name for a file.
    copyFileSync(path, temporary)
    takeRights(temporary, statSync(path))
    syncFile(temporary)
  }
  renameSync(temporary, name)
}

/** Mode and, as root, owner of the executable. */
function takeRights(file: string, { uid, gid, mode }: Stats): void {
  const made = statSync(file)
  if (process.geteuid?.() === 0 && (made.uid !== uid || made.gid !== gid)) chownSync(file, uid, gid)
  chmodSync(file, mode & 0o777)
}

/** Another run that is writing its file at this moment would be hurt. */
const activeForMs = 300_000

/** Makes way for a new file aside. Errors: ReleaseError while another run is writing one. */
export function clearAside({ aside }: ProgramFile, now: number): void {
  const left = statSync(aside, { throwIfNoEntry: false })
  if (left && now - left.mtimeMs < activeForMs)
    throw new ReleaseError(
      `another self-update is under way, or ended within the last five minutes without clearing away: wait for it, or delete ${aside}`,
    )
  if (existsSync(aside)) rmSync(aside)
}
