/**
 * Agent cards in the form of A2A (protocol version 0.3): of this server, and of agents with proofs here. Both cards say
 * that they do not answer A2A calls: the server speaks MCP, and agents run elsewhere.
 */
import { type AgentCard, buildAgentPageUrl } from '../agents/card.ts'
import { authorizePath, metadataPath, tokenPath } from '../oauth/metadata.ts'
import { buildResource } from '../oauth/vocabulary.ts'
import type { Parts } from '../parts.ts'
import { version } from '../version.ts'
import { about, listAdvertisedScopes } from './metadata.ts'
import { type OfferedTool, protocolVersions } from './transport.ts'

const a2aVersion = '0.3.0'
const json = ['application/json']
const noCapabilities = { streaming: false, pushNotifications: false, stateTransitionHistory: false }

export function buildServerAgentCard(parts: Parts, tools: readonly OfferedTool[]) {
  const { baseUrl, authUrl, mcpUrl } = parts.addresses()
  const url = buildResource(mcpUrl)
  const [firstScope = ''] = listAdvertisedScopes(parts)
  return {
    protocolVersion: a2aVersion,
    name: about.title,
    description: `${about.description} It speaks the Model Context Protocol (MCP) at url, and not the calls of A2A.`,
    url,
    preferredTransport: 'MCP',
    additionalInterfaces: [{ url, transport: 'MCP' }],
    version,
    provider: { organization: about.title, url: `${baseUrl}/` },
    documentationUrl: `${baseUrl}/`,
    capabilities: {
      ...noCapabilities,
      extensions: [
        {
          uri: 'https://modelcontextprotocol.io',
          description: 'The transport is MCP over streamable HTTP. Each skill is a tool of that name.',
          required: true,
          params: { protocolVersions, serverCard: `${mcpUrl}/.well-known/mcp.json` },
        },
      ],
    },
    securitySchemes: {
      oauth2: {
        type: 'oauth2',
        description: 'Authorization code with PKCE.',
        oauth2MetadataUrl: `${authUrl}${metadataPath}`,
        flows: {
          authorizationCode: {
            authorizationUrl: `${authUrl}${authorizePath}`,
            tokenUrl: `${authUrl}${tokenPath}`,
            scopes: Object.fromEntries(listAdvertisedScopes(parts).map((scope) => [scope, scope])),
          },
        },
      },
      accessKey: { type: 'http', scheme: 'bearer', description: 'An access key: npk_…' },
    },
    security: [{ oauth2: [firstScope] }, { accessKey: [] }],
    defaultInputModes: json,
    defaultOutputModes: json,
    skills: tools.map(({ name, title, description }) => ({
      id: name,
      name: title ?? name,
      description: description ?? name,
      tags: ['mcp', 'proofs'],
    })),
    supportsAuthenticatedExtendedCard: false,
  }
}

export function buildA2aAgentCard(card: AgentCard, parts: Parts) {
  const { baseUrl, authUrl } = parts.addresses()
  const page = buildAgentPageUrl(parts, card)
  const [first] = card.services
  return {
    protocolVersion: a2aVersion,
    name: card.label,
    description: `${card.description ?? 'An agent that says who it is.'} (This card is made from signed proofs at ${new URL(baseUrl).host}, which does not run the agent.)`,
    // An agent that names no service has only its page.
    url: first?.endpoint ?? page,
    preferredTransport: first?.name ?? 'text/html',
    additionalInterfaces: [
      ...card.services.map(({ name, endpoint }) => ({ url: endpoint, transport: name })),
      { url: page, transport: 'text/html' },
    ],
    version: '1',
    provider: { organization: card.controllerWallet ?? card.wallet, url: page },
    documentationUrl: page,
    capabilities: {
      ...noCapabilities,
      extensions: [
        {
          uri: `${baseUrl}/api/v1/agents/card`,
          description:
            'The signed proofs behind this card. Anybody may let an agent act: controllerWallet is named only where the agent agreed.',
          required: false,
          params: {
            agentId: card.agentId,
            wallet: card.wallet,
            controllerWallet: card.controllerWallet,
            scope: card.scope,
            capabilities: card.capabilities,
            identityProofUrl: `${authUrl}/proof/${card.identityQHash}`,
            moreDelegations: card.moreDelegations,
            delegationProofUrls: card.delegations.map(({ qHash }) => `${authUrl}/proof/${qHash}`),
          },
        },
      ],
    },
    defaultInputModes: json,
    defaultOutputModes: json,
    skills: card.skills.map(({ id, label }) => ({
      id: String(id),
      name: String(label ?? id),
      description: String(label ?? id),
      tags: ['agent'],
    })),
    supportsAuthenticatedExtendedCard: false,
  }
}
