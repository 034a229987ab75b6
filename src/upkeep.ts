/**
 * Maintains the database files while the server runs, a little at a time. The log is emptied, or dead rows are vacuumed,
 * after deletions that leave no trace, even if a reader prevented it at first. Free pages go back to the file system.
 */
import { stat } from 'node:fs/promises'
import type { Condition } from './conditions.ts'
import { type Hold, locateDatabaseFile } from './db/db.ts'
import { nameLogFile } from './db/file-names.ts'
import { clearTraces, findTraces } from './db/traces.ts'
import { countSparePages, vacuumSlice } from './db/vacuum.ts'
import { unsyncedName } from './health/writer-faults.ts'
import type { Parts } from './parts.ts'
import { type Repeated, repeat } from './repeat.ts'
import { standsFault } from './reported-faults.ts'

const everyMs = 1_000
/** It is tried again after a second, then after twice as long each time. */
const mostWaitMs = 30_000
/** A vacuum of large tables takes long: most of the time is for others. */
const restFactor = 4
/** An answer waits for readers that finish in a moment (db/traces.ts), which cause no warning. */
const warnedAfterMs = 2_000
/** At this multiple of its limit, the log is held: copying keeps it near the limit. */
const heldFactor = 4
/** A second with so few commits that pages can be moved. */
const quietMs = 50
const slicesEachLook = 8
const oneMiB = 1_048_576

export type Upkeep = Pick<Parts, 'db' | 'now' | 'log' | 'conditions' | 'config' | 'processes'>

export function startUpkeep(parts: Upkeep): Repeated {
  const look = openUpkeep(parts)
  return repeat({ everyMs, waitMs: 5_000, look: (signal) => look(signal) })
}

/** One look of the upkeep. */
export function openUpkeep(parts: Upkeep): (signal?: AbortSignal) => Promise<void> {
  let isBusy = false
  const ofFiles = parts.db.hasFiles ? [openLogMeasuring(parts), openGivingBack(parts)] : []
  const look = [openTraceClearing(parts), ...ofFiles]
  return async (signal) => {
    if (isBusy) return
    isBusy = true
    try {
      for (const step of look) if (!signal?.aborted) await step(signal)
    } catch (error) {
      parts.log.count({
        level: 'warn',
        event: 'upkeep-failed',
        message: 'the upkeep of the database failed, and is tried again',
        error,
        fields: { mend: 'look at the disk of the data folder' },
      })
    } finally {
      isBusy = false
    }
  }
}

type Step = (signal: AbortSignal | undefined) => Promise<void>

/**
 * Begins the condition with the deletion and not with its discovery: the words say since when. Of several processes, one
 * does it.
 */
function openTraceClearing(parts: Upkeep): Step {
  const { conditions, db } = parts
  const lease = parts.processes.openLease('traces')
  let nextAt = 0
  let waitMs = everyMs
  return async () => {
    if (performance.now() < nextAt) return
    if (!(await findTraces(db)) || !(await lease.hold())) return conditions.end(erasurePendingName)
    const startedAt = performance.now()
    const left = await clearTraces(parts)
    const restMs = restFactor * (performance.now() - startedAt)
    if (!left) {
      waitMs = everyMs
      nextAt = performance.now() + restMs
      return conditions.end(erasurePendingName)
    }
    nextAt = performance.now() + Math.max(waitMs, restMs)
    waitMs = Math.min(mostWaitMs, waitMs * 2)
    if (parts.now() - left.since >= warnedAfterMs) conditions.begin(reportErasurePending(left.since, parts))
  }
}

/** The obstacle to emptying the log. */
type Obstacle = 'unsynced' | 'disk' | 'reader'

function findObstacle(conditions: Upkeep['conditions']): Obstacle {
  if (conditions.stood(unsyncedName, 0)) return 'unsynced'
  return standsFault(conditions) ? 'disk' : 'reader'
}

const obstacles: Record<Obstacle, Hold> = {
  unsynced: {
    because: 'the database file could not be brought to the disk',
    mend: 'look at the disk of the data folder, then restart: the server empties the log after its start',
  },
  disk: {
    because: 'the disk does not let it be emptied',
    mend: 'look at the disk of the data folder, as the other condition says. The server empties the log by itself then',
  },
  reader: {
    because: 'another program reads the database',
    mend: 'end the program that has the database open, such as a shell or a backup (fuser -v on its file names it). The server empties the log by itself then',
  },
}

const vacuumGoesOn: Hold = {
  because: 'VACUUM has not removed them yet',
  mend: 'nothing is to do: the server goes on with it',
}

const erasurePendingName = 'erasure-pending'

function reportErasurePending(since: number, { conditions, db }: Upkeep): Condition {
  const where = db.isShared ? 'dead rows of the database' : 'the write-ahead log'
  const { because, mend, holder }: Hold = db.isShared
    ? (db.whatHoldsDeleted() ?? vacuumGoesOn)
    : obstacles[findObstacle(conditions)]
  return {
    name: erasurePendingName,
    level: 'warning',
    cause: because,
    says: `erasure pending since ${new Date(since).toISOString()}: what was erased may stand in ${where} still, because ${because}`,
    mend,
    ...(holder === undefined ? {} : { details: { holder } }),
  }
}

/** Not by the size of what waits in it: that of the file is what the disk has to hold. */
function openLogMeasuring({ db, conditions, config }: Upkeep): Step {
  const file = nameLogFile(locateDatabaseFile(config.data))
  const heldBytes = heldFactor * config.storage.walLimitMb * oneMiB
  const readFileSize = (): Promise<number> =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    )
  return async () => {
    if ((await readFileSize()) > heldBytes) await db.forgetDeleted()
    const bytes = await readFileSize()
    // When the disk is the cause, its own condition reports it.
    if (bytes > heldBytes && findObstacle(conditions) === 'reader')
      conditions.begin(logHeld(Math.floor(bytes / oneMiB)))
    else conditions.end(logHeld(0).name)
  }
}

const logHeld = (mebibytes: number): Condition => ({
  name: 'log-held',
  level: 'warning',
  isMeasured: true,
  says: `the write-ahead log has grown to ${mebibytes} MiB and cannot be emptied, because another program reads the database`,
  mend: 'end the program that has the database open, such as a shell or a backup (fuser -v on its file names it): until then the log grows with every write',
})

function openGivingBack({ db }: Upkeep): Step {
  return async (signal) => {
    for (let slices = 0; slices < slicesEachLook && !signal?.aborted && isQuiet(db); slices++) {
      if ((await countSparePages(db)) === 0) return
      await vacuumSlice(db)
      // Longer than the quiet time: a writer comes in between, and ends this check.
      await Bun.sleep(quietMs + 10)
    }
  }
}

const isQuiet = (db: Upkeep['db']): boolean => {
  const { last, waitingSince } = db.writerState()
  return waitingSince === undefined && (last === undefined || performance.now() - last.endedAt > quietMs)
}
