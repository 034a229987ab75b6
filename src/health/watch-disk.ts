/**
 * Checks the free space of the data folder repeatedly. It warns before the disk is full, and recreates the reserve when
 * there is space.
 */
import type { Conditions } from '../conditions.ts'
import { type DiskLevel, type DiskSpace, type FreeSpace, judgeDisk } from '../db/free-space.ts'
import { type Reserve, reserveSliceBytes } from '../db/reserve.ts'

export interface DiskWatched {
  readonly freeSpace: FreeSpace
  readonly reserve: Reserve
  readonly conditions: Conditions
}

export interface DiskWatch {
  /** One look. */
  look(signal?: AbortSignal): Promise<void>
}

const oneMiB = 1_048_576
/** Between two slices of the reserve, so that commits on the same disk do not wait for long. */
const betweenSlicesMs = 100

export function openDiskWatch({ freeSpace, reserve, conditions }: DiskWatched): DiskWatch {
  let isLow = false
  let isFirst = true
  return {
    async look(signal) {
      await freeSpace.look()
      const space = freeSpace.read()
      if (!space) return
      const level = judgeDisk(space, freeSpace.floorBytes, isLow)
      isLow = level !== 'ok'
      if (isLow)
        conditions.begin({
          name: 'disk-low',
          level: 'warning',
          isMeasured: true,
          ...describeDisk(level, space, freeSpace),
        })
      else {
        conditions.end('disk-low')
        // Not in the moment of the start, nor of a command that is over in a second.
        if (!isFirst) await fillReserve(freeSpace, reserve, signal)
      }
      isFirst = false
      if (reserve.heldBytes() === reserve.wantedBytes) conditions.end('reserve-used')
      else if (isLow || conditions.stood('reserve-used', 0)) conditions.begin(describeReserve(reserve))
    },
  }
}

/** Stops before it would begin a warning itself, so it never fills the disk. */
async function fillReserve(freeSpace: FreeSpace, reserve: Reserve, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    await freeSpace.look()
    const space = freeSpace.read()
    if (!space || signal?.aborted) return
    const after = { ...space, freeBytes: space.freeBytes - reserveSliceBytes }
    if (judgeDisk(after, freeSpace.floorBytes, true) !== 'ok' || !(await reserve.addSlice())) return
    await Bun.sleep(betweenSlicesMs)
  }
}

const mendDisk = 'free some space, move the data folder to a larger disk, or lower storage.min_free_mb'

const countMebibytes = (bytes: number): number => Math.floor(bytes / oneMiB)

export function describeDisk(
  level: DiskLevel,
  { freeBytes, inodes }: DiskSpace,
  { floorBytes }: Pick<FreeSpace, 'floorBytes'>,
): { readonly says: string; readonly mend: string } {
  if (level === 'inodes')
    return {
      says: `the disk has only ${inodes?.free} inodes free, so that files cannot be made soon`,
      mend: 'remove small files from the disk of the data folder',
    }
  const free = `${countMebibytes(freeBytes)} MiB free`
  if (level === 'below-floor')
    return { says: `the disk is nearly full (${free}): nothing new is stored (STORAGE_FULL)`, mend: mendDisk }
  return {
    says:
      floorBytes === 0
        ? `the disk is filling up (${free})`
        : `the disk is filling up (${free}): below ${countMebibytes(floorBytes)} MiB nothing new is stored`,
    mend: mendDisk,
  }
}

export const describeReserve = (reserve: Reserve) =>
  ({
    name: 'reserve-used',
    level: 'warning',
    isMeasured: true,
    says: `of the room that is kept for revoking and erasing on a full disk, ${countMebibytes(reserve.heldBytes())} of ${countMebibytes(reserve.wantedBytes)} MiB are left`,
    mend: 'free some space: the reserve is then made anew (storage.reserve_mb)',
  }) as const
