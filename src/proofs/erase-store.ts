/** Deletes proofs, their look-up data and shares for an erasure: SQL and nothing else. */
import type { Statement } from '../db/db.ts'
import { type ErasureBounds, type ErasureStage, isFound, type Selection } from '../db/erasing.ts'
import { readWallet } from '../wallet/account.ts'

/**
 * The account keeps its rows and loses its name: O(1), however many proofs it has. The wallet gets a new account with its
 * next proof.
 */
export const parkAccount = (name: string, parked: string): Statement[] => [
  { sql: 'UPDATE accounts SET address = ?2 WHERE address = ?1', params: [name, parked] },
  { sql: 'INSERT INTO accounts (address) VALUES (?1) ON CONFLICT (address) DO NOTHING', params: [parked] },
]

/** A parked account goes, unless a proof was being stored for it. */
export const dropParkedAccount = (accountId: number): Statement[] => [
  { sql: 'DELETE FROM proof_facts WHERE account_id = ?1', params: [accountId] },
  {
    sql: 'DELETE FROM accounts WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM proofs WHERE account_id = ?1)',
    params: [accountId],
  },
]

/** Finds a row where one of these accounts has proofs. Its parameter is the fourth of the statement that asks. */
export const selectAccountsWithProofs = (names: readonly string[]): Selection => ({
  sql: 'SELECT 1 FROM accounts WHERE address IN (SELECT value FROM json_each(?4)) AND all_count > 0',
  params: [JSON.stringify(names)],
})

/** Links that the account signed, by the key of wallet_links, so that each slice begins where the one before ended. */
const selectLinks = ({ wallet, accountId, proofsUpTo }: ErasureBounds): Selection => ({
  sql: `SELECT l.proof_id FROM wallet_links l
        WHERE l.wallet = ? AND EXISTS (
          SELECT 1 FROM proofs WHERE id = l.proof_id AND account_id = ? AND id <= ?)`,
  params: [readWallet(wallet), accountId, proofsUpTo],
})

/** One link may end a thousand things (source-store.ts). */
const rowsPerLink = 16

/**
 * Erasing a link dissolves it. It is revoked first, which ends its effects for the person's other wallets. Only current
 * runs are revoked, because the trigger ends all runs of a link. One by one would be quadratic in them.
 */
export const erasureOfLinks: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectLinks(erasure)),
  slice(erasure, rows) {
    const found = selectLinks(erasure)
    const chosen = `(${found.sql} ORDER BY l.wallet, l.other, l.proof_id LIMIT ?)`
    const params = [...found.params, Math.ceil(rows / rowsPerLink)]
    return [
      {
        sql: `UPDATE proofs SET revoked_at = ? WHERE id IN ${chosen} AND revoked_at IS NULL AND superseded = 0`,
        params: [erasure.erasedAt, ...params],
      },
      { sql: `DELETE FROM wallet_links WHERE proof_id IN ${chosen}`, params },
    ]
  },
}

/** A lookup fact takes a tenth of the time of a proof. */
const factsPerProof = 10

/** A parked account is never looked up, so its facts can go first. */
export const erasureOfFacts: ErasureStage = {
  isLeft: (db, { accountId }) =>
    isFound(db, { sql: 'SELECT 1 FROM proof_facts WHERE account_id = ?', params: [accountId] }),
  slice: ({ accountId }, rows) => [
    {
      sql: `DELETE FROM proof_facts WHERE account_id = ?1 AND (fact52, proof_id) IN
              (SELECT fact52, proof_id FROM proof_facts WHERE account_id = ?1 ORDER BY fact52, proof_id LIMIT ?2)`,
      params: [accountId, rows * factsPerProof],
    },
  ],
}

const selectProofs = ({ accountId, proofsUpTo }: ErasureBounds): Selection => ({
  sql: 'SELECT id FROM proofs WHERE account_id = ? AND id <= ?',
  params: [accountId, proofsUpTo],
})

/**
 * Ids whose signed request would still be accepted are remembered until it is too old. So sending it again brings no
 * proof back. Texts from a fast clock are remembered longer. Content, envelope, shares, names and publishing orders go
 * with their proof.
 */
export const erasureOfProofs: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectProofs(erasure)),
  slice(erasure, rows) {
    const { erasedAt, acceptedSince, forgetAt } = erasure
    const found = selectProofs(erasure)
    const chosen = `(${found.sql} ORDER BY id LIMIT ?)`
    const params = [...found.params, rows]
    return [
      {
        sql: `INSERT INTO erased_proofs (q52, expires_at)
              SELECT q52, max(?, signed_timestamp + ?) FROM proofs WHERE id IN ${chosen} AND signed_timestamp >= ?
              ON CONFLICT (q52) DO UPDATE SET expires_at = excluded.expires_at`,
        params: [forgetAt, forgetAt - erasedAt, ...params, acceptedSince],
      },
      // Tells how many are left (receipt-store.ts).
      {
        sql: `UPDATE accounts SET all_count = max(0, all_count - (SELECT count(*) FROM (${found.sql} ORDER BY id LIMIT ?) gone)) WHERE id = ?`,
        params: [...params, erasure.accountId],
      },
      { sql: `DELETE FROM proofs WHERE id IN ${chosen}`, params },
    ]
  },
}

/** Shares of other people's proofs. Shares granted after the erasure began stay. */
const viewerGrants = 'FROM access_grants WHERE viewer = ?1 AND created_at <= ?2'

export const erasureOfGrants: ErasureStage = {
  isLeft: (db, { wallet, erasedAt }) =>
    isFound(db, { sql: `SELECT 1 AS one ${viewerGrants}`, params: [wallet, erasedAt] }),
  slice: ({ wallet, erasedAt }, rows) => [
    {
      sql: `DELETE FROM access_grants WHERE (proof_id, viewer) IN
              (SELECT proof_id, viewer ${viewerGrants} ORDER BY proof_id LIMIT ?3)`,
      params: [wallet, erasedAt, rows],
    },
  ],
}
