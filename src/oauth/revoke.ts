/** Token revocation (RFC 7009): whatever token of a grant a client gives back, the grant ends with all its tokens. */

import { makeAuditStatement } from '../audit/log-store.ts'
import type { Parts } from '../parts.ts'
import type { AccessTokens } from './access-token.ts'
import { findFamily, revokeFamily } from './family-store.ts'
import { readRefreshToken } from './lineage.ts'
import { requireValue } from './parameters.ts'
import { requireClient, requireOnce } from './token.ts'

/**
 * The answer does not depend on whether a token was revoked, so that tokens cannot be probed here. The hint is ignored:
 * the two kinds look different. Errors: OAuthError.
 */
export async function revokeToken(
  parts: Parts,
  tokens: AccessTokens,
  headers: Headers,
  fields: URLSearchParams,
): Promise<void> {
  requireOnce(fields)
  const client = await requireClient(parts, headers, fields)
  const token = requireValue(fields, 'token')
  const { db, now } = parts
  const lineage = token.startsWith('rt_') ? readRefreshToken(parts.sealer, token) : await tokens.readLineage(token)
  const found = lineage && (await findFamily(db, lineage.handle))
  if (!found || found.client !== client.id) return
  const at = now()
  await db.write(
    [
      revokeFamily(found.id, 'revoked_by_client', at),
      makeAuditStatement('grant_revoked', { profile: found.profile, at, client: client.id, by: 'client' }),
    ],
    'free',
  )
}
