/**
 * Sponsor grants as tokens: the content of a grant with a MAC over it. Grants are not stored, and only the master key
 * can make one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Sealer } from '../db/seal.ts'

export interface Grant {
  readonly appId: string
  /** The wallet that the app says will pay, in lower case. */
  readonly orgWallet: string
  /** Unix seconds. */
  readonly exp: number
  /** Undefined: any page may use the grant. */
  readonly origin?: string | undefined
  /** Undefined: any verifier. */
  readonly verifierIds?: readonly string[] | undefined
  /** Undefined: any chain. */
  readonly targetChains?: readonly number[] | undefined
}

const version = 'sg1'
const purpose = 'sponsor grant'
/** Longer than any issued grant: 25 verifiers and 25 chains with the longest names. */
const maxLength = 8_192

const computeMac = (sealer: Sealer, text: string): string =>
  createHmac('sha256', sealer.deriveKey(purpose)).update(text).digest('base64url')

export function writeToken(sealer: Sealer, grant: Grant): string {
  const text = `${version}.${Buffer.from(JSON.stringify(grant)).toString('base64url')}`
  return `${text}.${computeMac(sealer, text)}`
}

/** Undefined for a token that this server did not issue. */
export function readToken(sealer: Sealer, token: string): Grant | undefined {
  if (token.length > maxLength) return undefined
  const end = token.lastIndexOf('.')
  const text = token.slice(0, Math.max(0, end))
  // Compares the texts, not their bytes: only one spelling is valid.
  const [said, right] = [Buffer.from(token.slice(end + 1)), Buffer.from(computeMac(sealer, text))]
  if (said.length !== right.length || !timingSafeEqual(said, right)) return undefined
  const [, payload = ''] = text.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Grant
}
