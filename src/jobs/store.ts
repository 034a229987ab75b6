/** The last run of each job beside the server: SQL and nothing else. */
import type { Reader, Statement } from '../db/db.ts'
import { pick, query, type RowOf } from '../db/query.ts'

export const jobNames = ['backup', 'drill'] as const
export type JobName = (typeof jobNames)[number]
/** A change of the version is kept in the same way (upgrade.ts). */
export type RunName = JobName | 'upgrade'

export interface JobRun {
  readonly job: RunName
  /** Unix milliseconds. */
  readonly endedAt: number
  readonly tookMs: number
  readonly isGood: boolean
  /** A sentence without a full stop. */
  readonly says: string
}

export interface KnownJobRun extends JobRun {
  /** When it last ended well, in Unix milliseconds. */
  readonly goodAt: number | null
}

export const noteJobRun = ({ job, endedAt, tookMs, isGood, says }: JobRun): Statement => ({
  sql: `INSERT INTO job_runs (job, ended_at, took_ms, is_good, says, good_at)
        VALUES (?1, ?2, ?3, ?4, ?5, CASE WHEN CAST(?4 AS BIGINT) = 1 THEN CAST(?2 AS BIGINT) END)
        ON CONFLICT (job) DO UPDATE SET ended_at = excluded.ended_at, took_ms = excluded.took_ms,
          is_good = excluded.is_good, says = excluded.says, good_at = coalesce(excluded.good_at, job_runs.good_at)`,
  params: [job, Math.floor(endedAt), Math.round(tookMs), isGood ? 1 : 0, says.slice(0, 2_000)],
})

const selectRuns = query<[]>()`
  SELECT ${pick('job_runs', 'job', 'endedAt', 'tookMs', 'isGood', 'says', 'goodAt')} FROM job_runs`

const makeRun = ({ isGood, ...run }: RowOf<typeof selectRuns>): KnownJobRun => ({ ...run, isGood: isGood === 1 })

export async function listJobRuns(db: Reader): Promise<Readonly<Partial<Record<RunName, KnownJobRun>>>> {
  const runs = (await db.read(selectRuns).all()).map(makeRun)
  return Object.fromEntries(runs.map((run) => [run.job, run]))
}

/** For a database that is opened without the store, because its form is not of this version. */
export const selectUpgrade = "SELECT says, is_good AS isGood FROM job_runs WHERE job = 'upgrade'"
