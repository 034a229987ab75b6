/**
 * A person signs in at another provider to show an account or an organization. This folder owns the way there and back:
 * `start` (for one wallet and one browser), the return, and `exchange`, which issues a token for one proof. The
 * protocols of providers are in outside/social; the claims are in verifiers/ownership-*. Starting proves nothing about
 * the wallet: the wallet signs the proof, and the token is valid for that wallet alone.
 */
import { timingSafeEqual } from 'node:crypto'
import { hashSha256Hex } from '../auth/sessions/session.ts'
import { AppError } from '../errors.ts'
import { type SignedIn, type SocialProvider, tokenFaults } from '../outside/social/social.ts'
import type { Parts } from '../parts.ts'

export const signInTtlMs = 600_000

/** Why a sign-in failed: the words that the page receives. */
export const failures = ['access_denied', 'provider_refused', 'provider_unavailable', ...tokenFaults] as const
export type Failure = (typeof failures)[number]

/** The data for the callback, sealed until it comes. */
export interface Pending {
  readonly provider: string
  /** As stored and compared. */
  readonly wallet: string
  /** SHA-256 of the browser's secret. */
  readonly browser: string
  readonly nonce: string
  readonly codeVerifier: string
  /** A path of this server. */
  readonly returnTo: string
}

/** The data for the exchange, sealed until it comes. */
export interface Finished extends Pick<Pending, 'provider' | 'wallet' | 'browser'> {
  readonly signedIn: SignedIn
  /** Unix milliseconds. */
  readonly at: number
}

export const stateForm = /^[A-Za-z0-9_-]{43}$/

/** Binds sealed data to one sign-in and to one of its stages. */
export const sealContext = (stage: 'started' | 'signed-in', hash: string): string => `social sign-in ${stage}:${hash}`

export const buildRedirectUri = ({ addresses }: Pick<Parts, 'addresses'>, provider: string): string =>
  `${addresses().authUrl}/api/v1/auth/oauth/callback/${provider}`

/** Errors: NOT_FOUND. */
export function requireProvider({ outside }: Pick<Parts, 'outside'>, id: string): SocialProvider {
  const provider = outside.social.provider(id)
  if (provider) return provider
  const offered = outside.social.providers.map((one) => one.id)
  throw new AppError(
    'NOT_FOUND',
    offered.length === 0
      ? 'signing in at other providers is not offered here: the operator can add [social.<name>] to the configuration'
      : `signing in at "${id.slice(0, 40)}" is not offered here: there is ${offered.join(', ')}`,
  )
}

export const isSameSecret = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

export const hashBrowserSecret = (secret: string): string => hashSha256Hex(`social browser\n${secret}`)
