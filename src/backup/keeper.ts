/**
 * Makes backups and drills at their times while the server runs. Each is a process of its own: `proofgate backup` and
 * `proofgate drill`, with a low priority, which note their outcome in the database as they do for a person.
 */
import type { Condition } from '../conditions.ts'
import type { RunJob } from '../jobs/run-job.ts'
import { type JobName, type KnownJobRun, listJobRuns } from '../jobs/store.ts'
import type { Parts } from '../parts.ts'
import type { Repeated } from '../repeat.ts'
import { scheduleWork } from '../schedule.ts'

type KeeperParts = Pick<Parts, 'config' | 'conditions' | 'db' | 'log' | 'now' | 'processes' | 'readUptime'>

interface Job {
  readonly name: JobName
  readonly line: string
  readonly failed: Condition
  readonly done: { readonly event: 'backup-made' | 'drill-passed'; readonly message: string }
  readonly failure: { readonly event: 'backup-failed' | 'drill-failed'; readonly message: string }
}

const listJobs = ({ schedule, drillSchedule }: Parts['config']['backup']): readonly Job[] => [
  {
    name: 'backup',
    line: schedule,
    failed: {
      name: 'backup-failed',
      level: 'warning',
      says: 'the last backup could not be made',
      mend: 'see the log for "a backup could not be made". It ends with the next backup that is made',
      isPast: true,
    },
    done: { event: 'backup-made', message: 'a backup was made' },
    failure: { event: 'backup-failed', message: 'a backup could not be made' },
  },
  {
    name: 'drill',
    line: drillSchedule,
    failed: {
      name: 'drill-failed',
      level: 'warning',
      says: 'the newest backup could not be restored on trial',
      mend: 'see the log for "the newest backup could not be restored". Make another backup and try it: proofgate backup, proofgate drill',
      isPast: true,
    },
    done: { event: 'drill-passed', message: 'the newest backup was restored on trial, and everything in it is right' },
    failure: { event: 'drill-failed', message: 'the newest backup could not be restored on trial' },
  },
]

const lateAfterMs = 3_600_000
const lookedAtEveryMs = 60_000

/** Where no place is configured, or no job can be run, it makes nothing, and on PostgreSQL it tells of dumps. */
export function startKeeper(
  parts: KeeperParts,
  runJob: RunJob | undefined,
  { lookEveryMs = lookedAtEveryMs }: { readonly lookEveryMs?: number } = {},
): Repeated {
  const { config, log } = parts
  if (config.backup.to === undefined || runJob === undefined)
    return parts.db.isShared ? watchRuns(parts, lookEveryMs) : { stop: async () => {} }
  const stopping = new AbortController()
  const jobs = listJobs(config.backup)
  const tell = openTeller(parts)
  const scheduled = jobs.map((job) => ({
    job,
    work: scheduleWork(parts, {
      line: job.line,
      run: () => runOnce(parts, job, { runJob, signal: stopping.signal, tell }),
      tellLeftOut: (dueAt) =>
        log.count({
          level: 'warn',
          event: job.failure.event,
          message: `a ${job.name} was left out: its time came while the process stood still, or while another was under way`,
          fields: { dueAt: new Date(dueAt).toISOString(), mend: 'the next one comes at its time' },
        }),
    }),
  }))
  const [backups] = scheduled
  const startedAt = parts.now()
  const look = async (): Promise<void> => {
    const runs = await tellRuns(parts, jobs, tell)
    judgeAge(parts, runs.backup, { startedAt, everyMs: backups!.work.readInterval() })
  }
  const looking = setInterval(() => void look().catch(() => {}), lookEveryMs)
  return {
    async stop() {
      clearInterval(looking)
      stopping.abort()
      await Promise.all(scheduled.map(({ work }) => work.stop()))
    },
  }
}

/** Who makes dumps on a schedule is no matter of the server: it tells how they ended. */
function watchRuns(parts: KeeperParts, lookEveryMs: number): Repeated {
  const jobs = listJobs(parts.config.backup)
  const tell = openTeller(parts)
  const looking = setInterval(() => void tellRuns(parts, jobs, tell).catch(() => {}), lookEveryMs)
  return { stop: async () => clearInterval(looking) }
}

/** A person, another process or another clock may have run them. */
async function tellRuns({ db }: KeeperParts, jobs: readonly Job[], tell: Tell) {
  const runs = await listJobRuns(db)
  for (const job of jobs) if (runs[job.name]) tell(job, runs[job.name]!)
  return runs
}

type Tell = (job: Job, run: Pick<KnownJobRun, 'endedAt' | 'isGood' | 'tookMs' | 'says'>) => void

/** Tells each run once. */
function openTeller({ conditions, log }: KeeperParts): Tell {
  const told = new Map<JobName, number>()
  return (job, { endedAt, isGood, tookMs, says }) => {
    if (told.get(job.name) === endedAt) return
    told.set(job.name, endedAt)
    if (isGood) {
      conditions.end(job.failed.name)
      log.info(job.done.message, { event: job.done.event, tookMs, says })
    } else {
      conditions.begin(job.failed)
      log.error(job.failure.message, { event: job.failure.event, why: says, mend: job.failed.mend })
    }
  }
}

async function runOnce(
  { db, now, processes }: KeeperParts,
  job: Job,
  { runJob, signal, tell }: { readonly runJob: RunJob; readonly signal: AbortSignal; readonly tell: Tell },
): Promise<void> {
  // The holder makes it. What it notes is told by the next look.
  if (!(await processes.openLease('jobs').hold())) return
  const before = await listJobRuns(db)
  // Nothing to try yet.
  if (job.name === 'drill' && !before.backup?.goodAt) return
  const tellUnnoted = (says: string): void => tell(job, { endedAt: now(), isGood: false, tookMs: 0, says })
  try {
    const { exitCode, says } = await runJob(job.name, signal)
    if (signal.aborted) return
    const run = (await listJobRuns(db))[job.name]
    if (run && run.endedAt !== before[job.name]?.endedAt) tell(job, run)
    else tellUnnoted(says || `exit code ${exitCode}`)
  } catch (error) {
    if (!signal.aborted) tellUnnoted(error instanceof Error ? error.message : String(error))
  }
}

/** A job that someone else runs, or that never ran, is late too. */
function judgeAge(
  { now, conditions }: KeeperParts,
  run: KnownJobRun | undefined,
  { startedAt, everyMs }: { readonly startedAt: number; readonly everyMs: number },
): void {
  const lateMs = now() - Math.max(run?.goodAt ?? 0, startedAt) - everyMs
  if (lateMs > Math.max(lateAfterMs, everyMs)) conditions.begin(describeLate(run))
  else conditions.end('backup-late')
}

const describeLate = (run: KnownJobRun | undefined): Condition => ({
  name: 'backup-late',
  level: 'warning',
  says: run?.goodAt
    ? `the newest backup is of ${new Date(run.goodAt).toISOString()}`
    : 'no backup was made yet, and its time has passed',
  mend: 'see the log for "a backup could not be made", or run proofgate backup and read what it says',
})
