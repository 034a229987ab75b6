/** Changes who sees a proof, with everything stored by its visibility: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import type { Sealer } from '../db/seal.ts'
import { type SpentSignature, spendSignature } from '../db/spent-signature.ts'
import { nameTurn } from '../db/turns.ts'
import type { Catalog } from '../verifiers/index.ts'
import { listFacts } from './facts.ts'
import type { ProofRow } from './proof.ts'
import { readAgentNames } from './record.ts'
import { findContent, writeContentContext } from './store.ts'
import { type Visibility, visibilities } from './visibility.ts'

interface VisibilityChange {
  /** As it was read. The write changes nothing where its visibility is another one by now. */
  readonly proof: ProofRow
  readonly visibility: Visibility
  readonly changedAt: number
  readonly spent: SpentSignature | undefined
}

/**
 * Counters and history follow by a trigger. Content in the clear is sealed with a private proof. It stays sealed when
 * the proof becomes public, because readers open it either way.
 */
export async function setVisibility(
  { db, sealer, catalog }: { readonly db: Db; readonly sealer: Sealer; readonly catalog: Catalog },
  { proof, visibility, changedAt, spent }: VisibilityChange,
): Promise<'changed' | 'spent' | 'moved'> {
  const { agentId, grantedTo } = readAgentNames(proof.record, visibility)
  const spending = spendSignature(spent)
  const wasPrivate = proof.visibility === visibilities.private
  const isPrivate = visibility === visibilities.private
  const result = await db.write([
    ...spending,
    {
      sql: `UPDATE proofs SET visibility = ?1, updated_at = ?2, agent_id = ?3, granted_to = ?4
            WHERE id = ?5 AND q_hash = unhex(?6) AND visibility = ?7 AND ${standsProof('proofs')}`,
      params: [visibility, changedAt, agentId, grantedTo, proof.id, proof.qHash.slice(2), proof.visibility],
      must: true,
      turns: [nameTurn('account', proof.account)],
    },
    ...(wasPrivate === isPrivate ? [] : moveFacts(proof, isPrivate, catalog)),
    ...(isPrivate ? await sealContent(db, sealer, proof) : []),
  ])
  if ('changes' in result) return 'changed'
  return result.refusedAt < spending.length ? 'spent' : 'moved'
}

/** Strangers look proofs up by other facts than owners (facts.ts). */
function moveFacts({ id, record }: ProofRow, isPrivate: boolean, { known }: Catalog): Statement[] {
  const list = (ofPrivate: boolean): string => JSON.stringify(listFacts(record, ofPrivate, known))
  return [
    {
      sql: `DELETE FROM proof_facts WHERE proof_id = ?1
              AND account_id = (SELECT account_id FROM proofs WHERE id = ?1)
              AND fact52 IN (SELECT CAST(fact.value AS BIGINT) FROM json_each(?2) fact)`,
      params: [id, list(!isPrivate)],
    },
    {
      sql: `INSERT INTO proof_facts (account_id, fact52, proof_id)
            SELECT proofs.account_id, CAST(fact.value AS BIGINT), proofs.id FROM proofs, json_each(?2) fact
            WHERE proofs.id = ?1
            ON CONFLICT DO NOTHING`,
      params: [id, list(isPrivate)],
    },
  ]
}

async function sealContent(db: Db, sealer: Sealer, proof: ProofRow): Promise<Statement[]> {
  const content = proof.record.storeOriginalContent ? await findContent(db, sealer, proof) : undefined
  if (content === undefined) return []
  return [
    {
      sql: 'UPDATE contents SET content = NULL, sealed = ?2 WHERE proof_id = ?1 AND content IS NOT NULL',
      params: [proof.id, sealer.seal(content, writeContentContext(proof.qHash))],
    },
  ]
}
