/** Metrics of backups and drills. */
import { type Family, makeValue, type Value } from '../metric-family.ts'
import type { Parts } from '../parts.ts'
import { jobNames, type KnownJobRun, listJobRuns } from './store.ts'

type JobParts = Pick<Parts, 'db'>

const readJobs =
  (read: (run: KnownJobRun) => number) =>
  async ({ db }: JobParts): Promise<readonly Value[]> =>
    Object.values(await listJobRuns(db))
      .filter(({ job }) => job !== 'upgrade')
      .map((run) => ({ labels: { task: run.job }, value: read(run) }))

export const jobFamilies: readonly Family<JobParts & Pick<Parts, 'config'>>[] = [
  {
    name: 'proofgate_backup_scheduled',
    type: 'gauge',
    help: '1 where backup.to is set.',
    read: ({ config }) => makeValue(config.backup.to === undefined ? 0 : 1),
  },
  {
    name: 'proofgate_task_last_good_timestamp_seconds',
    type: 'gauge',
    help: 'When the last backup or drill ended well, by task. 0: never.',
    async read({ db }) {
      const runs = await listJobRuns(db)
      return jobNames.map((job) => ({ labels: { task: job }, value: (runs[job]?.goodAt ?? 0) / 1000 }))
    },
  },
  {
    name: 'proofgate_task_last_run_timestamp_seconds',
    type: 'gauge',
    help: 'When the last backup or drill ended, by task.',
    read: readJobs(({ endedAt }) => endedAt / 1000),
  },
  {
    name: 'proofgate_task_last_run_good',
    type: 'gauge',
    help: '1 where the last backup or drill ended well, by task.',
    read: readJobs(({ isGood }) => (isGood ? 1 : 0)),
  },
  {
    name: 'proofgate_task_last_run_seconds',
    type: 'gauge',
    help: 'How long the last backup or drill took, by task.',
    read: readJobs(({ tookMs }) => tookMs / 1000),
  },
]
