/** Examples of the documents by which OAuth and MCP clients find their way. */
import { version } from '../version.ts'
import type { Example } from './examples.ts'

export function metadataExamplesAt(baseUrl: string): Readonly<Record<string, Example>> {
  const url = `${baseUrl}/mcp`
  const scopes = ['svc:core', 'svc:profile', 'svc:secrets']
  const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource`
  const transport = { type: 'streamable-http', url }
  return {
    getAuthorizationServer: {
      response: {
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
        token_endpoint: `${baseUrl}/api/v1/auth/mcp/token`,
        revocation_endpoint: `${baseUrl}/api/v1/auth/mcp/revoke`,
        registration_endpoint: `${baseUrl}/oauth/register`,
        jwks_uri: `${baseUrl}/.well-known/jwks.json`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        scopes_supported: [...scopes, 'offline_access'],
        authorization_response_iss_parameter_supported: true,
        resource_indicators_supported: true,
        protected_resources: [url],
        service_documentation: `${baseUrl}/docs`,
        client_id_metadata_document_supported: true,
      },
    },
    getSigningKeys: {
      response: {
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
            y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
            kid: 'k_1',
            alg: 'ES256',
            use: 'sig',
          },
        ],
      },
    },
    getProtectedResource: {
      response: {
        resource: url,
        authorization_servers: [baseUrl],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Proofgate',
        resource_documentation: `${baseUrl}/`,
      },
    },
    getA2aCard: {
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
    },
    getServerCard: {
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
    },
  }
}
