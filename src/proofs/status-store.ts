/** The status word of a proof, as its publications leave it: SQL and nothing else. */
import type { Statement } from '../db/db.ts'
import { publishingWords } from '../publishing/words.ts'

const { initiated, propagating, propagated, failed } = publishingWords

/** Brings the status word of a proof up to what its publications came to. A word that is not about them stays. */
export function updateProofStatus(proofId: number, now: number): Statement {
  return {
    sql: `UPDATE proofs SET updated_at = ?2, status = CASE
            WHEN status NOT IN ('${initiated}', '${propagating}') THEN status
            ELSE (
              SELECT CASE
                WHEN count(*) > count(finished_at)
                  THEN CASE WHEN proofs.status = '${propagating}' OR count(*) FILTER (WHERE state <> 'waiting') > 0
                    THEN '${propagating}' ELSE '${initiated}' END
                WHEN count(*) FILTER (WHERE state = 'failed') > 0 THEN '${failed}'
                ELSE '${propagated}'
              END
              FROM publications WHERE proof_id = ?1 AND action = 'timestamp')
          END
          WHERE id = ?1`,
    params: [proofId, now],
  }
}
