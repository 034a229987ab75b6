/**
 * The built-in providers, as data. Addresses and fields are those that the providers publish; [social.<name>] can
 * override each. The configuration, and not this file, holds credentials.
 */

/** The subject of a sign-in at a provider: an account of the person, or membership in an organization. */
export type SignInKind = 'social' | 'org'

export interface ProviderFacts {
  readonly label: string
  readonly kinds: readonly SignInKind[]
  /** OpenID Connect: discovery finds the other addresses below it, and the ID token identifies the person. */
  readonly issuer?: string
  /** For providers where each tenant is an issuer of its own. */
  readonly issuerTemplate?: string
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  /** Without an issuer: the address that returns the account. With one: asked in addition to the ID token. */
  readonly userinfoEndpoint?: string
  /** Whether the userinfo endpoint of an OpenID provider is asked. */
  readonly asksUserinfo?: true
  readonly scopes: readonly string[]
  readonly pkce: boolean
  readonly clientAuth: 'basic' | 'post'
  /** Members of the account. The id never changes. A handle counts only if it belongs to one account at a time. */
  readonly idField: string
  readonly handleField?: string
  /** With `{handle}` or `{id}`. Never an address from the provider's answer: people fill in some of those. */
  readonly profileUrl?: string
  /** Name of a trait, and the member of the account that holds its number. */
  readonly traits: Readonly<Record<string, string>>
  /** The source of the organization. */
  readonly organization?: 'google' | 'microsoft'
}

export const providers = {
  github: {
    label: 'GitHub',
    kinds: ['social'],
    authorizationEndpoint: 'https://github.com/login/oauth/authorize',
    tokenEndpoint: 'https://github.com/login/oauth/access_token',
    userinfoEndpoint: 'https://api.github.com/user',
    // No scope: only the public part of an account is read.
    scopes: [],
    pkce: true,
    clientAuth: 'post',
    idField: 'id',
    handleField: 'login',
    profileUrl: 'https://github.com/{handle}',
    traits: {
      followers: 'followers',
      following: 'following',
      publicRepos: 'public_repos',
      publicGists: 'public_gists',
      createdAt: 'created_at',
    },
  },
  discord: {
    label: 'Discord',
    kinds: ['social'],
    authorizationEndpoint: 'https://discord.com/oauth2/authorize',
    tokenEndpoint: 'https://discord.com/api/oauth2/token',
    userinfoEndpoint: 'https://discord.com/api/users/@me',
    scopes: ['identify'],
    pkce: true,
    clientAuth: 'basic',
    idField: 'id',
    handleField: 'username',
    profileUrl: 'https://discord.com/users/{id}',
    traits: {},
  },
  google: {
    label: 'Google',
    kinds: ['org'],
    issuer: 'https://accounts.google.com',
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    clientAuth: 'post',
    idField: 'sub',
    traits: {},
    organization: 'google',
  },
  microsoft: {
    label: 'Microsoft',
    kinds: ['org'],
    issuer: 'https://login.microsoftonline.com/organizations/v2.0',
    issuerTemplate: 'https://login.microsoftonline.com/{tenantid}/v2.0',
    scopes: ['openid', 'profile', 'email'],
    pkce: true,
    clientAuth: 'post',
    // `sub` differs for each client of the same person; `oid` is the person within `tid`.
    idField: 'oid',
    traits: {},
    organization: 'microsoft',
  },
  x: {
    label: 'X',
    kinds: ['social'],
    authorizationEndpoint: 'https://x.com/i/oauth2/authorize',
    tokenEndpoint: 'https://api.x.com/2/oauth2/token',
    userinfoEndpoint: 'https://api.x.com/2/users/me?user.fields=public_metrics,created_at',
    scopes: ['users.read', 'tweet.read'],
    pkce: true,
    clientAuth: 'basic',
    idField: 'data.id',
    handleField: 'data.username',
    profileUrl: 'https://x.com/{handle}',
    traits: {
      followers: 'data.public_metrics.followers_count',
      following: 'data.public_metrics.following_count',
      posts: 'data.public_metrics.tweet_count',
      listed: 'data.public_metrics.listed_count',
      createdAt: 'data.created_at',
    },
  },
  linkedin: {
    label: 'LinkedIn',
    kinds: ['social'],
    authorizationEndpoint: 'https://www.linkedin.com/oauth/v2/authorization',
    tokenEndpoint: 'https://www.linkedin.com/oauth/v2/accessToken',
    userinfoEndpoint: 'https://api.linkedin.com/v2/userinfo',
    scopes: ['openid', 'profile'],
    // The provider rejects it from web applications.
    pkce: false,
    clientAuth: 'post',
    // Its `name` is a display name and no handle.
    idField: 'sub',
    traits: {},
  },
  facebook: {
    label: 'Facebook',
    kinds: ['social'],
    authorizationEndpoint: 'https://www.facebook.com/v23.0/dialog/oauth',
    tokenEndpoint: 'https://graph.facebook.com/v23.0/oauth/access_token',
    userinfoEndpoint: 'https://graph.facebook.com/v23.0/me?fields=id',
    scopes: ['public_profile'],
    pkce: false,
    clientAuth: 'post',
    // Differs for each application, and has no public page.
    idField: 'id',
    traits: {},
  },
  telegram: {
    label: 'Telegram',
    kinds: ['social'],
    issuer: 'https://oauth.telegram.org',
    scopes: ['openid', 'profile'],
    pkce: true,
    clientAuth: 'basic',
    idField: 'sub',
    handleField: 'preferred_username',
    profileUrl: 'https://t.me/{handle}',
    traits: {},
  },
  coinbase: {
    label: 'Coinbase',
    kinds: ['social'],
    authorizationEndpoint: 'https://login.coinbase.com/oauth2/auth',
    tokenEndpoint: 'https://login.coinbase.com/oauth2/token',
    userinfoEndpoint: 'https://api.coinbase.com/v2/user',
    scopes: ['wallet:user:read'],
    pkce: true,
    clientAuth: 'post',
    idField: 'data.id',
    handleField: 'data.username',
    traits: {},
  },
  /** Any other provider: the operator sets the issuer. */
  oidc: {
    label: '',
    kinds: ['social'],
    asksUserinfo: true,
    scopes: ['openid', 'profile'],
    pkce: true,
    clientAuth: 'basic',
    idField: 'sub',
    handleField: 'preferred_username',
    traits: {},
  },
} as const satisfies Readonly<Record<string, ProviderFacts>>

export type ProviderWord = keyof typeof providers
