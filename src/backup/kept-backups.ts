/** The backups at a place: which is the newest, and which are kept. */
import type { Config } from '../config/schema.ts'
import { BackupError } from './fault.ts'
import { readJournalTime } from './journal-files.ts'
import { backupEnding } from './targets/open-target.ts'
import type { Kept, Target } from './targets/target.ts'

export interface KeptBackup extends Kept {
  /** Unix milliseconds, of its name. */
  readonly at: number
}

const form = /^proofgate-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{6}\.backup$/

/** The oldest first. Files with names of another form are nobody's business here. */
export async function listBackups(target: Target): Promise<readonly KeptBackup[]> {
  return (await target.list('proofgate-')).flatMap((kept) => {
    const [, year, month, day, hour, minute, second] = form.exec(kept.name) ?? []
    return year === undefined
      ? []
      : [{ ...kept, at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }]
  })
}

/** Errors: BackupError. */
export async function findNewestBackup(target: Target): Promise<KeptBackup> {
  const newest = (await listBackups(target)).at(-1)
  if (newest) return newest
  throw new BackupError(
    `there is no backup at ${target.title}`,
    `name a file that ends in ${backupEnding}, or the folder or prefix that backup.to names`,
  )
}

type Retention = Pick<Config['backup'], 'keepHourly' | 'keepDaily' | 'keepWeekly'>

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Those that no rule keeps. Each rule keeps the newest backup of each of its newest periods that have one: hours, days
 * and weeks of UTC. The newest backup is always kept.
 */
export function chooseOld(backups: readonly KeptBackup[], retention: Retention): readonly KeptBackup[] {
  const kept = new Set<KeptBackup>()
  const rules = [
    [hourMs, retention.keepHourly],
    [dayMs, retention.keepDaily],
    [7 * dayMs, retention.keepWeekly],
  ] as const
  for (const [periodMs, count] of rules) {
    const periods = new Map<number, KeptBackup>()
    for (const backup of backups) periods.set(Math.floor(backup.at / periodMs), backup)
    for (const backup of [...periods.values()].slice(-count || periods.size)) if (count > 0) kept.add(backup)
  }
  const newest = backups.at(-1)
  return backups.filter((backup) => backup !== newest && !kept.has(backup))
}

/** Returns the names that were removed. */
export async function removeOld(target: Target, retention: Retention): Promise<readonly string[]> {
  const old = chooseOld(await listBackups(target), retention)
  for (const { name } of old) await target.remove(name)
  await removeOldJournal(target, old)
  return old.map(({ name }) => name)
}

/** Files of the journal from before the oldest backup that is left say what every backup knows. */
async function removeOldJournal(target: Target, removed: readonly KeptBackup[]): Promise<void> {
  if (removed.length === 0) return
  const oldest = (await listBackups(target))[0]
  for (const { name } of await target.list('journal-')) {
    const at = readJournalTime(name)
    if (oldest && at !== undefined && at < oldest.at) await target.remove(name)
  }
}
