/** The time between the beginning of an erasure and its end. */
import type { Db } from '../../src/db/db.ts'

/** As an erasure that has begun, and that another process goes on with: nothing of it is deleted yet. */
export const beginErasure = (db: Db, wallet: string, at: number) =>
  db.write([
    {
      sql: `INSERT INTO erasures (handle, account_id, wallet, proofs_up_to, fulfillments_up_to, erased_at, accepted_since, forget_at)
            VALUES ('begun', -1, ?1, 0, (SELECT coalesce(max(id), 0) FROM fulfillments), ?2, ?2, ?2)`,
      params: [wallet, at],
    },
  ])
