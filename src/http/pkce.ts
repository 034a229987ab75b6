/** PKCE (RFC 7636) with S256, wherever a code is given out here. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** RFC 7636 section 4.2: base64url of a SHA-256 digest. */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** RFC 7636 section 4.1. */
export const isCodeVerifier = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

/** The fault of an optional challenge, and the faulty parameter. */
export function findChallengeFault(
  challenge: string | undefined,
  method: string | undefined,
): { readonly parameter: string; readonly why: string } | undefined {
  if (challenge === undefined)
    return method === undefined
      ? undefined
      : { parameter: 'code_challenge', why: 'is missing, and code_challenge_method is there' }
  if (!isChallenge(challenge))
    return { parameter: 'code_challenge', why: 'must be the base64url of a SHA-256 digest: 43 characters' }
  return method === 'S256' ? undefined : { parameter: 'code_challenge_method', why: 'must be S256' }
}

/** Whether a verifier is the one of a challenge. */
export function fitsChallenge(codeVerifier: string | undefined, challenge: string): boolean {
  if (codeVerifier === undefined || !isCodeVerifier(codeVerifier)) return false
  const made = createHash('sha256').update(codeVerifier).digest()
  const expected = Buffer.from(challenge, 'base64url')
  return made.length === expected.length && timingSafeEqual(made, expected)
}
