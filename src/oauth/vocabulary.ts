/** The words and lifetimes of the authorization server: no behavior. Scopes carry the brand on the wire. */
import { type GrantScope, grantScopes } from '../auth/identity.ts'

/** Asks for a refresh token (OpenID Connect Core section 11). Carries no brand. */
export const offlineAccess = 'offline_access'

export const writeScopeWord = (brand: string, scope: GrantScope): string => `${brand}:${scope}`

/** Every scope, in the order of the metadata. All of them are the default (src/guides/wire.md, "Access tokens"). */
export const listSupportedScopes = (brand: string): string[] => [
  ...grantScopes.map((scope) => writeScopeWord(brand, scope)),
  offlineAccess,
]

/** The known scopes of a space-separated text. Unknown words are dropped. */
export const readGrantScopes = (text: string, brand: string): GrantScope[] =>
  grantScopes.filter((scope) => text.split(' ').includes(writeScopeWord(brand, scope)))

/** The claim `token_use` of access tokens (src/guides/wire.md, "Access tokens"). */
export const tokenUse = 'mcp_access'

export const accessTokenTtlSeconds = 3600
/** Lifetime of an authorization code (src/guides/wire.md, "Authorization"). */
export const codeTtlMs = 600_000
/** How long a person may look at the consent page. */
export const requestTtlMs = 600_000
/** Clients keep metadata and keys for so long. */
export const metadataMaxAgeSeconds = 300

/** RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2. */
export const oauthErrorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
] as const
export type OAuthErrorCode = (typeof oauthErrorCodes)[number]

/** The command-line client, which needs no registration. */
export const writeCliClientId = (brand: string): string => `${brand}-cli`

export const buildResource = (mcpUrl: string): string => `${mcpUrl}/mcp`
