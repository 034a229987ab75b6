/** Tells the operator that the previous run did not end cleanly, and leaves this run's mark for the next. */
import { locateDatabaseFile } from './db/db.ts'
import { findHolder } from './last-run.ts'
import type { Parts } from './parts.ts'
import { type Repeated, repeat } from './repeat.ts'
import { endingOfSilentDisk, type findUncleanEnd, leaveMark, type RunningMark, readBootId } from './running-mark.ts'
import { version } from './version.ts'

const usualEveryMs = 10_000
/** The time within which a monitored server's health has been read. */
const reportedForMs = 86_400_000

type UncleanEnd = NonNullable<ReturnType<typeof findUncleanEnd>>
type MarkParts = Pick<Parts, 'conditions' | 'log' | 'now'>

export interface MarkedRun extends Repeated, Pick<RunningMark, 'noteEnding' | 'remove'> {}

/** Call it when the server listens: a start that failed leaves the mark of the run before. `folder` undefined: no mark. */
export async function markRun(
  parts: MarkParts,
  folder: string | undefined,
  lastEnd: UncleanEnd | undefined,
  touchedEveryMs = usualEveryMs,
): Promise<MarkedRun> {
  const { conditions } = parts
  const bootId = readBootId()
  // We have the lock and saw the database open nowhere. If that cannot be seen, the process must not be called dead.
  const isAlive = lastEnd && folder !== undefined && findHolder(lastEnd, locateDatabaseFile(folder)) === 'alive'
  if (lastEnd) tellEnd(lastEnd, bootId, isAlive === true, parts)
  const reportedAt = performance.now()
  const startedAt = parts.now()
  const leave = async (): Promise<RunningMark | undefined> =>
    folder === undefined ? undefined : leaveMark(folder, { pid: process.pid, version, startedAt, bootId }, parts.now)
  let mark = await leave().catch((error) => tellUnmarked(error, parts))
  let isOver = false
  let touching: Promise<void> | undefined
  const touch = async (): Promise<void> => {
    // A full disk had no room for the mark at the start, and may have by now. A mark that is gone is not missed.
    if (mark) await mark.touch().catch(() => {})
    else mark = await leave().catch(() => undefined)
    touching = undefined
  }
  const touched = repeat({
    everyMs: touchedEveryMs,
    waitMs: 0,
    look: async () => {
      if (lastEnd && performance.now() - reportedAt >= reportedForMs) conditions.end(conditionName)
      // One at a time: each may hang as long as the disk does.
      if (!isOver) touching ??= touch()
    },
  })
  return {
    stop: touched.stop,
    noteEnding: async (why) => mark?.noteEnding(why),
    // The database is closed by now. If the disk refuses the removal, the next start only reports this run.
    async remove() {
      isOver = true
      // A mark that is being left now would stay behind.
      await touching
      await mark?.remove().catch(() => {})
    },
  }
}

const conditionName = 'unclean-end'

function tellUnmarked(error: unknown, { log }: MarkParts): undefined {
  log.warn(
    'no mark of this run could be left: it is tried again, and without it the next start will not know how this one ended',
    {
      event: 'run-unmarked',
      error: String(error),
      mend: 'see whether the data folder can be written to and its disk has room',
    },
  )
}

function tellEnd(end: UncleanEnd, bootId: string | undefined, isAlive: boolean, { conditions }: MarkParts): void {
  const { says, mend } = isAlive ? mayStillRun(end) : explainEnd(end, bootId)
  conditions.begin({
    name: conditionName,
    level: 'warning',
    says: isAlive ? says : `the run before this one did not end cleanly: ${says}`,
    mend,
    isPast: true,
    details: {
      ending: end.ending,
      pid: end.pid,
      version: end.version,
      startedAt: new Date(end.startedAt).toISOString(),
      lastSeenAt: new Date(end.seenAt).toISOString(),
    },
  })
}

const mayStillRun = ({ pid }: UncleanEnd): { says: string; mend: string } => ({
  says: `the run before this one left its mark, and a process with its number (${pid}) runs: whether it is that run cannot be seen from here`,
  mend: `see whether process ${pid} is a Proofgate on this data folder. If so, stop both and start one`,
})

function explainEnd({ ending, bootId }: UncleanEnd, now: string | undefined): { says: string; mend: string } {
  if (ending === endingOfSilentDisk)
    return {
      says: 'the disk did not answer, and the server ended itself with exit code 74',
      mend: 'look at the disk of the data folder, or at the network of its volume; nothing that was acknowledged is lost',
    }
  if (ending !== undefined)
    return {
      says: 'the server ended because of a fault, or was cut off',
      mend: 'read the log of that time; nothing that was acknowledged is lost',
    }
  if (bootId !== undefined && now !== undefined && bootId !== now)
    return {
      says: 'the machine stopped or was restarted while the server ran',
      mend: 'see why (power, a crash of the system, a restart that did not wait); nothing that was acknowledged is lost',
    }
  return {
    says:
      bootId === undefined || now === undefined
        ? 'the process or the machine ended without a stop, or the process ended itself because the disk did not answer'
        : 'the process was killed or crashed while the machine ran on, or ended itself because the disk did not answer',
    mend: 'see its exit code (journalctl, docker inspect): 74 or 142 says that the disk did not answer, 137 that it was killed, for its memory (journalctl -k) or by a supervisor that did not wait, and another one that the program crashed; nothing that was acknowledged is lost',
  }
}
