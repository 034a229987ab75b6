import type { Db } from '../../src/db/db.ts'
import { flatMapInOrder } from '../../src/in-order.ts'
import { listDueSources, listWatched, type WatchedPayment } from '../../src/payments/store.ts'

/** Payments that are to be looked at by then, of every source. */
export const listDue = async (db: Db, at: number): Promise<WatchedPayment[]> =>
  flatMapInOrder(await listDueSources(db, at), (source) => listWatched(db, source, at, 1_000))
