/** The free space of the disk that holds the database. A write needs some: the log grows before anything is freed. */
import { statfsSync } from 'node:fs'

export interface FreeSpace {
  /** What an unprivileged process may still write. Undefined for a database in memory, and where the disk does not tell. */
  readBytes(): number | undefined
  /** Below this, nothing new is stored. 0 turns the floor off. */
  readonly floorBytes: number
  isBelowFloor(): boolean
}

/** One look costs microseconds, but a burst of writes need not pay it each time. */
const keptMs = 1_000

export function openFreeSpace(folder: string | undefined, floorBytes: number): FreeSpace {
  let bytes: number | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  const readBytes = (): number | undefined => {
    if (folder === undefined) return undefined
    // The process clock: tests stop the other one.
    if (performance.now() - lookedAt < keptMs) return bytes
    lookedAt = performance.now()
    try {
      const { bavail, bsize } = statfsSync(folder)
      bytes = bavail * bsize
    } catch {
      bytes = undefined
    }
    return bytes
  }
  return {
    readBytes,
    floorBytes,
    isBelowFloor: () => floorBytes > 0 && (readBytes() ?? Number.POSITIVE_INFINITY) < floorBytes,
  }
}
