/** Keeps the journal at the place of the backups while the server runs: what is taken away is there within seconds. */
import type { Condition } from '../conditions.ts'
import { readMark } from '../db/key-mark.ts'
import { findNewestEntry, findSettledEntry, type JournalRow, listJournal } from '../journal/store.ts'
import type { Parts } from '../parts.ts'
import { type Repeated, repeat } from '../repeat.ts'
import { BackupError } from './fault.ts'
import {
  type FileSealing,
  listJournalFiles,
  makeFileSealing,
  nameHead,
  nameJournalFile,
  packRows,
} from './journal-files.ts'
import { putFile } from './put-file.ts'
import { openConfiguredPlace } from './targets/open-target.ts'
import type { Target } from './targets/target.ts'

type KeeperParts = Pick<Parts, 'config' | 'conditions' | 'db' | 'now' | 'processes' | 'readUptime'>

const everyMs = 1_000
/** The last that a lost machine can tell. A backup that is restored sooner after it was made is said to know nothing. */
const headEveryMs = 15_000
const lookEveryMs = 60_000
const pageRows = 1_000
/** After a failure. A place that is gone for a while need not be asked each second. */
const againMs = 15_000
const sharedForMs = 600_000

/** Nothing where backup.to is not set. */
export function startJournalKeeper(parts: KeeperParts): Repeated {
  const { config } = parts
  const { to } = config.backup
  if (to === undefined) return { stop: async () => {} }
  const look = openJournalKeeper(parts, openConfiguredPlace(to, config).target)
  return repeat({ everyMs, waitMs: 2_000, look })
}

/** One look, for tests. It never throws. */
export function openJournalKeeper(parts: KeeperParts, target: Target): () => Promise<void> {
  const { config, conditions, db, now, processes, readUptime } = parts
  const lease = processes.openLease('journal')
  /** Under which this process wrote last. */
  let fence = 0
  let sealing: FileSealing | undefined
  let upTo: number | undefined
  let head: string | undefined
  let headAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  let nextAt = Number.NEGATIVE_INFINITY
  let isBusy = false
  /** Those of before the start, and those that this process put there. */
  const known = new Set<string>()
  let sharedAt = Number.NEGATIVE_INFINITY

  /** The last row that is at the place. */
  async function findBeginning(keyMark: number): Promise<number> {
    const kept = await listJournalFiles(target, keyMark)
    for (const { name } of kept.files) known.add(name)
    head = kept.heads.at(-1)?.name
    const newest = Math.max(0, ...kept.files.map(({ to }) => to))
    if (newest <= (await findNewestEntry(db))) return newest
    // Rows of these ids are there, and others than those of this database: all of them are put there.
    noteShared(kept.files.at(-1)!.name)
    return 0
  }

  function noteShared(file: string): void {
    sharedAt = readUptime()
    conditions.begin({ ...shared, details: { file } })
  }

  async function lookForOthers(keyMark: number): Promise<void> {
    const { files } = await listJournalFiles(target, keyMark)
    const foreign = files.find(({ name }) => !known.has(name))
    for (const { name } of files) known.add(name)
    if (foreign) noteShared(foreign.name)
    else if (readUptime() - sharedAt > sharedForMs) conditions.end(shared.name)
  }

  /** Another process may have put files there since. */
  function beginAnew(): void {
    fence = lease.readFence()
    upTo = undefined
    head = undefined
    headAt = Number.NEGATIVE_INFINITY
    known.clear()
  }

  async function keep(): Promise<void> {
    if (!(await lease.hold())) return conditions.end(shared.name)
    if (lease.readFence() !== fence) beginAnew()
    const keyMark = await readMark(db)
    upTo ??= await findBeginning(keyMark)
    sealing ??= await makeFileSealing(config.backup.passphrase)
    // Read before the rows: everything until then is in them.
    const at = now()
    const settled = (await findNewestEntry(db)) > upTo ? await findSettledEntry(db) : upTo
    while (upTo < settled) {
      const rows: readonly JournalRow[] = (await listJournal(db, upTo, pageRows)).filter(({ id }) => id <= settled)
      const last = rows.at(-1)
      if (!last || !lease.isHeld()) break
      const name = nameJournalFile({ keyMark, from: upTo + 1, to: last.id, at })
      known.add(name)
      await putFile(target, name, packRows(rows, name, sealing))
      upTo = last.id
    }
    if (readUptime() - headAt < headEveryMs || !lease.isHeld()) return
    if (readUptime() - lookedAt >= lookEveryMs) {
      lookedAt = readUptime()
      await lookForOthers(keyMark)
    }
    const name = nameHead(keyMark, at)
    if (name !== head) await putFile(target, name, new Uint8Array())
    if (head !== undefined && head !== name) await target.remove(head)
    head = name
    headAt = readUptime()
  }

  return async () => {
    if (isBusy || readUptime() < nextAt) return
    isBusy = true
    try {
      await keep()
      conditions.end(unkept.name)
    } catch (error) {
      nextAt = readUptime() + againMs
      conditions.begin({
        ...unkept,
        details: { why: error instanceof BackupError ? error.message : String(error) },
      })
    } finally {
      isBusy = false
    }
  }
}

const shared: Condition = {
  name: 'journal-shared',
  level: 'warning',
  says: 'the journal at the place of the backups has entries that this server did not write',
  mend: 'if another server with the same master key writes there, give each a place of its own in backup.to. If the data folder was put back to an older state by hand, nothing is to do. It ends ten minutes after the last such entry',
}

const unkept: Condition = {
  name: 'journal-unkept',
  level: 'warning',
  says: 'what is taken away is not noted at the place of the backups, because the place cannot be written',
  mend: 'see whether backup.to can be reached and written, and its disk has room. It ends by itself',
}
