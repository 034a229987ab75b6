/** Whether what is stored is at the place of the continuous backup, for `proofgate doctor`: also where no server runs. */
import { nameTimesFile, readCommitTimes } from '../backup/continuous/commit-times.ts'
import { listLogFiles } from '../backup/continuous/log-files.ts'
import { BackupError } from '../backup/fault.ts'
import { openConfiguredPlace } from '../backup/targets/open-target.ts'
import type { Config } from '../config/schema.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { readMark } from '../db/key-mark.ts'
import { lookIntoFolder } from '../db/look.ts'
import type { Finding, Probe } from '../outside/probe.ts'

/** A server ships twice a second. */
const behindAfterMs = 10_000
const waitMs = 10_000

export const makeShippingProbes = (config: Config, now: () => number): readonly Probe[] =>
  config.backup.continuous && config.backup.to !== undefined
    ? [{ setting: 'backup.continuous', run: () => examineShipping(config, config.backup.to!, now) }]
    : []

async function examineShipping(config: Config, to: string, now: () => number): Promise<Finding> {
  try {
    const since = await findOldestUnshipped(config, to)
    if (since === undefined || now() - since < behindAfterMs)
      return { level: 'ok', says: 'what is stored is at the place of the backups' }
    return {
      level: 'warn',
      says: `what was stored since ${new Date(since).toISOString()} is not at the place of the backups`,
      mend: 'see whether backup.to can be written, and whether the server runs: it ships the rest by itself',
    }
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return { level: 'fail', says: error.happened, mend: error.mend }
  }
}

/** Unix milliseconds. */
async function findOldestUnshipped(config: Config, to: string): Promise<number | undefined> {
  const keyMark = await lookIntoFolder(config.data, readMark)
  if (keyMark === undefined) return undefined
  const files = await listLogFiles(openConfiguredPlace(to, config, { waitMs }).target, keyMark)
  const newest = Math.max(Number.NEGATIVE_INFINITY, ...files.map(({ lastAt }) => lastAt))
  return readCommitTimes(nameTimesFile(locateDatabaseFile(config.data))).find(({ at }) => at > newest)?.at
}
