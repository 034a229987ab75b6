/**
 * Conditions that leave out what an unfinished erasure will delete. Its account has lost its address already, so
 * look-ups by wallet find nothing; look-ups by id need these. `alias` names the table in the statement.
 */
import { isSomeInOrder } from '../in-order.ts'
import type { Db, SqlValue, Statement } from './db.ts'
import { label, query, type RowOf } from './query.ts'

export const standsProof = (alias: string): string =>
  `NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.account_id = ${alias}.account_id)`

export const standsFulfillment = (alias: string): string =>
  `NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.wallet = ${alias}.wallet
     AND ${alias}.id <= erasures.fulfillments_up_to)`

/** The passes of a wallet; `alias` is guest_passes. */
export const standsPass = (alias: string): string =>
  `NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.wallet = ${alias}.wallet
     AND ${alias}.created_at <= erasures.erased_at)`

/** The names and pictures that a wallet gave its gates; `alias` is gate_appearances. */
export const standsAppearance = (alias: string): string =>
  `NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.wallet = ${alias}.wallet
     AND ${alias}.created_at <= erasures.erased_at)`

/** The names that a person gave to wallets; `alias` is wallet_labels. */
export const standsLabel = (alias: string): string =>
  `NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.wallet = ${alias}.wallet
     AND ${alias}.created_at <= erasures.erased_at)`

/** The read grants of a wallet; `alias` is access_grants. */
export const standsGrant = (alias: string): string =>
  `NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.wallet = ${alias}.viewer
     AND ${alias}.created_at <= erasures.erased_at)`

/**
 * Finds a row as long as a link between two wallets, or a delegation to an app, gives a right. `proofId`: proofs.id.
 * Asked again where something is stored by that right (http/grounds.ts).
 */
export const makeProofGround = (proofId: number) => ({
  sql: `SELECT 1 FROM proofs p WHERE p.id = ?1 AND p.revoked_at IS NULL AND p.superseded = 0 AND ${standsProof('p')}`,
  params: [proofId],
})

const selectErasing = query<[]>()`
  SELECT count(*) AS ${label('erasures', 'number')},
    coalesce(sum(a.all_count), 0) AS ${label('proofs', 'number')},
    min(e.erased_at) AS ${label('since', 'number or null')}
  FROM erasures e LEFT JOIN accounts a ON a.id = e.account_id`

/** All erasures that are not finished: how many, of how many proofs, and since when. */
export type Erasing = RowOf<typeof selectErasing>

/** Counts the erasures that are not finished. */
export const countErasing = async (db: Db): Promise<Erasing> =>
  (await db.read(selectErasing).get()) ?? { erasures: 0, proofs: 0, since: null }

/** One that has begun. Its rows are bounded, so that what is made afterwards stays. */
export interface ErasureBounds {
  readonly erasedAt: number
  /** Requests that were signed before it are refused anyway. */
  readonly acceptedSince: number
  readonly forgetAt: number
  /** accounts.id: of the account that lost its name. */
  readonly accountId: number
  /** The name it had: accounts.address. */
  readonly wallet: string
  readonly proofsUpTo: number
  readonly fulfillmentsUpTo: number
}

/** A part of the work. `isLeft` is a read, so that a part with nothing to do costs no write. */
export interface ErasureStage {
  isLeft(db: Db, erasure: ErasureBounds): Promise<boolean>
  /** Deletes up to `rows`; the last statement tells how many. */
  slice(erasure: ErasureBounds, rows: number): readonly Statement[]
}

/** Rows to erase, as a query that an update or a deletion takes up. */
export interface Selection {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

export const isFound = async (db: Db, { sql, params }: Selection): Promise<boolean> =>
  (await db.read(query<readonly SqlValue[]>()`${sql} LIMIT 1`).get(...params)) !== null

/** Several parts in one write, in this order. */
export const joinStages = (...stages: readonly ErasureStage[]): ErasureStage => ({
  isLeft: (db, erasure) => isSomeInOrder(stages, (stage) => stage.isLeft(db, erasure)),
  slice: (erasure, rows) => stages.flatMap((stage) => stage.slice(erasure, rows)),
})

/** For a table that names the buyer's wallet: the rows from before the erasure began. Later rows stay. */
export const selectEarlier = ({ wallet, erasedAt }: ErasureBounds, select: string): Selection => ({
  sql: `${select} WHERE wallet = ? AND created_at <= ?`,
  params: [wallet, erasedAt],
})
