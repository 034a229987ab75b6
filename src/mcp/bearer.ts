/**
 * Identifies the caller of the MCP endpoint: the bearer of an access token or an access key. It reads no cookie and no
 * parameter.
 */

import { identifyKey, keyPrefix, readBearer } from '../auth/identify.ts'
import type { Identity } from '../auth/identity.ts'
import { AppError } from '../errors.ts'
import type { AccessTokens } from '../oauth/access-token.ts'
import { offlineAccess } from '../oauth/vocabulary.ts'
import type { Parts } from '../parts.ts'
import { noteRefusedCredential } from '../request-scope.ts'

export interface Bearer {
  readonly identity: Identity
  /** Whether the client may refresh its token, and would lose that by asking for less. */
  readonly isOffline: boolean
}

/** `none`: the request carries no credential. `invalid`: it carries one that is not accepted. */
export async function identifyBearer(
  request: Request,
  parts: Parts,
  tokens: Pick<AccessTokens, 'verify'>,
): Promise<Bearer | 'none' | 'invalid'> {
  const bearer = readBearer(request.headers)
  if (bearer === undefined) return /^bearer\b/i.test(request.headers.get('authorization') ?? '') ? 'invalid' : 'none'
  if (bearer.startsWith(keyPrefix)) return identifyKeyHolder(parts, bearer)
  const holder = await tokens.verify(bearer)
  if (holder) return { identity: holder.identity, isOffline: holder.scopes.includes(offlineAccess) }
  noteRefusedCredential('access-token')
  return 'invalid'
}

async function identifyKeyHolder(parts: Parts, key: string): Promise<Bearer | 'invalid'> {
  try {
    return { identity: await identifyKey(parts, key), isOffline: false }
  } catch (error) {
    if (error instanceof AppError && error.code === 'WALLET_AUTH_REQUIRED') return 'invalid'
    throw error
  }
}
