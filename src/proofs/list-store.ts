/** The SQL of lists. Every page costs a bounded number of rows, whatever the filter and the size of the wallet. */
import type { Db, SqlValue } from '../db/db.ts'
import type { Account } from '../http/identity.ts'
import { signedOnChain, signedOnChainParams } from './owner.ts'
import type { ProofRow } from './proof.ts'
import { first52, fullyVerifiedWords } from './proof.ts'
import { type RawRow, rowColumns, rowOf } from './store.ts'

export interface ProofFilter {
  readonly includeHistory?: boolean | undefined
  readonly qHash?: string | undefined
  /** The beginning of an id, in lower case. */
  readonly qHashPrefix?: string | undefined
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
  /** Text in the title, the description or a tag; for the owner also in what was found. */
  readonly text?: string | undefined
  readonly chainId?: number | undefined
  readonly chainCoverage?: string | undefined
}

export interface ListQuery {
  /** Whose proofs: one list over all of them. Of a contract wallet only those signed on its chain (owner.ts). */
  readonly accounts: readonly Account[]
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

/** Rows a filtered page looks at before it stops and lets the cursor go on from there. */
const scanLimit = 5_000
/** Of their own, people look through more of at a time: fewer questions for the same work. */
const ownerScanLimit = 10_000
/** An offset is the slow door: what it skips of a whole list is looked at as well, as far as this. */
const mostSkipped = 100_000

export function listProofs(db: Db, query: ListQuery): ListPage {
  const { limit, offset } = query
  const reach = reachOf(query)
  const narrowing = narrowingOf(query)
  // An offset adds nothing where a filter has to be asked of each row: anybody may send one, of any size. nextOffset
  // stays within the reach, and from its end the cursor goes on.
  const skipped = isFiltered(query.filter) ? 0 : Math.min(offset, mostSkipped)
  const reachLimit = (query.isOwner ? ownerScanLimit : scanLimit) + skipped
  const isBounded = narrowing.conditions.length > 0 || offset > mostSkipped
  const rows = db
    .prepare<RawRow, SqlValue[]>(
      `SELECT ${rowColumns} FROM (${reach.sql} ${isBounded ? 'LIMIT ?' : ''}) p JOIN accounts a ON a.id = p.account_id
       ${narrowing.conditions.length > 0 ? `WHERE ${narrowing.conditions.join(' AND ')}` : ''}
       ORDER BY p.id DESC LIMIT ? OFFSET ?`,
    )
    .all(...reach.params, ...(isBounded ? [reachLimit] : []), ...narrowing.params, limit + 1, offset)

  const page = rows.slice(0, limit)
  const found = page.map(rowOf)
  if (rows.length > limit)
    return { rows: found, continuesBefore: page.at(-1)?.id, isComplete: true, lookedBackTo: undefined }
  const last = isBounded ? lastScanned(db, reach, reachLimit) : undefined
  return { rows: found, continuesBefore: last?.id, isComplete: last === undefined, lookedBackTo: last?.createdAt }
}

interface Conditions {
  readonly conditions: string[]
  readonly params: SqlValue[]
}

/** An address whose proofs are meant: on these chains only, where it is a contract wallet and nothing else. */
interface Owner {
  readonly wallet: string
  readonly chains: readonly string[] | undefined
}

/** Each address once: it may be a contract wallet on several chains, or a key besides. */
export function ownersIn(accounts: readonly Account[]): Owner[] {
  const owners = new Map<string, readonly string[] | undefined>()
  for (const { wallet, contractOn } of accounts) {
    const known = owners.has(wallet) ? owners.get(wallet) : []
    owners.set(wallet, contractOn === undefined || known === undefined ? undefined : [...known, contractOn])
  }
  return [...owners].map(([wallet, chains]) => ({ wallet, chains }))
}

const signedOnOneOf = (chains: readonly string[]): string => `(${chains.map(() => signedOnChain).join(' OR ')})`

interface Reach {
  readonly sql: string
  readonly params: SqlValue[]
}

/**
 * What an index answers, newest first: the wallet, the position, and for strangers the listed proofs that are not
 * history. Several wallets are walked side by side and merged, each as far as the page needs.
 */
function reachOf({ accounts, isOwner, before, filter }: ListQuery): Reach {
  const conditions: string[] = []
  const params: SqlValue[] = []
  const add = (condition: string, ...values: SqlValue[]): void => {
    conditions.push(condition)
    params.push(...values)
  }
  const owners = ownersIn(accounts)
  const { qHash, qHashPrefix } = filter
  // The plus keeps the planner from walking the whole wallet for one id.
  const ofAccount = `${qHash === undefined && qHashPrefix === undefined ? '' : '+'}account_id = (SELECT id FROM accounts WHERE address = ?)`
  if (before !== undefined) add('id < ?', before)
  if (qHash !== undefined) add('q52 = ? AND q_hash = unhex(?)', first52(qHash), qHash.slice(2))
  if (qHashPrefix !== undefined) {
    const digits = qHashPrefix.slice(2)
    add('q52 BETWEEN ? AND ?', first52(`0x${digits.padEnd(13, '0')}`), first52(`0x${digits.padEnd(13, 'f')}`))
    add('substr(lower(hex(q_hash)), 1, ?) = ?', digits.length, digits)
  }
  if (!isOwner) {
    conditions.push('visibility = 2')
    if (!showsHistory(filter)) conditions.push('superseded = 0', 'revoked_at IS NULL')
  }
  const one = `SELECT * FROM proofs WHERE ${[ofAccount, ...conditions].join(' AND ')}`
  return {
    sql: `${owners.map(() => one).join(' UNION ALL ')} ORDER BY id DESC`,
    params: owners.flatMap(({ wallet }) => [wallet, ...params]),
  }
}

/** Whether a caller asked for some of the list only. */
export const isFiltered = ({ includeHistory: _, ...narrowing }: ProofFilter): boolean =>
  Object.values(narrowing).some((value) => value !== undefined)

const showsHistory = ({ includeHistory, status }: ProofFilter): boolean =>
  includeHistory === true || status === 'revoked'

const targetCount = "json_array_length(p.record, '$.publishing.targetChains')"
const tagOf = "json_each(p.record, '$.meta.tags') tag"
const rowsOf = "json_each(p.record, '$.rows') row"
const begins = (column: string): string => `substr(${column}, 1, length(?)) = ?`

/** What has to be looked at row by row. */
function narrowingOf({ accounts, isOwner, filter, now }: ListQuery): Conditions {
  const conditions: string[] = []
  const params: SqlValue[] = []
  const add = (condition: string, ...values: SqlValue[]): void => {
    conditions.push(condition)
    params.push(...values)
  }
  if (isOwner && !showsHistory(filter)) add('p.superseded = 0 AND p.revoked_at IS NULL')
  for (const { wallet, chains } of ownersIn(accounts))
    if (chains) add(`(a.address <> ? OR ${signedOnOneOf(chains)})`, wallet, ...chains.flatMap(signedOnChainParams))
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
      `EXISTS (SELECT 1 FROM ${rowsOf} WHERE json_extract(row.value, '$.verifierId') IN (${filter.verifierIds.map(() => '?').join(', ')}))`,
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
    const places = [
      `instr(lower(coalesce(json_extract(p.record, '$.meta.title'), '')), ?) > 0`,
      `instr(lower(coalesce(json_extract(p.record, '$.meta.description'), '')), ?) > 0`,
      `EXISTS (SELECT 1 FROM ${tagOf} WHERE instr(lower(tag.value), ?) > 0)`,
      // Others are not shown all that was found, so they cannot look for it either; `hidden` beside `data` nobody can.
      ...(isOwner
        ? [
            `EXISTS (SELECT 1 FROM ${rowsOf}, json_tree(row.value, '$.data') found WHERE instr(lower(found.atom), ?) > 0)`,
          ]
        : []),
    ]
    // Most rows are told apart without reading their JSON.
    add('instr(lower(p.record), ?) > 0', JSON.stringify(text).slice(1, -1))
    add(`(${places.join(' OR ')})`, ...places.map(() => text))
  }
  return { conditions, params }
}

/** The position a scan stopped at, when it stopped at its limit. */
function lastScanned(db: Db, reach: Reach, reachLimit: number): { id: number; createdAt: number } | undefined {
  const row = db
    .prepare<{ id: number; createdAt: number }, SqlValue[]>(
      `SELECT id, created_at AS createdAt FROM (${reach.sql} LIMIT 1 OFFSET ?)`,
    )
    .get(...reach.params, reachLimit - 1)
  return row ?? undefined
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
export function listFacets(db: Db, { accounts, isOwner }: Pick<ListQuery, 'accounts' | 'isOwner'>) {
  const owners = ownersIn(accounts)
  const one = ({ chains }: Owner): string =>
    `SELECT id, record FROM proofs
     WHERE account_id = (SELECT id FROM accounts WHERE address = ?) ${isOwner ? '' : 'AND visibility = 2'}
       AND superseded = 0 AND revoked_at IS NULL ${chains === undefined ? '' : `AND ${signedOnOneOf(chains)}`}`
  const tags = db
    .prepare<{ tag: string; count: number }, SqlValue[]>(
      `SELECT tag.value AS tag, count(*) AS count FROM (
         ${owners.map(one).join(' UNION ALL ')} ORDER BY id DESC LIMIT ${scanLimit}
       ) p, ${tagOf} GROUP BY tag.value ORDER BY count DESC, tag.value LIMIT ${facetLimit + 1}`,
    )
    .all(...owners.flatMap(({ wallet, chains = [] }): SqlValue[] => [wallet, ...chains.flatMap(signedOnChainParams)]))
  return { tags: tags.slice(0, facetLimit), truncated: tags.length > facetLimit }
}
