/** Shared by the verifiers that take a sign-in token: the checks of the token and its provider. */
import { type Static, Type } from '@sinclair/typebox'
import { joinNames } from '../outside/panel.ts'
import type { SignInKind } from '../outside/social/providers.ts'
import type { Social } from '../outside/social/social.ts'
import { areSameAddress } from '../wallet/account.ts'
import { makeRefuse } from './assets/refuse.ts'
import { WalletAddress } from './shapes.ts'
import { type Fails, fails, type SocialEvidence, type VerifierTools } from './verifier.ts'

export const socialMembers = {
  provider: Type.String({
    pattern: '^[a-z][a-z0-9-]{0,31}$',
    description: 'One of GET /api/v1/auth/oauth/providers.',
  }),
  internalSocialToken: Type.String({
    minLength: 1,
    maxLength: 16_384,
    description: 'Of POST /api/v1/auth/oauth/{provider}/exchange, not older than a minute. Good for one proof.',
  }),
  walletAddress: Type.Optional(WalletAddress),
}

const SocialData = Type.Object(socialMembers)

type Named = Pick<Static<typeof SocialData>, 'provider' | 'walletAddress'>

/**
 * Checks that hold for any token: the wallet, and the purpose of the provider. Errors: INVALID_VERIFIER_DATA, for an
 * unsupported provider.
 */
export function examineSignIn(
  { provider, walletAddress }: Named,
  signer: string,
  { kind, verifierId, social }: { readonly kind: SignInKind; readonly verifierId: string; readonly social: Social },
): Fails | undefined {
  if (walletAddress !== undefined && !areSameAddress(walletAddress, signer))
    return fails('WALLET_MISMATCH', `data.walletAddress is ${walletAddress}, but ${signer} signed`)
  const known = social.provider(provider)
  if (!known)
    throw makeRefuse(verifierId)(
      '/provider',
      `the provider ${provider} is not offered here: use ${joinNames(
        social.providers.filter(({ kinds }) => kinds.includes(kind)).map(({ id }) => id),
        'or',
      )}, or ask the operator to add [social.${provider}]`,
    )
  return known.kinds.includes(kind) ? undefined : otherKind[kind](known.label)
}

/** The refusal for a provider with another purpose. */
export const otherKind = {
  social: (label: string): Fails =>
    fails('NOT_A_SOCIAL_PROVIDER', `${label} shows organizations and not accounts here: use ownership-org-oauth`),
  org: (label: string): Fails =>
    fails('NOT_AN_ORG_PROVIDER', `${label} shows no organizations here: use ownership-social`),
} as const

/** Does not check whether the token was used: the store does that when it writes the proof. */
export function readSocialEvidence(
  { provider, internalSocialToken }: Static<typeof SocialData>,
  signer: string,
  { now, readSocialToken }: Pick<VerifierTools, 'now' | 'readSocialToken'>,
): SocialEvidence | Fails {
  const evidence = readSocialToken(internalSocialToken)
  if (!evidence)
    return fails(
      'SOCIAL_TOKEN_UNKNOWN',
      'data.internalSocialToken is no token of this server: sign in at the provider first',
    )
  if (!areSameAddress(evidence.wallet, signer))
    return fails(
      'SOCIAL_TOKEN_OF_ANOTHER_WALLET',
      `data.internalSocialToken is for another wallet, but ${signer} signed: sign in at the provider for this wallet`,
    )
  if (evidence.provider !== provider)
    return fails(
      'SOCIAL_TOKEN_OF_ANOTHER_PROVIDER',
      `data.internalSocialToken is of a sign-in at ${evidence.provider}, and data.provider is ${provider}`,
    )
  if (evidence.expiresAt <= now)
    return fails(
      'SOCIAL_TOKEN_EXPIRED',
      'data.internalSocialToken is older than a minute: sign in at the provider again',
    )
  return evidence
}
