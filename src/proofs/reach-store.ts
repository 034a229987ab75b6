/** The walk of a list: the rows of an index, newest first, and the conditions on their columns. */

import type { SqlValue } from '../db/db.ts'
import type { IdRange } from '../db/id-range-store.ts'
import { compose, pick, type Selected } from '../db/query.ts'
import { noApp } from '../http/client-app.ts'
import { finalities } from './finality.ts'
import { findWalkedApp, type ProofFilter, showsExpired, showsHistory } from './list-filter.ts'
import { fullyVerifiedWords, readFirst52Bits } from './proof.ts'

export interface ListQuery {
  /** The owners of the proofs, as accounts.id (account-store.ts): one list over all of them. */
  readonly accounts: readonly number[]
  readonly isOwner: boolean
  readonly filter: ProofFilter
  /** Only rows older than this position. */
  readonly before: number | undefined
  readonly offset: number
  readonly limit: number
  readonly now: number
}

export interface Conditions {
  readonly conditions: string[]
  readonly params: SqlValue[]
}

/** accounts.id begins at 1. */
const noAccount = 0

export interface ReachQuery {
  /** It gives ids of proofs. */
  readonly sql: Selected<{ readonly id: number }>
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
  now,
  range,
  mostOfEach,
}: Pick<ListQuery, 'accounts' | 'isOwner' | 'before' | 'filter' | 'now'> & {
  /** Rows that are read of all accounts together, where that must be said of each (Db.mergesUnions). */
  readonly mostOfEach?: number | undefined
  /** Holds the times of the filter. */
  readonly range?: IdRange | undefined
}): ReachQuery {
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
  const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, range?.end ?? Number.MAX_SAFE_INTEGER)
  if (before !== undefined || range) add('id < ?', end)
  if (range) add('id >= ?', range.first)
  if (qHash !== undefined) add('q52 = ? AND q_hash = unhex(?)', readFirst52Bits(qHash), qHash.slice(2))
  if (qHashPrefix !== undefined) {
    const digits = qHashPrefix.slice(2)
    add(
      'q52 BETWEEN ? AND ?',
      readFirst52Bits(`0x${digits.padEnd(13, '0')}`),
      readFirst52Bits(`0x${digits.padEnd(13, 'f')}`),
    )
    add('substr(lower(hex(q_hash)), 1, ?) = ?', digits.length, digits)
  }
  // The condition repeats its index word by word. For one app, history is filtered row by row, within the bounds of a
  // page.
  if (appId !== undefined) add(isOwner ? 'app_id = ?' : 'visibility = 2 AND app_id = ?', appId)
  else if (!isOwner && showsExpired(filter)) conditions.push('visibility > 0', 'visibility = 2')
  else if (!isOwner) {
    conditions.push('visibility = 2', 'superseded = 0', 'revoked_at IS NULL', "status <> 'expired'")
    // Only what the sweep has not come by yet is walked past.
    add('(expires_at IS NULL OR expires_at > ?)', now)
  }
  const walked = accounts.length === 0 ? [noAccount] : [...new Set(accounts)]
  const all = compose`SELECT ${pick('proofs', 'id')} FROM proofs WHERE ${[ofAccount, ...conditions].join(' AND ')}`
  const isLimited = mostOfEach !== undefined && walked.length > 1
  const one = isLimited ? compose`SELECT id FROM (${all} ORDER BY id DESC LIMIT ?) one` : all
  return {
    sql: compose`${one}${walked
      .slice(1)
      .map(() => ` UNION ALL ${one}`)
      .join('')} ORDER BY id DESC`,
    params: walked.flatMap((account) => [account, ...params, ...(isLimited ? [mostOfEach] : [])]),
  }
}

const notReplaced = `(p.finality IS NULL OR p.finality <> ${finalities.replaced})`

/** The conditions on columns, row by row, within the reach. */
export function buildNarrowing({ isOwner, filter, now }: Pick<ListQuery, 'isOwner' | 'filter' | 'now'>): Conditions {
  const conditions: string[] = []
  const params: SqlValue[] = []
  const add = (condition: string, ...values: SqlValue[]): void => {
    conditions.push(condition)
    params.push(...values)
  }
  const appId = findWalkedApp(filter)
  if ((isOwner || appId !== undefined || showsExpired(filter)) && !showsHistory(filter))
    add('p.superseded = 0 AND p.revoked_at IS NULL')
  if (!isOwner && appId !== undefined && !showsExpired(filter)) add('(p.expires_at IS NULL OR p.expires_at > ?)', now)
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
  if (filter.from !== undefined) add('p.created_at >= ?', filter.from)
  if (filter.before !== undefined) add('p.created_at < ?', filter.before)
  return { conditions, params }
}
