/**
 * JSON Web Tokens (RFC 7519): writes this server's own and verifies them. Keys in a header (`jwk`, `jku`, `x5u`) are
 * ignored. `kid` picks one of our keys, and the key fixes its algorithm.
 */
import type { JWTPayload } from 'jose'
import type { SigningKey, VerifyingKey } from './signing-key.ts'

/** Loads with the first token. */
const loadJose = () => require('jose') as typeof import('jose')

/** RFC 9068 section 2.1. */
const typ = 'at+jwt'
/** Ours have less than half of that; the header and the claims are bounded with it. */
const longest = 4096

export const signJwt = ({ alg, kid, privateKey }: SigningKey, claims: JWTPayload): Promise<string> =>
  new (loadJose().SignJWT)(claims).setProtectedHeader({ alg, typ, kid }).sign(privateKey)

export interface Expected {
  readonly issuer: string
  readonly audience: string
  /** Unix milliseconds. */
  readonly at: number
}

/**
 * The claims of a token that one of our keys signed, for us and in its time, or undefined. It checks no other claim.
 */
export async function verifyClaims(
  token: string,
  keyOf: (kid: string) => Promise<VerifyingKey | undefined>,
  { issuer, audience, at }: Expected,
): Promise<JWTPayload | undefined> {
  if (token.length > longest) return undefined
  const { errors, jwtVerify } = loadJose()
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid, alg }) => {
        const key = kid === undefined ? undefined : await keyOf(kid)
        if (key?.alg !== alg) throw new errors.JWKSNoMatchingKey()
        return key.publicKey
      },
      { issuer, audience, typ, currentDate: new Date(at), requiredClaims: ['jti', 'sub', 'client_id', 'scope', 'exp'] },
    )
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
