/**
 * The wallets that belong to the same holder as another one, by wallet-link proofs: both of them have signed such a link,
 * so either may pay for the other. Links are not followed further: whom my other wallet is linked to, I have not signed.
 *
 * Does not look whether a linked wallet is a contract (stablecoin.ts does).
 */
import type { Db } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'

/** Nobody has more wallets to pay from. */
const mostWallets = 64

/** A superseded link does not count: whoever revokes the newest run of it wants to be rid of it. */
const selectLinked = `
  SELECT DISTINCT l.other FROM wallet_links l CROSS JOIN proofs p ON p.id = l.proof_id
  WHERE l.wallet = ?1 AND (?3 IS NULL OR l.chain = ?3)
    AND p.revoked_at IS NULL AND p.superseded = 0 AND (p.expires_at IS NULL OR p.expires_at > ?2)
    AND ${standsProof('p')}
  LIMIT ${mostWallets}`

/**
 * As stored, without the wallet itself. `contractOn` is the chain on which `wallet` is a contract wallet (CAIP-2): at its
 * address on others may be somebody else, whose links are not its own.
 */
export const linkedWallets = (db: Db, wallet: string, now: number, contractOn?: string): readonly string[] =>
  db
    .prepare<{ other: string }, [string, number, string | null]>(selectLinked)
    .all(wallet, now, contractOn ?? null)
    .map(({ other }) => other)
