/** The backups at a place: which is the newest, and which are kept. */
import type { Config } from '../config/schema.ts'
import { BackupError } from './fault.ts'
import { listJournalFiles } from './journal-files.ts'
import { isAhead } from './known-time.ts'
import { isWholeFile } from './peek.ts'
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
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(at) ? [] : [{ ...kept, at, keyMark: Number.parseInt(mark, 16) }]
  })
}

export interface Sorted {
  /** The oldest first. */
  readonly backups: readonly KeptBackup[]
  /** Named later than now, because a clock was ahead. Their real age is not known. */
  readonly ahead: readonly KeptBackup[]
}

/** Where all are named later than now, the clock that is wrong is that of this machine: none is set apart. */
export function sortByClock(all: readonly KeptBackup[], now: number): Sorted {
  const ahead = all.filter(({ at }) => isAhead(at, now))
  return ahead.length === all.length
    ? { backups: all, ahead: [] }
    : { backups: all.filter((one) => !ahead.includes(one)), ahead }
}

export interface Newest {
  readonly newest: KeptBackup
  /** The next older one, if there is one. */
  readonly older: KeptBackup | undefined
  readonly ahead: readonly KeptBackup[]
}

/**
 * `keyMark`: of the server that asks, if it is known. Errors: BackupError where there is none, and where it is not known
 * whose is meant.
 */
export async function findNewestBackup(
  target: Target,
  { keyMark, now }: { readonly keyMark: number | undefined; readonly now: number },
): Promise<Newest> {
  const all = await listBackups(target)
  const own = all.filter((backup) => !keyMark || backup.keyMark === keyMark)
  const { backups, ahead } = sortByClock(own, now)
  const newest = backups.at(-1)
  const servers = new Set(own.map((backup) => backup.keyMark))
  if (newest && servers.size > 1)
    throw new BackupError(
      `${target.title} holds backups of ${servers.size} servers, and it is not known whose is meant`,
      `name the file: the newest are ${[...servers]
        .map(
          (mark) =>
            sortByClock(
              own.filter((backup) => backup.keyMark === mark),
              now,
            ).backups.at(-1)!.name,
        )
        .join(' and ')}`,
    )
  if (newest) return { newest, older: backups.at(-2), ahead }
  if (all.length > 0)
    throw new BackupError(
      `${target.title} holds backups of other servers, and none of the one whose data folder is here`,
      'name the file of the backup, if you mean one of them',
    )
  throw await explainNone(target)
}

/** A person may have given names of their own: then it is not known which is the newest. */
async function explainNone(target: Target): Promise<BackupError> {
  const others = (await target.list('')).filter(({ name }) => name.endsWith(backupEnding) && !name.includes('/'))
  const [first] = others
  if (first === undefined)
    return new BackupError(
      `there is no backup at ${target.title}${(await target.exists()) ? '' : ', which is not there'}`,
      `name a file that ends in ${backupEnding}, or the folder or prefix that backup.to names`,
    )
  const files =
    others.length === 1
      ? `a file that ends in ${backupEnding}, and its name does`
      : `${others.length} files that end in ${backupEnding}, and their names do`
  return new BackupError(
    `${target.title} holds ${files} not tell which is the newest`,
    `name the file that you mean, for example ${first.name}`,
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
    for (const backup of [...periods.values()].slice(-count || periods.size)) kept.add(backup)
  }
  const newest = backups.at(-1)
  return backups.filter((backup) => backup !== newest && !kept.has(backup))
}

export interface Retained {
  readonly removed: readonly string[]
  /** Named later than now: neither counted nor removed. */
  readonly ahead: readonly string[]
  /** With the name of a backup, and not its beginning and end: not counted, and removed as the others are by age. */
  readonly broken: readonly string[]
}

interface Removal {
  readonly keyMark: number
  /** The one that was made just now, which stays. */
  readonly made: string
  readonly now: number
  readonly retention: Retention
  /** Those that stay whatever the rules say. */
  readonly chooseNeeded: (backups: readonly KeptBackup[]) => readonly KeptBackup[]
}

/** Of one server: others may keep theirs at the same place. */
export async function removeOld(target: Target, { keyMark, made, now, ...rules }: Removal): Promise<Retained> {
  const own = (await listBackups(target)).filter((backup) => backup.keyMark === keyMark)
  const { backups, ahead } = sortByClock(own, now)
  const { old, broken } = await chooseOldByContent(target, backups, rules)
  const removed = old.filter(({ name }) => name !== made)
  for (const { name } of removed) await target.remove(name)
  await removeOldJournal(target, keyMark, removed)
  const listNames = (ones: readonly KeptBackup[]): string[] => ones.map(({ name }) => name)
  return { removed: listNames(removed), ahead: listNames(ahead), broken: listNames(broken) }
}

/** A file that is no backup must not take the place of one: a rule would keep it, and delete what it stands for. */
async function chooseOldByContent(
  target: Target,
  backups: readonly KeptBackup[],
  { retention, chooseNeeded }: Pick<Removal, 'retention' | 'chooseNeeded'>,
) {
  const seen = new Map<KeptBackup, boolean>()
  for (;;) {
    const counted = backups.filter((backup) => seen.get(backup) !== false)
    const needed = chooseNeeded(counted)
    const old = chooseOld(counted, retention).filter((backup) => !needed.includes(backup))
    const unseen = old.length === 0 ? [] : counted.filter((backup) => !old.includes(backup) && !seen.has(backup))
    if (unseen.length === 0) return { old, broken: backups.filter((backup) => seen.get(backup) === false) }
    for (const backup of unseen) seen.set(backup, await isWholeFile(target, backup))
  }
}

/** Files of the journal from before the oldest backup that is left say what every backup knows. */
async function removeOldJournal(target: Target, keyMark: number, removed: readonly KeptBackup[]): Promise<void> {
  if (removed.length === 0) return
  const oldest = (await listBackups(target)).find((backup) => backup.keyMark === keyMark)
  let newestBefore = 0
  for (const { name, at } of (await listJournalFiles(target, keyMark)).files) {
    // In the order of their rows: one of a clock that was set back is as new as the one before it.
    newestBefore = Math.max(newestBefore, at)
    if (oldest && newestBefore < oldest.at) await target.remove(name)
  }
}
