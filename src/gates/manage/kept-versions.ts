/**
 * Chooses the versions of a gate to remove when a new one is written. Versions are kept for rollbacks and for their
 * fulfillments, within gates.versions_kb together. An editor of a gate must not fill the disk with it.
 */
import { AppError } from '../../errors.ts'
import type { VersionEntry } from '../store.ts'

export interface KeptVersions {
  /** The size of the new version. */
  readonly newBytes: number
  readonly mostBytes: number
}

/** Deleting happens within the write of the new version, which must stay short. The next version removes the rest. */
const mostRemoved = 50

/**
 * Versions to remove, the oldest first. Fulfilled ones and those being paid stay. So does the previous newest: a
 * fulfillment may be using it. Errors: CONFLICT, when these leave no space.
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
      `the versions of this gate may take ${mostBytes} bytes together, and those that must be kept take ${needed} with this one: make a gate with another gateId, or ask the operator for more (gates.versions_kb)`,
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
