/** Rights to read a proof that ended after the restored state: SQL and nothing else. */
import type { Statement } from '../db/db.ts'

/** `qHash`, `digest`: 64 hexadecimal digits. */
export const endGrantAgain = (qHash: string, viewer: string, sourceId: string): Statement => ({
  sql: `DELETE FROM access_grants
        WHERE proof_id IN (SELECT id FROM proofs WHERE q_hash = unhex(?1)) AND viewer = ?2 AND source_id = ?3`,
  params: [qHash, viewer, sourceId],
})

/** Owners make new ones. */
export const endAllShareLinks = (): Statement => ({ sql: 'DELETE FROM share_links', params: [] })

export const endShareLinkAgain = (digest: string): Statement => ({
  sql: 'DELETE FROM share_links WHERE digest = unhex(?1)',
  params: [digest],
})
