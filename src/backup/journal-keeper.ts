/** Keeps the journal at the place of the backups while the server runs: what is taken away is there within seconds. */
import type { Condition } from '../conditions.ts'
import { readMark } from '../db/key-mark.ts'
import { findNewestEntry, listJournal } from '../journal/store.ts'
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

type KeeperParts = Pick<Parts, 'config' | 'conditions' | 'db' | 'now' | 'readUptime'>

const everyMs = 1_000
const headEveryMs = 60_000
const pageRows = 1_000
/** After a failure. A place that is gone for a while need not be asked each second. */
const againMs = 15_000

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
  const { config, conditions, db, now, readUptime } = parts
  let sealing: FileSealing | undefined
  let upTo: number | undefined
  let head: string | undefined
  let headAt = Number.NEGATIVE_INFINITY
  let nextAt = Number.NEGATIVE_INFINITY
  let isBusy = false

  async function keep(): Promise<void> {
    const keyMark = await readMark(db)
    if (upTo === undefined) {
      const kept = await listJournalFiles(target, keyMark)
      upTo = kept.files.at(-1)?.to ?? 0
      head = kept.heads.at(-1)?.name
    }
    sealing ??= await makeFileSealing(config.backup.passphrase)
    // Read before the rows: everything until then is in them.
    const at = now()
    while ((await findNewestEntry(db)) > upTo) {
      const rows = await listJournal(db, upTo, pageRows)
      const last = rows.at(-1)
      if (!last) break
      const name = nameJournalFile({ keyMark, from: upTo + 1, to: last.id, at })
      await putFile(target, name, packRows(rows, name, sealing))
      upTo = last.id
    }
    if (readUptime() - headAt < headEveryMs) return
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

const unkept: Condition = {
  name: 'journal-unkept',
  level: 'warning',
  says: 'what is taken away is not noted at the place of the backups, because the place cannot be written',
  mend: 'see whether backup.to can be reached and written, and its disk has room. It ends by itself',
}
