/**
 * Places that buyers held without paying: SQL and nothing else. A wallet whose place ended unpaid waits before it holds
 * one at the same gate again. A network has a share of a gate's remaining places, and a wallet has a limit at a time.
 * Places that are paid, or signed to be paid, have none of these limits.
 */

import type { Db, Statement } from '../../db/db.ts'
import { label, pick, query, type RowOf } from '../../db/query.ts'
import { change } from '../../db/rows-changed.ts'
import { paymentMethods } from '../../payments/index.ts'
import type { AccountText } from '../../wallet/account.ts'

/** The keys under which a place without cost is limited. */
export interface UnpaidBounds {
  /** The network of the request; null: unknown. */
  readonly network: string | null
}

/** Places of these methods are held only when money is about to move: they cost something. */
const paidFirst = paymentMethods
  .filter(({ movesMoneyHere }) => movesMoneyHere)
  .map(({ id }) => `'${id}'`)
  .join(', ')

/** At gates with a supply, over all gates. */
export const mostUnpaidOfWallet = 10
/** A network holds at most an eighth of the places that are free, and one where there is any. */
const shareOfFree = 8
/** The time after a place was first held in which its payment page or quote may be opened again. */
const renewableMs = 3_600_000
const mostPauseMs = 86_400_000
/** A buyer without a held place for this time starts anew. */
const forgottenMs = 2 * mostPauseMs
const mostDoublings = 16

/** The row of a network stands beside those of wallets: fresh wallets cost nothing, and take turns. */
const writeNetworkKey = (network: string): string => `('network:' || ${network})`

const endPause = (factor: string): string => `(u.ends_at + min(${mostPauseMs}, (u.ends_at - u.created_at) * ${factor}))`
/** As long as the place was held, twice as long with each that follows, and a day at most. */
const pauseEnd = endPause(`(1 << CAST(min(u.holds - 1, ${mostDoublings}) AS INTEGER))`)
/** The same from the second place on: another buyer of the network may want the first that ended. */
const networkPauseEnd = endPause(`((1 << CAST(min(u.holds - 1, ${mostDoublings}) AS INTEGER)) / 2)`)

/** A gate has places for everybody while more than this number, and half of the remaining ones, are free. */
const fewPlaces = 8

const heldByOthers = `(
  SELECT count(*) FROM reservations r WHERE r.gate = ?1 AND r.expires_at > ?7 AND r.wallet <> ?4)`

/**
 * A condition of the statement that holds a place, with its parameters. ?11 is the network, and ?12 whether the limits
 * apply to the place at all.
 */
export const allowsUnpaid = `(?12 = 0 OR (
    (CAST(?11 AS TEXT) IS NULL OR ?9 - g.fulfilled_count - ${heldByOthers} > ${shareOfFree} * (
      SELECT count(*) FROM reservations r
      WHERE r.gate = ?1 AND r.network = ?11 AND r.expires_at > ?7 AND r.wallet <> ?4))
    AND ${mostUnpaidOfWallet} > (
      SELECT count(*) FROM unpaid_places u JOIN reservations r ON r.gate = u.gate AND r.wallet = u.wallet
      WHERE u.wallet = ?4 AND u.gate <> ?1 AND r.expires_at > ?7 AND r.method NOT IN (${paidFirst}))
    AND NOT EXISTS (
      SELECT 1 FROM unpaid_places u
      WHERE u.gate = ?1
        AND (u.wallet = ?4 AND ${pauseEnd} > ?7 AND (u.ends_at <= ?7 OR u.created_at <= CAST(?7 AS BIGINT) - ${renewableMs})
          OR u.wallet = ${writeNetworkKey('?11')} AND u.ends_at <= ?7 AND ${networkPauseEnd} > ?7)
        AND (?9 - g.fulfilled_count - ${heldByOthers} <= ${fewPlaces}
          OR 2 * ${heldByOthers} >= ?9 - g.fulfilled_count))))`

/** Put it behind the statement that holds the place. A place that is still promised goes on, another one begins. */
const upsertUnpaid = `
  INSERT INTO unpaid_places (gate, wallet, holds, created_at, ends_at) VALUES (?1, ?2, 1, ?3, ?4)
  ON CONFLICT (gate, wallet) DO UPDATE SET
    holds = CASE
      WHEN unpaid_places.ends_at > ?3 THEN unpaid_places.holds
      WHEN unpaid_places.ends_at <= CAST(?3 AS BIGINT) - ${forgottenMs} THEN 1
      ELSE unpaid_places.holds + 1 END,
    created_at = CASE WHEN unpaid_places.ends_at > ?3 THEN unpaid_places.created_at ELSE excluded.created_at END,
    ends_at = max(unpaid_places.ends_at, excluded.ends_at)`

export const listUnpaidStatements = (
  gate: number,
  buyer: AccountText,
  { network }: UnpaidBounds,
  { now, endsAt }: { readonly now: number; readonly endsAt: number },
): readonly Statement[] =>
  [buyer, ...(network === null ? [] : [`network:${network}`])].map((holder) => ({
    sql: upsertUnpaid,
    params: [gate, holder, now, endsAt],
  }))

/** For who has paid, and the network of the place that was paid. Put it before the place is given up. */
export const forgiveStatement = (gate: number, buyer: AccountText): Statement => ({
  sql: `DELETE FROM unpaid_places WHERE gate = ?1 AND wallet IN (?2,
    (SELECT ${writeNetworkKey('r.network')} FROM reservations r WHERE r.gate = ?1 AND r.wallet = ?2))`,
  params: [gate, buyer],
})

export type UnpaidPlace = RowOf<typeof selectPlace>

const selectPlace = query<[number, string]>()`
  SELECT ${pick('unpaid_places u', 'endsAt')},
    ${pauseEnd} AS ${label('freeAt', 'number')}
  FROM unpaid_places u WHERE u.gate = ?1 AND u.wallet = ?2`

const selectOfPlaces = query<[number, string, number]>()`
  SELECT ${pick('unpaid_places u', 'endsAt')},
    ${networkPauseEnd} AS ${label('freeAt', 'number')}
  FROM unpaid_places u
  WHERE u.gate = ?1 AND u.wallet = ${writeNetworkKey('?2')} AND u.ends_at <= ?3 AND ${networkPauseEnd} > ?3`

/** The network's unpaid places of the gate, held one after the other, if it must pause. */
export const findPausedNetwork = async (
  db: Db,
  gate: number,
  network: string,
  now: number,
): Promise<UnpaidPlace | undefined> => (await db.read(selectOfPlaces).get(gate, network, now)) ?? undefined

/** Also one that does not count any more: compare freeAt. */
export const findUnpaid = async (db: Db, gate: number, buyer: AccountText): Promise<UnpaidPlace | undefined> =>
  (await db.read(selectPlace).get(gate, buyer)) ?? undefined

export type CountedPlaces = RowOf<typeof selectOfNetwork>

const selectOfWallet = query<[string, number, number]>()`
  SELECT count(*) AS ${label('held', 'number')},
    min(u.ends_at) AS ${label('firstEndsAt', 'number or null')}
  FROM unpaid_places u JOIN reservations r ON r.gate = u.gate AND r.wallet = u.wallet
  WHERE u.wallet = ?1 AND u.gate <> ?2 AND r.expires_at > ?3 AND r.method NOT IN (${paidFirst})`

/** At other gates than this one. */
export const hasMostUnpaid = async (
  db: Db,
  gate: number,
  buyer: AccountText,
  now: number,
): Promise<CountedPlaces | undefined> => {
  const counted = await db.read(selectOfWallet).get(buyer, gate, now)
  return counted && counted.held >= mostUnpaidOfWallet ? counted : undefined
}

const selectOfNetwork = query<[number, string, number, string]>()`
  SELECT count(*) AS ${label('held', 'number')},
    min(min(r.expires_at, coalesce(u.ends_at, r.expires_at))) AS ${label('firstEndsAt', 'number or null')}
  FROM reservations r LEFT JOIN unpaid_places u ON u.gate = r.gate AND u.wallet = r.wallet
  WHERE r.gate = ?1 AND r.network = ?2 AND r.expires_at > ?3 AND r.wallet <> ?4`

/** Places of a network, without those of this wallet, where they are its share of those that are free. */
export const findFullShare = async (
  db: Db,
  { gate, buyer, network }: { readonly gate: number; readonly buyer: AccountText; readonly network: string },
  free: number,
  now: number,
): Promise<CountedPlaces | undefined> => {
  const counted = await db.read(selectOfNetwork).get(gate, network, now, buyer)
  return counted && counted.held > 0 && counted.held * shareOfFree >= free ? counted : undefined
}

/** Deletes up to `batch` rows that limit no one any more. Returns the number. */
export const deleteOldUnpaid = (db: Db, now: number, batch: number): Promise<number> =>
  change(
    db,
    `DELETE FROM unpaid_places WHERE (gate, wallet) IN
       (SELECT gate, wallet FROM unpaid_places WHERE ends_at <= ?1 LIMIT ?2)
       AND ends_at <= ?1`,
    [now - forgottenMs, batch],
  )
