/** The SQL of lists. Every page costs a bounded number of rows and bytes, whatever the filter and the size of the wallet. */
import type { Db, SqlValue } from '../db/db.ts'
import { noApp } from '../http/client-app.ts'
import { verifierFact } from './facts.ts'
import { finalities } from './finality.ts'
import {
  buildRecordTest,
  findWalkedApp,
  isFiltered,
  type ProofFilter,
  type RecordTest,
  showsHistory,
} from './list-filter.ts'
import { listedRecord, readPage } from './page-store.ts'
import type { ProofRow } from './proof.ts'
import { first52, fullyVerifiedWords } from './proof.ts'
import { visibilities } from './visibility.ts'

export interface ListQuery {
  /** Whose proofs, as accounts.id (account-store.ts): one list over all of them. */
  readonly accounts: readonly number[]
  readonly isOwner: boolean
  readonly filter: ProofFilter
  /** Only rows older than this position. */
  readonly before: number | undefined
  readonly offset: number
  readonly limit: number
  readonly now: number
}

export interface ListPage {
  readonly rows: readonly ProofRow[]
  /** The position the next page begins before; undefined at the end of the list. */
  readonly continuesBefore: number | undefined
  /** False when the page stopped at the scan limit before it was full. */
  readonly isComplete: boolean
  /** Unix milliseconds: when the last proof was made that such a page looked at. */
  readonly lookedBackTo: number | undefined
}

/** What one page may look at before it stops and lets the cursor go on from there. */
interface ScanLimit {
  readonly rows: number
  /** Of records, in the form that is searched. */
  readonly bytes: number
}
const strangerScan: ScanLimit = { rows: 4_000, bytes: 4_000_000 }
/** Of their own, people look through more of at a time: fewer questions for the same work. */
const ownerScan: ScanLimit = { rows: 10_000, bytes: 12_000_000 }
/** An offset is the slow door: what it skips of a whole list is looked at as well, as far as this. */
const mostSkipped = 100_000

export function listProofs(db: Db, query: ListQuery): ListPage {
  const { continuesBefore, isComplete, lookedBackTo, ids } = findPage(db, query)
  return { rows: readPage(db, ids), continuesBefore, isComplete, lookedBackTo }
}

/** Rows that are history are walked past, as far as this. */
const mostHistory = 2_000

const selectByFact = `
  SELECT p.id FROM (
    SELECT proof_id FROM proof_facts
    WHERE account_id = ?1 AND fact52 = ?2 ORDER BY proof_id DESC LIMIT ?3
  ) f CROSS JOIN proofs p ON p.id = f.proof_id
  WHERE p.superseded = 0 AND p.revoked_at IS NULL AND p.visibility >= ?4 LIMIT ?5`

/**
 * Positions of the current proofs of accounts with a verified row of this verifier: for their owner all of them, for
 * others the listed ones. In the order of their index, newest first for each visibility.
 */
export function findIdsByVerifier(
  db: Db,
  accounts: readonly number[],
  verifierId: string,
  {
    isOwner,
    limit,
    mostWalked = mostHistory,
  }: { readonly isOwner: boolean; readonly limit: number; readonly mostWalked?: number },
): number[] {
  const least = isOwner ? 0 : 2
  return accounts
    .flatMap((account) =>
      (isOwner ? [false, true] : [false]).flatMap((isPrivate) =>
        db
          .prepare<{ id: number }, SqlValue[]>(selectByFact)
          .all(account, verifierFact(verifierId, isPrivate), Math.min(mostWalked, mostHistory), least, limit),
      ),
    )
    .map(({ id }) => id)
    .sort((one, other) => other - one)
    .slice(0, limit)
}

interface FoundPage extends Omit<ListPage, 'rows'> {
  readonly ids: readonly number[]
}

function findPage(db: Db, query: ListQuery): FoundPage {
  const { limit, offset } = query
  const reach = buildReach(query)
  const narrowing = buildNarrowing(query)
  const test = buildRecordTest(query.filter, query.isOwner)
  const scan = query.isOwner ? ownerScan : strangerScan
  // An offset adds nothing where a filter has to be asked of each row: anybody may send one, of any size. nextOffset
  // stays within the reach, and from its end the cursor goes on.
  const skipped = isFiltered(query.filter) ? 0 : Math.min(offset, mostSkipped)
  const reachLimit = scan.rows + skipped
  const isBounded = test !== undefined || narrowing.conditions.length > 0 || offset > mostSkipped
  if (!isBounded) {
    const rows = db
      .prepare<{ id: number }, SqlValue[]>(`${reach.sql} LIMIT ? OFFSET ?`)
      .all(...reach.params, limit + 1, offset)
    return pageOfIds(
      rows.map(({ id }) => id),
      limit,
    )
  }

  const bounded: Query = {
    sql: `FROM (${reach.sql} LIMIT ?) r CROSS JOIN proofs p ON p.id = r.id
      ${narrowing.conditions.length > 0 ? `WHERE ${narrowing.conditions.join(' AND ')}` : ''} ORDER BY r.id DESC`,
    params: [...reach.params, reachLimit, ...narrowing.params],
  }
  const { ids, stoppedAt } = test
    ? searchRecords(db, bounded, test, { ...query, scanBytes: scan.bytes })
    : { ids: findIds(db, bounded, limit + 1, offset), stoppedAt: undefined }
  if (ids.length > limit) return pageOfIds(ids, limit)
  const last = stoppedAt ?? findLastScanned(db, reach, reachLimit)
  return { ids, continuesBefore: last?.id, isComplete: last === undefined, lookedBackTo: last?.createdAt }
}

/** A page of which nothing was left out: the last of `ids` shows only that there are more. */
function pageOfIds(ids: readonly number[], limit: number): FoundPage {
  const page = ids.slice(0, limit)
  const continuesBefore = ids.length > limit ? page.at(-1) : undefined
  return { ids: page, continuesBefore, isComplete: true, lookedBackTo: undefined }
}

const findIds = (db: Db, { sql, params }: Query, limit: number, offset: number): number[] =>
  db
    .prepare<{ id: number }, SqlValue[]>(`SELECT p.id ${sql} LIMIT ? OFFSET ?`)
    .all(...params, limit, offset)
    .map(({ id }) => id)

interface Searched {
  readonly ids: number[]
  /** The last row that was looked at, where the bytes ran out. */
  readonly stoppedAt: { readonly id: number; readonly createdAt: number } | undefined
}

/** Looks into one record after the other, the newest first. Owners search whole records, so that they find all text. */
function searchRecords(
  db: Db,
  { sql, params }: Query,
  test: RecordTest,
  { isOwner, filter, limit, offset, scanBytes }: ListQuery & { readonly scanBytes: number },
): Searched {
  const searched = isOwner && filter.text !== undefined ? 'p.record' : listedRecord
  // The text of most records is told apart by SQLite, and never becomes a string here.
  const { needle } = test
  const candidate = needle === undefined ? searched : `CASE WHEN instr(lower(${searched}), ?) > 0 THEN ${searched} END`
  const rows = db
    .prepare<{ id: number; createdAt: number; bytes: number; record: string | null }, SqlValue[]>(
      `SELECT p.id, p.created_at AS createdAt, octet_length(${searched}) AS bytes, ${candidate} AS record ${sql}`,
    )
    .iterate(...(needle === undefined ? [] : [needle]), ...params)
  const ids: number[] = []
  let toSkip = offset
  let left = scanBytes
  for (const { id, createdAt, bytes, record } of rows) {
    left -= bytes * test.weight
    if (record !== null && test.accepts(record) && toSkip-- <= 0) ids.push(id)
    if (ids.length > limit) break
    if (left <= 0) return { ids, stoppedAt: { id, createdAt } }
  }
  return { ids, stoppedAt: undefined }
}

interface Conditions {
  readonly conditions: string[]
  readonly params: SqlValue[]
}

/** accounts.id begins at 1. */
const noAccount = 0

interface Query {
  readonly sql: string
  readonly params: SqlValue[]
}

/**
 * The ids that an index answers, newest first: the wallet, the position, and for strangers what is listed. Rows that a
 * stranger may not see are not walked. Several wallets are walked side by side and merged, each as far as needed.
 */
export function buildReach({
  accounts,
  isOwner,
  before,
  filter,
}: Pick<ListQuery, 'accounts' | 'isOwner' | 'before' | 'filter'>): Query {
  const conditions: string[] = []
  const params: SqlValue[] = []
  const add = (condition: string, ...values: SqlValue[]): void => {
    conditions.push(condition)
    params.push(...values)
  }
  const { qHash, qHashPrefix } = filter
  const appId = findWalkedApp(filter)
  // The plus keeps the planner from walking the whole wallet for one id.
  const ofAccount = `${qHash === undefined && qHashPrefix === undefined ? '' : '+'}account_id = ?`
  if (before !== undefined) add('id < ?', before)
  if (qHash !== undefined) add('q52 = ? AND q_hash = unhex(?)', first52(qHash), qHash.slice(2))
  if (qHashPrefix !== undefined) {
    const digits = qHashPrefix.slice(2)
    add('q52 BETWEEN ? AND ?', first52(`0x${digits.padEnd(13, '0')}`), first52(`0x${digits.padEnd(13, 'f')}`))
    add('substr(lower(hex(q_hash)), 1, ?) = ?', digits.length, digits)
  }
  const walked = accounts.length === 0 ? [noAccount] : [...new Set(accounts)]
  if (appId !== undefined) {
    // Each visibility has its own order of ids in the index. History is left out row by row, within the bounds of a page.
    const shown = isOwner ? Object.values(visibilities) : [visibilities.listed]
    const one = `SELECT id FROM proofs WHERE ${[ofAccount, 'app_id = ?', 'visibility = ?', ...conditions].join(' AND ')}`
    return {
      sql: `${walked.flatMap(() => shown.map(() => one)).join(' UNION ALL ')} ORDER BY id DESC`,
      params: walked.flatMap((account) => shown.flatMap((visibility) => [account, appId, visibility, ...params])),
    }
  }
  // The first condition is that of the index proofs_shown, word by word.
  if (!isOwner && showsHistory(filter)) conditions.push('visibility > 0', 'visibility = 2')
  if (!isOwner && !showsHistory(filter)) conditions.push('visibility = 2', 'superseded = 0', 'revoked_at IS NULL')
  const one = `SELECT id FROM proofs WHERE ${[ofAccount, ...conditions].join(' AND ')}`
  return {
    sql: `${walked.map(() => one).join(' UNION ALL ')} ORDER BY id DESC`,
    params: walked.flatMap((account) => [account, ...params]),
  }
}

const notReplaced = `(p.finality IS NULL OR p.finality <> ${finalities.replaced})`

/** What columns tell row by row, within the reach. */
export function buildNarrowing({ isOwner, filter, now }: Pick<ListQuery, 'isOwner' | 'filter' | 'now'>): Conditions {
  const conditions: string[] = []
  const params: SqlValue[] = []
  const add = (condition: string, ...values: SqlValue[]): void => {
    conditions.push(condition)
    params.push(...values)
  }
  const appId = findWalkedApp(filter)
  if ((isOwner || appId !== undefined) && !showsHistory(filter)) add('p.superseded = 0 AND p.revoked_at IS NULL')
  if (filter.appId === noApp) add('p.app_id IS NULL')
  else if (filter.appId !== undefined && appId === undefined) add('p.app_id = ?', filter.appId)
  if (filter.status === 'revoked') add(`(p.revoked_at IS NOT NULL OR p.finality = ${finalities.replaced})`)
  else if (filter.status === 'expired') add(`p.revoked_at IS NULL AND ${notReplaced} AND p.expires_at <= ?`, now)
  else if (filter.status !== undefined) {
    const words = filter.status === 'verified' ? fullyVerifiedWords : [filter.status]
    add(`p.status IN (${words.map(() => '?').join(', ')})`, ...words)
    add(`p.revoked_at IS NULL AND ${notReplaced} AND (p.expires_at IS NULL OR p.expires_at > ?)`, now)
  }
  if (filter.privacyLevel !== undefined)
    add(filter.privacyLevel === 'private' ? 'p.visibility = 0' : 'p.visibility > 0')
  if (filter.chainId !== undefined) add('p.chain_id = ?', filter.chainId)
  return { conditions, params }
}

/** The position a scan stopped at, when it stopped at its limit. */
function findLastScanned(db: Db, reach: Query, reachLimit: number): { id: number; createdAt: number } | undefined {
  const row = db
    .prepare<{ id: number; createdAt: number }, SqlValue[]>(
      `SELECT r.id, p.created_at AS createdAt FROM (${reach.sql} LIMIT 1 OFFSET ?) r CROSS JOIN proofs p ON p.id = r.id`,
    )
    .get(...reach.params, reachLimit - 1)
  return row ?? undefined
}

export function findAccountCounts(db: Db, account: number) {
  const row = db
    .prepare<{ current: number; listed: number; total: number; allListed: number }, [number]>(
      `SELECT current_count AS current, listed_count AS listed, all_count AS total, all_listed_count AS allListed
       FROM accounts WHERE id = ?`,
    )
    .get(account)
  return { current: row?.current ?? 0, listed: row?.listed ?? 0, all: row?.total ?? 0, allListed: row?.allListed ?? 0 }
}
