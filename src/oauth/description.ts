/** The API description of the authorization server: the shapes of RFC 6749, 7009 and 7591. */
import { type TProperties, Type } from '@sinclair/typebox'
import { IsoTimestamp, Success } from '../http/describe.ts'
import type { ProtocolDescription } from '../http/describe-protocol.ts'
import { defineChoice } from '../shape.ts'
import { oauthErrorCodes } from './vocabulary.ts'

const tag = 'oauth'

const OAuthErrorAnswer = Type.Object(
  {
    error: defineChoice(oauthErrorCodes, 'What programs go by.'),
    error_description: Type.String({ description: 'For people, in ASCII.' }),
    success: Type.Literal(false),
    timestamp: IsoTimestamp,
    requestId: Type.String({ description: 'Also in the header X-Request-Id, and in the log of the server.' }),
    uncertain: Type.Optional(Type.Literal(true, { description: 'It is not known whether the change was stored.' })),
  },
  { $id: 'OAuthErrorAnswer' },
)

const refusalExample = {
  error: 'invalid_request',
  error_description: 'client_id is missing',
  success: false,
  timestamp: '2026-01-01T00:00:00.000Z',
  requestId: 'req_4d1f0a2b3c1',
}

const describeForm = (properties: TProperties) => Type.Object(properties, { additionalProperties: true })
const describeText = (description: string) => Type.String({ description })
const describeOptional = (description: string) => Type.Optional(describeText(description))
const json = 'application/json'
const html = 'text/html'

const common = {
  protocol: 'RFC 6749',
  tag,
  refusal: { [json]: OAuthErrorAnswer },
  refusalExample,
  security: [{}],
} as const

const always = { 400: {}, 403: {}, 429: {}, 431: {}, 500: {}, 503: {} } as const
const withBody = { ...always, 401: {}, 413: {}, 415: {} } as const

const clientId =
  'Of a registered client, of the command-line client of this server, or the https address of a document.'
const resource = 'The MCP endpoint: the resource of its metadata.'

const authorizeParameters: readonly (readonly [name: string, required: boolean, description: string, only?: string])[] =
  [
    ['client_id', true, clientId],
    ['redirect_uri', true, 'One of those that the client registered. On loopback the port is free.'],
    ['response_type', true, 'There is no other one here.', 'code'],
    ['state', true, 'Comes back as it is, at most 4096 characters.'],
    ['code_challenge', true, 'Base64url of the SHA-256 digest of the verifier (RFC 7636).'],
    ['code_challenge_method', true, 'There is no other one here.', 'S256'],
    ['resource', true, resource],
    ['scope', false, 'Parted by spaces. All when left out.'],
    ['prompt', false, 'consent: the person is asked again.'],
  ]

export const authorizeDescription: ProtocolDescription = {
  ...common,
  operationId: 'authorizeClient',
  method: 'get',
  summary: 'Ask a person to let a client act for it',
  description:
    'For a browser (RFC 6749 section 4.1.1, with PKCE and resource indicators). Who is not signed in is sent to sign in first. What is wrong with the client or its address is told here; other errors go to the client as error and error_description, where that is safe.',
  parameters: authorizeParameters.map(([name, required, description, only]) => ({
    name,
    required,
    schema: only === undefined ? describeText(description) : defineChoice([only], description),
  })),
  answers: {
    200: { description: 'The page that asks the person.', content: { [html]: Type.String() } },
    303: {
      description: 'To the client with code, state and iss, or to the page of signing in.',
      headers: { Location: 'Where to.' },
    },
  },
  refusals: { ...always, 401: {} },
  refusal: { [json]: OAuthErrorAnswer, [html]: Type.String() },
}

export const tokenDescription: ProtocolDescription = {
  ...common,
  operationId: 'exchangeToken',
  method: 'post',
  summary: 'A code or a refresh token for an access token',
  description:
    'Form-encoded. Clients are public: they send client_id and no secret. A refresh token is good once, and the answer holds the next one.',
  body: {
    mediaType: 'application/x-www-form-urlencoded',
    schema: describeForm({
      grant_type: defineChoice(['authorization_code', 'refresh_token']),
      client_id: describeText(clientId),
      resource: describeText(resource),
      code: describeOptional('With authorization_code: from the redirect.'),
      redirect_uri: describeOptional('With authorization_code: as it was asked with.'),
      code_verifier: describeOptional('With authorization_code: of the challenge (RFC 7636).'),
      refresh_token: describeOptional('With refresh_token.'),
      scope: describeOptional('With refresh_token: less than what was allowed.'),
    }),
    example: {
      grant_type: 'authorization_code',
      client_id: 'svc-cli',
      resource: 'http://localhost:8787/mcp',
      code: 'the code of the redirect',
      redirect_uri: 'http://127.0.0.1:9999/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
  },
  answers: {
    200: {
      description: 'The tokens (RFC 6749 section 5.1).',
      content: {
        [json]: Type.Object({
          access_token: Type.String({ description: 'For Authorization: Bearer at the MCP endpoint.' }),
          token_type: Type.Literal('Bearer'),
          expires_in: Type.Integer({ description: 'Seconds.' }),
          refresh_token: Type.Optional(Type.String({ description: 'With the scope offline_access.' })),
          scope: Type.String({ description: 'What was given, parted by spaces.' }),
        }),
      },
      example: {
        access_token: 'eyJhbGciOi…',
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: 'rt_…',
        scope: 'svc:core svc:profile svc:secrets offline_access',
      },
    },
  },
  refusals: withBody,
}

export const revokeDescription: ProtocolDescription = {
  ...common,
  protocol: 'RFC 7009',
  operationId: 'revokeToken',
  method: 'post',
  summary: 'End what a token came from',
  description:
    'Form-encoded. Whatever token of a grant is given back, the grant ends with all its tokens. The answer is the same whether there was one.',
  body: {
    mediaType: 'application/x-www-form-urlencoded',
    schema: describeForm({
      token: describeText('An access token or a refresh token.'),
      client_id: describeText(clientId),
      token_type_hint: describeOptional('Not looked at.'),
    }),
    example: { token: 'rt_…', client_id: 'svc-cli' },
  },
  answers: {
    200: {
      description: 'There is no such token any more.',
      content: { [json]: Type.Object({ success: Success }) },
      example: { success: true },
    },
  },
  refusals: withBody,
}

export const registerDescription: ProtocolDescription = {
  ...common,
  protocol: 'RFC 7591',
  operationId: 'registerClient',
  method: 'post',
  summary: 'Register a client of the authorization server',
  description:
    'Anybody may register, and nothing follows from it. The same again is the same client. A client that nobody uses is forgotten. Other members of RFC 7591 are ignored.',
  body: {
    mediaType: json,
    schema: describeForm({
      redirect_uris: Type.Array(Type.String(), { minItems: 1 }),
      client_name: Type.Optional(Type.String({ maxLength: 200, description: 'Shown to people, as unchecked.' })),
      grant_types: Type.Optional(Type.Array(Type.String(), { description: 'Must hold authorization_code.' })),
      response_types: Type.Optional(Type.Array(Type.String(), { description: 'Must hold code.' })),
    }),
    example: { client_name: 'A program', redirect_uris: ['http://127.0.0.1/callback'] },
  },
  answers: {
    201: {
      description: 'What is registered (RFC 7591 section 3.2.1).',
      content: {
        [json]: Type.Object({
          client_id: Type.String(),
          client_id_issued_at: Type.Integer({ description: 'Unix seconds.' }),
          client_name: Type.Optional(Type.String()),
          redirect_uris: Type.Array(Type.String(), { description: 'Those that can be used here.' }),
          grant_types: Type.Array(Type.String()),
          response_types: Type.Array(Type.String()),
          token_endpoint_auth_method: Type.Literal('none'),
          scope: Type.String(),
        }),
      },
      example: {
        client_id: 'c_MTIzNDU2Nzg5MDEyMzQ1Ng',
        client_id_issued_at: 1_767_225_600,
        client_name: 'A program',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: 'svc:core svc:profile svc:secrets offline_access',
      },
    },
  },
  refusals: withBody,
}

export const ServerMetadata = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  revocation_endpoint: Type.String(),
  registration_endpoint: Type.Optional(Type.String({ description: 'Absent where the operator switched it off.' })),
  jwks_uri: Type.String(),
  response_types_supported: Type.Array(Type.String()),
  response_modes_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  authorization_response_iss_parameter_supported: Type.Boolean(),
  resource_indicators_supported: Type.Boolean(),
  protected_resources: Type.Array(Type.String()),
  service_documentation: Type.String(),
  client_id_metadata_document_supported: Type.Optional(Type.Boolean()),
})

export const PublishedKeys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      crv: Type.Optional(Type.String()),
      x: Type.Optional(Type.String()),
      y: Type.Optional(Type.String()),
      n: Type.Optional(Type.String()),
      e: Type.Optional(Type.String()),
      kid: Type.String(),
      alg: Type.String(),
      use: Type.String(),
    }),
  ),
})
