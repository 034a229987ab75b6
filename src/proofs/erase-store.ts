/**
 * The erasure of an account: SQL and nothing else. One write begins it: from then on nobody finds anything of the account.
 * Slices of bounded size delete the rows afterwards, each its own write, so that other writes go in between.
 */
import { randomBytes } from 'node:crypto'
import type { Db, SqlValue, Statement } from '../db/db.ts'
import { rowsChanged } from '../db/rows-changed.ts'
import { type SpentSignature, spendSignature, trySpendSignature } from '../db/spent-signature.ts'
import { noteTrace } from '../db/traces.ts'
import type { AuditEvent } from '../sessions/audit.ts'
import { type Account, type AccountText, accountText, parseAccount, readWallet } from '../wallet/account.ts'
import { findOwnRows } from './account-store.ts'
import { closeReceipt, openReceipt } from './receipt-store.ts'

export interface ErasureTimes {
  readonly erasedAt: number
  /** Requests that were signed before it are refused anyway. */
  readonly acceptedSince: number
  readonly forgetAt: number
}

/** One that has begun. Its rows are bounded, so that what is made afterwards stays. */
export interface Erasure extends ErasureTimes {
  readonly handle: string
  /** accounts.id: of the account that lost its name. */
  readonly accountId: number
  /** The name it had: accounts.address. */
  readonly wallet: string
  readonly proofsUpTo: number
  readonly fulfillmentsUpTo: number
  /** Null for one of an older build. */
  readonly receipt: string | null
}

/** The audit log says that something was erased, where there was something, and not what. */
const auditErasure = (account: Account, names: readonly string[], at: number): Statement => ({
  sql: `INSERT INTO audit_events (at, event, profile, details)
        SELECT ?1, ?2, (SELECT id FROM profiles WHERE account = ?3), '{}'
        WHERE EXISTS (
          SELECT 1 FROM accounts WHERE address IN (SELECT value FROM json_each(?4)) AND all_count > 0)`,
  params: [at, 'proofs_erased' satisfies AuditEvent, accountText(account), JSON.stringify(names)],
})

/**
 * The account keeps its rows and loses its name: O(1), however many proofs it has. The wallet gets a new account with its
 * next proof.
 */
const parkAccount = (name: string, parked: string): Statement[] => [
  { sql: 'UPDATE accounts SET address = ?2 WHERE address = ?1', params: [name, parked] },
  { sql: 'INSERT INTO accounts (address) VALUES (?1) ON CONFLICT (address) DO NOTHING', params: [parked] },
]

const insertErasure = `
  INSERT INTO erasures (handle, account_id, wallet, proofs_up_to, fulfillments_up_to, erased_at, accepted_since, forget_at,
    receipt)
  SELECT ?1, coalesce((SELECT id FROM accounts WHERE address = ?2), 0), ?3,
    (SELECT coalesce(max(id), 0) FROM proofs), (SELECT coalesce(max(id), 0) FROM fulfillments), ?4, ?5, ?6, ?7`

const selectAnything = `
  SELECT 1 AS found FROM fulfillments WHERE wallet = ?1
  UNION ALL SELECT 1 FROM access_grants WHERE viewer = ?1
  UNION ALL SELECT 1 FROM unmatched_payments WHERE wallet = ?1
  UNION ALL SELECT 1 FROM reservations WHERE wallet = ?1
  UNION ALL SELECT 1 FROM unpaid_places WHERE wallet = ?1
  UNION ALL SELECT 1 FROM offered_transfers WHERE wallet = ?1
  UNION ALL SELECT 1 FROM settlements WHERE wallet = ?1 LIMIT 1`

const hasAnything = (db: Db, account: Account): boolean =>
  findOwnRows(db, account).length > 0 || db.prepare<object, [string]>(selectAnything).get(accountText(account)) !== null

/**
 * Begins the erasure of an account, and of each that it may be (account-store.ts), durably. 'spent' when the signature was
 * used before.
 */
export async function beginErasure(
  db: Db,
  account: Account,
  spent: SpentSignature | undefined,
  { erasedAt, acceptedSince, forgetAt }: ErasureTimes,
): Promise<readonly Erasure[] | 'spent' | 'nothing'> {
  // Whoever has no account leaves nothing but the mark that the text was used.
  if (!hasAnything(db, account)) return (await trySpendSignature(db, spent, { purpose: 'mark' })) ? 'nothing' : 'spent'
  const names = [...new Set([accountText(account), ...findOwnRows(db, account).map(({ address }) => address)])]
  const begins = names.map((name) => ({ name, handle: randomBytes(16).toString('hex') }))
  const receipt = randomBytes(16).toString('hex')
  const result = await db.write(
    [
      ...spendSignature(spent),
      auditErasure(account, names, erasedAt),
      ...begins.flatMap(({ name, handle }) => [
        ...parkAccount(name, makeParkedName(handle)),
        {
          sql: insertErasure,
          params: [handle, makeParkedName(handle), name, erasedAt, acceptedSince, forgetAt, receipt],
        },
      ]),
      openReceipt(receipt, spent, erasedAt),
    ],
    'mark',
  )
  if ('refusedAt' in result) return 'spent'
  return begins.map(({ handle }) => {
    const begun = db.prepare<Erasure, [string]>(`SELECT ${columns} FROM erasures WHERE handle = ?1`).get(handle)
    if (!begun) throw new Error('an erasure that was begun is not there')
    return begun
  })
}

const makeParkedName = (handle: string): string => `erased:${handle}`

const columns = `handle, account_id AS accountId, wallet, proofs_up_to AS proofsUpTo,
  fulfillments_up_to AS fulfillmentsUpTo, erased_at AS erasedAt, accepted_since AS acceptedSince, forget_at AS forgetAt, receipt`

/** The next one that has begun and is not finished, by handle. */
export const findErasureAfter = (db: Db, handle: string): Erasure | undefined =>
  db
    .prepare<Erasure, [string]>(`SELECT ${columns} FROM erasures WHERE handle > ?1 ORDER BY handle LIMIT 1`)
    .get(handle) ?? undefined

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

/** Changes no row when another call did it. A parked account goes, unless a proof was being stored for it. */
export const endErasure = async (db: Db, { handle, accountId, receipt }: Erasure, at: number): Promise<boolean> => {
  const result = await db.write(
    [
      { sql: 'DELETE FROM erasures WHERE handle = ?1', params: [handle] },
      { sql: 'DELETE FROM proof_facts WHERE account_id = ?1', params: [accountId] },
      {
        sql: 'DELETE FROM accounts WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM proofs WHERE account_id = ?1)',
        params: [accountId],
      },
      noteTrace(at),
      ...(receipt === null ? [] : [closeReceipt(receipt, at)]),
    ],
    'free',
  )
  return rowsChanged(result) > 0
}
