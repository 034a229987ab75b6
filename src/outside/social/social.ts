/**
 * Other providers that people can sign in to. This folder owns the protocol with each of them (OAuth 2.0 and OpenID
 * Connect) and the reading of an account. The feature in src/social owns the browser, the wallet and the result.
 *
 * A provider's tokens serve one look-up and are dropped. They never leave this folder.
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
  /** The redirect address of the person. Errors: OutsideError when its look-up fails. */
  authorizationUrl(asked: Asked): Promise<string>
  /**
   * Identifies the person from the provider's redirect back. To be called once for each. Errors: SignInRefused, also
   * for an answer of another issuer, nonce, audience, signature; OutsideError.
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
  /** For providers that show organizations. */
  readonly membership?: Membership
}

export interface SocialAccount {
  /** Never changes, and never names another person. */
  readonly id: string
  readonly handle?: string
  readonly profileUrl?: string
  readonly traits: Readonly<Record<string, number>>
}

/**
 * The domains of the person's organization that the provider vouches for, the main one first; or the reason for none.
 */
export type Membership = { readonly domains: readonly string[] } | { readonly fault: MembershipFault }

export type MembershipFault =
  /** An account of a person, and not of an organization. */
  | 'NOT_AN_ORGANISATION'
  /** A guest in another organization. */
  | 'NOT_A_MEMBER'
  /** The provider does not confirm that the domain belongs to the organization. */
  | 'DOMAIN_NOT_VOUCHED_FOR'

/** The faults of a received answer, and of the ID token in it. Stored, and shown to programs. */
export const tokenFaults = [
  'wrong_nonce',
  'wrong_audience',
  'wrong_issuer',
  'token_expired',
  'token_not_yet_valid',
  'wrong_signature',
  'unknown_key',
  'wrong_algorithm',
  /** The ID token and the account description name two persons. */
  'wrong_account',
  'incomplete_token',
  'no_token',
] as const
export type TokenFault = (typeof tokenFaults)[number]

/** The person or the provider declined, or the provider's answer does not belong to this sign-in. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'

  constructor(
    readonly reason: 'access_denied' | 'provider_refused' | TokenFault,
    /** A sentence for people. It holds no text of the provider. */
    message: string,
    /** The operator's remedy, where they may be able to fix it. */
    readonly mend?: string,
  ) {
    super(message)
  }
}
