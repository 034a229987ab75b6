/** Returns empty pages to the file system, some at a time: the file shrinks from its end. */
import type { Db } from './db.ts'

/** Kept for what is stored next: growing the file again would cost more than it takes. */
const keptPages = 4_096
const slicePages = 64

interface Pages {
  readonly free: number
  readonly inAll: number
  /** 2: pages can be given back one by one. 0: only `proofgate compact` can, because the file is older. */
  readonly mode: number
}

const selectPages = `SELECT (SELECT freelist_count FROM pragma_freelist_count()) AS free,
  (SELECT page_count FROM pragma_page_count()) AS inAll, (SELECT auto_vacuum FROM pragma_auto_vacuum()) AS mode`

/** Pages that are more than what is kept. */
export function countSparePages(db: Db): number {
  const { free, inAll, mode } = db.prepare<Pages, []>(selectPages).get() ?? { free: 0, inAll: 0, mode: 0 }
  return mode === 2 ? Math.max(0, free - Math.max(keptPages, Math.floor(inAll / 20))) : 0
}

/** One slice, as an ordinary write: it shares its commit, and delays others no longer than that. */
export const giveBackSlice = (db: Db): Promise<unknown> =>
  db.write([{ sql: `PRAGMA incremental_vacuum(${slicePages})`, params: [] }], 'free')
