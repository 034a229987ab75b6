/** What opens with the store, wherever it keeps its data. */
import type { Db } from './db/db.ts'
import type { Parts } from './parts.ts'

export interface StoreParts extends Pick<Parts, 'conditions' | 'limiter' | 'log' | 'now'> {}

export interface OpenedStore extends Pick<Parts, 'continuous' | 'freeSpace' | 'reserve' | 'storage' | 'damage'> {
  /** Every write of a request is admitted first. */
  readonly db: Db
  readonly key: Uint8Array
  /** Resolves when the disk does not answer any more. The process cannot go on, nor close in order. */
  readonly hung: Promise<void>
  close(): Promise<void>
}
