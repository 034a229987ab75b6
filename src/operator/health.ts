/** How the server is: what it holds and uses, what the configuration most likely does not mean, and what does not answer. */
import { stat, statfs } from 'node:fs/promises'
import { databaseFileIn } from '../db/db.ts'
import { adviceOn } from '../doctor/advice.ts'
import { examineDisk } from '../doctor/disk.ts'
import type { Found } from '../doctor/examine.ts'
import type { Parts } from '../parts.ts'
import { version } from '../version.ts'

export interface Examination {
  readonly at: number
  readonly findings: readonly Found[]
}

export interface Examiner {
  /** The newest there is. */
  last(): Examination | undefined
  /** Tries everything outside, unless that was done just now. */
  examine(): Promise<Examination>
}

/** Providers may count each call: nobody can make more of them by asking more often. */
const keptMs = 30_000
/** Of one source. A page waits for it. */
const withinEachMs = 20_000

export function openExaminer({ config, outside, now }: Parts): Examiner {
  let last: Examination | undefined
  let running: Promise<Examination> | undefined
  const examineNow = async (): Promise<Examination> => {
    // Loaded by whoever asks first: no start waits for what asks all sources.
    const { examineAll } = await import('../doctor/examine.ts')
    const findings = [...examineDisk(config), ...(await examineAll({ config, outside }, { withinEachMs }))]
    last = { at: now(), findings }
    return last
  }
  return {
    last: () => last,
    async examine() {
      if (last && Math.abs(now() - last.at) < keptMs) return last
      running ??= examineNow().finally(() => {
        running = undefined
      })
      return running
    },
  }
}

export async function healthOf(parts: Parts, startedAt: number, examiner: Examiner) {
  const { config, now, db, freeSpace } = parts
  const [file, log, disk] = await Promise.all([
    sizeOf(databaseFileIn(config.data)),
    sizeOf(`${databaseFileIn(config.data)}-wal`),
    spaceIn(config.data),
  ])
  const { rss, heapUsed } = process.memoryUsage()
  const failure = db.writeFailure()
    ? 'Nothing can be written any more: restart Proofgate, and see its log'
    : freeSpace.isBelowFloor()
      ? `The disk has less than ${config.storage.minFreeMb} MiB free (storage.min_free_mb), so nothing new is stored: free some space`
      : undefined
  return {
    status: failure ? 'failing' : 'ok',
    version,
    startedAt,
    uptimeSeconds: Math.floor((now() - startedAt) / 1000),
    database: {
      bytes: file ?? pagesOf(parts),
      logBytes: log ?? 0,
      ...(failure ? { failure } : {}),
    },
    disk,
    memory: { residentBytes: rss, heapBytes: heapUsed },
    counts: totalsOf(parts),
    advice: adviceOn(config),
    examination: examiner.last() ?? null,
  }
}

/** Undefined for a file that is not there: a database in memory has none. */
const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  )

const spaceIn = (folder: string): Promise<{ readonly freeBytes: number; readonly totalBytes: number } | null> =>
  statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
    () => null,
  )

const pagesOf = ({ db }: Parts): number =>
  db
    .prepare<{ bytes: number }, []>(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
    )
    .get()?.bytes ?? 0

const totalsOf = ({ db }: Parts): { readonly accounts: number; readonly proofs: number } =>
  db.prepare<{ accounts: number; proofs: number }, []>('SELECT accounts, proofs FROM totals WHERE id = 1').get() ?? {
    accounts: 0,
    proofs: 0,
  }
