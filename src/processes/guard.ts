/** Work under a lease writes through a store of its own, so that no write can forget the guard. */
import type { Db } from '../db/db.ts'
import type { LeaseName } from './lease-names.ts'
import { type Lease, LeaseLostError } from './processes.ts'

/** The store itself where it is not shared. Errors of its writes: LeaseLostError, after which nothing is stored. */
export const guardWrites = (db: Db, lease: Lease, name: LeaseName): Db =>
  db.isShared
    ? {
        ...db,
        async write(statements, purpose) {
          const guard = lease.guard()
          const result = await db.write([...guard, ...statements], purpose)
          if ('changes' in result) return { ...result, changes: result.changes.slice(guard.length) }
          if (result.refusedAt < guard.length) throw new LeaseLostError(name)
          return { refusedAt: result.refusedAt - guard.length }
        },
      }
    : db
