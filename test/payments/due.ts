import type { Db } from '../../src/db/db.ts'
import { listDueSources, listWatched, type WatchedPayment } from '../../src/payments/store.ts'

/** Payments that are to be looked at by then, of every source. */
export const listDue = (db: Db, at: number): WatchedPayment[] =>
  listDueSources(db, at).flatMap((source) => listWatched(db, source, at, 1_000))
