/** The API description of the MCP endpoint and its metadata: JSON-RPC 2.0, and documents of other standards. */
import { Type } from '@sinclair/typebox'
import type { ProtocolDescription } from '../http/describe-protocol.ts'

const id = Type.Union([Type.String(), Type.Integer()])
const version = Type.Literal('2.0')
const open = { additionalProperties: true }

const JsonRpcError = Type.Object(
  {
    jsonrpc: version,
    id: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
    error: Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Optional(Type.Unknown({ description: 'What programs may want to know.' })),
    }),
  },
  { $id: 'JsonRpcError' },
)

const JsonRpcResult = Type.Object(
  { jsonrpc: version, id, result: Type.Object({}, { ...open, description: 'By the method.' }) },
  { $id: 'JsonRpcResult' },
)

const challenge = {
  'WWW-Authenticate': 'Bearer, with resource_metadata: where the metadata is that says how to sign in (RFC 9728).',
}

export const endpointDescription: ProtocolDescription = {
  protocol: 'the Model Context Protocol',
  operationId: 'callMcp',
  method: 'post',
  summary: 'One message of the Model Context Protocol',
  description:
    'JSON-RPC 2.0 over HTTP, one message at a time and without sessions or streams. Takes access tokens of this server and access keys; cookies are not looked at.',
  tag: 'mcp',
  body: {
    mediaType: 'application/json',
    schema: Type.Object(
      {
        jsonrpc: version,
        id: Type.Optional(id),
        method: Type.String({ description: 'initialize, tools/list, tools/call and what else the protocol has.' }),
        params: Type.Optional(Type.Object({}, { ...open, description: 'By the method.' })),
      },
      open,
    ),
    example: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_context', arguments: {} } },
  },
  answers: {
    200: {
      description: 'The result, or an error of the protocol.',
      content: { 'application/json': Type.Union([JsonRpcResult, JsonRpcError]) },
      example: { jsonrpc: '2.0', id: 1, result: {} },
    },
    202: { description: 'A notification was taken.' },
  },
  refusals: {
    400: {},
    401: challenge,
    403: challenge,
    404: {},
    405: { Allow: 'POST' },
    406: {},
    413: {},
    415: {},
    429: {},
    431: {},
    500: {},
    503: {},
  },
  refusal: { 'application/json': JsonRpcError },
  refusalExample: { jsonrpc: '2.0', error: { code: -32000, message: 'sign in first' } },
  security: [{ accessToken: [] }, { accessKey: [] }],
}

const texts = Type.Array(Type.String())

export const ResourceMetadata = Type.Object({
  resource: Type.String(),
  authorization_servers: texts,
  scopes_supported: texts,
  bearer_methods_supported: texts,
  resource_name: Type.String(),
  resource_documentation: Type.String(),
})

const transport = Type.Object({ type: Type.String(), url: Type.String() })

export const ServerCard = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  version: Type.String(),
  websiteUrl: Type.String(),
  documentation: Type.String(),
  endpoint: Type.String(),
  url: Type.String(),
  transport,
  remotes: Type.Array(transport),
  protocolVersion: Type.String(),
  protocolVersions: texts,
  capabilities: Type.Object({ tools: Type.Object({ supported: Type.Boolean(), listChanged: Type.Boolean() }) }),
  authorization: Type.Object({
    type: Type.String(),
    resource_metadata_url: Type.String(),
    resourceMetadataUrl: Type.String(),
    authorization_servers: texts,
    scopes: texts,
  }),
  tools: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), description: Type.String() })),
  license: Type.String(),
})

const describeOpenObject = (description: string) => Type.Object({}, { ...open, description })
const wayIn = Type.Object({ url: Type.String(), transport: Type.String() })

export const A2aCard = Type.Object({
  protocolVersion: Type.String({ description: 'Of A2A.' }),
  name: Type.String(),
  description: Type.String(),
  url: Type.String(),
  preferredTransport: Type.String({
    description: 'MCP for this server. Of an agent: what it names first, or its page.',
  }),
  additionalInterfaces: Type.Array(wayIn),
  version: Type.String(),
  provider: Type.Object({ organization: Type.String(), url: Type.String() }),
  documentationUrl: Type.String(),
  capabilities: Type.Object({
    streaming: Type.Boolean(),
    pushNotifications: Type.Boolean(),
    stateTransitionHistory: Type.Boolean(),
    extensions: Type.Array(
      Type.Object({
        uri: Type.String(),
        description: Type.String(),
        required: Type.Boolean(),
        params: describeOpenObject('By the extension.'),
      }),
    ),
  }),
  securitySchemes: Type.Optional(describeOpenObject('By name, as in OpenAPI: of this server.')),
  security: Type.Optional(Type.Array(describeOpenObject('Names of schemes, with their scopes.'))),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), description: Type.String(), tags: texts }), {
    description: 'Of this server: the tools of MCP.',
  }),
  supportsAuthenticatedExtendedCard: Type.Boolean(),
})
