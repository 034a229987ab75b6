/** The erasure of an account: SQL and nothing else. It is one write, over everything that hangs on the account. */
import type { Db, Statement } from '../db/db.ts'
import { type SpentSignature, spendSignature } from '../db/spent-signature.ts'
import type { Caller } from '../http/caller.ts'
import type { AuditEvent } from '../sessions/audit.ts'
import { accountIdOf } from '../wallet/account.ts'
import { signedOnChain, signedOnChainParams } from './owner.ts'

interface Erasure {
  readonly erasedAt: number
  /** Requests that were signed before it are refused anyway. */
  readonly acceptedSince: number
  readonly forgetAt: number
}

/** The audit log says that something was erased, where there was something, and not what. */
const auditErasure = (wallet: string, contractOn: string | undefined, at: number): Statement => ({
  sql: `INSERT INTO audit_events (at, event, profile, details)
        SELECT ?1, ?2, (SELECT id FROM profiles WHERE account = ?3), '{}'
        FROM accounts WHERE address = ?4 AND all_count > 0`,
  params: [
    at,
    'proofs_erased' satisfies AuditEvent,
    contractOn === undefined ? wallet : accountIdOf(contractOn, wallet),
    wallet,
  ],
})

/**
 * Deletes everything of an account. Ids whose signed request would still be accepted are remembered until it no longer
 * is, so that nobody brings a proof back by sending it again. Returns the number of proofs, or 'spent'.
 */
export async function deleteAccount(
  db: Db,
  { wallet, contractOn }: Pick<Caller, 'wallet' | 'contractOn'>,
  spent: SpentSignature | undefined,
  { erasedAt, acceptedSince, forgetAt }: Erasure,
): Promise<number | 'spent'> {
  const id = '(SELECT id FROM accounts WHERE address = ?)'
  const [onlyThere, chain] =
    contractOn === undefined ? ['', []] : [` AND ${signedOnChain}`, signedOnChainParams(contractOn)]
  const spending = spendSignature(spent)
  const result = await db.write([
    ...spending,
    auditErasure(wallet, contractOn, erasedAt),
    {
      sql: `INSERT INTO erased_proofs (q52, expires_at)
            SELECT q52, ? FROM proofs WHERE account_id = ${id} AND signed_timestamp >= ?${onlyThere}
            ON CONFLICT (q52) DO UPDATE SET expires_at = excluded.expires_at`,
      params: [forgetAt, wallet, acceptedSince, ...chain],
    },
    {
      // Erasing a link dissolves it: revoked first, it ends what was made by it for other wallets of the person.
      sql: `UPDATE proofs SET revoked_at = ? WHERE account_id = ${id} AND revoked_at IS NULL${onlyThere}
            AND id IN (SELECT proof_id FROM wallet_links WHERE wallet = ?)`,
      params: [erasedAt, wallet, ...chain, wallet],
    },
    {
      // Before the proofs, of which it asks for the chain. Facts have no foreign key: it would need an index of its own.
      sql: `DELETE FROM proof_facts WHERE account_id = ${id}${onlyThere && ` AND proof_id IN (SELECT id FROM proofs WHERE account_id = ${id}${onlyThere})`}`,
      params: [wallet, ...(onlyThere ? [wallet, ...chain] : [])],
    },
    { sql: `DELETE FROM proofs WHERE account_id = ${id}${onlyThere}`, params: [wallet, ...chain] },
    {
      sql: `UPDATE payments SET ${blankPayment} WHERE id IN (SELECT payment ${fulfilledForNothing})`,
      params: [wallet, wallet],
    },
    { sql: `DELETE ${fulfilledForNothing}`, params: [wallet, wallet] },
    ...(contractOn === undefined
      ? [
          { sql: 'DELETE FROM access_grants WHERE viewer = ?', params: [wallet] },
          { sql: 'DELETE FROM accounts WHERE address = ?', params: [wallet] },
        ]
      : [{ sql: recount, params: [wallet] }]),
  ])
  return 'changes' in result ? (result.changes[spending.length + 4] ?? 0) : 'spent'
}

/** What a wallet got from gates for proofs that are gone. */
const fulfilledForNothing = `
  FROM fulfillments WHERE wallet = ? AND q_hash NOT IN (
    SELECT q_hash FROM proofs WHERE account_id = (SELECT id FROM accounts WHERE address = ?))`

/** The identity of a payment stays, so that it cannot be used again; who paid, how, and for which proof does not. */
const blankPayment = 'payer = NULL, details = NULL, q_hash = zeroblob(32), watch_at = NULL'

/** The counters of an account that keeps some of its proofs. */
const recount = `
  UPDATE accounts SET (current_count, listed_count, all_count, all_listed_count) = (
    SELECT
      count(*) FILTER (WHERE superseded = 0 AND revoked_at IS NULL),
      count(*) FILTER (WHERE superseded = 0 AND revoked_at IS NULL AND visibility = 2),
      count(*),
      count(*) FILTER (WHERE visibility = 2)
    FROM proofs WHERE account_id = accounts.id)
  WHERE address = ?`
