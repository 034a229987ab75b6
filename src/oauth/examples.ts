/** Examples of the authorization server. Ids and keys are random: no test sends these, but each fits its schema. */
import { type ExampleSource, story } from '../http/example.ts'

const { time, timestamp } = story
const clientId = 'c_s3zQ0Qd1Wc2pB7m9XhJ4Tg'

/** By operationId. */
export const oauthExamples = {
  getAuthorizationServer: (baseUrl) => ({
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
      scopes_supported: ['svc:core', 'svc:profile', 'svc:secrets', 'offline_access'],
      authorization_response_iss_parameter_supported: true,
      resource_indicators_supported: true,
      protected_resources: [`${baseUrl}/mcp`],
      service_documentation: `${baseUrl}/docs`,
      client_id_metadata_document_supported: true,
    },
  }),
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
  listApps: {
    response: {
      success: true,
      data: {
        apps: [
          {
            clientId,
            name: 'An assistant',
            firstParty: false,
            hasTokens: true,
            scopes: ['svc:core', 'svc:profile'],
            returnsTo: ['app.example.com'],
            remembered: [{ returnsTo: 'app.example.com', scopes: ['svc:core', 'svc:profile'], allowedAt: time }],
            connectedAt: time,
            lastUsedAt: time + 3_600_000,
            endsWith: { delegations: 1, agents: 1, accessGrants: 0 },
          },
        ],
        truncated: false,
      },
      timestamp: timestamp,
    },
  },
  disconnectApp: {
    params: { clientId },
    response: { success: true, data: { clientId, connected: false }, timestamp: timestamp },
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
