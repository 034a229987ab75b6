/**
 * The erasure of an account: SQL and nothing else. One write begins it: from then on nobody finds anything of the account.
 * Slices of bounded size delete the rows afterwards, each its own write, so that other writes go in between.
 */
import { randomBytes } from 'node:crypto'
import type { Db, SqlValue, Statement } from '../db/db.ts'
import { rowsChanged } from '../db/rows-changed.ts'
import { type SpentSignature, spendSignature, trySpendSignature } from '../db/spent-signature.ts'
import type { Caller } from '../http/caller.ts'
import type { AuditEvent } from '../sessions/audit.ts'
import { accountIdOf } from '../wallet/account.ts'
import { signedOnChain, signedOnChainParams } from './owner.ts'

export interface ErasureTimes {
  readonly erasedAt: number
  /** Requests that were signed before it are refused anyway. */
  readonly acceptedSince: number
  readonly forgetAt: number
}

/** One that has begun. Its rows are bounded, so that what is made afterwards stays. */
export interface Erasure extends ErasureTimes {
  readonly handle: string
  /** accounts.id: of the account that lost its address, or of the wallet for a contract wallet. */
  readonly accountId: number
  readonly wallet: string
  /** CAIP-2 id of the chain on which the wallet is a contract; null for a wallet with a key. */
  readonly contractOn: string | null
  readonly proofsUpTo: number
  readonly fulfillmentsUpTo: number
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
 * The account keeps its rows and loses its address: O(1), however many proofs it has. The wallet gets a new account with
 * its next proof. A contract wallet keeps its account, because the same address may be somebody else on other chains.
 */
const parkAccount = (wallet: string, parked: string): Statement[] => [
  { sql: 'UPDATE accounts SET address = ?2 WHERE address = ?1', params: [wallet, parked] },
  { sql: 'INSERT INTO accounts (address) VALUES (?1) ON CONFLICT (address) DO NOTHING', params: [parked] },
]

const insertErasure = `
  INSERT INTO erasures (handle, account_id, wallet, contract_on, proofs_up_to, fulfillments_up_to, erased_at,
    accepted_since, forget_at)
  SELECT ?1, coalesce((SELECT id FROM accounts WHERE address = ?2), 0), ?3, ?4,
    (SELECT coalesce(max(id), 0) FROM proofs), (SELECT coalesce(max(id), 0) FROM fulfillments), ?5, ?6, ?7`

const selectAnything = `
  SELECT 1 AS found FROM accounts WHERE address = ?1
  UNION ALL SELECT 1 FROM fulfillments WHERE wallet = ?1
  UNION ALL SELECT 1 FROM access_grants WHERE viewer = ?1
  UNION ALL SELECT 1 FROM unmatched_payments WHERE wallet = ?1
  UNION ALL SELECT 1 FROM reservations WHERE wallet = ?1
  UNION ALL SELECT 1 FROM settlements WHERE wallet = ?1 LIMIT 1`

const hasAnything = (db: Db, wallet: string): boolean =>
  db.prepare<object, [string]>(selectAnything).get(wallet) !== null

/** Begins the erasure, durably. 'spent' when the signature was used before. */
export async function beginErasure(
  db: Db,
  { wallet, contractOn }: Pick<Caller, 'wallet' | 'contractOn'>,
  spent: SpentSignature | undefined,
  { erasedAt, acceptedSince, forgetAt }: ErasureTimes,
): Promise<Erasure | 'spent' | 'nothing'> {
  // Whoever has no account leaves nothing but the mark that the text was used.
  if (!hasAnything(db, wallet)) return (await trySpendSignature(db, spent, { purpose: 'mark' })) ? 'nothing' : 'spent'
  const handle = randomBytes(16).toString('hex')
  const parked = `erased:${handle}`
  const result = await db.write(
    [
      ...spendSignature(spent),
      auditErasure(wallet, contractOn, erasedAt),
      ...(contractOn === undefined ? parkAccount(wallet, parked) : []),
      {
        sql: insertErasure,
        params: [
          handle,
          contractOn === undefined ? parked : wallet,
          wallet,
          contractOn ?? null,
          erasedAt,
          acceptedSince,
          forgetAt,
        ],
      },
    ],
    'mark',
  )
  if ('refusedAt' in result) return 'spent'
  const begun = db.prepare<Erasure, [string]>(`SELECT ${columns} FROM erasures WHERE handle = ?1`).get(handle)
  if (!begun) throw new Error('an erasure that was begun is not there')
  return begun
}

const columns = `handle, account_id AS accountId, wallet, contract_on AS contractOn, proofs_up_to AS proofsUpTo,
  fulfillments_up_to AS fulfillmentsUpTo, erased_at AS erasedAt, accepted_since AS acceptedSince, forget_at AS forgetAt`

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

/** Links that the wallet signed, by the key of wallet_links, so that each slice begins where the one before ended. */
const selectLinks = ({ wallet, accountId, contractOn, proofsUpTo }: Erasure): Selection => ({
  sql: `SELECT l.proof_id FROM wallet_links l
        WHERE l.wallet = ? AND EXISTS (
          SELECT 1 FROM proofs WHERE id = l.proof_id AND account_id = ? AND id <= ?
            ${contractOn === null ? '' : `AND ${signedOnChain}`})`,
  params: [wallet, accountId, proofsUpTo, ...(contractOn === null ? [] : signedOnChainParams(contractOn))],
})

/** One link may end a thousand things (source-store.ts). */
const rowsPerLink = 16

/** A contract wallet of another chain may have superseded the runs of this one, so those are compared by chain. */
const newestRun = ({ contractOn }: Erasure): Selection =>
  contractOn === null
    ? { sql: 'superseded = 0', params: [] }
    : {
        sql: `NOT EXISTS (
          SELECT 1 FROM proofs newer WHERE newer.scope52 = proofs.scope52 AND newer.superseded IN (0, 1)
            AND newer.id > proofs.id AND +newer.account_id = proofs.account_id AND ${signedOnChain})`,
        params: signedOnChainParams(contractOn),
      }

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
    const newest = newestRun(erasure)
    return [
      {
        sql: `UPDATE proofs SET revoked_at = ? WHERE id IN ${chosen} AND revoked_at IS NULL AND ${newest.sql}`,
        params: [erasure.erasedAt, ...params, ...newest.params],
      },
      { sql: `DELETE FROM wallet_links WHERE proof_id IN ${chosen}`, params },
    ]
  },
}

/** A lookup fact takes a tenth of the time of a proof. */
const factsPerProof = 10

/** A parked account is looked up by nobody, so its facts can go first. Those of a contract wallet go with their proofs. */
const facts: ErasureStage = {
  countsProofs: false,
  isLeft: (db, { accountId, contractOn }) =>
    contractOn === null && isFound(db, { sql: 'SELECT 1 FROM proof_facts WHERE account_id = ?', params: [accountId] }),
  slice: ({ accountId }, rows) => [
    {
      sql: `DELETE FROM proof_facts WHERE account_id = ?1 AND (fact52, proof_id) IN
              (SELECT fact52, proof_id FROM proof_facts WHERE account_id = ?1 ORDER BY fact52, proof_id LIMIT ?2)`,
      params: [accountId, rows * factsPerProof],
    },
  ],
}

const selectProofs = ({ accountId, contractOn, proofsUpTo }: Erasure): Selection => ({
  sql: `SELECT id FROM proofs WHERE account_id = ? AND id <= ?${contractOn === null ? '' : ` AND ${signedOnChain}`}`,
  params: [accountId, proofsUpTo, ...(contractOn === null ? [] : signedOnChainParams(contractOn))],
})

/**
 * Ids whose signed request would still be accepted are remembered until it no longer is, so that nobody brings a proof
 * back by sending it again. Content, envelope, shares, names and orders to publish go with their proof.
 */
const proofs: ErasureStage = {
  countsProofs: true,
  isLeft: (db, erasure) => isFound(db, selectProofs(erasure)),
  slice(erasure, rows) {
    const { accountId, acceptedSince, forgetAt, contractOn } = erasure
    const found = selectProofs(erasure)
    const chosen = `(${found.sql} ORDER BY id LIMIT ?)`
    const params = [...found.params, rows]
    return [
      {
        sql: `INSERT INTO erased_proofs (q52, expires_at)
              SELECT q52, ? FROM proofs WHERE id IN ${chosen} AND signed_timestamp >= ?
              ON CONFLICT (q52) DO UPDATE SET expires_at = excluded.expires_at`,
        params: [forgetAt, ...params, acceptedSince],
      },
      ...(contractOn === null ? [] : leaveAccount(accountId, chosen, params)),
      { sql: `DELETE FROM proofs WHERE id IN ${chosen}`, params },
    ]
  },
}

/** The account stays: its counters and facts are told of each slice. */
function leaveAccount(accountId: number, chosen: string, params: readonly SqlValue[]): Statement[] {
  const current = 'superseded = 0 AND revoked_at IS NULL'
  const count = (condition: string): string => `(SELECT count(*) FROM proofs WHERE id IN ${chosen} AND ${condition})`
  return [
    {
      sql: `UPDATE accounts SET
              current_count = current_count - ${count(current)},
              listed_count = listed_count - ${count(`${current} AND visibility = 2`)},
              all_count = all_count - ${count('1 = 1')},
              all_listed_count = all_listed_count - ${count('visibility = 2')}
            WHERE id = ?`,
      params: [...params, ...params, ...params, ...params, accountId],
    },
    {
      sql: `DELETE FROM proof_facts WHERE account_id = ? AND proof_id IN ${chosen}`,
      params: [accountId, ...params],
    },
  ]
}

/** What a wallet got from gates for proofs that are gone. */
const selectFulfillments = ({ wallet, contractOn, accountId, fulfillmentsUpTo }: Erasure): Selection => ({
  sql: `SELECT id FROM fulfillments WHERE wallet = ? AND id <= ?${
    contractOn === null
      ? ''
      : ' AND NOT EXISTS (SELECT 1 FROM proofs p WHERE p.account_id = ? AND p.q_hash = fulfillments.q_hash)'
  }`,
  params: [wallet, fulfillmentsUpTo, ...(contractOn === null ? [] : [accountId])],
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

/** Of a contract wallet: only what was paid for proofs that are gone, because its address may be somebody else elsewhere. */
const ofErased = ({ contractOn, accountId }: Erasure, table: string): Selection => ({
  sql:
    contractOn === null
      ? ''
      : ` AND NOT EXISTS (SELECT 1 FROM proofs p WHERE p.account_id = ? AND p.q_hash = ${table}.q_hash)`,
  params: contractOn === null ? [] : [accountId],
})

/**
 * Money that bought nothing stays known to the seller who owes it: its identity, amount and state. Who paid, and for
 * which proof, does not. What was made after the erasure began stays.
 */
const unmatched: ErasureStage = {
  countsProofs: false,
  isLeft: (db, erasure) => isFound(db, selectUnmatched(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectUnmatched(erasure)
    return [
      {
        sql: `UPDATE unmatched_payments
              SET wallet = NULL, q_hash = NULL, payer = NULL, details = NULL, transaction_hash = NULL
              WHERE id IN (${sql} ORDER BY id LIMIT ?)`,
        params: [...params, rows],
      },
    ]
  },
}

function selectUnmatched(erasure: Erasure): Selection {
  const rest = ofErased(erasure, 'unmatched_payments')
  return {
    sql: `SELECT id FROM unmatched_payments WHERE wallet = ? AND created_at <= ?${rest.sql}`,
    params: [erasure.wallet, erasure.erasedAt, ...rest.params],
  }
}

/** Places end; a payment that may be moving is followed to its end, without the name of whom it is for. */
const paying: ErasureStage = {
  countsProofs: false,
  isLeft: (db, erasure) =>
    isFound(db, selectPaying(erasure, 'reservations')) || isFound(db, selectPaying(erasure, 'settlements')),
  slice(erasure, rows) {
    const places = selectPaying(erasure, 'reservations')
    const underWay = selectPaying(erasure, 'settlements')
    return [
      {
        sql: `DELETE FROM reservations WHERE (gate, wallet) IN (${places.sql} LIMIT ?)`,
        params: [...places.params, rows],
      },
      {
        sql: `UPDATE settlements SET wallet = '', q_hash = zeroblob(32)
              WHERE identity IN (SELECT identity FROM (${underWay.sql} LIMIT ?))`,
        params: [...underWay.params, rows],
      },
    ]
  },
}

function selectPaying(erasure: Erasure, table: 'reservations' | 'settlements'): Selection {
  const rest = ofErased(erasure, table)
  const columns = table === 'reservations' ? 'gate, wallet' : 'identity'
  return {
    sql: `SELECT ${columns} FROM ${table} WHERE wallet = ? AND created_at <= ?${rest.sql}`,
    params: [erasure.wallet, erasure.erasedAt, ...rest.params],
  }
}

/**
 * A page of payment may still be paid, so its row stays until that is known, without its buyer. What is paid for a proof
 * that is gone is refunded.
 */
const checkouts: ErasureStage = {
  countsProofs: false,
  isLeft: (db, { wallet, erasedAt }) =>
    isFound(db, {
      sql: 'SELECT 1 AS one FROM checkouts WHERE wallet = ? AND created_at <= ?',
      params: [wallet, erasedAt],
    }),
  slice: ({ wallet, erasedAt }, rows) => [
    {
      sql: `UPDATE checkouts SET wallet = NULL WHERE session_id IN
              (SELECT session_id FROM checkouts WHERE wallet = ?1 AND created_at <= ?2 LIMIT ?3)`,
      params: [wallet, erasedAt, rows],
    },
  ],
}

/** Prices that the wallet was told, for proofs that are gone. */
function selectQuotes(erasure: Erasure): Selection {
  const rest = ofErased(erasure, 'quotes')
  return {
    sql: `SELECT quote_id FROM quotes WHERE wallet = ? AND created_at <= ?${rest.sql}`,
    params: [erasure.wallet, erasure.erasedAt, ...rest.params],
  }
}

const quotes: ErasureStage = {
  countsProofs: false,
  isLeft: (db, erasure) => isFound(db, selectQuotes(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectQuotes(erasure)
    return [{ sql: `DELETE FROM quotes WHERE quote_id IN (${sql} LIMIT ?)`, params: [...params, rows] }]
  },
}

/** Shares of other people's proofs. Those that were given after the erasure began stay. */
const viewerGrants = 'FROM access_grants WHERE viewer = ?1 AND created_at <= ?2'

const grants: ErasureStage = {
  countsProofs: false,
  isLeft: (db, { wallet, contractOn, erasedAt }) =>
    contractOn === null && isFound(db, { sql: `SELECT 1 AS one ${viewerGrants}`, params: [wallet, erasedAt] }),
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
export const endErasure = async (db: Db, { handle, accountId, contractOn }: Erasure): Promise<boolean> => {
  const result = await db.write(
    [
      { sql: 'DELETE FROM erasures WHERE handle = ?1', params: [handle] },
      ...(contractOn === null
        ? [
            { sql: 'DELETE FROM proof_facts WHERE account_id = ?1', params: [accountId] },
            {
              sql: 'DELETE FROM accounts WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM proofs WHERE account_id = ?1)',
              params: [accountId],
            },
          ]
        : []),
    ],
    'free',
  )
  return rowsChanged(result) > 0
}
