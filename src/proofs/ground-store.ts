/** What a request without the wallet's signature acts on, beside its credential: SQL and nothing else. */
import type { Db } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import type { Ground } from '../request-scope.ts'
import { first52 } from './proof.ts'

const sameAccount = 'SELECT 1 FROM accounts WHERE address = ?1 AND id = ?2'

/** An erasure gives the wallet another account row (erase-store.ts). Undefined for a wallet that has none yet. */
export function findAccountGround(db: Db, wallet: string): Ground | undefined {
  const account = db.prepare<{ id: number }, [string]>('SELECT id FROM accounts WHERE address = ?1').get(wallet)
  return account ? { sql: sameAccount, params: [wallet, account.id] } : undefined
}

/** The delegation of a wallet to an app, as long as nothing replaced or revoked it. */
export const delegationGround = (qHash: string): Ground => ({
  sql: `SELECT 1 FROM proofs p WHERE p.q52 = ?1 AND p.q_hash = unhex(?2) AND p.revoked_at IS NULL AND p.superseded = 0
          AND ${standsProof('p')}`,
  params: [first52(qHash), qHash.slice(2)],
})
