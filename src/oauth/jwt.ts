/**
 * JSON Web Tokens (RFC 7519) as this server writes them, and as it reads its own: nothing else is read. Synchronous,
 * because the same through WebCrypto costs several times as much.
 *
 * The header of a key's tokens is always the same text. A token whose header differs in a single byte (another `alg`,
 * `none`, a `jwk` of its own) is not one of ours, so nothing in a header is ever interpreted.
 */
import { constants, sign, verify } from 'node:crypto'
import type { SigningKey, VerifyingKey } from './signing-key.ts'

/** RFC 9068 section 2.1. */
const typ = 'at+jwt'
/** Ours have less than half of that; the header and the claims are bounded with it. */
const longest = 4096

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

const headers = new Map<string, string>()

function headerOf({ kid, alg }: VerifyingKey): string {
  const made = headers.get(kid)
  if (made) return made
  const header = base64url(JSON.stringify({ alg, typ, kid }))
  headers.set(kid, header)
  return header
}

// ES256 signatures are r and s side by side (RFC 7518 section 3.4); RS256 is PKCS #1 v1.5.
const encoding = { dsaEncoding: 'ieee-p1363', padding: constants.RSA_PKCS1_PADDING } as const

export function signJwt(key: SigningKey, claims: object): string {
  const signed = `${headerOf(key)}.${base64url(JSON.stringify(claims))}`
  const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, ...encoding })
  return `${signed}.${signature.toString('base64url')}`
}

const form = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/

/** The key that a token says it was signed with, or undefined when it is none of these. */
export function keyOf(token: string, keys: readonly VerifyingKey[]): VerifyingKey | undefined {
  const dot = token.indexOf('.')
  if (dot < 0 || token.length > longest) return undefined
  const header = token.slice(0, dot)
  return keys.find((key) => headerOf(key) === header)
}

/** The claims of a token of this key, or undefined when the signature does not fit. Looks at no claim. */
export function claimsIn(token: string, key: VerifyingKey): Readonly<Record<string, unknown>> | undefined {
  const [, header, payload, signature] = form.exec(token) ?? []
  if (!header || !payload || !signature) return undefined
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify('sha256', signed, { key: key.publicKey, ...encoding }, Buffer.from(signature, 'base64url')))
    return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}
