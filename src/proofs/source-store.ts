/**
 * By what right delegations, agents and access grants were made: SQL and nothing else. Revoking a key, a grant or a link
 * ends what it made by triggers (migrations/0010_sources.sql), in the statement that revokes.
 */

import { writeSourceCondition } from '../auth/ending-store.ts'
import type { SourceKind } from '../auth/identity.ts'
import type { Db, Statement } from '../db/db.ts'
import { label, pick, query } from '../db/query.ts'
import { type ProofSource, readFirst52Bits } from './proof.ts'

/** A proof that its wallet also signs survives the end of the key, app or link that made it first. */
export const takeOverSource = (qHash: string): Statement => ({
  sql: `UPDATE proof_sources SET kind = 'signature', source_id = '', link_proof = NULL
        WHERE ended_at IS NULL
          AND proof_id = (SELECT id FROM proofs WHERE q52 = ?1 AND q_hash = unhex(?2) AND revoked_at IS NULL)`,
  params: [readFirst52Bits(qHash), qHash.slice(2)],
})

/**
 * The limit of active delegations and agents of one key, grant or link. Its access grants have the same limit. All end
 * in one write.
 */
export const mostStanding = 1_000

const writeStandingSql = (source: string, most: string): string => `
  SELECT 1 FROM proof_sources s CROSS JOIN proofs made ON made.id = s.proof_id
  WHERE s.source_id = ${source} AND s.source_id <> '' AND s.ended_at IS NULL AND made.revoked_at IS NULL LIMIT ${most}`

const selectSourceFull = query<[string, number]>()`
  SELECT count(*) AS ${label('made', 'number')}
  FROM (${writeStandingSql('?1', '?2')}) standing`

/** Whether a source has made as many as may stand. */
export const isSourceFull = async (db: Db, source: string): Promise<boolean> =>
  (await db.read(selectSourceFull).get(source, mostStanding))?.made === mostStanding

/**
 * Run it in the same write as the proof. Changes no row when the source was revoked in the meantime, or has reached its
 * limit.
 */
export const insertSource = (qHash: string, { verifier, kind, id, linkProof }: ProofSource): Statement => ({
  sql: `INSERT INTO proof_sources (proof_id, verifier, kind, source_id, link_proof)
        SELECT p.id, ?3, ?4, ?5, CAST(?6 AS BIGINT) FROM proofs p
        WHERE p.q52 = ?1 AND p.q_hash = unhex(?2) AND ${writeSourceCondition('?4', '?5', '?6')}
          AND (SELECT count(*) FROM (${writeStandingSql('?5', '?7')}) standing) < ?7`,
  params: [readFirst52Bits(qHash), qHash.slice(2), verifier, kind, id, linkProof, mostStanding],
  must: true,
})

/** The shown source of a proof; unknown for proofs from before sources were recorded. */
export interface KnownSource {
  readonly kind: SourceKind | 'unknown'
  readonly id: string
  /** Why its end revoked the proof, if it did. */
  readonly endReason: string | null
}

const selectSources = query<[string]>()`
  SELECT ${pick('proof_sources s', 'proofId', 'kind', 'endReason')},
    CASE WHEN s.kind = 'linked-session' THEN coalesce('0x' || lower(hex(l.q_hash)), '') ELSE s.source_id END AS ${label('id', 'text')}
  FROM json_each(?1) asked CROSS JOIN proof_sources s ON s.proof_id = CAST(asked.value AS BIGINT)
             LEFT JOIN proofs l ON l.id = s.link_proof`

/** By the id of the proof's row; without those that have none. A link is named by its qHash: row numbers stay here. */
export const findSources = async (db: Db, proofIds: readonly number[]): Promise<ReadonlyMap<number, KnownSource>> =>
  new Map(
    proofIds.length === 0
      ? []
      : (await db.read(selectSources).all(JSON.stringify(proofIds))).map(({ proofId, ...source }) => [proofId, source]),
  )
