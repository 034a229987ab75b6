/** Finishes erasures slice by slice, so that no other request waits for more than one slice. */
import type { Db } from '../db/db.ts'
import { countErasing } from '../db/erasing.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import { leaveNoTrace } from '../db/traces.ts'
import type { Parts } from '../parts.ts'
import { countedStage, erasureStages } from './stages.ts'
import { type Erasure, endErasure, findNextErasure, takeErasure, takeTurn } from './store.ts'

/**
 * Rows of one slice. A proof takes about 0.05 ms, one with much content up to 0.5 ms. A slice of 256 rows takes up to
 * 14 ms, which blocks every other write.
 */
const fewestRows = 16
const mostRows = 128
/** A slice that took longer is followed by a smaller one, a shorter one by a larger. */
const targetMs = 8
/** After a slice, the writer is free for others for the duration of the slice, up to this limit. */
const longestRestMs = 50

const reportEveryMs = 10_000

type Eraser = Pick<Parts, 'db' | 'now' | 'log'>

/** The erasures of this process in progress, so that none runs twice. Ended by `stopErasing`. */
interface Working {
  readonly under: Map<string, Promise<number>>
  isStopped: boolean
  readonly whenStopped: PromiseWithResolvers<void>
  reportedAt: number
}

const running = new WeakMap<Db, Working>()

function findWorking(db: Db): Working {
  const working = running.get(db) ?? {
    under: new Map(),
    isStopped: false,
    whenStopped: Promise.withResolvers<void>(),
    reportedAt: performance.now(),
  }
  running.set(db, working)
  return working
}

/** Deletes everything of a started erasure. Returns how many proofs it deleted. A stop ends it between slices. */
export function finishErasure(parts: Eraser, erasure: Erasure): Promise<number> {
  const working = findWorking(parts.db)
  const known = working.under.get(erasure.handle)
  if (known) return known
  const work = eraseRows(parts, erasure, working).finally(() => working.under.delete(erasure.handle))
  working.under.set(erasure.handle, work)
  return work
}

async function eraseRows(parts: Eraser, erasure: Erasure, working: Working): Promise<number> {
  const { db } = parts
  let erased = 0
  let rows = fewestRows
  for (const stage of erasureStages)
    while (await stage.isLeft(db, erasure)) {
      if (working.isStopped) return erased
      const statements = takeTurn(erasure, stage.slice(erasure, rows))
      const startedAt = performance.now()
      const changed = countRowsChanged(await db.write(statements, 'free'), statements.length - 1)
      const tookMs = performance.now() - startedAt
      rows = tookMs > targetMs ? Math.max(fewestRows, rows >> 1) : Math.min(mostRows, rows * 2)
      if (stage === countedStage) erased += changed
      await tellProgress(parts, working)
      await yieldToOthers(Math.min(longestRestMs, tookMs))
    }
  await endErasure(db, erasure, parts.now())
  return erased
}

/** A timer, not a microtask: sockets are read in between, even when the writer runs on this thread. */
const yieldToOthers = (restMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(1, restMs)))

/** For all erasures at once: the log reports progress without naming an account. */
async function tellProgress({ db, log }: Eraser, working: Working): Promise<void> {
  if (performance.now() - working.reportedAt < reportEveryMs) return
  working.reportedAt = performance.now()
  const { erasures, proofs } = await countErasing(db)
  log.info('erasing goes on', { event: 'erasure-progress', erasures, proofsLeft: proofs })
}

/** For the shutdown of the server: resolves once no erasure writes any more. The next start continues the rest. */
export async function stopErasing({ db }: Pick<Parts, 'db'>): Promise<void> {
  const working = findWorking(db)
  working.isStopped = true
  working.whenStopped.resolve()
  await Promise.allSettled(working.under.values())
}

type Resumer = Eraser & Pick<Parts, 'processes'>

/**
 * Continues erasures after a crash, a stop or a full disk: those of this process, and those of processes that have ended.
 * Returns how many proofs were deleted.
 */
export async function resumeErasures(parts: Resumer): Promise<number> {
  const { db, log } = parts
  const working = findWorking(db)
  const isFree = openFreedom(parts, working)
  let isTold = working.under.size > 0
  let erased = 0
  for (
    let next = await findNextErasure(db, '');
    next && !working.isStopped;
    next = await findNextErasure(db, next.handle)
  ) {
    if (working.under.has(next.handle) || !(await isFree(next))) continue
    if (!isTold) {
      const { erasures, proofs } = await countErasing(db)
      log.info('erasures that were interrupted go on', { event: 'erasure-resumed', erasures, proofsLeft: proofs })
    }
    isTold = true
    erased += await finishErasure(parts, next)
  }
  if (erased > 0) await leaveNoTrace(parts)
  return erased
}

/** Whether an erasure is left to this process. It is asked once whether a process has ended: that may take seconds. */
function openFreedom({ db, processes }: Resumer, working: Working): (erasure: Erasure) => Promise<boolean> {
  const { mark } = processes
  const ended = new Map<string, Promise<boolean>>()
  const hasEnded = (run: string): Promise<boolean> => {
    const known = ended.get(run) ?? processes.hasEnded(run)
    ended.set(run, known)
    return Promise.race([known, working.whenStopped.promise.then(() => false)])
  }
  return async (erasure) => {
    const { erasedBy } = erasure
    if (mark === null || erasedBy === mark) return true
    return (erasedBy === null || (await hasEnded(erasedBy))) && (await takeErasure(db, erasure, mark))
  }
}
