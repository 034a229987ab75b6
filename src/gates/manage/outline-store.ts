/**
 * Gates as lists show them: SQL and nothing else. A row costs what the list says of it, however large the definition is.
 */
import type { Db } from '../../db/db.ts'
import type { Parts } from '../../parts.ts'
import { type Summary, summarizeDefinition } from '../definition/summary.ts'
import type { Gate } from '../gate.ts'
import { findDefinition } from '../store.ts'

type Reading = Pick<Parts, 'db'>

/** A gate without its definition. */
export interface GateOutline extends Omit<Gate, 'definition'> {
  readonly name: string
  /** Of the definition as JSON. */
  readonly definitionBytes: number
}

const outlineColumns = `
  g.id, g.gate_id AS gateId, g.owner, g.status, g.version, g.fulfilled_count AS fulfilledCount,
  g.created_at AS createdAt, g.updated_at AS updatedAt, s.name, s.definition_bytes AS definitionBytes`
const newestVersion = 'JOIN gate_summaries s ON s.gate = g.id AND s.version = g.version'

export const selectOwned = `
  SELECT ${outlineColumns} FROM gates g ${newestVersion}
  WHERE g.owner = ?1 AND g.status <> 'deleted' ORDER BY g.id LIMIT ?2 OFFSET ?3`
const countOwned = `SELECT count(*) AS count FROM gates g WHERE g.owner = ?1 AND g.status <> 'deleted'`
const selectAll = `
  SELECT ${outlineColumns} FROM gates g ${newestVersion} WHERE g.status <> 'deleted' ORDER BY g.id`
export const selectListed = `
  SELECT ${outlineColumns} FROM gates g ${newestVersion}
  WHERE g.is_listed = 1 AND g.status = 'active' ORDER BY g.id DESC LIMIT ?1`
const selectBytes = `
  SELECT s.definition_bytes AS bytes FROM gates g ${newestVersion} WHERE g.gate_id = ?1`
const selectSummary = 'SELECT summary FROM gate_summaries WHERE gate = ?1 AND version = ?2'

export interface OutlinePage {
  readonly limit: number
  readonly offset?: number
}

/** Gates of a wallet, the oldest first, without deleted ones. */
export const listOwnGates = (
  { db }: Reading,
  owner: string,
  { limit, offset = 0 }: OutlinePage,
): readonly GateOutline[] => db.prepare<GateOutline, [string, number, number]>(selectOwned).all(owner, limit, offset)

export const countOwnGates = ({ db }: Reading, owner: string): number =>
  db.prepare<{ count: number }, [string]>(countOwned).get(owner)?.count ?? 0

/** How long the newest definition of a gate is; 0 where there is none. */
export const countDefinitionBytes = ({ db }: Reading, gateId: string): number =>
  db.prepare<{ bytes: number }, [string]>(selectBytes).get(gateId)?.bytes ?? 0

/** Gates of everybody, the oldest first, without deleted ones: for the operator. */
export const listAllGates = ({ db }: Reading): readonly GateOutline[] => db.prepare<GateOutline, []>(selectAll).all()

/** Active gates that their owners put on public display, the newest first. Reads at most `limit` of them. */
export const listDiscoverable = ({ db }: Reading, limit: number): readonly GateOutline[] =>
  db.prepare<GateOutline, [number]>(selectListed).all(limit)

/** Summaries that were made before: a version never changes, so that an entry never goes stale. */
const known = new WeakMap<Db, Map<string, Summary>>()
/** Of at most some 15 kB each. */
const mostKnown = 500

/** The newest definition of a gate, in the length of a list. */
export function findSummary({ db }: Reading, { id, version }: GateOutline): Summary | undefined {
  const seen = known.get(db) ?? new Map<string, Summary>()
  known.set(db, seen)
  const key = `${id}/${version}`
  const last = seen.get(key)
  if (last) return last
  const row = db.prepare<{ summary: string | null }, [number, number]>(selectSummary).get(id, version)
  const summary = row?.summary
    ? { definition: JSON.parse(row.summary), isTruncated: true }
    : makeSummary({ db }, id, version)
  if (!summary) return undefined
  if (seen.size >= mostKnown) seen.clear()
  seen.set(key, summary)
  return summary
}

/** Short definitions, and those that were written before there were summaries. */
function makeSummary(parts: Reading, id: number, version: number): Summary | undefined {
  const definition = findDefinition(parts, id, version)
  return definition && summarizeDefinition(definition)
}
