/**
 * Gates as lists show them: SQL and nothing else. A row costs what the list says of it, however large the definition is.
 */

import type { Db } from '../../db/db.ts'
import { compose, label, pick, query, type RowOf } from '../../db/query.ts'
import type { Parts } from '../../parts.ts'
import { type Summary, summarizeDefinition } from '../definition/summary.ts'
import { findDefinition } from '../store.ts'

type Reading = Pick<Parts, 'db'>

/** A gate without its definition. */
export type GateOutline = RowOf<typeof outlineColumns>

const outlineColumns = compose`
  ${pick('gates g', 'id', 'gateId', 'owner', 'status', 'version', 'fulfilledCount', 'guestCount', 'archivedAt', 'createdAt', 'updatedAt')},
  ${pick('gate_summaries s', 'name', 'definitionBytes')}`
const newestVersion = 'JOIN gate_summaries s ON s.gate = g.id AND s.version = g.version'

export const selectOwned = query<[string, number, number]>()`
  SELECT ${outlineColumns} FROM gates g ${newestVersion}
  WHERE g.owner = ?1 AND g.status <> 'deleted' ORDER BY g.id LIMIT ?2 OFFSET ?3`
const countOwned = query<[string]>()`
  SELECT count(*) AS ${label('count', 'number')}
  FROM gates g WHERE g.owner = ?1 AND g.status <> 'deleted'`
const selectAll = query<[]>()`
  SELECT ${outlineColumns} FROM gates g ${newestVersion} WHERE g.status <> 'deleted' ORDER BY g.id`
export const selectListed = query<[number]>()`
  SELECT ${outlineColumns} FROM gates g ${newestVersion}
  WHERE g.is_listed = 1 AND g.status = 'active' ORDER BY g.id DESC LIMIT ?1`
const selectBytes = query<[string]>()`
  SELECT ${pick('gate_summaries s', { bytes: 'definitionBytes' })}
  FROM gates g ${newestVersion} WHERE g.gate_id = ?1`
const selectSummary = query<[number, number]>()`
  SELECT ${pick('gate_summaries', 'summary')}
  FROM gate_summaries WHERE gate = ?1 AND version = ?2`

export interface OutlinePage {
  readonly limit: number
  readonly offset?: number
}

/** Gates of a wallet, the oldest first, without deleted ones. */
export const listOwnGates = (
  { db }: Reading,
  owner: string,
  { limit, offset = 0 }: OutlinePage,
): Promise<readonly GateOutline[]> => db.read(selectOwned).all(owner, limit, offset)

export const countOwnGates = async ({ db }: Reading, owner: string): Promise<number> =>
  (await db.read(countOwned).get(owner))?.count ?? 0

/** The length of a gate's newest definition; 0 without one. */
export const countDefinitionBytes = async ({ db }: Reading, gateId: string): Promise<number> =>
  (await db.read(selectBytes).get(gateId))?.bytes ?? 0

/** Gates of everybody, the oldest first, without deleted ones: for the operator. */
export const listAllGates = ({ db }: Reading): Promise<readonly GateOutline[]> => db.read(selectAll).all()

/** Active gates that their owners put on public display, the newest first. Reads at most `limit` of them. */
export const listDiscoverable = ({ db }: Reading, limit: number): Promise<readonly GateOutline[]> =>
  db.read(selectListed).all(limit)

/** Summaries that were made before: a version never changes, so that an entry never goes stale. */
const known = new WeakMap<Db, Map<string, Summary>>()
/** Cached outlines of at most some 15 kB each. */
const mostKnown = 500

/** The newest definition of a gate, in the length of a list. */
export async function findSummary({ db }: Reading, { id, version }: GateOutline): Promise<Summary | undefined> {
  const seen = known.get(db) ?? new Map<string, Summary>()
  known.set(db, seen)
  const key = `${id}/${version}`
  const last = seen.get(key)
  if (last) return last
  const row = await db.read(selectSummary).get(id, version)
  const summary = row?.summary
    ? { definition: JSON.parse(row.summary), isTruncated: true }
    : await makeSummary({ db }, id, version)
  if (!summary) return undefined
  if (seen.size >= mostKnown) seen.clear()
  seen.set(key, summary)
  return summary
}

/** Short definitions, and those that were written before there were summaries. */
async function makeSummary(parts: Reading, id: number, version: number): Promise<Summary | undefined> {
  const definition = await findDefinition(parts, id, version)
  return definition && summarizeDefinition(definition)
}
