/** Conditions from this process's own reads and writes: a damaged page, or a disk that returns an error. */
import type { Condition, Conditions } from '../conditions.ts'
import { findFaultKind } from '../db/sqlite-errors.ts'

const readsFail: Condition = {
  name: 'reads-fail',
  level: 'failing',
  says: 'the disk answers reads with an error, so some of what is stored cannot be read now',
  mend: 'look at the log of the system (dmesg) for the disk that holds the data folder, and replace it where it fails. It ends by itself a minute after the last such error',
}

const forgottenAfterMs = 60_000

export interface FaultsMet {
  /** Records the fault of any read or write. */
  notice(error: Error): void
  /** Ends conditions without a new fault for a while: their end cannot be observed. */
  forget(): void
}

/** `noteDamage` finds out which table is damaged (db/watch-damage.ts). */
export function openFaultsMet(conditions: Conditions, noteDamage: (error: Error) => void): FaultsMet {
  let metAt: number | undefined
  return {
    notice(error) {
      const kind = findFaultKind(error)
      if (kind === 'damaged') noteDamage(error)
      // A write that failed tells of itself: health/storage-watch.ts.
      if (kind !== 'disk' || error.name === 'StorageError') return
      metAt = performance.now()
      conditions.begin(readsFail)
    },
    forget() {
      if (metAt === undefined || performance.now() - metAt < forgottenAfterMs) return
      metAt = undefined
      conditions.end(readsFail.name)
    },
  }
}
