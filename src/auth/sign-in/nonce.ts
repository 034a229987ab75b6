/**
 * Nonces of sign-in messages: the time, random digits and an HMAC under the master key. A nonce is stored only when it
 * is used. So requesting many costs nothing, and a restart before signing does no harm.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { SpentSignature } from '../../db/spent-signature.ts'
import type { Parts } from '../../parts.ts'
import { hashSha256Hex } from '../sessions/session.ts'

export const nonceTtlMs = 600_000
/** A use is remembered a little longer than the nonce is valid, for a slow request. */
const rememberedMs = 60_000

/** Nine digits of base 36 last until the year 5188. */
const timeDigits = 9
const randomHexBytes = 12
const macDigits = 32
const nonceForm = new RegExp(`^([0-9a-z]{${timeDigits}}[0-9a-f]{${randomHexBytes * 2}})([0-9a-f]{${macDigits}})$`)

type NonceTools = Pick<Parts, 'sealer' | 'now'>

const computeMac = ({ sealer }: NonceTools, payload: string): string =>
  sealer.mac(payload, 'sign-in nonce').slice(0, macDigits)

export interface Nonce {
  readonly nonce: string
  readonly issuedAt: number
  readonly expiresAt: number
}

export function makeNonce(tools: NonceTools): Nonce {
  const issuedAt = tools.now()
  const payload = `${issuedAt.toString(36).padStart(timeDigits, '0')}${randomBytes(randomHexBytes).toString('hex')}`
  return { nonce: `${payload}${computeMac(tools, payload)}`, issuedAt, expiresAt: issuedAt + nonceTtlMs }
}

/** The content of a nonce that this server issued, regardless of its age; undefined for all others. */
export function parseNonce(tools: NonceTools, nonce: string): Nonce | undefined {
  const [, payload, mac] = nonceForm.exec(nonce) ?? []
  if (payload === undefined || mac === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(tools, payload)))) return undefined
  const issuedAt = Number.parseInt(payload.slice(0, timeDigits), 36)
  return { nonce, issuedAt, expiresAt: issuedAt + nonceTtlMs }
}

/** The mark that it was used. */
export const makeSpentNonce = ({ nonce, expiresAt }: Nonce): SpentSignature => ({
  digest: hashSha256Hex(`sign-in\n${nonce}`),
  expiresAt: expiresAt + rememberedMs,
})
