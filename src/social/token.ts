/**
 * internalSocialToken: the result of a finished sign-in, sealed, for the next minute and one wallet. Its holder cannot
 * read it. The store of proofs ensures that it is used once (Holds.spends).
 */
import { randomBytes } from 'node:crypto'
import { hashSha256Hex } from '../auth/sessions/session.ts'
import type { Parts } from '../parts.ts'
import type { SocialEvidence } from '../verifiers/verifier.ts'
import type { Finished } from './sign-in.ts'

export const tokenTtlMs = 60_000
/** A use is remembered a little longer than the token is valid, for a slow request. */
const rememberedMs = 60_000
const context = 'internal social token'

interface Sealed extends Pick<Finished, 'provider' | 'wallet' | 'signedIn' | 'at'> {
  readonly id: string
  readonly expiresAt: number
}

export function makeSocialToken(
  { sealer, now }: Pick<Parts, 'sealer' | 'now'>,
  { provider, wallet, signedIn, at }: Finished,
): { readonly token: string; readonly expiresAt: number } {
  const expiresAt = now() + tokenTtlMs
  const sealed: Sealed = { id: randomBytes(16).toString('hex'), provider, wallet, signedIn, at, expiresAt }
  return { token: sealer.seal(JSON.stringify(sealed), context), expiresAt }
}

/** The content of a token of this server, regardless of its age; undefined for any other text, and for a token from before a restore. */
export function openSocialToken(
  { sealer, outside, freshness }: Pick<Parts, 'sealer' | 'outside' | 'freshness'>,
  token: string,
): SocialEvidence | undefined {
  const sealed = openSealed(sealer, token)
  if (!sealed) return undefined
  const { id, provider, wallet, signedIn, at, expiresAt } = sealed
  // It may have been used in the time that a restore lost.
  if (expiresAt - tokenTtlMs < (freshness.restoredAt ?? 0)) return undefined
  const { kinds = [], label = provider } = outside.social.provider(provider) ?? {}
  return {
    provider,
    label,
    wallet,
    signedInAt: at,
    expiresAt,
    // A provider shows only the data that its kind covers.
    account: kinds.includes('social') ? signedIn.account : undefined,
    membership: kinds.includes('org') ? signedIn.membership : undefined,
    spends: {
      digest: hashSha256Hex(`social token\n${id}`),
      expiresAt: expiresAt + rememberedMs,
      usedReason: 'SOCIAL_TOKEN_USED',
      usedMessage: 'what the provider showed was used for another proof: sign in there again',
    },
  }
}

function openSealed(sealer: Parts['sealer'], token: string): Sealed | undefined {
  try {
    return JSON.parse(sealer.open(token, context))
  } catch {
    return undefined
  }
}
