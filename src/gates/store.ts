/**
 * Gates in the database: SQL and nothing else. access.ts and the operations decide on viewing and changing.
 *
 * A version is written once and never changed; unneeded old ones are removed (kept-versions.ts). A version's reward
 * values are sealed under the master key, bound to its gate and number. They leave this file through readRewards alone.
 */

import type { Db, Statement } from '../db/db.ts'
import { label, pick, query } from '../db/query.ts'
import { noteTrace } from '../db/traces.ts'
import { nameTurn } from '../db/turns.ts'
import type { Parts } from '../parts.ts'
import { dropAppearance } from './appearance/store.ts'
import type { Change, NewVersion, RewardValues } from './change.ts'
import { countJsonBytes, summarizeDefinition } from './definition/summary.ts'
import type { Gate, GateReward, KeptDefinition } from './gate.ts'
import { listForgetStatements } from './guests/store.ts'
import { listAuditStatements } from './manage/audit.ts'

type Reading = Pick<Parts, 'db'>
type Sealing = Pick<Parts, 'db' | 'sealer'>

export interface VersionEntry {
  readonly version: number
  readonly author: string
  readonly createdAt: number
  /** The size of the definition and its sealed rewards. */
  readonly bytes: number
  /** Something was handed out by it, or is being paid for, so that it is kept. */
  readonly isFulfilled: boolean
}

/** No gate takes more versions than this. */
export const maxVersions = 1_000

interface GateRow extends Omit<Gate, 'definition'> {}

const gateColumns = pick(
  'gates g',
  'id',
  'gateId',
  'owner',
  'status',
  'version',
  'fulfilledCount',
  'guestCount',
  'archivedAt',
  'createdAt',
  'updatedAt',
)

export const selectGate = query<[string]>()`SELECT ${gateColumns} FROM gates g WHERE g.gate_id = ?1`
const selectGateById = query<[number]>()`SELECT ${gateColumns} FROM gates g WHERE g.id = ?1`
/** A version's fulfillments and open purchases: places are kept until they are swept. */
const selectUses = (gate: string, version: string): string => `
  SELECT 1 FROM fulfillments f WHERE f.gate = ${gate} AND f.version = ${version}
  UNION ALL SELECT 1 FROM reservations r WHERE r.gate = ${gate} AND r.version = ${version}
  UNION ALL SELECT 1 FROM settlements s WHERE s.gate = ${gate} AND s.version = ${version}
  UNION ALL SELECT 1 FROM checkouts c WHERE c.gate = ${gate} AND c.version = ${version}
  UNION ALL SELECT 1 FROM quotes q WHERE q.gate = ${gate} AND q.version = ${version}`
const selectVersions = query<[number]>()`
  SELECT ${pick('gate_versions v', 'version', 'author', 'createdAt')},
    coalesce(s.bytes, 0) AS ${label('bytes', 'number')},
    CASE WHEN EXISTS (${selectUses('?1', 'v.version')}) THEN 1 ELSE 0 END AS ${label('isFulfilled', 'number')}
  FROM gate_versions v LEFT JOIN gate_summaries s ON s.gate = v.gate AND s.version = v.version
  WHERE v.gate = ?1 ORDER BY v.version DESC`
const selectDefinition = query<[number, number]>()`
  SELECT ${pick('gate_versions', 'definition')}
  FROM gate_versions WHERE gate = ?1 AND version = ?2`
const selectVersion = query<[number, number]>()`
  SELECT 1 AS ${label('found', 'number')}
  FROM gate_versions WHERE gate = ?1 AND version = ?2`
/** The first version after a moment, and the last one that was made by then. */
const selectNearestVersions = query<[number, number]>()`
  SELECT (SELECT max(version) FROM gate_versions WHERE gate = ?1 AND created_at <= ?2) AS ${label('then_', 'number or null')},
    (SELECT min(version) FROM gate_versions WHERE gate = ?1 AND created_at > ?2) AS ${label('next_', 'number or null')},
    (SELECT created_at FROM gates WHERE id = ?1) AS ${label('gateCreatedAt', 'number or null')}`
/** The newest first, down to the one that applied at the first moment. */
const selectVersionRange = query<[number, number, number, number]>()`
  SELECT ${pick('gate_versions', 'version')}
  FROM gate_versions
  WHERE gate = ?1 AND created_at <= ?3 AND version >= coalesce(
    (SELECT max(version) FROM gate_versions WHERE gate = ?1 AND created_at <= ?2), 0)
  ORDER BY version DESC LIMIT ?4`
const selectRewards = query<[number, number]>()`
  SELECT ${pick('gate_versions', 'definition', 'rewards')}
  FROM gate_versions WHERE gate = ?1 AND version = ?2`

/** Definitions that were parsed before: a version never changes, so that an entry never goes stale. */
interface Parsed {
  readonly definitions: Map<string, KeptDefinition>
  characters: number
}
const parsed = new WeakMap<Db, Parsed>()
/** The limit of JSON. Its form in memory is a few times as large. */
const mostParsed = 8_388_608

async function readDefinition(db: Db, gate: number, version: number): Promise<KeptDefinition | undefined> {
  const known = parsed.get(db) ?? { definitions: new Map(), characters: 0 }
  parsed.set(db, known)
  const key = `${gate}/${version}`
  const seen = known.definitions.get(key)
  if (seen) return seen
  const row = await db.read(selectDefinition).get(gate, version)
  if (!row) return undefined
  if (known.characters + row.definition.length > mostParsed) {
    known.definitions.clear()
    known.characters = 0
  }
  const definition = JSON.parse(row.definition) as KeptDefinition
  known.definitions.set(key, definition)
  known.characters += row.definition.length
  return definition
}

async function makeGate(db: Db, row: GateRow | null): Promise<Gate | undefined> {
  const definition = row ? await readDefinition(db, row.id, row.version) : undefined
  return row && definition ? { ...row, definition } : undefined
}

/** The gate of an id with its newest version, whatever its status: callers decide who may see it. */
export const findGate = async ({ db }: Reading, gateId: string): Promise<Gate | undefined> =>
  makeGate(db, await db.read(selectGate).get(gateId))

export const findGateById = async ({ db }: Reading, id: number): Promise<Gate | undefined> =>
  makeGate(db, await db.read(selectGateById).get(id))

/** The newest first. */
export const listVersions = async ({ db }: Reading, gate: number): Promise<readonly VersionEntry[]> =>
  (await db.read(selectVersions).all(gate)).map((entry) => ({ ...entry, isFulfilled: entry.isFulfilled === 1 }))

/** The definition of one version. Undefined when it was removed, even where it is remembered as parsed. */
export const findDefinition = async (
  { db }: Reading,
  gate: number,
  version: number,
): Promise<KeptDefinition | undefined> =>
  (await db.read(selectVersion).get(gate, version)) ? await readDefinition(db, gate, version) : undefined

/**
 * The version that applied at a moment (Unix milliseconds). If it was removed, the next kept one, with its price and
 * reward. Undefined before the gate existed.
 */
export async function findApplicableVersion(
  { db }: Reading,
  gate: number,
  moment: number,
): Promise<number | undefined> {
  const around = await db.read(selectNearestVersions).get(gate, moment)
  if (!around || around.gateCreatedAt === null || around.gateCreatedAt > moment) return undefined
  const { then_: then, next_: next } = around
  const isKept = then !== null && (next === null || next === then + 1)
  return (isKept ? then : (next ?? then)) ?? undefined
}

/** The limit of versions read in one span of time. */
const mostVersionsInRange = 20

/** Versions that are kept and applied at some time from `from` to `to` (Unix milliseconds), the newest first. */
export const listVersionRange = async (
  { db }: Reading,
  gate: number,
  from: number,
  to: number,
): Promise<readonly number[]> =>
  (await db.read(selectVersionRange).all(gate, from, to, mostVersionsInRange)).map(({ version }) => version)

/**
 * The rewards of a version, with values, in order. Only for the buyer of a bound fulfillment, and for the owner's own
 * comparison. Throws when the values were sealed under another master key.
 */
export async function readRewards(
  { db, sealer }: Sealing,
  gate: Pick<Gate, 'id' | 'gateId' | 'version'>,
  version: number = gate.version,
): Promise<readonly GateReward[]> {
  const row = await db.read(selectRewards).get(gate.id, version)
  if (!row) return []
  const { rewards = [] } = JSON.parse(row.definition) as KeptDefinition
  if (row.rewards === null) return rewards
  const values = JSON.parse(sealer.open(row.rewards, writeRewardsContext(gate.gateId, version))) as RewardValues
  return rewards.map((reward, at) => {
    const value = values[at]
    return value == null ? reward : { ...reward, value }
  })
}

/** Stops a person with write access to the file from moving a sealed text to another gate or version. */
export const writeRewardsContext = (gateId: string, version: number): string => `gate-rewards:${gateId}:${version}`

const isListed = ({ listing, policy }: KeptDefinition): number =>
  listing !== undefined && (policy?.visibility ?? 'public') === 'public' ? 1 : 0

/** Changes no row when the id is taken, or at the owner's limit of gates. Deleted gates count. */
const insertGateRow = `
  INSERT INTO gates (gate_id, owner, status, is_listed, version, created_at, updated_at)
  SELECT ?1, ?2, ?3, ?4, 1, ?5, ?5
  WHERE NOT EXISTS (SELECT 1 FROM gates WHERE gate_id = ?1)
    AND (SELECT count(*) FROM gates WHERE owner = ?2) < ?6
  ON CONFLICT (gate_id) DO NOTHING`

const insertVersionRow = `
  INSERT INTO gate_versions (gate, version, definition, rewards, author, created_at)
  SELECT id, ?2, ?3, ?4, ?5, ?6 FROM gates WHERE gate_id = ?1`

const insertSummaryRow = `
  INSERT INTO gate_summaries (gate, version, definition_bytes, bytes, name, summary)
  SELECT id, ?2, ?3, ?4, ?5, ?6 FROM gates WHERE gate_id = ?1`

/** Lists show the newest version alone. */
const clearSummary = `
  UPDATE gate_summaries SET summary = NULL
  WHERE gate = (SELECT id FROM gates WHERE gate_id = ?1) AND version = ?2 AND summary IS NOT NULL`

/** Changes no row when the version was fulfilled in the meantime, or is being paid for. */
const deleteVersionRow = `
  DELETE FROM gate_versions
  WHERE gate = (SELECT id FROM gates WHERE gate_id = ?1) AND version = ?2
    AND NOT EXISTS (${selectUses('gate_versions.gate', 'gate_versions.version')})`
const deleteSummaryRow = `
  DELETE FROM gate_summaries
  WHERE gate = (SELECT id FROM gates WHERE gate_id = ?1) AND version = ?2
    AND NOT EXISTS (
      SELECT 1 FROM gate_versions v WHERE v.gate = gate_summaries.gate AND v.version = gate_summaries.version)`

/** Changes no row when another change came first. A deleted gate comes back with its next version. */
const raiseVersion = `
  UPDATE gates SET version = ?3, is_listed = ?4, updated_at = ?5,
    status = coalesce(?6, CASE status WHEN 'deleted' THEN 'active' ELSE status END)
  WHERE gate_id = ?1 AND owner = ?2 AND version = CAST(?3 AS BIGINT) - 1`

/** Changes no row when the gate has another version by now, or is deleted. */
const updateStatus = `
  UPDATE gates SET status = ?4, updated_at = ?5, archived_at = CASE ?4 WHEN 'deleted' THEN NULL ELSE archived_at END
  WHERE gate_id = ?1 AND owner = ?2 AND version = ?3 AND status <> 'deleted'`

/** Changes no row when the gate is deleted. */
const updateArchived = `
  UPDATE gates SET archived_at = ?3 WHERE gate_id = ?1 AND owner = ?2 AND status <> 'deleted'`

/**
 * All changes together, or none. On failure returns the place of the impossible one, or `first` for the statement that
 * precedes them.
 */
export async function writeChanges(
  { db, sealer }: Sealing,
  changes: readonly Change[],
  now: number,
  first: readonly Statement[] = [],
): Promise<'stored' | 'first' | { readonly refused: number }> {
  const groups = changes.map((change) => [...listStatements(sealer, change, now), ...listAuditStatements(change, now)])
  const result = await db.write([...first, ...groups.flat()], changes.every(isClosing) ? 'mark' : 'store')
  if ('changes' in result) return 'stored'
  let end = first.length
  if (result.refusedAt < end) return 'first'
  const refused = groups.findIndex((group) => {
    end += group.length
    return result.refusedAt < end
  })
  return { refused }
}

/** Pausing, deleting and archiving go on when nothing more may be stored. */
const isClosing = (change: Change): boolean =>
  change.kind === 'archive' || (change.kind === 'status' && change.status !== 'active')

function listStatements(sealer: Sealing['sealer'], change: Change, now: number): Statement[] {
  if (change.kind === 'create') {
    const { gateId, owner, status, limit, definition } = change
    return [
      {
        sql: insertGateRow,
        params: [gateId, owner, status, isListed(definition), now, limit],
        must: true,
        turns: [nameTurn('owner', owner)],
      },
      ...listVersionStatements(sealer, gateId, 1, change, now),
    ]
  }
  const { gateId, owner, version } = change.base
  if (change.kind === 'status')
    return [
      { sql: updateStatus, params: [gateId, owner, version, change.status, now], must: true },
      ...(change.status === 'deleted' ? [dropAppearance(gateId), ...listForgetStatements(gateId, now)] : []),
    ]
  if (change.kind === 'archive')
    return [{ sql: updateArchived, params: [gateId, owner, change.isArchived ? now : null], must: true }]
  const listed = isListed(change.definition)
  return [
    { sql: raiseVersion, params: [gateId, owner, version + 1, listed, now, change.status ?? null], must: true },
    ...listVersionStatements(sealer, gateId, version + 1, change, now),
    { sql: clearSummary, params: [gateId, version] },
    ...listRemovalStatements(gateId, change.removes ?? [], now),
  ]
}

/** Removed rewards are erased text: the log is emptied of what sealed them. */
const listRemovalStatements = (gateId: string, removed: readonly number[], now: number): Statement[] =>
  removed.length === 0
    ? []
    : [
        ...removed.flatMap((version) => [
          { sql: deleteVersionRow, params: [gateId, version] },
          { sql: deleteSummaryRow, params: [gateId, version] },
        ]),
        noteTrace(now),
      ]

function listVersionStatements(
  sealer: Sealing['sealer'],
  gateId: string,
  version: number,
  { definition, rewardValues, author }: NewVersion,
  now: number,
): Statement[] {
  const text = JSON.stringify(definition)
  const rewards = sealValues(sealer, gateId, version, rewardValues)
  const definitionBytes = Buffer.byteLength(text)
  const { definition: short, isTruncated } = summarizeDefinition(definition)
  const summary = isTruncated ? JSON.stringify(short) : null
  const bytes = definitionBytes + (rewards?.length ?? 0)
  return [
    { sql: insertVersionRow, params: [gateId, version, text, rewards, author, now], must: true },
    { sql: insertSummaryRow, params: [gateId, version, definitionBytes, bytes, definition.name, summary], must: true },
  ]
}

/** The disk space of a version. Sealing adds a third: nonce and tag, as base64. */
export const countVersionBytes = ({
  definition,
  rewardValues,
}: Pick<NewVersion, 'definition' | 'rewardValues'>): number =>
  countJsonBytes(definition) + Math.ceil(countJsonBytes(rewardValues) * 1.4) + 64

const sealValues = (sealer: Sealing['sealer'], gateId: string, version: number, values: RewardValues): string | null =>
  values.some((value) => value !== null)
    ? sealer.seal(JSON.stringify(values), writeRewardsContext(gateId, version))
    : null

const selectSealedVersion = query<[]>()`
  SELECT ${pick('gate_versions', 'gate', 'version')}
  FROM gate_versions WHERE rewards IS NOT NULL ORDER BY gate DESC, version DESC LIMIT 1`

/** The newest version that has a sealed reward. */
export const findSealedVersion = (db: Db): Promise<{ readonly gate: number; readonly version: number } | null> =>
  db.read(selectSealedVersion).get()
