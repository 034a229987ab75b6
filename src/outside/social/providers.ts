/**
 * The providers that are built in, as data. Addresses and fields are those that the providers publish; each can be set
 * otherwise in [social.<name>]. What is not here: which of them this server has credentials for.
 */

/** What a sign-in at a provider can show: an account of the person, or that it belongs to an organisation. */
export type SignInKind = 'social' | 'org'

export interface ProviderFacts {
  readonly label: string
  readonly kinds: readonly SignInKind[]
  /** OpenID Connect: the other addresses are found below it, and who somebody is stands in the ID token. */
  readonly issuer?: string
  /** Where each tenant is an issuer of its own. */
  readonly issuerTemplate?: string
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  /** Without an issuer: where the account is read. With one: asked in addition to the ID token. */
  readonly userinfoEndpoint?: string
  /** Whether an OpenID provider is asked at the userinfo endpoint that it names. */
  readonly asksUserinfo?: true
  readonly scopes: readonly string[]
  readonly pkce: boolean
  readonly clientAuth: 'basic' | 'post'
  /** Members of the account. The id never changes; a handle belongs to one account at a time, else there is none. */
  readonly idField: string
  readonly handleField?: string
  /** With `{handle}` or `{id}`. Never an address that the provider's answer gives: people fill in some of those. */
  readonly profileUrl?: string
  /** Name of a trait, and the member of the account that holds its number. */
  readonly traits: Readonly<Record<string, string>>
  /** How the organisation is found. */
  readonly organisation?: 'google' | 'microsoft'
}

export const providers = {
  github: {
    label: 'GitHub',
    kinds: ['social'],
    authorizationEndpoint: 'https://github.com/login/oauth/authorize',
    tokenEndpoint: 'https://github.com/login/oauth/access_token',
    userinfoEndpoint: 'https://api.github.com/user',
    // None: what everybody can see of an account is all that is read.
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
    organisation: 'google',
  },
  microsoft: {
    label: 'Microsoft',
    kinds: ['org'],
    issuer: 'https://login.microsoftonline.com/organizations/v2.0',
    issuerTemplate: 'https://login.microsoftonline.com/{tenantid}/v2.0',
    scopes: ['openid', 'profile', 'email'],
    pkce: true,
    clientAuth: 'post',
    // `sub` is another one for each client of the same person; `oid` is the person within `tid`.
    idField: 'oid',
    traits: {},
    organisation: 'microsoft',
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
    // Not taken from web applications.
    pkce: false,
    clientAuth: 'post',
    // Its `name` is what people call themselves, and no handle.
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
    // Another one for each application, and without a public page.
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
  /** Any other one: the issuer is the operator's. */
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
