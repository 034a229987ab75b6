/**
 * Prices quoted to buyers who pay by a transfer: SQL only. A quote keeps its version and its price. It also keeps an
 * amount that no other quote to the same recipient has while its row stands.
 */

import type { Db, Statement } from '../db/db.ts'
import { compose, label, pick, pickHash, pickOptional, query, type RowOf } from '../db/query.ts'
import { change } from '../db/rows-changed.ts'
import type { AccountText } from '../wallet/account.ts'

export type TransferQuote = RowOf<typeof selectQuotes>

export interface NewQuote extends Omit<TransferQuote, 'gateId'> {
  /** gates.id */
  readonly gate: number
}

/** Less than a cent, so that it is negligible, and no price in whole cents equals a quoted amount. */
export const mostSuffix = 9_999
export const suffixStep = mostSuffix + 1
/** Millionths of a millionth of a dollar, from 1 on. */
export const fineSteps = 1_000_000

/** The limit for one wallet at a time, over all gates. */
export const mostOpenOfWallet = 32

/**
 * Changes no row when another quote has the amount, or the pair has an open quote. The same holds for a wallet with too
 * many. A row outlives its quote, so that an amount is not reassigned while a transfer of it counts.
 */
const insertQuote = `
  INSERT INTO quotes (quote_id, gate, q_hash, wallet, version, usd_micros, recipient, suffix, created_at, expires_at)
  SELECT ?1, ?2, unhex(?3), ?4, ?5, ?6, ?7, ?8, ?9, ?10
  WHERE NOT EXISTS (
      SELECT 1 FROM quotes q
      WHERE q.recipient = ?7 AND q.usd_micros BETWEEN CAST(?6 AS BIGINT) - ${mostSuffix} AND CAST(?6 AS BIGINT) + ${mostSuffix}
        AND q.usd_micros + q.suffix % ${suffixStep} = CAST(?6 AS BIGINT) + CAST(?8 AS BIGINT) % ${suffixStep}
        AND q.suffix / ${suffixStep} = CAST(?8 AS BIGINT) / ${suffixStep})
    AND ${mostOpenOfWallet} > (SELECT count(*) FROM quotes q WHERE q.wallet = ?4 AND q.expires_at > ?9)
    AND NOT EXISTS (
      SELECT 1 FROM quotes q
      WHERE q.gate = ?2 AND q.q_hash = unhex(?3) AND q.wallet = ?4 AND q.expires_at > ?9)
  ON CONFLICT DO NOTHING`

/** Refuses its batch when another amount must be tried, or another quote was faster. */
export const quoteStatement = (made: NewQuote): Statement => ({
  sql: insertQuote,
  must: true,
  params: [
    made.quoteId,
    made.gate,
    made.qHash.slice(2),
    made.buyer,
    made.version,
    made.usdMicros,
    made.recipient,
    made.suffix,
    made.createdAt,
    made.expiresAt,
  ],
})

const selectTaken = query<[string, number]>()`
  SELECT q.usd_micros + q.suffix AS ${label('total', 'number')},
    ${pick('quotes q', 'expiresAt')},
    ${pickOptional('gates g', 'owner')}
  FROM quotes q LEFT JOIN gates g ON g.id = q.gate
  WHERE q.recipient = ?1
    AND q.usd_micros BETWEEN CAST(?2 AS BIGINT) - ${mostSuffix} AND CAST(?2 AS BIGINT) + ${mostSuffix}
    AND q.suffix <= ${mostSuffix}
    AND q.usd_micros + q.suffix BETWEEN ?2 AND CAST(?2 AS BIGINT) + ${mostSuffix}
  ORDER BY q.expires_at`

export type TakenAmount = RowOf<typeof selectTaken>

/** The amounts near a price that quotes occupy: at most as many as there are suffixes. */
export const listTaken = (db: Db, recipient: string, usdMicros: number) =>
  db.read(selectTaken).all(recipient, usdMicros)

const selectOpenOfWallet = query<[string, number]>()`
  SELECT count(*) AS ${label('open', 'number')},
    min(expires_at) AS ${label('firstEndsAt', 'number or null')}
  FROM quotes WHERE wallet = ?1 AND expires_at > ?2`

/** Counts the open quotes of one wallet, over all gates. */
export const countOpenQuotes = async (db: Db, buyer: AccountText, now: number) =>
  (await db.read(selectOpenOfWallet).get(buyer, now)) ?? { open: 0, firstEndsAt: null }

const selectQuotes = compose`
  SELECT ${pick('quotes q', 'quoteId', { buyer: 'wallet' }, 'version', 'usdMicros', 'recipient', 'suffix')},
    ${pick('quotes q', 'createdAt')},
    ${pick('quotes q', 'expiresAt')}, ${pickHash('quotes q', 'qHash')}, ${pick('gates g', 'gateId')}
  FROM quotes q JOIN gates g ON g.id = q.gate`

/** A pair has one open quote, and a few that ended. */
const mostOfPair = 8

const selectOfPair = query<[gateId: string, digits: string, buyer: string]>()`
  ${selectQuotes}
  WHERE g.gate_id = ?1 AND q.q_hash = unhex(?2) AND q.wallet = ?3
  ORDER BY q.created_at DESC, q.quote_id LIMIT ${mostOfPair}`

/** The quotes of this proof and this wallet, including ended ones, the newest first. */
export const listQuotes = (
  db: Db,
  { gateId, qHash, buyer }: Pick<TransferQuote, 'gateId' | 'qHash' | 'buyer'>,
): Promise<readonly TransferQuote[]> => db.read(selectOfPair).all(gateId, qHash.slice(2), buyer)

/** More than one wallet may have open at once. */
const mostOfBuyer = 2 * mostOpenOfWallet

const selectOfBuyer = query<[gateId: string, digits: string, buyer: string, quoteId: string]>()`
  ${selectQuotes}
  WHERE g.gate_id = ?1 AND (q.wallet = ?3 OR (q.wallet = '' AND q.quote_id = ?4))
  ORDER BY q.q_hash = unhex(?2) DESC, q.created_at DESC, q.quote_id LIMIT ${mostOfBuyer}`

/**
 * The quotes of this wallet at this gate, for any of its proofs; those of the named proof come first. After the buyer's
 * erasure, a quote belongs to the holder of its id.
 */
export const listQuotesOfBuyer = (
  db: Db,
  { gateId, qHash, buyer }: Pick<TransferQuote, 'gateId' | 'qHash' | 'buyer'>,
  quoteId: string | undefined,
): Promise<readonly TransferQuote[]> => db.read(selectOfBuyer).all(gateId, qHash.slice(2), buyer, quoteId ?? '')

const selectOfId = query<[quoteId: string]>()`${selectQuotes} WHERE q.quote_id = ?1`

/** Includes a quote that has ended. */
export const findQuote = async (db: Db, quoteId: string): Promise<TransferQuote | undefined> =>
  (await db.read(selectOfId).get(quoteId)) ?? undefined

const selectAmount = query<[string, number]>()`
  SELECT ${pick('gates g', 'gateId')}
  FROM quotes q JOIN gates g ON g.id = q.gate
  WHERE q.recipient = ?1 AND q.usd_micros BETWEEN CAST(?2 AS BIGINT) - ${mostSuffix} AND ?2 AND q.usd_micros + q.suffix = ?2 LIMIT 1`

const selectOfAmount = query<[recipient: string, micros: number, fine: number]>()`
  ${selectQuotes}
  WHERE q.recipient = ?1 AND q.usd_micros BETWEEN CAST(?2 AS BIGINT) - ${mostSuffix} AND ?2
    AND q.usd_micros + q.suffix % ${suffixStep} = ?2 AND q.suffix / ${suffixStep} = ?3 LIMIT 1`

/** The quote of an amount, while its row stands, including ended quotes. `fine` counts millionths of a millionth. */
export const findQuoteOfAmount = async (
  db: Db,
  recipient: string,
  { usdMicros, fine }: { readonly usdMicros: number; readonly fine: number },
): Promise<TransferQuote | undefined> => (await db.read(selectOfAmount).get(recipient, usdMicros, fine)) ?? undefined

/** The gate that quoted this amount, suffix included, to this recipient. Ended quotes are found as long as they stand. */
export const findQuotedGate = async (db: Db, recipient: string, usdMicros: number): Promise<string | undefined> =>
  (await db.read(selectAmount).get(recipient, usdMicros))?.gateId

/**
 * Deletes up to `batch` quotes that ended before a time, unless a transfer of one waits for its chain. Returns how
 * many.
 */
export const deleteOldQuotes = (db: Db, endedBefore: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM quotes WHERE quote_id IN
       (SELECT q.quote_id FROM quotes q WHERE q.expires_at <= ?1
          AND NOT EXISTS (SELECT 1 FROM offered_transfers o WHERE o.quote_id = q.quote_id) LIMIT ?2)
       AND expires_at <= ?1`,
    [endedBefore, batch],
  )
