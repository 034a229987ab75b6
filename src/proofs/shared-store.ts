/** Proofs that others share with a wallet: SQL and nothing else. */

import type { Db } from '../db/db.ts'
import { standsGrant, standsProof } from '../db/erasing.ts'
import { label, pick, query, type RowOf } from '../db/query.ts'
import { flatMapInOrder } from '../in-order.ts'
import type { AccountText } from '../wallet/account.ts'

const never = 9_007_199_254_740_991

export type SharedRow = RowOf<typeof selectShared>

/** The newest proofs first. Several grants of one proof are one row, with the longest end. */
const selectShared = query<[viewer: string, before: number, now: number, limit: number]>()`
  SELECT ${pick('access_grants g', 'proofId', 'viewer')}, min(g.created_at) AS ${label('since', 'number')},
    nullif(max(coalesce(g.expires_at, ${never})), ${never}) AS ${label('until', 'number or null')}
  FROM access_grants g CROSS JOIN proofs p ON p.id = g.proof_id
  WHERE g.viewer = ?1 AND g.proof_id < ?2 AND (g.expires_at IS NULL OR g.expires_at > ?3) AND ${standsGrant('g')}
    AND p.revoked_at IS NULL AND ${standsProof('p')}
  GROUP BY g.viewer, g.proof_id ORDER BY g.viewer DESC, g.proof_id DESC LIMIT ?4`

/** Of all these viewers, who are few: up to `limit` of each. */
export async function listShared(
  db: Db,
  viewers: readonly AccountText[],
  { before, now, limit }: { readonly before: number; readonly now: number; readonly limit: number },
): Promise<readonly SharedRow[]> {
  const found = await flatMapInOrder(viewers, (viewer) => db.read(selectShared).all(viewer, before, now, limit))
  return found.sort((one, other) => other.proofId - one.proofId)
}

/** Ends what these viewers may read of a proof. False where it was nothing. */
export async function leaveShared(
  db: Db,
  qHash: string,
  q52: number,
  viewers: readonly AccountText[],
): Promise<boolean> {
  const result = await db.write(
    [
      {
        sql: `DELETE FROM access_grants
              WHERE proof_id = (SELECT id FROM proofs WHERE q52 = ?1 AND q_hash = unhex(?2))
                AND viewer IN (SELECT value FROM json_each(?3))`,
        params: [q52, qHash.slice(2), JSON.stringify(viewers)],
        must: true,
      },
    ],
    'free',
  )
  return 'changes' in result
}
