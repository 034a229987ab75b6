/** Finishes erasures slice by slice, so that no other request waits for more than one slice. */
import type { Db } from '../db/db.ts'
import { rowsChanged } from '../db/rows-changed.ts'
import type { Parts } from '../parts.ts'
import { type Erasure, endErasure, erasureStages, findErasureAfter } from './erase-store.ts'

/** Rows of one slice. A proof takes about a tenth of a millisecond, one with much content up to half of one. */
const fewestRows = 32
const mostRows = 256
/** A slice that took longer is followed by a smaller one, a shorter one by a larger. */
const targetMs = 15

/** Of this process: the sweep leaves them to the request that began them. */
const running = new WeakMap<Db, Set<string>>()

/** Deletes everything of an erasure that has begun. Returns how many proofs there were. */
export async function finishErasure(db: Db, erasure: Erasure): Promise<number> {
  const mine = running.get(db) ?? new Set()
  running.set(db, mine)
  mine.add(erasure.handle)
  try {
    let erased = 0
    let rows = fewestRows
    for (const stage of erasureStages)
      while (stage.isLeft(db, erasure)) {
        const statements = stage.slice(erasure, rows)
        const startedAt = performance.now()
        const changed = rowsChanged(await db.write(statements, 'free'), statements.length - 1)
        const tookMs = performance.now() - startedAt
        rows = tookMs > targetMs ? Math.max(fewestRows, rows >> 1) : Math.min(mostRows, rows * 2)
        if (stage.countsProofs) erased += changed
        await letOthersThrough()
      }
    await endErasure(db, erasure)
    return erased
  } finally {
    mine.delete(erasure.handle)
  }
}

/** A timer, not a microtask: sockets are read in between, also where the writer runs on this thread. */
const letOthersThrough = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))

/** Those that a crash or a full disk interrupted. Returns how many proofs were deleted. */
export async function resumeErasures({ db }: Pick<Parts, 'db'>): Promise<number> {
  let erased = 0
  let next = findErasureAfter(db, '')
  for (; next; next = findErasureAfter(db, next.handle))
    if (!running.get(db)?.has(next.handle)) erased += await finishErasure(db, next)
  if (erased > 0) await db.emptyLog()
  return erased
}
