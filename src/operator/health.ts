/** The state of the server: its data and resources, likely mistakes in the configuration, and failing sources. */

import { statfs } from 'node:fs/promises'
import { countErasing } from '../db/erasing.ts'
import { answerInTime, readLogBytes } from '../db/file-sizes.ts'
import { findOverdue } from '../db/overdue.ts'
import { listAdvice } from '../doctor/advice.ts'
import type { Found } from '../doctor/found.ts'
import { isOverdue } from '../doctor/routine.ts'
import { type KnownJobRun, listJobRuns } from '../jobs/store.ts'
import { readUpgrade } from '../jobs/upgrade.ts'
import type { Parts } from '../parts.ts'
import type { LiveProcess } from '../processes/processes.ts'
import { version } from '../version.ts'
import { readTotals } from './store.ts'

export interface Examination {
  readonly at: number
  readonly findings: readonly Found[]
}

interface Examiner {
  /** The most recent examination. */
  last(): Examination | undefined
  /** What needs no call. null: the disk does not answer. */
  here(): Promise<readonly Found[] | null>
  /** Tries every outside source, unless that was done just now. */
  examine(): Promise<Examination>
}

/** Providers may charge for each call, so frequent requests must not cause more calls. */
const keptMs = 30_000
/** The limit for one source, because a page waits for it. */
const withinEachMs = 20_000

function openExaminer(parts: Parts): Examiner {
  const { config, outside, now, readUptime } = parts
  const examineHere = openLook(parts)
  const examineAddresses = openAddressLook(parts)
  let last: Examination | undefined
  let lastUptime = Number.NEGATIVE_INFINITY
  let running: Promise<Examination> | undefined
  const examineNow = async (): Promise<Examination> => {
    // Loaded at the first request, because starting does not need the examination of all sources.
    const { examineAll } = await import('../doctor/examine.ts')
    const findings = await examineAll({ config, outside, now }, { withinEachMs })
    last = { at: now(), findings }
    lastUptime = readUptime()
    return last
  }
  return {
    last: () => last,
    async here() {
      const addresses = examineAddresses()
      const found = await answerInTime(examineHere())
      return found ? [...found, ...addresses] : null
    },
    async examine() {
      if (last && readUptime() - lastUptime < keptMs) return last
      running ??= examineNow().finally(() => {
        running = undefined
      })
      return running
    },
  }
}

/** Writes a little to the disk, so pages that are open all day share a look. */
const lookedAtEveryMs = 60_000

/** Each look calls the public addresses. It goes on while the page gets what the one before found. */
const addressesEveryMs = 3_600_000

function openAddressLook({ config, sealer, now, readUptime }: Parts): () => readonly Found[] {
  let found: readonly Found[] = []
  let lookedAt = Number.NEGATIVE_INFINITY
  const look = async (): Promise<void> => {
    const { examinePublicAddresses } = await import('../doctor/public-address.ts')
    found = (await examinePublicAddresses({ config, sealer, now })).filter(({ level }) => level !== 'ok')
  }
  return () => {
    if (readUptime() - lookedAt >= addressesEveryMs) {
      lookedAt = readUptime()
      look().catch(() => {
        lookedAt = Number.NEGATIVE_INFINITY
      })
    }
    return found
  }
}

function openLook({ config, db, now, readUptime }: Parts): () => Promise<readonly Found[] | null> {
  let looking: Promise<readonly Found[] | null> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (looking && readUptime() - lookedAt < lookedAtEveryMs) return looking
    lookedAt = readUptime()
    looking = readUnlessDamaged(async () => {
      const { examineHere } = await import('../doctor/here.ts')
      return examineHere({ config, db, now })
    })
    return looking
  }
}

/** The start of the server: by the clock at that time, and by readUptime. */
interface Start {
  readonly at: number
  readonly uptime: number
}

/** The server's state for operators. */
export interface OwnHealth {
  tell(): ReturnType<typeof watchHealth>
  examine(): Promise<Examination>
}

export function openHealth(parts: Parts): OwnHealth {
  const start = { at: parts.now(), uptime: parts.readUptime() }
  const examiner = openExaminer(parts)
  return { tell: () => watchHealth(parts, start, examiner), examine: () => examiner.examine() }
}

async function watchHealth(parts: Parts, start: Start, examiner: Examiner) {
  const { config, readUptime, readSure, db, freeSpace, conditions, damage, storage } = parts
  // Judges first, so that the conditions are current.
  const { lastCommit, waitingMs, heartbeat } = storage.ask()
  const [log, disk] = await Promise.all([readLogBytes(config.data), answerInTime(readSpace(config.data))])
  const { rss, heapUsed } = process.memoryUsage()
  const failure = db.writeFailure()
    ? 'Nothing can be written any more: restart Proofgate, and see its log'
    : freeSpace.isBelowFloor()
      ? `The disk has less than ${config.storage.minFreeMb} MiB free (storage.min_free_mb), so nothing new is stored: free some space`
      : undefined
  return {
    status: failure || conditions.list().some(({ level }) => level === 'failing') ? 'failing' : 'ok',
    version,
    startedAt: start.at,
    uptimeSeconds: Math.floor((readUptime() - start.uptime) / 1000),
    database: {
      bytes: (await readUnlessDamaged(() => db.measureBytes())) ?? 0,
      logBytes: log ?? 0,
      checkedAt: damage.lastWholeCheck() ?? null,
      ...(failure ? { failure } : {}),
    },
    disk: disk ?? null,
    lastCommit,
    waitingMs,
    heartbeat,
    memory: { residentBytes: rss, heapBytes: heapUsed },
    counts: await readUnlessDamaged(() => readTotals(db)),
    erasing: await readUnlessDamaged(async () => countErasing(db)),
    jobs: await readUnlessDamaged(async () => describeJobs(await listJobRuns(db), parts)),
    sweep: { overdueSince: await readUnlessDamaged(async () => (await findOverdue(db, readSure())) ?? null) },
    processes: await readUnlessDamaged(async () => (await parts.processes.listLive()).map(describeProcess(parts))),
    standbys: (await readUnlessDamaged(async () => (await db.readStandbys?.()) ?? [])) ?? [],
    conditions: conditions.list(),
    advice: listAdvice(config),
    here: await examiner.here(),
    examination: examiner.last() ?? null,
  }
}

const describeProcess =
  ({ run }: Pick<Parts, 'run'>) =>
  ({ id, host, version, startedAt }: LiveProcess) => ({ run: id, host, version, startedAt, isThis: id === run })

/** null: never run here. */
const describeJobs = (
  { backup, drill, upgrade }: Awaited<ReturnType<typeof listJobRuns>>,
  { config, continuous, now }: Pick<Parts, 'config' | 'continuous' | 'now'>,
) => {
  const { to, schedule, drillSchedule } = config.backup
  const isScheduled = to !== undefined
  const describe = (run: KnownJobRun | undefined, line: string) =>
    run ? { ...describeRun(run), isOverdue: isScheduled && isOverdue(run, line, now()) } : null
  return {
    isScheduled,
    behindMs: continuous ? continuous.readLagMs() : null,
    backup: describe(backup, schedule),
    drill: describe(drill, drillSchedule),
    upgrade: upgrade ? describeUpgrade(upgrade) : null,
  }
}

function describeUpgrade(run: KnownJobRun) {
  const { from, to } = readUpgrade(run) ?? { from: null, to: null }
  return { ...describeRun(run), from, to, tookMs: run.tookMs }
}

const describeRun = ({ endedAt, isGood, goodAt, says }: KnownJobRun) => ({ endedAt, isGood, goodAt, says })

const readSpace = (folder: string): Promise<{ readonly freeBytes: number; readonly totalBytes: number } | null> =>
  statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
    () => null,
  )

/** Null if the database is damaged: the state of the server must be reported nevertheless. */
async function readUnlessDamaged<Answer>(read: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await read()
  } catch {
    return null
  }
}
