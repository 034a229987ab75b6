/** Files that are written under another name until they are whole. A killed run leaves one behind. */
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
  return listAbandoned(folder, readDiskClock(folder)).filter(removeFile)
}

/** One of another user stays. */
function removeFile(file: string): boolean {
  try {
    rmSync(file, { force: true })
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
