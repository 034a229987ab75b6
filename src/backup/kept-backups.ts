/** The backups at a place: which is the newest, and which are kept. */
import type { Config } from '../config/schema.ts'
import { BackupError } from './fault.ts'
import { listJournalFiles } from './journal-files.ts'
import { backupEnding } from './targets/open-target.ts'
import type { Kept, Target } from './targets/target.ts'

export interface KeptBackup extends Kept {
  /** Unix milliseconds, of its name. */
  readonly at: number
  /** Of the master key of the server that made it. */
  readonly keyMark: number
}

const form = /^proofgate-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{8})-[0-9a-f]{4}\.backup$/

/** The oldest first. Files with names of another form are nobody's business here. */
export async function listBackups(target: Target): Promise<readonly KeptBackup[]> {
  return (await target.list('proofgate-')).flatMap((kept) => {
    const [, year, month, day, hour, minute, second, mark = ''] = form.exec(kept.name) ?? []
    return year === undefined
      ? []
      : [
          {
            ...kept,
            at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
            keyMark: Number.parseInt(mark, 16),
          },
        ]
  })
}

/**
 * `keyMark`: of the server that asks, if it is known. Errors: BackupError where there is none, and where it is not known
 * whose is meant.
 */
export async function findNewestBackup(target: Target, keyMark: number | undefined): Promise<KeptBackup> {
  const all = await listBackups(target)
  const own = all.filter((backup) => !keyMark || backup.keyMark === keyMark)
  const newest = own.at(-1)
  const servers = new Set(own.map((backup) => backup.keyMark))
  if (newest && servers.size > 1)
    throw new BackupError(
      `${target.title} holds backups of ${servers.size} servers, and it is not known whose is meant`,
      `name the file: the newest are ${[...servers].map((mark) => own.findLast((backup) => backup.keyMark === mark)!.name).join(' and ')}`,
    )
  if (newest) return newest
  if (all.length > 0)
    throw new BackupError(
      `${target.title} holds backups of other servers, and none of the one whose data folder is here`,
      'name the file of the backup, if you mean one of them',
    )
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

/** Of one server: others may keep theirs at the same place. Returns the names that were removed. */
export async function removeOld(target: Target, keyMark: number, retention: Retention): Promise<readonly string[]> {
  const own = (await listBackups(target)).filter((backup) => backup.keyMark === keyMark)
  const old = chooseOld(own, retention)
  for (const { name } of old) await target.remove(name)
  await removeOldJournal(target, keyMark, old)
  return old.map(({ name }) => name)
}

/** Files of the journal from before the oldest backup that is left say what every backup knows. */
async function removeOldJournal(target: Target, keyMark: number, removed: readonly KeptBackup[]): Promise<void> {
  if (removed.length === 0) return
  const oldest = (await listBackups(target)).find((backup) => backup.keyMark === keyMark)
  for (const { name, at } of (await listJournalFiles(target, keyMark)).files)
    if (oldest && at < oldest.at) await target.remove(name)
}
