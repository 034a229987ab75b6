/**
 * The token endpoint. It makes the checks that all grants share, so that no grant can forget one. A wrong request uses
 * nothing up: the grant itself is read last.
 */
import type { Parts } from '../parts.ts'
import { noteRefusedCredential } from '../request-scope.ts'
import type { AccessTokens } from './access-token.ts'
import { type Client, findClient } from './client.ts'
import { redeemCode } from './grants/authorization-code.ts'
import type { RefreshGrant } from './grants/refresh-token.ts'
import { findDuplicate, readValue, requireResource } from './parameters.ts'
import { OAuthError } from './refusal.ts'
import { accessTokenTtlSeconds, buildResource } from './vocabulary.ts'

export interface TokenTools {
  readonly parts: Parts
  readonly tokens: AccessTokens
  readonly refresh: RefreshGrant
}

const onlyOnce = [
  'grant_type',
  'client_id',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
]

/** RFC 6749 section 5.1. Errors: OAuthError. */
export async function answerToken(tools: TokenTools, headers: Headers, fields: URLSearchParams): Promise<object> {
  const { parts, tokens, refresh } = tools
  requireOnce(fields)
  const grantType = readValue(fields, 'grant_type')
  if (grantType === undefined)
    throw new OAuthError('invalid_request', 'grant_type is missing: send authorization_code or refresh_token')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    throw new OAuthError(
      'unsupported_grant_type',
      'grant_type is not supported: send authorization_code or refresh_token',
    )
  const client = await requireClient(parts, headers, fields)
  requireResource(fields, buildResource(parts.addresses().mcpUrl))
  const request = { client, fields }
  const issuing = grantType === 'authorization_code' ? redeemCode(parts, tokens, request) : refresh.exchange(request)
  const issued = await issuing.catch(noteRefusedGrant)
  return {
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenTtlSeconds,
    ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    scope: issued.scope,
  }
}

/** Errors: the given one. */
function noteRefusedGrant(error: unknown): never {
  if (error instanceof OAuthError && error.oauthCode === 'invalid_grant') noteRefusedCredential('grant')
  throw error
}

/** Errors: OAuthError invalid_request. */
export function requireOnce(fields: URLSearchParams): void {
  const twice = findDuplicate(fields, onlyOnce)
  if (twice) throw new OAuthError('invalid_request', `${twice} is given twice`)
}

/** Clients have no secret here; one that sends something like it all the same is known by client_id. Errors: OAuthError. */
export async function requireClient(parts: Parts, headers: Headers, fields: URLSearchParams): Promise<Client> {
  const clientId = readValue(fields, 'client_id')
  if (clientId === undefined && headers.has('authorization'))
    throw makeUnknownClientError('clients do not authenticate at this server: send client_id as a field of the form')
  if (clientId === undefined) throw new OAuthError('invalid_request', 'client_id is missing')
  const client = await findClient(parts, clientId)
  if (!client) throw makeUnknownClientError('this client_id is unknown: register again')
  return client
}

/** RFC 6749 section 5.2: with 401, at which clients register again. */
const makeUnknownClientError = (description: string): OAuthError =>
  new OAuthError('invalid_client', description, 'WALLET_AUTH_REQUIRED')
