/** What the verifiers of sign-ins at other providers ask of the token that a sign-in was exchanged for. */
import { type Static, Type } from '@sinclair/typebox'
import { sameAddress } from '../wallet/account.ts'
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

/** Does not find out whether the token was used: that is seen when the proof is stored. */
export function socialEvidence(
  { provider, internalSocialToken, walletAddress }: Static<typeof SocialData>,
  signer: string,
  { now, readSocialToken }: Pick<VerifierTools, 'now' | 'readSocialToken'>,
): SocialEvidence | Fails {
  if (walletAddress !== undefined && !sameAddress(walletAddress, signer))
    return fails('WALLET_MISMATCH', `data.walletAddress is ${walletAddress}, but ${signer} signed`)
  const evidence = readSocialToken(internalSocialToken)
  if (!evidence)
    return fails(
      'SOCIAL_TOKEN_UNKNOWN',
      'data.internalSocialToken is no token of this server: sign in at the provider first',
    )
  if (!sameAddress(evidence.wallet, signer))
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
