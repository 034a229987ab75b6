/** Whether the place of the backups can be read, and has what is stored, for `proofgate doctor`. */
import { nameTimesFile, readCommitTimes } from '../backup/continuous/commit-times.ts'
import { listLogFiles } from '../backup/continuous/log-files.ts'
import { BackupError } from '../backup/fault.ts'
import { openConfiguredPlace } from '../backup/targets/open-target.ts'
import type { Target } from '../backup/targets/target.ts'
import type { Config } from '../config/schema.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { readMark } from '../db/key-mark.ts'
import { lookIntoFolder } from '../db/look.ts'
import type { Finding, Probe } from '../outside/probe.ts'

/** A server ships twice a second. */
const behindAfterMs = 10_000
const waitMs = 10_000

export function makePlaceProbes({ data, backup }: Config, now: () => number): readonly Probe[] {
  const { to, continuous } = backup
  if (to === undefined) return []
  const probe = (setting: string, look: (target: Target) => Promise<Finding>): Probe => ({
    setting,
    run: async () => {
      try {
        return await look(openConfiguredPlace(to, { backup }, { waitMs }).target)
      } catch (error) {
        if (!(error instanceof BackupError)) throw error
        return { level: 'fail', says: error.happened, mend: error.mend }
      }
    },
  })
  return [
    ...(to.startsWith('s3://') ? [probe('backup.to', readBucket)] : []),
    ...(continuous ? [probe('backup.continuous', (target) => judgeShipping(target, data, now))] : []),
  ]
}

/** With the configured access key. */
async function readBucket(target: Target): Promise<Finding> {
  const { length } = await target.list('proofgate-')
  return { level: 'ok', says: `the bucket can be read: it holds ${length} ${length === 1 ? 'backup' : 'backups'}` }
}

/** Also where no server runs. */
async function judgeShipping(target: Target, folder: string, now: () => number): Promise<Finding> {
  const since = await findOldestUnshipped(target, folder)
  if (since === undefined || now() - since < behindAfterMs)
    return { level: 'ok', says: 'what is stored is at the place of the backups' }
  return {
    level: 'warn',
    says: `what was stored since ${new Date(since).toISOString()} is not at the place of the backups`,
    mend: 'see whether backup.to can be written, and whether the server runs: it ships the rest by itself',
  }
}

/** Unix milliseconds. */
async function findOldestUnshipped(target: Target, folder: string): Promise<number | undefined> {
  const keyMark = await lookIntoFolder(folder, readMark)
  if (keyMark === undefined) return undefined
  const files = await listLogFiles(target, keyMark)
  const newest = Math.max(Number.NEGATIVE_INFINITY, ...files.map(({ lastAt }) => lastAt))
  return readCommitTimes(nameTimesFile(locateDatabaseFile(folder))).find(({ at }) => at > newest)?.at
}
