/** A lease of a shared database, as one process sees it. */
import type { Db, Statement } from '../db/db.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import type { LeaseName } from './lease-names.ts'
import type { Lease } from './processes.ts'
import { beatLease, findLease, giveBackLease, type HeldLease, insertLease, type LeaseRow, takeLease } from './store.ts'
import { believedMs } from './timing.ts'

export interface LeaseTools {
  readonly db: Db
  readonly run: string
  readonly readUptime: () => number
  /** Whether the holder of a lease is dead. */
  readonly isDead: (row: LeaseRow) => boolean
  readonly tell: (what: 'taken-over' | 'lost', name: LeaseName) => void
}

/** A lease that its process keeps. */
export interface KeptLease extends Lease {
  /** The statement of the next beat, and what to do with its outcome. Undefined while another process holds the lease. */
  readBeat(): { readonly statement: Statement; note(isHeld: boolean): void } | undefined
  /** The statement that gives it back. It is not taken again. */
  leave(): Statement | undefined
}

/** It is kept with the beats of its process (open.ts). */
export function openSharedLease(name: LeaseName, { db, run, readUptime, isDead, tell }: LeaseTools): KeptLease {
  let held: HeldLease | undefined
  let fence = 0
  let believedUntil = Number.NEGATIVE_INFINITY
  let taking: Promise<boolean> | undefined
  let isLeft = false

  const isHeld = (): boolean => held !== undefined && readUptime() < believedUntil

  /** `askedAt`: the counter was raised after it. */
  function believe(taken: HeldLease, askedAt: number): void {
    if (isLeft) return
    held = taken
    fence = taken.fence
    believedUntil = askedAt + believedMs
  }

  async function take(): Promise<boolean> {
    const row = await findLease(db, name)
    const isOwn = row?.holder === run
    if (row && row.holder !== null && !isOwn && !isDead(row)) return false
    const taken = { name, holder: run, fence: (row?.fence ?? 0) + (isOwn ? 0 : 1) }
    const statement = !row ? insertLease(taken) : isOwn ? beatLease(taken) : takeLease(row, run)
    const askedAt = readUptime()
    if (isLeft || countRowsChanged(await db.write([statement], 'free')) === 0) return false
    believe(taken, askedAt)
    if (row && row.holder !== null && !isOwn) tell('taken-over', name)
    return isHeld()
  }

  return {
    async hold() {
      if (isLeft) return false
      if (isHeld()) return true
      taking ??= take().finally(() => {
        taking = undefined
      })
      return taking
    },
    isHeld,
    readFence: () => fence,
    guard: () => [{ ...beatLease({ name, holder: run, fence }), must: true }],
    readBeat() {
      const beaten = held
      if (!beaten) return undefined
      const askedAt = readUptime()
      return {
        statement: beatLease(beaten),
        note(isStillHeld) {
          // Taken anew meanwhile.
          if (held?.fence !== beaten.fence) return
          if (isStillHeld) return believe(beaten, askedAt)
          held = undefined
          tell('lost', name)
        },
      }
    },
    leave() {
      isLeft = true
      const given = held && giveBackLease(held)
      held = undefined
      return given
    },
  }
}
