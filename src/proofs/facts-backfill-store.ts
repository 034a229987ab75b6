/** Proofs that were made without facts, and how far they have been given them: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { pick, query, type RowOf } from '../db/query.ts'

export type OldProof = RowOf<typeof selectBatch>

const selectBatch = query<[number]>()`
  SELECT ${pick('proofs p', 'id', 'accountId', 'visibility', 'record')}
  FROM proof_facts_progress done JOIN proofs p ON p.id > done.done_up_to AND p.id <= done.last_id
  WHERE done.id = 1 ORDER BY p.id LIMIT ?1`

const insertBatch = `
  INSERT INTO proof_facts (account_id, fact52, proof_id)
  SELECT CAST(json_extract(value, '$[0]') AS BIGINT), CAST(json_extract(value, '$[1]') AS BIGINT),
    CAST(json_extract(value, '$[2]') AS BIGINT)
  FROM json_each(?1)
  WHERE true ON CONFLICT DO NOTHING`

/** The oldest of them. */
export const listWithoutFacts = (db: Db, limit: number): Promise<OldProof[]> => db.read(selectBatch).all(limit)

/** `facts`: of the proofs up to `upTo`, each as account, fact and proof. */
export const recordFacts = (facts: readonly (readonly [number, number, number])[], upTo: number): Statement[] => [
  { sql: insertBatch, params: [JSON.stringify(facts)] },
  { sql: 'UPDATE proof_facts_progress SET done_up_to = max(done_up_to, ?1) WHERE id = 1', params: [upTo], must: true },
]
