/** Files and folders that are written under another name until they are whole. A killed run leaves one behind. */
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const form = /\.unfinished-[0-9a-f]{16}$/

export const nameUnfinished = (file: string): string => `${file}.unfinished-${randomBytes(8).toString('hex')}`

export const isUnfinished = (name: string): boolean => form.test(name)

/** Whoever still writes one does so each second. */
const abandonedAfterMs = 3_600_000

/** Those that nobody has written for an hour. Errors: those of the file system. */
export const listAbandoned = (folder: string, now: number): readonly string[] =>
  readdirSync(folder)
    .filter(isUnfinished)
    .map((name) => join(folder, name))
    .filter((file) => {
      const found = statSync(file, { throwIfNoEntry: false })
      return found?.isFile() === true && now - found.mtimeMs > abandonedAfterMs
    })

/** Judged by the clock of the disk, which may be that of another machine. Returns what was removed. */
export function removeAbandoned(folder: string): readonly string[] {
  return listAbandoned(folder, readDiskClock(folder)).filter(removePath)
}

/** Folders of plain files, in none of which anything was written for an hour. */
export function removeAbandonedFolders(place: string): void {
  const paths = readdirSync(place)
    .filter(isUnfinished)
    .map((name) => join(place, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
  if (paths.length === 0) return
  const now = readDiskClock(place)
  for (const path of paths) if (now - readNewestTime(path) > abandonedAfterMs) removePath(path)
}

const readNewestTime = (folder: string): number =>
  Math.max(
    ...[folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
      (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  )

/** One of another user stays. */
function removePath(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true })
    return true
  } catch {
    return false
  }
}

function readDiskClock(folder: string): number {
  const file = nameUnfinished(join(folder, 'clock'))
  const handle = openSync(file, 'wx', 0o600)
  try {
    return fstatSync(handle).mtimeMs
  } finally {
    closeSync(handle)
    rmSync(file)
  }
}
