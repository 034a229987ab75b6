/** The most frequent tags, and the verifiers, among the newest proofs of a list. */

import type { Db, SqlValue } from '../db/db.ts'
import { label, query, type RowOf } from '../db/query.ts'
import { listedRecord } from './page-store.ts'
import { buildNarrowing, buildReach, type ListQuery } from './reach-store.ts'
import type { ProofRecord } from './record.ts'

const mostTags = 100
/** The search limits, in records, their bytes, and counted tags. */
const mostLookedAt = { rows: 4_000, bytes: 2_000_000, tags: 20_000 } as const

export interface Facets {
  readonly tags: { tag: string; count: number }[]
  /** Of the proofs that were read, sorted. */
  readonly verifierIds: readonly string[]
  readonly truncated: boolean
}

/** `truncated` when there are more tags than shown, or more proofs than were read. */
export async function listFacets(
  db: Db,
  { accounts, isOwner, now }: Pick<ListQuery, 'accounts' | 'isOwner' | 'now'>,
): Promise<Facets> {
  const filter = {}
  const mostOfEach = db.mergesUnions ? undefined : mostLookedAt.rows
  const reach = buildReach({ accounts, isOwner, filter, now, before: undefined, mostOfEach })
  const { conditions, params } = buildNarrowing({ isOwner, filter, now })
  const select = query<SqlValue[]>()`
      SELECT ${listedRecord} AS ${label('record', 'text')}
      FROM (${reach.sql} LIMIT ?) r CROSS JOIN proofs p ON p.id = r.id
      ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''} ORDER BY r.id DESC`
  const counts = new Map<string, number>()
  const verifierIds = new Set<string>()
  const left = { bytes: mostLookedAt.bytes, tags: mostLookedAt.tags }
  let isWhole = true
  const countTags = ({ record }: RowOf<typeof select>): boolean => {
    left.bytes -= record.length
    for (const id of readVerifierIds(record)) verifierIds.add(id)
    // Most records without tags are recognized without parsing them.
    const tags = record.includes('"tags":[') ? ((JSON.parse(record) as ProofRecord).meta.tags ?? []) : []
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
    left.tags -= tags.length
    isWhole = left.bytes > 0 && left.tags > 0
    return isWhole
  }
  await db.read(select).scan(countTags, ...reach.params, mostLookedAt.rows, ...params)
  const sorted = [...counts].sort(
    ([tag, count], [otherTag, otherCount]) => otherCount - count || (tag < otherTag ? -1 : 1),
  )
  const tags = sorted.slice(0, mostTags).map(([tag, count]) => ({ tag, count }))
  return { tags, verifierIds: [...verifierIds].sort(), truncated: sorted.length > mostTags || !isWhole }
}

/** Records begin with their verifiers, so most need not be parsed. */
function readVerifierIds(record: string): readonly string[] {
  const [, ids] = /^\{"verifierIds":(\["[\w-]+"(?:,"[\w-]+")*\])/.exec(record) ?? []
  return ids === undefined ? (JSON.parse(record) as ProofRecord).verifierIds : (JSON.parse(ids) as string[])
}
