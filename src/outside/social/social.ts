/**
 * Other providers that people can sign in to. This folder owns how that goes with each of them (OAuth 2.0 and OpenID
 * Connect) and what is read of an account. Whose browser and wallet it is about, and what becomes of the result, is
 * the feature's (src/social).
 *
 * Tokens of a provider are used for one look-up and forgotten. None leaves this folder.
 */
import type { SignInKind } from './providers.ts'

export interface Social {
  readonly providers: readonly SocialProvider[]
  /** By the name of its table: `github` of [social.github]. */
  provider(id: string): SocialProvider | undefined
}

export interface SocialProvider {
  readonly id: string
  readonly label: string
  readonly kinds: readonly SignInKind[]
  /** Where the person is sent. Errors: OutsideError when that has to be looked up and cannot be. */
  authorizationUrl(asked: Asked): Promise<string>
  /**
   * From what the provider sent the person back with to who that is. To be called once for each. Errors:
   * SignInRefused, also for an answer of another issuer, nonce, audience, signature; OutsideError.
   */
  complete(parameters: URLSearchParams, asked: Asked): Promise<SignedIn>
}

export interface Asked {
  readonly state: string
  readonly nonce: string
  /** PKCE. */
  readonly codeVerifier: string
  readonly redirectUri: string
}

export interface SignedIn {
  readonly account: SocialAccount
  /** For providers that show organisations. */
  readonly membership?: Membership
}

export interface SocialAccount {
  /** Never changes, and never names somebody else. */
  readonly id: string
  readonly handle?: string
  readonly profileUrl?: string
  readonly traits: Readonly<Record<string, number>>
}

/** The domains of the person's organisation for which the provider vouches, the main one first; or why there are none. */
export type Membership = { readonly domains: readonly string[] } | { readonly fault: MembershipFault }

export type MembershipFault =
  /** An account of a person, and not of an organisation. */
  | 'NOT_AN_ORGANISATION'
  /** A guest in somebody else's organisation. */
  | 'NOT_A_MEMBER'
  /** The provider does not say that the domain belongs to the organisation. */
  | 'DOMAIN_NOT_VOUCHED_FOR'

/** What is wrong with an answer that came, and with the ID token in it. Stored, and shown to programs. */
export const tokenFaults = [
  'wrong_nonce',
  'wrong_audience',
  'wrong_issuer',
  'token_expired',
  'token_not_yet_valid',
  'wrong_signature',
  'unknown_key',
  'wrong_algorithm',
  /** The ID token and the account description are of two persons. */
  'wrong_account',
  'incomplete_token',
  'no_token',
] as const
export type TokenFault = (typeof tokenFaults)[number]

/** The person, or the provider, said no, or what the provider sent is not about this sign-in. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'

  constructor(
    readonly reason: 'access_denied' | 'provider_refused' | TokenFault,
    /** A sentence for people. Holds nothing that the provider wrote. */
    message: string,
    /** What the operator can do about it, where it may be theirs to mend. */
    readonly mend?: string,
  ) {
    super(message)
  }
}
