/** What has to be done now and then: rotating the key that signs access tokens, and making backups. */
import type { Config } from '../config/schema.ts'
import type { Reader } from '../db/db.ts'
import { type JobName, type KnownJobRun, listJobRuns } from '../jobs/store.ts'
import type { Found } from './found.ts'
import { findSigningKeyTime } from './store.ts'

const dayMs = 86_400_000
const oldFromMs = 365 * dayMs

export async function examineSigningKeys(db: Reader, now: () => number): Promise<readonly Found[]> {
  const at = now()
  const madeAt = await findSigningKeyTime(db, at)
  if (madeAt === undefined || at - madeAt < oldFromMs) return []
  return [
    {
      setting: 'oauth',
      level: 'warn',
      says: `the key that signs access tokens is ${Math.floor((at - madeAt) / dayMs)} days old`,
      mend: 'run "proofgate keys rotate": tokens that are out stay valid until they expire',
    },
  ]
}

const graceMs = 3_600_000

/** The last backup, drill and upgrade, as the database remembers them. */
export async function examineBackups(
  db: Reader,
  { backup }: Pick<Config, 'backup'>,
  now: () => number,
): Promise<readonly Found[]> {
  const runs = await listJobRuns(db)
  const upgrades = judgeUpgrade(runs.upgrade)
  if (backup.to === undefined) return [missing, ...upgrades]
  return [
    ...upgrades,
    ...judgeRun('backup', runs.backup, backup.schedule, now()),
    ...judgeRun('drill', runs.drill, backup.drillSchedule, now()),
  ]
}

const missing: Found = {
  setting: 'backup.to',
  level: 'warn',
  says: 'no backup is made on a schedule: what is stored here is lost with this disk',
  mend: 'set backup.to and backup.passphrase, or make backups by other means and try to restore one',
}

const judgeUpgrade = (run: KnownJobRun | undefined): readonly Found[] =>
  run === undefined || run.isGood
    ? []
    : [
        {
          setting: 'data',
          level: 'warn',
          says: `the last upgrade failed, on ${new Date(run.endedAt).toISOString()}: ${run.says}`,
          mend: 'the database is as it was before. Try the new version with "proofgate upgrade --check", and report what it says',
        },
      ]

function judgeRun(job: JobName, run: KnownJobRun | undefined, schedule: string, at: number): readonly Found[] {
  const setting = job === 'backup' ? 'backup.schedule' : 'backup.drill_schedule'
  const mend = `run "proofgate ${job}", and read what it says`
  const title = job === 'backup' ? 'the last backup' : 'the last restore on trial'
  if (!run) return [{ setting, level: 'warn', says: `there was no ${job} yet`, mend }]
  if (!run.isGood) return [{ setting, level: 'fail', says: `${title} failed: ${run.says}`, mend }]
  if (!isOverdue(run, schedule, at)) return []
  return [
    { setting, level: 'warn', says: `${title} is of ${new Date(run.endedAt).toISOString()}: one is overdue`, mend },
  ]
}

export const isOverdue = ({ endedAt }: Pick<KnownJobRun, 'endedAt'>, schedule: string, at: number): boolean =>
  at - endedAt - readInterval(schedule, at) >= graceMs

/** Between the next two times of a cron line. */
function readInterval(line: string, at: number): number {
  const next = Bun.cron.parse(line, new Date(at))
  const following = next && Bun.cron.parse(line, next)
  return next && following ? following.getTime() - next.getTime() : 0
}
