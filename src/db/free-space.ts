/** The free space of the disk that holds the database. A write needs some: the log grows before anything is freed. */
import { type StatsFs, statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'

export interface DiskSpace {
  /** The space that an unprivileged process may still use. */
  readonly freeBytes: number
  readonly totalBytes: number
  /** Undefined where the file system has no fixed number of them. */
  readonly inodes: { readonly free: number; readonly total: number } | undefined
}

export interface FreeSpace {
  /**
   * The disk's last report, renewed when it is a second old. Undefined for a database in memory, and when the disk
   * reports nothing. It waits for no disk.
   */
  read(): DiskSpace | undefined
  /** freeBytes of it. */
  readBytes(): number | undefined
  /** Asks the disk now, as after a write that failed or when room was made. A disk that hangs is not waited for. */
  look(): Promise<void>
  /** How long a look has been under way. 0: none is. */
  lookingMs(): number
  /** Below this, nothing new is stored. 0 turns the floor off. */
  readonly floorBytes: number
  isBelowFloor(): boolean
  /**
   * Below this, even sign-ins are refused, unless the reserve has space for them. A part of the floor: 0 without one.
   */
  isBelowReserve(): boolean
}

/** Room for the log of a few thousand sign-ins and of the deletions that follow them. */
const mostReserveBytes = 16 * 1_048_576

/**
 * Least room for the log and its shared memory. Below it SQLite can begin nothing, and says "disk I/O error" instead of
 * "disk is full".
 */
export const leastLogBytes = 1_048_576

/** One look costs microseconds, but a burst of writes need not pay it each time. */
const keptMs = 1_000
/** A disk that takes longer than this hangs: what it told before counts until it answers. */
const waitMs = 2_000

/** The first look waits for the disk, as the whole start does. */
export function openFreeSpace(folder: string | undefined, floorBytes: number): FreeSpace {
  let space = folder === undefined ? undefined : readDisk(folder)
  // The process clock: tests stop the other one.
  let lookedAt = performance.now()
  let looking: { readonly since: number; readonly ended: Promise<void> } | undefined

  /** One at a time: on a disk that hangs each would hold one of the few threads for files. */
  function begin(path: string): Promise<void> {
    const ended = askDisk(path).then((answer) => {
      space = answer
      lookedAt = performance.now()
      looking = undefined
    })
    looking = { since: performance.now(), ended }
    return ended
  }
  const read = (): DiskSpace | undefined => {
    if (folder !== undefined && !looking && performance.now() - lookedAt >= keptMs) void begin(folder)
    return space
  }
  const readBytes = (): number | undefined => read()?.freeBytes
  const isBelow = (least: number): boolean => least > 0 && (readBytes() ?? Number.POSITIVE_INFINITY) < least
  return {
    read,
    readBytes,
    async look() {
      if (folder === undefined) return
      // One that is under way may have been asked before the room was made.
      const asked = looking ? looking.ended.then(() => looking?.ended ?? begin(folder)) : begin(folder)
      const { promise: patience, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, waitMs)
      await Promise.race([asked, patience])
      // Left alone it would keep a process that has ended otherwise.
      clearTimeout(timer)
    },
    lookingMs: () => (looking ? performance.now() - looking.since : 0),
    floorBytes,
    isBelowFloor: () => isBelow(floorBytes),
    isBelowReserve: () => isBelow(Math.min(floorBytes, mostReserveBytes)),
  }
}

function readDisk(folder: string): DiskSpace | undefined {
  try {
    return describeSpace(statfsSync(folder))
  } catch {
    return undefined
  }
}

const askDisk = (folder: string): Promise<DiskSpace | undefined> => statfs(folder).then(describeSpace, () => undefined)

const describeSpace = ({ bavail, blocks, bsize, ffree, files }: StatsFs): DiskSpace => ({
  freeBytes: bavail * bsize,
  totalBytes: blocks * bsize,
  inodes: files > 0 ? { free: ffree, total: files } : undefined,
})

const oneGiB = 1_073_741_824
/** SQLite and the reserve need a handful. */
const fewInodes = 1_000

/**
 * The space above the floor at which warnings begin: a tenth of the disk, and never more than 10 GiB. Small disks would
 * otherwise warn forever. The second warning begins at 1 GiB.
 */
const computeWarningMargins = (totalBytes: number): readonly [early: number, late: number] => [
  Math.min(totalBytes / 10, 10 * oneGiB),
  Math.min(totalBytes / 10, oneGiB),
]

export type DiskLevel = 'ok' | 'early' | 'late' | 'below-floor' | 'inodes'

/**
 * The distance of the disk from the floor. `wasLow` holds a warning until there is a quarter more space than at its
 * beginning. So temporary files do not switch it on and off.
 */
export function judgeDisk(
  { freeBytes, totalBytes, inodes }: DiskSpace,
  floorBytes: number,
  wasLow: boolean,
): DiskLevel {
  // A disk that does not tell its size, as some network file systems.
  if (totalBytes === 0) return 'ok'
  const factor = wasLow ? 1.25 : 1
  const [early, late] = computeWarningMargins(totalBytes)
  if (freeBytes < floorBytes) return 'below-floor'
  if (freeBytes < floorBytes + late * factor) return 'late'
  if (freeBytes < floorBytes + early * factor) return 'early'
  if (inodes && inodes.free < Math.min(fewInodes, inodes.total / 10) * factor) return 'inodes'
  return 'ok'
}
