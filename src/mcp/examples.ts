/** Examples of the documents by which MCP clients find their way. */
import type { ExampleSource } from '../http/example.ts'
import { version } from '../version.ts'

const scopes = ['svc:core', 'svc:profile', 'svc:secrets']

/** By operationId. */
export const mcpExamples = {
  getProtectedResource: (baseUrl) => {
    const url = `${baseUrl}/mcp`
    return {
      response: {
        resource: url,
        authorization_servers: [baseUrl],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Proofgate',
        resource_documentation: `${baseUrl}/`,
      },
    }
  },
  getServerCard: (baseUrl) => {
    const url = `${baseUrl}/mcp`
    const transport = { type: 'streamable-http', url }
    const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource`
    return {
      response: {
        name: 'svc',
        title: 'Proofgate',
        description: 'Check, make and manage proofs.',
        version,
        websiteUrl: `${baseUrl}/`,
        documentation: `${baseUrl}/`,
        endpoint: url,
        url,
        transport,
        remotes: [transport],
        protocolVersion: '2026-07-28',
        protocolVersions: ['2026-07-28', '2025-11-25'],
        capabilities: { tools: { supported: true, listChanged: false } },
        authorization: {
          type: 'oauth2',
          resource_metadata_url: metadataUrl,
          resourceMetadataUrl: metadataUrl,
          authorization_servers: [baseUrl],
          scopes,
        },
        tools: [{ name: 'svc_context', title: 'Who is connected', description: 'The person and the wallets.' }],
        license: 'Apache-2.0',
      },
    }
  },
  getA2aCard: (baseUrl) => {
    const url = `${baseUrl}/mcp`
    return {
      response: {
        protocolVersion: '0.3.0',
        name: 'Proofgate',
        description:
          'Check, make and manage proofs. It speaks the Model Context Protocol (MCP) at url, and not the calls of A2A.',
        url,
        preferredTransport: 'MCP',
        additionalInterfaces: [{ url, transport: 'MCP' }],
        version,
        provider: { organization: 'Proofgate', url: `${baseUrl}/` },
        documentationUrl: `${baseUrl}/`,
        capabilities: {
          streaming: false,
          pushNotifications: false,
          stateTransitionHistory: false,
          extensions: [
            {
              uri: 'https://modelcontextprotocol.io',
              description: 'The transport is MCP over streamable HTTP. Each skill is a tool of that name.',
              required: true,
              params: { serverCard: `${baseUrl}/.well-known/mcp.json` },
            },
          ],
        },
        securitySchemes: { accessKey: { type: 'http', scheme: 'bearer', description: 'An access key: npk_…' } },
        security: [{ accessKey: [] }],
        defaultInputModes: ['application/json'],
        defaultOutputModes: ['application/json'],
        skills: [
          {
            id: 'svc_context',
            name: 'Who is connected',
            description: 'The person and the wallets.',
            tags: ['mcp', 'proofs'],
          },
        ],
        supportsAuthenticatedExtendedCard: false,
      },
    }
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
