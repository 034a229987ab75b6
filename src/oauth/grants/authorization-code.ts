/**
 * An authorization code becomes a grant with its first tokens: once, for the client that it was given to. A request that
 * lacks something, or is meant for something else, uses nothing up: an honest client asks again. Only a wrong
 * code_verifier burns the code.
 */

import { makeAuditStatement } from '../../audit/log-store.ts'
import { hashSha256Hex } from '../../auth/sessions/session.ts'
import { fitsChallenge } from '../../http/pkce.ts'
import type { Parts } from '../../parts.ts'
import type { AccessTokens } from '../access-token.ts'
import { burnCode, type CodeRow, consumeCode, findCode } from '../code-store.ts'
import { insertFamily, revokeFamily } from '../family-store.ts'
import { grantStands } from '../grant-condition.ts'
import { makeHandle, writeRefreshToken } from '../lineage.ts'
import { requireValue } from '../parameters.ts'
import { readPlace } from '../redirect-uri.ts'
import { OAuthError } from '../refusal.ts'
import type { Issued, TokenRequest } from '../token-request.ts'
import { offlineAccess } from '../vocabulary.ts'

const oneDayMs = 86_400_000

export async function redeemCode(
  parts: Parts,
  tokens: AccessTokens,
  { client, fields }: TokenRequest,
): Promise<Issued> {
  const { db, now, config } = parts
  // Whether there is such a code plays no part yet.
  const [code, redirectUri, codeVerifier] = [
    requireValue(fields, 'code'),
    requireValue(fields, 'redirect_uri'),
    requireValue(fields, 'code_verifier'),
  ]
  const hash = hashSha256Hex(code)
  const row = await findCode(db, hash)
  if (!row || row.client !== client.id) throw makeUnusableError()
  const isRightVerifier = fitsChallenge(codeVerifier, row.challenge)
  if (row.consumedAt !== null) return refuseUsed(parts, row, isRightVerifier)
  if (row.expiresAt <= now()) throw makeUnusableError()
  if (!isRightVerifier) {
    // The caller does not know the verifier, so they intercepted the code.
    await burnCode(db, hash, now())
    throw makeUnusableError()
  }
  if (redirectUri !== row.redirectUri) throw makeUnusableError()
  if (!(await grantStands(db, row, now()))) throw makeUnusableError()

  const first = { handle: makeHandle(), generation: 0 }
  const minted = await tokens.mint({ ...row, clientId: client.id }, first)
  const at = now()
  const isLasting = row.scope.split(' ').includes(offlineAccess)
  const expiresAt = isLasting ? at + config.oauth.grantDays * oneDayMs : minted.endsAt
  const result = await db.write([
    insertFamily({
      ...row,
      handle: first.handle,
      redirectHost: readPlace(row.redirectUri),
      createdAt: at,
      expiresAt,
      refreshEndsAt: isLasting ? Math.min(expiresAt, at + config.oauth.refreshIdleDays * oneDayMs) : at,
      accessEndsAt: minted.endsAt,
    }),
    consumeCode(hash, first.handle, at),
    makeAuditStatement('grant_issued', { profile: row.profile, at, client: client.id, scope: row.scope }),
  ])
  // Lost the race: the signed token was never stored, so it is invalid. The code came twice all the same.
  if ('refusedAt' in result) return refuseUsed(parts, (await findCode(db, hash)) ?? row, isRightVerifier)
  const refreshToken = isLasting ? writeRefreshToken(parts.sealer, first) : undefined
  return { accessToken: minted.token, refreshToken, scope: row.scope }
}

/** One refusal for every fault of a code, so that it does not reveal the existing codes. */
const makeUnusableError = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'the code is not valid: it was used, expired, or belongs to another request. Sign in again',
  )

/**
 * RFC 6749 section 4.1.2: the caller with code and verifier may be the thief or the victim. So the tokens of the code
 * are revoked. A caller without the verifier changes nothing.
 */
async function refuseUsed(
  { db, now }: Parts,
  { family, profile, client }: CodeRow,
  isRightVerifier: boolean,
): Promise<never> {
  const at = now()
  if (isRightVerifier && family !== null)
    await db.write(
      [revokeFamily(family, 'code_reused', at), makeAuditStatement('code_reused', { profile, at, client })],
      'free',
    )
  throw makeUnusableError()
}
