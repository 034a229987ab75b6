/**
 * Access tokens: a JWT (RFC 9068) whose `jti` must also be in the database. So revocation is instant, and a signed but
 * unstored token is worthless. It is signed first, and the store decides.
 */

import { makeIdentity } from '../auth/identify.ts'
import { grantScopes, type Identity } from '../auth/identity.ts'
import { makeProofGround } from '../db/erasing.ts'
import type { Parts } from '../parts.ts'
import { linkStands } from '../profiles/store.ts'
import { noteCaller, noteGround } from '../request-scope.ts'
import { findLiveAccess, makeGrantGround } from './family-store.ts'
import { signJwt, verifyClaims } from './jwt.ts'
import { type Lineage, makeJti, readJti } from './lineage.ts'
import { openSigningKeys, type SigningKeys, type VerifyingKey } from './signing-key.ts'
import { accessTokenTtlSeconds, buildResource, tokenUse, writeScopeWord } from './vocabulary.ts'

export interface AccessTokenHolder {
  readonly identity: Identity
  readonly clientId: string
  /** As on the wire, with the brand. */
  readonly scopes: readonly string[]
  /** Unix milliseconds. */
  readonly expiresAt: number
  /** `sub`. */
  readonly subject: string
}

export interface TokenGrant {
  readonly subject: string
  readonly did: string
  readonly clientId: string
  /** As on the wire. */
  readonly scope: string
  /** When the person signed in. Unix milliseconds. */
  readonly signedInAt: number
}

export interface MintedToken {
  /** Not valid before its generation is stored. */
  readonly token: string
  /** Unix milliseconds. */
  readonly endsAt: number
}

export interface AccessTokens {
  readonly keys: SigningKeys
  mint(grant: TokenGrant, lineage: Lineage): Promise<MintedToken>
  /** Undefined is invalid_token, for whatever reason. */
  verify(token: string): Promise<AccessTokenHolder | undefined>
  /** The lineage of a token that this server signed, even an expired one. */
  readLineage(token: string): Promise<Lineage | undefined>
}

export function openAccessTokens(parts: Parts): AccessTokens {
  const { db, now, config } = parts
  const keys = openSigningKeys(parts)
  const readIssuer = (): string => parts.addresses().authUrl
  const readAudience = (): string => buildResource(parts.addresses().mcpUrl)

  /** The claims of a token that we signed, for us and in its time. It does not check revocation. */
  async function readOwnClaims(token: string, at: number): Promise<OwnClaims | undefined> {
    const findKey = async (kid: string): Promise<VerifyingKey | undefined> => {
      const findNamed = (known: readonly VerifyingKey[]) => known.find((key) => key.kid === kid)
      return findNamed(await keys.verifying()) ?? findNamed(await keys.reread())
    }
    const claims = await verifyClaims(token, findKey, { issuer: readIssuer(), audience: readAudience(), at })
    if (claims?.token_use !== tokenUse || claims.aud !== readAudience()) return undefined
    const { jti, sub, client_id, scope, exp } = claims
    const isWhole = [jti, sub, client_id, scope].every((claim) => typeof claim === 'string') && Number.isInteger(exp)
    return isWhole ? (claims as unknown as OwnClaims) : undefined
  }

  return {
    keys,

    async mint({ subject, did, clientId, scope, signedInAt }, lineage) {
      const key = await keys.current()
      const issuedAt = Math.floor(now() / 1000)
      const expiresAt = issuedAt + accessTokenTtlSeconds
      const token = await signJwt(key, {
        iss: readIssuer(),
        aud: readAudience(),
        sub: subject,
        did,
        azp: clientId,
        client_id: clientId,
        scope,
        token_use: tokenUse,
        auth_time: Math.floor(signedInAt / 1000),
        iat: issuedAt,
        exp: expiresAt,
        jti: makeJti(lineage),
      })
      return { token, endsAt: expiresAt * 1000 }
    },

    async verify(token) {
      const at = now()
      const claims = await readOwnClaims(token, at)
      if (!claims) return undefined
      const lineage = readJti(claims.jti)
      const live = lineage && (await findLiveAccess(db, lineage))
      if (!live || live.profile.subject !== claims.sub) return undefined
      if (!(await linkStands(db, live, at))) return undefined
      noteCaller('oauth')
      noteGround(makeGrantGround(lineage.handle))
      if (live.linkProof !== null) noteGround(makeProofGround(live.linkProof))
      const scopes = claims.scope.split(' ')
      const granted = grantScopes.filter((word) => scopes.includes(writeScopeWord(config.brand, word)))
      return {
        identity: makeIdentity(
          db,
          live.profile,
          {
            scopes: granted,
            via: 'access-token',
            source: { kind: 'oauth-grant', id: lineage.handle, linkProof: live.linkProof },
          },
          at,
        ),
        clientId: claims.client_id,
        scopes,
        expiresAt: claims.exp * 1000,
        subject: claims.sub,
      }
    },

    async readLineage(token) {
      // At the beginning of time no token has expired yet.
      const claims = await readOwnClaims(token, 0)
      return claims && readJti(claims.jti)
    },
  }
}

interface OwnClaims {
  readonly jti: string
  readonly sub: string
  readonly client_id: string
  readonly scope: string
  /** Unix seconds. */
  readonly exp: number
}
