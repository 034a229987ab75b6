/**
 * Which versions of a gate go when a new one is written. Versions are kept for going back and for what was fulfilled by
 * them, and together they take no more than gates.versions_kb: whoever may change a gate must not fill the disk with it.
 */
import { AppError } from '../../errors.ts'
import type { VersionEntry } from '../store.ts'

export interface KeptVersions {
  /** Of the new version. */
  readonly newBytes: number
  readonly mostBytes: number
}

/** Deleting happens within the write of the new version, which must stay short. The next version removes the rest. */
const mostRemoved = 50

/**
 * Versions to remove, the oldest first. Those that were fulfilled or are being paid for stay, and so does the newest of before: a fulfilment
 * may be on its way with it. Errors: CONFLICT, when what must stay leaves no room.
 */
export function chooseRemovedVersions(
  versions: readonly VersionEntry[],
  { newBytes, mostBytes }: KeptVersions,
): number[] {
  const newestFirst = [...versions].sort((one, other) => other.version - one.version)
  const mustStay = ({ isFulfilled }: VersionEntry, at: number): boolean => isFulfilled || at === 0
  const needed = newestFirst.reduce((sum, entry, at) => sum + (mustStay(entry, at) ? entry.bytes : 0), newBytes)
  if (needed > mostBytes)
    throw new AppError(
      'CONFLICT',
      `the versions of this gate may take ${mostBytes} bytes together, and those that were fulfilled or are being paid for, the newest and this one take ${needed}: make a gate with another gateId, or ask the operator for more (gates.versions_kb)`,
      { limitBytes: mostBytes, neededBytes: needed },
    )
  let room = mostBytes - needed
  const removed = newestFirst.filter((entry, at) => {
    if (mustStay(entry, at)) return false
    room -= entry.bytes
    return room < 0
  })
  return removed
    .map(({ version }) => version)
    .reverse()
    .slice(0, mostRemoved)
}
