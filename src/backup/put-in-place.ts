/**
 * Puts a restored folder in the place of the data folder. Nothing of the old one is changed or deleted: it gets another
 * name. Where the data folder is a mount and cannot be renamed, its files move into a folder inside it.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findReplaced, replacesName, restoringMark } from '../db/folder-state.ts'
import { syncFolder } from '../db/sync-file.ts'
import { isOfLock, makeWorkFolder } from '../db/work-folder.ts'

export interface Place {
  /** An empty folder on the same disk, for the restored files. */
  readonly workFolder: string
  /** Moves both. Returns the folder that holds everything that the data folder held; undefined: it held nothing. */
  swap(): string | undefined
  /** Removes `workFolder`, if the swap was not made. */
  abandon(): void
}

/** `folder`: no link, or the link would be replaced. */
export function choosePlace(folder: string, at: number): Place {
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  return isMovable(folder) ? makeBeside(folder, stamp) : makeInside(folder, stamp)
}

/** A mount point, or a folder whose parent this user may not write to, cannot be renamed. */
function isMovable(folder: string): boolean {
  const parent = dirname(folder)
  try {
    accessSync(parent, constants.W_OK | constants.X_OK)
    return !existsSync(folder) || statSync(folder).dev === statSync(parent).dev
  } catch {
    return false
  }
}

function makeBeside(folder: string, stamp: string): Place {
  const parent = dirname(folder)
  const work = makeWorkFolder(findFree(join(parent, `${basename(folder)}.restoring-${stamp}`)))
  return {
    workFolder: work.path,
    swap() {
      // Looked at now: a server may have made it in the meantime.
      const isUsed = existsSync(folder) && readdirSync(folder).length > 0
      const keptFolder = isUsed ? findFree(join(parent, `${basename(folder)}.before-restore-${stamp}`)) : undefined
      if (keptFolder) {
        writeFileSync(join(work.path, replacesName), `${keptFolder}\n`, { mode: 0o600, flush: true })
        syncFolder(work.path)
        renameSync(folder, keptFolder)
      } else if (existsSync(folder)) rmdirSync(folder)
      try {
        renameSync(work.path, folder)
      } catch (error) {
        if (keptFolder) renameSync(keptFolder, folder)
        throw error
      }
      syncFolder(parent)
      rmSync(join(folder, replacesName), { force: true })
      work.release(folder)
      return keptFolder
    },
    abandon: () => work.remove(),
  }
}

function makeInside(folder: string, stamp: string): Place {
  const work = makeWorkFolder(findFree(join(folder, `restoring-${stamp}`)))
  return {
    workFolder: work.path,
    swap() {
      // After an earlier restore that was cut off, the files of before are where that one put them.
      const former = findFormerFolder(folder)
      const keptFolder = listOld(folder).length > 0 ? findFree(join(folder, `before-restore-${stamp}`)) : undefined
      if (keptFolder) {
        mkdirSync(keptFolder, { mode: 0o700 })
        writeMark(folder, former === folder ? keptFolder : former, 'moving')
        moveOld(folder, keptFolder)
      }
      writeMark(folder, former === folder ? (keptFolder ?? '') : former, 'placing')
      for (const name of readdirSync(work.path))
        if (!isOfLock(name)) renameSync(join(work.path, name), join(folder, name))
      syncFolder(folder)
      work.remove()
      rmSync(join(folder, restoringMark))
      syncFolder(folder)
      return keptFolder
    },
    abandon: () => work.remove(),
  }
}

const writeMark = (folder: string, kept: string, phase: 'moving' | 'placing'): void => {
  writeFileSync(join(folder, restoringMark), `${kept}\n${phase}\n`, { mode: 0o600, flush: true })
  syncFolder(folder)
}

const listOld = (folder: string): string[] => readdirSync(folder).filter((name) => !isOfRestore(name))

function moveOld(folder: string, keptFolder: string): void {
  for (const name of listOld(folder)) moveInto(keptFolder, join(folder, name))
  syncFolder(keptFolder)
}

/** A restore that was cut off while it moved the files of before: database and log must be in one folder again. */
export function finishMoving(folder: string): void {
  const mark = join(folder, restoringMark)
  const [kept = '', phase] = existsSync(mark) ? readFileSync(mark, 'utf8').split('\n') : []
  if (phase === 'moving' && kept !== '' && existsSync(kept)) moveOld(folder, kept)
}

/** A side file of SQLite may go by itself between the look and the move. */
function moveInto(folder: string, file: string): void {
  try {
    renameSync(file, join(folder, basename(file)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(file)) throw error
  }
}

/** Earlier restores stay where they are, and so does what a file system keeps at its root. */
const isOfRestore = (name: string): boolean =>
  name === 'lost+found' || name === restoringMark || /^(before-restore|restoring)-/.test(name)

/** Where the files of before are: in the folder itself, or where a restore that was cut off has put them. */
export function findFormerFolder(folder: string): string {
  const mark = join(folder, restoringMark)
  if (existsSync(mark)) {
    const [moved = ''] = readFileSync(mark, 'utf8').split('\n')
    return moved !== '' && existsSync(join(moved, 'proofgate.sqlite')) ? moved : folder
  }
  if (existsSync(join(folder, 'proofgate.sqlite'))) return folder
  return findReplaced(folder) ?? folder
}

function findFree(path: string): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? path : `${path}-${number}`
    if (!existsSync(tried)) return tried
  }
}
