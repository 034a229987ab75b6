/**
 * What an erasure deletes, part by part: SQL and nothing else. Each slice of a part is a write of its own and bounded in its
 * rows, so that other writes go in between.
 */
import type { Db, SqlValue, Statement } from '../db/db.ts'
import { type AccountText, parseAccount, readWallet } from '../wallet/account.ts'
import type { Erasure } from './erase-store.ts'

/** A part of the work. `isLeft` is a read, so that a part with nothing to do costs no write. */
export interface ErasureStage {
  readonly countsProofs: boolean
  isLeft(db: Db, erasure: Erasure): boolean
  /** Deletes up to `rows`; the last statement tells how many. */
  slice(erasure: Erasure, rows: number): readonly Statement[]
}

interface Selection {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

const isFound = (db: Db, { sql, params }: Selection): boolean =>
  db.prepare<object, SqlValue[]>(`${sql} LIMIT 1`).get(...params) !== null

/** Links that the account signed, by the key of wallet_links, so that each slice begins where the one before ended. */
const selectLinks = ({ wallet, accountId, proofsUpTo }: Erasure): Selection => ({
  sql: `SELECT l.proof_id FROM wallet_links l
        WHERE l.wallet = ? AND EXISTS (
          SELECT 1 FROM proofs WHERE id = l.proof_id AND account_id = ? AND id <= ?)`,
  params: [readWallet(wallet), accountId, proofsUpTo],
})

/** One link may end a thousand things (source-store.ts). */
const rowsPerLink = 16

/**
 * Erasing a link dissolves it: revoked first, it ends what was made by it for other wallets of the person. Only current
 * runs are revoked, because the trigger ends for all runs of a link: one by one would be quadratic in them.
 */
const links: ErasureStage = {
  countsProofs: false,
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

/** A parked account is looked up by nobody, so its facts can go first. */
const facts: ErasureStage = {
  countsProofs: false,
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

const selectProofs = ({ accountId, proofsUpTo }: Erasure): Selection => ({
  sql: 'SELECT id FROM proofs WHERE account_id = ? AND id <= ?',
  params: [accountId, proofsUpTo],
})

/**
 * Ids whose signed request would still be accepted are remembered until it no longer is, so that nobody brings a proof
 * back by sending it again; one that was signed by a clock that was ahead, the longer. Content, envelope, shares, names and orders to publish go with their proof.
 */
const proofs: ErasureStage = {
  countsProofs: true,
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
        sql: `UPDATE accounts SET all_count = max(0, all_count - (SELECT count(*) FROM ${chosen})) WHERE id = ?`,
        params: [...params, erasure.accountId],
      },
      { sql: `DELETE FROM proofs WHERE id IN ${chosen}`, params },
    ]
  },
}

/** What a wallet got from gates for proofs that are gone. */
const selectFulfillments = ({ wallet, fulfillmentsUpTo }: Erasure): Selection => ({
  sql: 'SELECT id FROM fulfillments WHERE wallet = ? AND id <= ?',
  params: [wallet, fulfillmentsUpTo],
})

/** The identity of a payment stays, so that it cannot be used again; who paid, how, and for which proof does not. */
const blankPayment = 'payer = NULL, details = NULL, q_hash = zeroblob(32), watch_at = NULL'

const fulfillments: ErasureStage = {
  countsProofs: false,
  isLeft: (db, erasure) => isFound(db, selectFulfillments(erasure)),
  slice(erasure, rows) {
    const found = selectFulfillments(erasure)
    const chosen = `(${found.sql} ORDER BY id LIMIT ?)`
    const params = [...found.params, rows]
    return [
      {
        sql: `UPDATE payments SET ${blankPayment} WHERE id IN (SELECT payment FROM fulfillments WHERE id IN ${chosen})`,
        params,
      },
      { sql: `DELETE FROM fulfillments WHERE id IN ${chosen}`, params },
    ]
  },
}

/** Of a table that names the buyer's wallet: the rows from before the erasure began. What was made after that stays. */
const selectEarlier = (
  { wallet, erasedAt }: Erasure,
  table: 'checkouts' | 'quotes' | 'reservations' | 'settlements' | 'unmatched_payments' | 'unpaid_places',
  columns: string,
): Selection => ({
  sql: `SELECT ${columns} FROM ${table} WHERE wallet = ? AND created_at <= ?`,
  params: [wallet, erasedAt],
})

const selectUnmatched = (erasure: Erasure): Selection => selectEarlier(erasure, 'unmatched_payments', 'id')

/**
 * Money that bought nothing stays known to the seller who owes it: its identity, amount and state. Who paid, and for
 * which proof, does not. Where somebody else paid, that wallet stays known, so that whoever has it finds the money.
 */
const isPaidByOther = 'payer IS NOT NULL AND payer <> ?'

const unmatched: ErasureStage = {
  countsProofs: false,
  isLeft: (db, erasure) => isFound(db, selectUnmatched(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectUnmatched(erasure)
    const payer = [parseAccount(erasure.wallet as AccountText).wallet]
    return [
      {
        sql: `UPDATE unmatched_payments
              SET wallet = NULL, q_hash = NULL,
                payer = CASE WHEN ${isPaidByOther} THEN payer END,
                details = CASE WHEN ${isPaidByOther} THEN json_remove(details, '$.quoteId') END,
                transaction_hash = CASE WHEN ${isPaidByOther} THEN transaction_hash END
              WHERE id IN (${sql} ORDER BY id LIMIT ?)`,
        params: [...payer, ...payer, ...payer, ...params, rows],
      },
    ]
  },
}

const selectPlaces = (erasure: Erasure): Selection => selectEarlier(erasure, 'reservations', 'gate, wallet')
const selectUnpaid = (erasure: Erasure): Selection => selectEarlier(erasure, 'unpaid_places', 'gate, wallet')
const selectUnderWay = (erasure: Erasure): Selection => selectEarlier(erasure, 'settlements', 'identity')

/** Places end; a payment that may be moving is followed to its end, without the name of whom it is for. */
const paying: ErasureStage = {
  countsProofs: false,
  isLeft: (db, erasure) => [selectPlaces, selectUnpaid, selectUnderWay].some((select) => isFound(db, select(erasure))),
  slice(erasure, rows) {
    const places = selectPlaces(erasure)
    const unpaid = selectUnpaid(erasure)
    const underWay = selectUnderWay(erasure)
    return [
      {
        sql: `DELETE FROM reservations WHERE (gate, wallet) IN (${places.sql} LIMIT ?)`,
        params: [...places.params, rows],
      },
      {
        sql: `DELETE FROM unpaid_places WHERE (gate, wallet) IN (${unpaid.sql} LIMIT ?)`,
        params: [...unpaid.params, rows],
      },
      {
        sql: `UPDATE settlements SET wallet = '', q_hash = zeroblob(32)
              WHERE identity IN (SELECT identity FROM (${underWay.sql} LIMIT ?))`,
        params: [...underWay.params, rows],
      },
    ]
  },
}

const selectCheckouts = (erasure: Erasure): Selection => selectEarlier(erasure, 'checkouts', 'session_id')

/**
 * A page of payment may still be paid, so its row stays until that is known, without its buyer. What is paid for a proof
 * that is gone is refunded.
 */
const checkouts: ErasureStage = {
  countsProofs: false,
  isLeft: (db, erasure) => isFound(db, selectCheckouts(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectCheckouts(erasure)
    return [
      {
        sql: `UPDATE checkouts SET wallet = NULL WHERE session_id IN (${sql} LIMIT ?)`,
        params: [...params, rows],
      },
    ]
  },
}

const selectOffered = ({ wallet, erasedAt }: Erasure): Selection => ({
  sql: 'SELECT transaction_hash, wallet FROM offered_transfers WHERE wallet = ? AND first_at <= ?',
  params: [wallet, erasedAt],
})
const selectQuotes = (erasure: Erasure): Selection => selectEarlier(erasure, 'quotes', 'quote_id')

/**
 * Prices that the wallet was told, for proofs that are gone. One may have been paid by others by now, so it stands to its
 * end without its buyer, who alone knows its id. When the wallet offered what, goes.
 */
const quotes: ErasureStage = {
  countsProofs: false,
  isLeft: (db, erasure) => isFound(db, selectQuotes(erasure)) || isFound(db, selectOffered(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectQuotes(erasure)
    const offered = selectOffered(erasure)
    return [
      {
        sql: `DELETE FROM offered_transfers WHERE (transaction_hash, wallet) IN (${offered.sql} LIMIT ?)`,
        params: [...offered.params, rows],
      },
      {
        sql: `UPDATE quotes SET wallet = '', q_hash = zeroblob(32) WHERE quote_id IN (${sql} LIMIT ?)`,
        params: [...params, rows],
      },
    ]
  },
}

/** Shares of other people's proofs. Those that were given after the erasure began stay. */
const viewerGrants = 'FROM access_grants WHERE viewer = ?1 AND created_at <= ?2'

const grants: ErasureStage = {
  countsProofs: false,
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

export const erasureStages: readonly ErasureStage[] = [
  links,
  facts,
  proofs,
  fulfillments,
  unmatched,
  paying,
  checkouts,
  quotes,
  grants,
]
