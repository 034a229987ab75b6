/** The SQL of lists. Every page costs a bounded number of rows, whatever the filter and the size of the wallet. */
import type { Db, SqlValue } from '../db/db.ts'
import { signedOnChain, signedOnChainParams } from './owner.ts'
import type { ProofRow } from './proof.ts'
import { first52, fullyVerifiedWords } from './proof.ts'
import { type RawRow, rowColumns, rowOf } from './store.ts'

export interface ProofFilter {
  readonly includeHistory?: boolean | undefined
  readonly qHash?: string | undefined
  readonly status?: string | undefined
  /** Any of these. */
  readonly verifierIds?: readonly string[] | undefined
  /** All of these. */
  readonly tags?: readonly string[] | undefined
  readonly tagPrefix?: string | undefined
  readonly tagContains?: string | undefined
  /** For each of these some tag begins with it. */
  readonly tagPrefixesAll?: readonly string[] | undefined
  readonly privacyLevel?: string | undefined
  /** Text in the title, the description or a tag. */
  readonly text?: string | undefined
  readonly chainId?: number | undefined
  readonly chainCoverage?: string | undefined
}

export interface ListQuery {
  readonly wallet: string
  readonly isOwner: boolean
  /** CAIP-2: only proofs signed on this chain, where the owner is a contract wallet (owner.ts). */
  readonly signedOn: string | undefined
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
}

/** Rows a filtered page looks at before it stops and lets the cursor go on from there. */
export const scanLimit = 5_000

export function listProofs(db: Db, query: ListQuery): ListPage {
  const { limit, offset } = query
  const reach = reachOf(query)
  const narrowing = narrowingOf(query)
  const isNarrowed = narrowing.conditions.length > 0
  // An offset is the slow door: what it skips is looked at as well.
  const reachLimit = scanLimit + offset
  const rows = db
    .prepare<RawRow, SqlValue[]>(
      `SELECT ${rowColumns} FROM (
         SELECT * FROM proofs WHERE ${reach.conditions.join(' AND ')} ORDER BY id DESC ${isNarrowed ? 'LIMIT ?' : ''}
       ) p JOIN accounts a ON a.id = p.account_id
       ${isNarrowed ? `WHERE ${narrowing.conditions.join(' AND ')}` : ''}
       ORDER BY p.id DESC LIMIT ? OFFSET ?`,
    )
    .all(...reach.params, ...(isNarrowed ? [reachLimit] : []), ...narrowing.params, limit + 1, offset)

  const page = rows.slice(0, limit)
  if (rows.length > limit) return { rows: page.map(rowOf), continuesBefore: page.at(-1)?.id, isComplete: true }
  const scanEnd = isNarrowed ? lastScanned(db, reach, reachLimit) : undefined
  return { rows: page.map(rowOf), continuesBefore: scanEnd, isComplete: scanEnd === undefined }
}

interface Conditions {
  readonly conditions: string[]
  readonly params: SqlValue[]
}

/** What an index answers: the wallet, the position, and for strangers the listed proofs that are not history. */
function reachOf({ wallet, isOwner, before, filter }: ListQuery): Conditions {
  const conditions = ['account_id = (SELECT id FROM accounts WHERE address = ?)']
  const params: SqlValue[] = [wallet]
  if (before !== undefined) {
    conditions.push('id < ?')
    params.push(before)
  }
  if (filter.qHash !== undefined) {
    conditions.push('q52 = ? AND q_hash = unhex(?)')
    params.push(first52(filter.qHash), filter.qHash.slice(2))
  }
  if (!isOwner) {
    conditions.push('visibility = 2')
    if (!showsHistory(filter)) conditions.push('superseded = 0', 'revoked_at IS NULL')
  }
  return { conditions, params }
}

const showsHistory = ({ includeHistory, status }: ProofFilter): boolean =>
  includeHistory === true || status === 'revoked'

const targetCount = "json_array_length(p.record, '$.publishing.targetChains')"
const tagOf = "json_each(p.record, '$.meta.tags') tag"
const begins = (column: string): string => `substr(${column}, 1, length(?)) = ?`

/** What has to be looked at row by row. */
function narrowingOf({ isOwner, signedOn, filter, now }: ListQuery): Conditions {
  const conditions: string[] = []
  const params: SqlValue[] = []
  const add = (condition: string, ...values: SqlValue[]): void => {
    conditions.push(condition)
    params.push(...values)
  }
  if (isOwner && !showsHistory(filter)) add('p.superseded = 0 AND p.revoked_at IS NULL')
  if (signedOn !== undefined) add(signedOnChain, ...signedOnChainParams(signedOn))
  if (filter.status === 'revoked') add('p.revoked_at IS NOT NULL')
  else if (filter.status === 'expired') add('p.revoked_at IS NULL AND p.expires_at <= ?', now)
  else if (filter.status !== undefined) {
    const words = filter.status === 'verified' ? fullyVerifiedWords : [filter.status]
    add(`p.status IN (${words.map(() => '?').join(', ')})`, ...words)
    add('p.revoked_at IS NULL AND (p.expires_at IS NULL OR p.expires_at > ?)', now)
  }
  if (filter.privacyLevel !== undefined)
    add(filter.privacyLevel === 'private' ? 'p.visibility = 0' : 'p.visibility > 0')
  if (filter.chainId !== undefined) add('p.chain_id = ?', filter.chainId)
  if (filter.chainCoverage !== undefined)
    add(`${filter.chainCoverage === 'hub-only' ? 'NOT ' : ''}coalesce(${targetCount}, 0) > 0`)
  if (filter.verifierIds !== undefined)
    add(
      `EXISTS (SELECT 1 FROM json_each(p.record, '$.rows') row WHERE json_extract(row.value, '$.verifierId') IN (${filter.verifierIds.map(() => '?').join(', ')}))`,
      ...filter.verifierIds,
    )
  for (const tag of filter.tags ?? []) add(`EXISTS (SELECT 1 FROM ${tagOf} WHERE tag.value = ?)`, tag)
  for (const prefix of [
    ...(filter.tagPrefixesAll ?? []),
    ...(filter.tagPrefix === undefined ? [] : [filter.tagPrefix]),
  ])
    add(`EXISTS (SELECT 1 FROM ${tagOf} WHERE ${begins('tag.value')})`, prefix, prefix)
  if (filter.tagContains !== undefined)
    add(`EXISTS (SELECT 1 FROM ${tagOf} WHERE instr(tag.value, ?) > 0)`, filter.tagContains)
  if (filter.text !== undefined) {
    // As SQLite's lower() does it: A to Z only, so that a text always finds itself.
    const text = filter.text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    add(
      `(instr(lower(coalesce(json_extract(p.record, '$.meta.title'), '')), ?) > 0
        OR instr(lower(coalesce(json_extract(p.record, '$.meta.description'), '')), ?) > 0
        OR EXISTS (SELECT 1 FROM ${tagOf} WHERE instr(lower(tag.value), ?) > 0))`,
      text,
      text,
      text,
    )
  }
  return { conditions, params }
}

/** The position a scan stopped at, when it stopped at its limit. */
function lastScanned(db: Db, reach: Conditions, reachLimit: number): number | undefined {
  const row = db
    .prepare<{ id: number }, SqlValue[]>(
      `SELECT id FROM proofs WHERE ${reach.conditions.join(' AND ')} ORDER BY id DESC LIMIT 1 OFFSET ?`,
    )
    .get(...reach.params, reachLimit - 1)
  return row?.id
}

export function findAccountCounts(db: Db, wallet: string) {
  const row = db
    .prepare<{ current: number; listed: number; total: number; allListed: number }, [string]>(
      `SELECT current_count AS current, listed_count AS listed, all_count AS total, all_listed_count AS allListed
       FROM accounts WHERE address = ?`,
    )
    .get(wallet)
  return { current: row?.current ?? 0, listed: row?.listed ?? 0, all: row?.total ?? 0, allListed: row?.allListed ?? 0 }
}

const facetLimit = 100

/** The most frequent tags among the newest proofs of the list. */
export function listFacets(db: Db, { wallet, isOwner, signedOn }: Pick<ListQuery, 'wallet' | 'isOwner' | 'signedOn'>) {
  const tags = db
    .prepare<{ tag: string; count: number }, SqlValue[]>(
      `SELECT tag.value AS tag, count(*) AS count FROM (
         SELECT record FROM proofs
         WHERE account_id = (SELECT id FROM accounts WHERE address = ?) ${isOwner ? '' : 'AND visibility = 2'}
           AND superseded = 0 AND revoked_at IS NULL ${signedOn === undefined ? '' : `AND ${signedOnChain}`}
         ORDER BY id DESC LIMIT ${scanLimit}
       ) p, ${tagOf} GROUP BY tag.value ORDER BY count DESC, tag.value LIMIT ${facetLimit + 1}`,
    )
    .all(wallet, ...(signedOn === undefined ? [] : signedOnChainParams(signedOn)))
  return { tags: tags.slice(0, facetLimit), truncated: tags.length > facetLimit }
}
