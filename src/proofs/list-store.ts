/** The SQL of lists. Every page costs a bounded number of rows and bytes, whatever the filter and the size of the wallet. */

import type { Db, SqlValue } from '../db/db.ts'
import { findIdRange, writeIdSearch } from '../db/id-range-store.ts'
import { label, pick, query, type RowOf } from '../db/query.ts'
import { flatMapInOrder } from '../in-order.ts'
import { computeVerifierFact } from './facts.ts'
import { buildRecordTest, isFiltered, type RecordTest } from './list-filter.ts'
import { listedRecord, readPage } from './page-store.ts'
import type { ProofRow } from './proof.ts'
import { buildNarrowing, buildReach, type ListQuery, type ReachQuery } from './reach-store.ts'

export interface ListPage {
  readonly rows: readonly ProofRow[]
  /** The position the next page begins before; undefined at the end of the list. */
  readonly continuesBefore: number | undefined
  /** False when the page stopped at the scan limit before it was full. */
  readonly isComplete: boolean
  /** Unix milliseconds: the creation time of the last proof that such a page read. */
  readonly lookedBackTo: number | undefined
}

/** The limit of one page's scan before it stops and lets the cursor continue. */
interface ScanLimit {
  readonly rows: number
  /** The size of records, in the searched form. */
  readonly bytes: number
}
const strangerScan: ScanLimit = { rows: 4_000, bytes: 4_000_000 }
/** Owners scan more of their own proofs at a time: fewer requests for the same work. */
const ownerScan: ScanLimit = { rows: 10_000, bytes: 12_000_000 }
/** An offset is slow: the skipped rows of a whole list are read as well, up to this limit. */
const mostSkipped = 100_000

export async function listProofs(db: Db, query: ListQuery): Promise<ListPage> {
  const { continuesBefore, isComplete, lookedBackTo, ids } = await findPage(db, query)
  return { rows: await readPage(db, ids), continuesBefore, isComplete, lookedBackTo }
}

/** Rows that are history are walked past, as far as this. */
const mostHistory = 2_000

const selectByFact = query<SqlValue[]>()`
  SELECT ${pick('proofs p', 'id')}
  FROM (
    SELECT proof_id FROM proof_facts
    WHERE account_id = ?1 AND fact52 = ?2 ORDER BY proof_id DESC LIMIT ?3
  ) f CROSS JOIN proofs p ON p.id = f.proof_id
  WHERE p.superseded = 0 AND p.revoked_at IS NULL AND p.visibility >= ?4 LIMIT ?5`

/**
 * Positions of current proofs with a verified row of this verifier. Owners see all, others the listed ones. They are in
 * the order of their index, newest first for each visibility.
 */
export async function findIdsByVerifier(
  db: Db,
  accounts: readonly number[],
  verifierId: string,
  {
    isOwner,
    limit,
    mostWalked = mostHistory,
  }: { readonly isOwner: boolean; readonly limit: number; readonly mostWalked?: number },
): Promise<number[]> {
  const least = isOwner ? 0 : 2
  return (
    await flatMapInOrder(accounts, (account) =>
      flatMapInOrder(isOwner ? [false, true] : [false], (isPrivate) =>
        db
          .read(selectByFact)
          .all(account, computeVerifierFact(verifierId, isPrivate), Math.min(mostWalked, mostHistory), least, limit),
      ),
    )
  )
    .map(({ id }) => id)
    .sort((one, other) => other - one)
    .slice(0, limit)
}

interface FoundPage extends Omit<ListPage, 'rows'> {
  readonly ids: readonly number[]
}

const selectReach = ({ sql }: ReachQuery) => query<SqlValue[]>()`${sql} LIMIT ? OFFSET ?`

/** FROM and what follows it. `p` is proofs. */
interface BoundedQuery {
  readonly sql: string
  readonly params: SqlValue[]
}

const searchIds = writeIdSearch({
  newest: 'SELECT max(id) FROM proofs',
  timeAt: 'SELECT created_at FROM proofs WHERE id >= (low + high) / 2 ORDER BY id LIMIT 1',
})

async function findPage(db: Db, query: ListQuery): Promise<FoundPage> {
  const { limit, offset } = query
  const narrowing = buildNarrowing(query)
  const test = buildRecordTest(query.filter, query.isOwner)
  const scan = query.isOwner ? ownerScan : strangerScan
  // An offset adds nothing when a filter must read each row: anybody may send one of any size. nextOffset stays within
  // the reach, and from its end the cursor continues.
  const skipped = isFiltered(query.filter) ? 0 : Math.min(offset, mostSkipped)
  const reachLimit = scan.rows + skipped
  const isBounded = test !== undefined || narrowing.conditions.length > 0 || offset > mostSkipped
  const most = isBounded ? reachLimit : limit + 1 + offset
  const range = await findIdRange(db, searchIds, query.filter)
  const reach = buildReach({ ...query, range, mostOfEach: db.mergesUnions ? undefined : most })
  if (!isBounded) {
    const rows = await db.read(selectReach(reach)).all(...reach.params, limit + 1, offset)
    return makePage(
      rows.map(({ id }) => id),
      limit,
    )
  }

  const bounded: BoundedQuery = {
    sql: `FROM (${reach.sql} LIMIT ?) r CROSS JOIN proofs p ON p.id = r.id
      ${narrowing.conditions.length > 0 ? `WHERE ${narrowing.conditions.join(' AND ')}` : ''} ORDER BY r.id DESC`,
    params: [...reach.params, reachLimit, ...narrowing.params],
  }
  const { ids, stoppedAt } = test
    ? await searchRecords(db, bounded, test, { ...query, scanBytes: scan.bytes })
    : { ids: await findIds(db, bounded, limit + 1, offset), stoppedAt: undefined }
  if (ids.length > limit) return makePage(ids, limit)
  const last = stoppedAt ?? (await findLastScanned(db, reach, reachLimit))
  return { ids, continuesBefore: last?.id, isComplete: last === undefined, lookedBackTo: last?.createdAt }
}

/** A complete page: the last of `ids` shows only that there are more. */
function makePage(ids: readonly number[], limit: number): FoundPage {
  const page = ids.slice(0, limit)
  const continuesBefore = ids.length > limit ? page.at(-1) : undefined
  return { ids: page, continuesBefore, isComplete: true, lookedBackTo: undefined }
}

const findIds = async (db: Db, { sql, params }: BoundedQuery, limit: number, offset: number): Promise<number[]> =>
  (
    await db
      .read(query<SqlValue[]>()`SELECT ${pick('proofs p', 'id')} ${sql} LIMIT ? OFFSET ?`)
      .all(...params, limit, offset)
  ).map(({ id }) => id)

interface Searched {
  readonly ids: number[]
  /** The last row that was read when the byte limit was reached. */
  readonly stoppedAt: { readonly id: number; readonly createdAt: number } | undefined
}

/** Looks into one record after the other, the newest first. Owners search whole records, so that they find all text. */
async function searchRecords(
  db: Db,
  { sql, params }: BoundedQuery,
  test: RecordTest,
  { isOwner, filter, limit, offset, scanBytes }: ListQuery & { readonly scanBytes: number },
): Promise<Searched> {
  const searched = isOwner && filter.text !== undefined ? 'p.record' : listedRecord
  // SQLite filters the text of most records, which then never becomes a string here.
  const { needle } = test
  const candidate = needle === undefined ? searched : `CASE WHEN instr(lower(${searched}), ?) > 0 THEN ${searched} END`
  const select = query<SqlValue[]>()`
      SELECT ${pick('proofs p', 'id', 'createdAt')}, octet_length(${searched}) AS ${label('bytes', 'number')},
        ${candidate} AS ${label('record', 'text or null')} ${sql}`
  const ids: number[] = []
  let toSkip = offset
  let left = scanBytes
  let stoppedAt: Searched['stoppedAt']
  const look = ({ id, createdAt, bytes, record }: RowOf<typeof select>): boolean => {
    left -= bytes * test.weight
    if (record !== null && test.accepts(record) && toSkip-- <= 0) ids.push(id)
    if (ids.length > limit) return false
    if (left > 0) return true
    stoppedAt = { id, createdAt }
    return false
  }
  await db.read(select).scan(look, ...(needle === undefined ? [] : [needle]), ...params)
  return { ids, stoppedAt }
}

/** The position a scan stopped at, when it stopped at its limit. */
async function findLastScanned(
  db: Db,
  reach: ReachQuery,
  reachLimit: number,
): Promise<{ id: number; createdAt: number } | undefined> {
  const row = await db
    .read(query<SqlValue[]>()`
      SELECT ${pick('proofs p', 'id', 'createdAt')}
      FROM (${reach.sql} LIMIT 1 OFFSET ?) r CROSS JOIN proofs p ON p.id = r.id`)
    .get(...reach.params, reachLimit - 1)
  return row ?? undefined
}

const selectAccountCounts = query<[number]>()`
  SELECT ${pick('accounts', { current: 'currentCount', listed: 'listedCount', total: 'allCount', allListed: 'allListedCount' })}
  FROM accounts WHERE id = ?`

export async function findAccountCounts(db: Db, account: number) {
  const row = await db.read(selectAccountCounts).get(account)
  return { current: row?.current ?? 0, listed: row?.listed ?? 0, all: row?.total ?? 0, allListed: row?.allListed ?? 0 }
}
