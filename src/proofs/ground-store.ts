/** What must still be the same when something is written: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import { pick, query } from '../db/query.ts'
import type { Ground } from '../request-scope.ts'
import { type Account, writeAccount } from '../wallet/account.ts'
import { readFirst52Bits } from './proof.ts'

/** First in a write that counts rows of a proof: of two at once, the second counts those of the first. */
export const holdProof = (proofId: number): Statement => ({
  sql: 'SELECT 1 FROM proofs WHERE id = ?1',
  params: [proofId],
  mustFind: true,
  holds: 'update',
})

/**
 * Refuses its write when the proof was erased meanwhile. Another proof may have its row number then, and never its id.
 * `proofId`: proofs.id.
 */
export const requireSameProof = (proofId: number, qHash: string): Statement => ({
  sql: 'SELECT 1 FROM proofs WHERE id = ?1 AND q_hash = unhex(?2)',
  params: [proofId, qHash.slice(2)],
  mustFind: true,
  holds: 'update',
})

/** Refuses its write when the proof was erased meanwhile, with all that its wallet left. */
export const requireStandingProof = (qHash: string): Statement => ({
  sql: `SELECT 1 FROM proofs p WHERE p.q52 = ?1 AND p.q_hash = unhex(?2) AND ${standsProof('p')}`,
  params: [readFirst52Bits(qHash), qHash.slice(2)],
  mustFind: true,
  holds: 'share',
})

const sameAccount = 'SELECT 1 FROM accounts WHERE address = ?1 AND id = ?2'

const selectAccountGround = query<[string]>()`SELECT ${pick('accounts', 'id')} FROM accounts WHERE address = ?1`

/** The account that a request without the wallet's signature acts on. An erasure gives the wallet another account row (erasure/store.ts). Undefined for an account that has none yet. */
export async function findAccountGround(db: Db, account: Account): Promise<Ground | undefined> {
  const text = writeAccount(account)
  const found = await db.read(selectAccountGround).get(text)
  // The counters of its row change with each proof.
  return found ? { sql: sameAccount, params: [text, found.id], holds: 'key' } : undefined
}
