/**
 * The description of the API: OpenAPI 3.1, made from the descriptions of the routes (http/route.ts). This folder owns the
 * document; the page that shows it is in pages/.
 */
import type { AnyElysia } from 'elysia'
import { ErrorAnswer, type OperationDescription, writeDetail } from '../http/describe.ts'
import type { Example } from '../http/example.ts'
import { type Route, readOperation } from '../http/route.ts'
import { ownerActionVerifierId } from '../verifiers/roles.ts'
import type { Verifier } from '../verifiers/verifier.ts'
import { apiVersion } from '../version.ts'
import { cleanOne, cleanSchema } from './clean.ts'
import type { Operation, Parameter, Paths, Schema } from './operation.ts'
import { listProtocolPaths } from './protocols.ts'
import { typeExample } from './query-types.ts'
import { listCodes } from './refusal-codes.ts'
import { refusalExamples } from './refusal-examples.ts'
import { listSecurity, listSecuritySchemes } from './security.ts'

export interface ApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Paths
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly securitySchemes: Readonly<Record<string, Schema>>
  }
}

export const openApiVersion = '3.1.2'

const info = {
  title: 'Proofgate',
  version: apiVersion,
  summary: 'Wallet-signed claims become portable proofs, and proofs become access.',
  description: [
    'A proof is made in two steps: `standardize` gives the exact text for a claim, the wallet signs it, and `verification` takes the same body with the signature. The answer carries a portable form that anybody can check without this server.',
    `An owner proves itself with a signature over an action: the text is made by \`standardize\` too, with verifierIds \`["${ownerActionVerifierId}"]\` and the action as \`data\` (EVM addresses in it in lower case or with their checksum). \`standardize\` adds the member \`audience\`, the host of this server: a text that names another one is refused, and changes must name it (\`signing.require_audience\`). Reads take that signature in five headers (\`x-wallet-address\`, \`x-signature\`, \`x-signed-timestamp\`, and \`x-chain\` and \`x-signature-method\` for wallets that are not EVM), changes take it in the body.`,
    'In place of a signature an owner may be signed in (a cookie, and `X-CSRF-Token` with every change) or send `Authorization: Bearer npk_…`, an access key, for its own wallet and for those it has linked.',
    'In a query `true`, `1` and `yes` are the same, and so are `false`, `0` and `no`.',
    'Every refusal has the shape `ErrorAnswer`; of the authorization server `OAuthErrorAnswer`, and of the MCP endpoint `JsonRpcError`. Answers may gain members: ignore the ones you do not know.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const tags = [
  { name: 'verification', description: 'From a signed claim to a proof.' },
  { name: 'proofs', description: 'Reading, listing, sharing, revoking and erasing proofs.' },
  { name: 'gates', description: 'Who may pass, and what they get.' },
  { name: 'payments', description: 'How gates are paid.' },
  {
    name: 'profile',
    description: 'Who a wallet is, which wallets are one person’s, and the secrets and labels of that person.',
  },
  {
    name: 'sessions',
    description:
      'Signing in with a wallet, and access keys. A browser is known by a cookie, and sends the header X-CSRF-Token with every change; a program is known by Authorization: Bearer and its access key.',
  },
  { name: 'social', description: 'Signing in at other providers, to show an account or an organization there.' },
  { name: 'oauth', description: 'The authorization server, which gives programs access in the name of a person.' },
  { name: 'mcp', description: 'The endpoint of the Model Context Protocol, for agents.' },
  { name: 'health', description: 'Whether the server works.' },
  { name: 'description', description: 'This description of the API.' },
]

export interface Described {
  readonly baseUrl: string
  /** The address of the authorization server. Undefined without an MCP endpoint, which alone takes its tokens. */
  readonly authUrl: string | undefined
  /** The name of the session cookie begins with it. */
  readonly brand: string
  /** The document describes the data of each. */
  readonly verifiers: Iterable<Verifier>
}

export async function describeApi(
  routes: readonly Route[],
  { baseUrl, authUrl, brand, verifiers }: Described,
): Promise<ApiDocument> {
  // Loaded on demand, because no start needs it. The whole plugin would load a compiler of types too.
  const { toOpenAPISchema } = await import('@elysiajs/openapi/openapi')
  const offered = routes.filter(({ isOffered }) => isOffered)
  const source = listForGenerator(offered)
  const generated = toOpenAPISchema(source, { staticFile: false }, undefined, undefined, openApiVersion)
  const { paths, schemas } = cleanOne(generated.paths, (clean) => listProtocolPaths(offered, clean))
  const verifierData = listVerifierSchemas(verifiers)
  const operations = new Map(listOperations(paths).map(({ operation }) => [operation.operationId, operation] as const))
  for (const route of offered) {
    const described = readOperation(route)
    const operation = described && operations.get(described.operationId)
    if (operation) complete(operation, route, described, baseUrl)
  }
  return {
    openapi: openApiVersion,
    info,
    servers: [{ url: baseUrl, description: 'This server.' }],
    tags: tags.filter(({ name }) => listOperations(paths).some(({ operation }) => operation.tags.includes(name))),
    paths,
    components: {
      schemas: sortMembers({ ErrorAnswer: cleanSchema(ErrorAnswer), ...schemas, ...verifierData }),
      securitySchemes: listSecuritySchemes(brand, authUrl),
    },
  }
}

const listOperations = (paths: Paths): { method: string; operation: Operation }[] =>
  Object.values(paths).flatMap((methods) =>
    Object.entries(methods).map(([method, operation]) => ({ method, operation })),
  )

/**
 * The routes in the form of the generator. Without a parser it lists every media type for a body; cleaned() keeps the
 * accepted one.
 */
const listForGenerator = (routes: readonly Route[]): AnyElysia =>
  ({
    getGlobalRoutes: () =>
      routes.map((route) => {
        const described = readOperation(route)
        const detail = described ? writeDetail(described) : { hide: true }
        return { method: route.method, path: route.path, handler: route.handler, hooks: { ...route.shapes, detail } }
      }),
  }) as unknown as AnyElysia

/** Adds the parts that the generator does not know: examples, error codes, callers, and the shapes of `data`. */
function complete(operation: Operation, route: Route, described: OperationDescription, baseUrl: string): void {
  const example = typeof described.example === 'function' ? described.example(baseUrl) : described.example
  const { requestBody, responses } = operation
  if (described.requestHeaders)
    operation.parameters = [...(operation.parameters ?? []), ...listHeaders(described.requestHeaders)]
  const body = requestBody?.content['application/json']
  if (body?.schema.properties && described.takesVerifierData)
    body.schema.properties.data = { $ref: '#/components/schemas/VerifierData' }
  if (body && example.request) body.example = example.request
  for (const [status, answered] of Object.entries(responses)) {
    const answer = answered.content?.['application/json']
    const value = status === '200' ? example.response : refusalExamples[Number(status)]
    if (answer && value) answer.example = value
    const codes = listCodes(route, described, Number(status))
    if (codes.length > 0) answered['x-codes'] = codes
  }
  for (const parameter of operation.parameters ?? []) {
    const value = findParameterExample(example, parameter)
    if (value !== undefined) parameter.example = typeExample(parameter.schema, value)
  }
  operation.security = listSecurity(route)
  operation['x-callers'] = route.callers
}

const findParameterExample = ({ params, query }: Example, { in: place, name }: Parameter): string | undefined =>
  (place === 'path' ? params : query)?.[name]

const listHeaders = (headers: Readonly<Record<string, string>>): Parameter[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))

/** `ownership-basic` becomes `OwnershipBasicData`. All of them together are VerifierData. */
function listVerifierSchemas(verifiers: Iterable<Verifier>): Record<string, Schema> {
  const named = [...verifiers].map((verifier) => ({ verifier, name: `${toPascalCase(verifier.id)}Data` }))
  const makeReference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
  const byId: Schema = {
    title: 'Each under its id, or an owner action',
    type: 'object',
    properties: Object.fromEntries(named.map(({ verifier, name }) => [verifier.id, makeReference(name)])),
  }
  return {
    VerifierData: {
      description:
        'What is claimed: the data of one verifier, flat or under its id, or of several, each under its id. For the text of an owner action: {"action": …} with its members.',
      type: 'object',
      anyOf: [...named.map(({ name }) => makeReference(name)), byId],
    },
    ...Object.fromEntries(
      named.map(({ verifier: { id, description, data }, name }) => [
        name,
        { title: id, description, ...cleanSchema(data) },
      ]),
    ),
  }
}

const toPascalCase = (id: string): string =>
  id.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())

const sortMembers = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
