/** The free space of the disk that holds the database. A write needs some: the log grows before anything is freed. */
import { statfsSync } from 'node:fs'

export interface FreeSpace {
  /** What an unprivileged process may still write. Undefined for a database in memory, and where the disk does not tell. */
  readBytes(): number | undefined
  /** Below this, nothing new is stored. 0 turns the floor off. */
  readonly floorBytes: number
  isBelowFloor(): boolean
  /** Below this, not even a person who signs in. A part of the floor: 0 where there is none. */
  isBelowReserve(): boolean
}

/** Room for the log of a few thousand sign-ins and of the deletions that follow them. */
const mostReserveBytes = 16 * 1_048_576

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
  const isBelow = (least: number): boolean => least > 0 && (readBytes() ?? Number.POSITIVE_INFINITY) < least
  return {
    readBytes,
    floorBytes,
    isBelowFloor: () => isBelow(floorBytes),
    isBelowReserve: () => isBelow(Math.min(floorBytes, mostReserveBytes)),
  }
}
