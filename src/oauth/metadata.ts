/** The first document of clients: authorization server metadata (RFC 8414), from the configuration alone. */

import type { PublicAddresses } from '../config/public-addresses.ts'
import type { Parts } from '../parts.ts'
import { buildResource, listSupportedScopes } from './vocabulary.ts'

export const authorizePath = '/oauth/authorize'
export const consentPath = '/oauth/consent'
export const registerPath = '/oauth/register'
export const tokenPath = '/api/v1/auth/mcp/token'
export const revokePath = '/api/v1/auth/mcp/revoke'
export const jwksPath = '/.well-known/jwks.json'
export const metadataPath = '/.well-known/oauth-authorization-server'

export function buildServerMetadata({ config, addresses }: Pick<Parts, 'config' | 'addresses'>): object {
  const { authUrl, baseUrl, mcpUrl } = addresses()
  const { brand, oauth } = config
  return {
    issuer: authUrl,
    authorization_endpoint: authUrl + authorizePath,
    token_endpoint: authUrl + tokenPath,
    revocation_endpoint: authUrl + revokePath,
    ...(oauth.registration ? { registration_endpoint: authUrl + registerPath } : {}),
    jwks_uri: authUrl + jwksPath,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: listSupportedScopes(brand),
    authorization_response_iss_parameter_supported: true,
    resource_indicators_supported: true,
    protected_resources: [buildResource(mcpUrl)],
    service_documentation: `${baseUrl}/docs`,
    ...(oauth.clientMetadataDocuments ? { client_id_metadata_document_supported: true } : {}),
  }
}

/**
 * Whether the metadata is served under this suffix of the well-known path (RFC 8414 section 3.1). Clients that know the
 * issuer use its path, and clients that know only the resource use the resource's path.
 */
export function isMetadataSuffix(suffix: string, { authUrl }: PublicAddresses): boolean {
  const issuerPath = new URL(authUrl).pathname.replace(/\/$/, '')
  const asked = `/${suffix.replace(/\/$/, '')}`
  return asked === issuerPath || asked === '/mcp' || asked === `${issuerPath}/mcp`
}
