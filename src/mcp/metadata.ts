/**
 * The discovery data of the MCP endpoint before sign-in: protected resource metadata (RFC 9728), and descriptions for
 * registries. It uses the configuration alone, never the request.
 */

import { buildResource, listSupportedScopes, offlineAccess } from '../oauth/vocabulary.ts'
import type { Parts } from '../parts.ts'
import { version } from '../version.ts'
import { type OfferedTool, protocolVersions } from './transport.ts'

export const about = {
  title: 'Proofgate',
  description: 'Wallet-signed claims become portable proofs, and proofs become access. Check, make and manage proofs.',
} as const

/** The address in the endpoint's challenge. */
export const buildResourceMetadataUrl = ({ addresses }: Pick<Parts, 'addresses'>): string =>
  `${addresses().mcpUrl}/.well-known/oauth-protected-resource`

/** The scopes that clients request by default. */
export const listAdvertisedScopes = ({ config }: Pick<Parts, 'config'>): string[] =>
  listSupportedScopes(config.brand).filter((scope) => scope !== offlineAccess || config.mcp.advertiseOfflineAccess)

export function buildResourceMetadata(parts: Parts) {
  const { baseUrl, authUrl, mcpUrl } = parts.addresses()
  return {
    resource: buildResource(mcpUrl),
    authorization_servers: [authUrl],
    scopes_supported: listAdvertisedScopes(parts),
    bearer_methods_supported: ['header'],
    resource_name: about.title,
    resource_documentation: `${baseUrl}/`,
  }
}

/** At /.well-known/mcp.json and /.well-known/mcp/server-card.json: one document with the members that readers of either know. */
export function buildServerCard(parts: Parts, tools: readonly OfferedTool[]) {
  const { baseUrl, authUrl, mcpUrl } = parts.addresses()
  const url = buildResource(mcpUrl)
  return {
    name: parts.config.brand,
    ...about,
    version,
    websiteUrl: `${baseUrl}/`,
    documentation: `${baseUrl}/`,
    endpoint: url,
    url,
    transport: { type: 'streamable-http', url },
    remotes: [{ type: 'streamable-http', url }],
    protocolVersion: protocolVersions[0],
    protocolVersions,
    capabilities: { tools: { supported: true, listChanged: false } },
    authorization: {
      type: 'oauth2',
      resource_metadata_url: buildResourceMetadataUrl(parts),
      resourceMetadataUrl: buildResourceMetadataUrl(parts),
      authorization_servers: [authUrl],
      scopes: listAdvertisedScopes(parts),
    },
    tools: tools.map(({ name, title, description }) => ({ name, title, description })),
    license: 'Apache-2.0',
  }
}
