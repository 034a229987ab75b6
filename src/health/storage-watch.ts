/**
 * Follows storage: the last commit, a write that waits too long, the files of the data folder. It runs on its own, so
 * that health answers from memory and never waits for a disk.
 */
import type { ConditionName } from '../condition-names.ts'
import type { Condition, Conditions } from '../conditions.ts'
import { type Db, StorageError, UnreachableError, type WriterState } from '../db/db.ts'
import type { FreeSpace } from '../db/free-space.ts'
import { type FaultKind, findFaultKind } from '../db/sqlite-errors.ts'
import type { FaultsMet } from './faults-met.ts'
import { moveHeartbeat } from './heartbeat-store.ts'
import { type FolderLook, folderConditions } from './held-files.ts'

export interface StorageWatch {
  /** A look at everything. Never throws, and waits for no look before it. */
  look(): Promise<void>
  /** For health: judges what is known, and lets the next heartbeat come sooner. */
  ask(): StorageView
  /** Begins and ends what the state of the writer tells. */
  judge(): void
  /** Why nothing may be stored now: it would be lost. */
  lossToPrevent(): string | undefined
}

export interface StorageView {
  readonly lastCommit: { readonly result: 'stored' | 'failed'; readonly ageMs: number } | null
  /** How long the oldest write has been waiting. */
  readonly waitingMs: number
  readonly heartbeat: { readonly ageMs: number } | null
}

export interface Watched {
  /** Not the one that refuses writes: a heartbeat is no request. */
  readonly db: Pick<Db, 'write' | 'writerState' | 'writeFailure' | 'hasFiles'>
  readonly conditions: Conditions
  readonly faults: FaultsMet
  readonly freeSpace: Pick<FreeSpace, 'read' | 'lookingMs'>
  /** Undefined where everything is in memory. */
  readonly lookAtFolder: (() => Promise<FolderLook>) | undefined
  readonly now: () => number
  /** Where the data is. */
  readonly place?: 'disk' | 'database'
}

/** An idle server writes this often, and no more, so that its disk is not woken needlessly. */
const idleBeatMs = 10_000
/** After a health request or a failed write, a fault and its end must be found within seconds. */
const askedBeatMs = 1_000
/** A disk that takes longer than this hangs. */
const waitMs = 2_000
/** Judged each second: after so long this process itself stood still. */
const stoodStillMs = 3_000

export function openStorageWatch({
  db,
  conditions,
  faults,
  freeSpace,
  lookAtFolder,
  now,
  place = 'disk',
}: Watched): StorageWatch {
  const writesWait = makeWritesWait(place)
  let isAsked = false
  let triedAt = Number.NEGATIVE_INFINITY
  let beatenAt: number | undefined
  let judged: number | undefined
  let judgedAt = performance.now()
  /** A process that was stopped (SIGSTOP), or whose machine slept, did not wait for a disk then. */
  let resumedAt = Number.NEGATIVE_INFINITY
  let looking: { readonly since: number } | undefined
  let loss: string | undefined
  /** The fault kind of writesFail. */
  let reportedKind: FaultKind | undefined
  /** The conditions that this watch has begun, by their text: a lasting state is met once. */
  const begun = new Map<ConditionName, string>()

  function begin(condition: Condition): void {
    if (begun.get(condition.name) === condition.says) return
    begun.set(condition.name, condition.says)
    conditions.begin(condition)
  }
  function end(name: ConditionName): void {
    if (begun.delete(name)) conditions.end(name)
  }
  const settle = (condition: Condition, stands: boolean): void => (stands ? begin(condition) : end(condition.name))

  const measureWait = (since: number | undefined): number =>
    since === undefined ? 0 : performance.now() - Math.max(since, resumedAt)

  function judge(): void {
    if (performance.now() - judgedAt > stoodStillMs) resumedAt = performance.now()
    judgedAt = performance.now()
    const { last, waitingSince, storedAt = Number.NEGATIVE_INFINITY } = db.writerState()
    const isWaiting = measureWait(waitingSince) > waitMs
    const othersGoOn = isWaiting && performance.now() - storedAt < waitMs
    settle(othersGoOn ? oneWriteWaits : writesWait, isWaiting && !begun.has(diskHangs.name))
    settle(writerEnded, db.writeFailure() !== undefined)
    if (last && last.endedAt !== judged) {
      judged = last.endedAt
      // An uncertain commit is a condition of the writer: writer-faults.ts.
      // An unreachable database is a condition of its own: server-faults.ts.
      if (!last.error || last.error.isUncertain || last.error instanceof UnreachableError) end(writesFail)
      else if (!tellsCause(last.error)) {
        // Each one counts.
        begun.delete(writesFail)
        reportedKind = findKind(last.error)
        begin(makeFailedWrites(reportedKind, db.hasFiles ? fileFailures : serverFailures))
      }
    }
    const roomMs = Math.min(freeSpace.lookingMs(), performance.now() - resumedAt)
    const hangs = Math.max(measureWait(looking?.since), roomMs) > waitMs
    settle(diskHangs, hangs && !begun.has(writesWait.name))
  }

  /** The look at the folder found the cause before: one fault is one condition. */
  const tellsCause = (error: Error): boolean => {
    const cause = causes[findKind(error)]
    return cause !== undefined && begun.has(cause)
  }

  const isCauseTold = (name: string): boolean =>
    reportedKind !== undefined && begun.has(writesFail) && causes[reportedKind] === name

  function beatIfDue({ last, waitingSince }: WriterState): void {
    if (waitingSince !== undefined || loss !== undefined || db.writeFailure()) return
    const quietMs = performance.now() - Math.max(last?.endedAt ?? Number.NEGATIVE_INFINITY, triedAt)
    if (quietMs < (isAsked || last?.error ? askedBeatMs : idleBeatMs)) return
    isAsked = false
    triedAt = performance.now()
    db.write([moveHeartbeat(now())], 'free').then(
      () => {
        beatenAt = performance.now()
      },
      // The state of the writer tells it.
      () => {},
    )
  }

  async function lookAtFiles(): Promise<void> {
    if (!lookAtFolder || looking) return
    looking = { since: performance.now() }
    const { conditions: found, isLost } = await lookAtFolder()
    looking = undefined
    for (const name of folderConditions) {
      const condition = found.find((one) => one.name === name)
      if (!condition) end(name)
      else if (!isCauseTold(name)) begin(condition)
    }
    loss = isLost ? found[0]?.says : undefined
  }

  return {
    async look() {
      judge()
      beatIfDue(db.writerState())
      faults.forget()
      // Keeps it recent, so that its readers wait for no disk.
      freeSpace.read()
      await lookAtFiles()
    },
    ask() {
      isAsked = true
      judge()
      const { last, waitingSince } = db.writerState()
      return {
        lastCommit: last ? { result: last.error ? 'failed' : 'stored', ageMs: measureAge(last.endedAt) } : null,
        waitingMs: waitingSince === undefined ? 0 : measureAge(waitingSince),
        heartbeat: beatenAt === undefined ? null : { ageMs: measureAge(beatenAt) },
      }
    },
    judge,
    lossToPrevent: () => loss,
  }
}

/** By the process clock: the other one may jump. */
const measureAge = (at: number): number => Math.round(performance.now() - at)

const waitMends = {
  disk: 'look at the disk that holds the data folder: its log (dmesg), its load (iostat), the network where it is mounted over one. It ends by itself when the disk answers',
  database:
    'look at the database: what its sessions wait for (pg_stat_activity, pg_locks), its disk, the network to it. It ends by itself when the database answers',
}

const makeWritesWait = (place: 'disk' | 'database'): Condition => ({
  name: 'writes-wait',
  level: 'failing',
  says: `a write has been waiting for the ${place} for more than ${waitMs / 1000} seconds`,
  mend: waitMends[place],
})

/** The server stays ready: the others would have no easier time with what it waits for. */
const oneWriteWaits: Condition = {
  name: 'writes-wait',
  level: 'warning',
  says: `a write has been waiting for the database for more than ${waitMs / 1000} seconds, while others are stored`,
  mend: 'look at what its session waits for (pg_stat_activity, pg_locks): a table that an administrator has locked, or one thing that many want at once. It ends by itself when the write is answered',
}

const diskHangs: Condition = {
  name: 'disk-hangs',
  level: 'failing',
  says: `the disk that holds the data has not answered for more than ${waitMs / 1000} seconds`,
  mend: waitMends.disk,
}

const writerEnded: Condition = {
  name: 'writer-ended',
  // The log already has the message about a hanging writer: health/writer-faults.ts.
  cause: 'ended',
  level: 'failing',
  says: 'nothing can be stored any more, because the part of the server that writes has ended. Reads go on',
  mend: 'restart the server; its log says why the writer ended',
}

const writesFail = 'writes-fail'

const findKind = (error: Error): FaultKind =>
  error instanceof StorageError && error.isDiskFull ? 'full' : findFaultKind(error)

function makeFailedWrites(kind: FaultKind, failures: typeof fileFailures | typeof serverFailures): Condition {
  const [says, mend] = failures[kind]
  return {
    name: writesFail,
    level: 'failing',
    says: `the last write could not be stored: ${says}`,
    mend: `${mend}. It ends by itself when a write succeeds, which is tried every second`,
  }
}

/** The name that the folder check gives the same fault. */
const causes: Partial<Record<FaultKind, ConditionName>> = { full: 'disk-full', 'read-only': 'disk-read-only' }

const fileFailures = {
  full: ['the disk is full', 'free space on the disk of the data folder, or make it larger'],
  'read-only': ['the disk is read-only', 'mount the disk of the data folder for writing again'],
  disk: ['the disk answers with an error', 'look at the log of the system (dmesg) for the disk of the data folder'],
  damaged: ['it met damage of the database, or a failed read that looks like it', 'see what database-damaged says'],
  other: ['the database refused it', 'look at the log of the server'],
} as const

const refusedByServer = ['the database refused it', 'look at the logs of this server and of the database'] as const

/** Where the data is in PostgreSQL. */
const serverFailures = {
  full: ['the database has no room', 'free space on the disk of the database, and look at its log'],
  'read-only': refusedByServer,
  disk: refusedByServer,
  damaged: refusedByServer,
  other: refusedByServer,
} as const satisfies Record<FaultKind, readonly [string, string]>
