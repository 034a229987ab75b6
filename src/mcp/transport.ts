/**
 * The Model Context Protocol on the wire, through @modelcontextprotocol/server: the only file that knows this library.
 *
 * Two eras are answered at one address. Requests of 2026-07-28 stand alone. The earlier handshake revisions are
 * answered without sessions. Either way each request gets a server of its own, so that people share nothing. The caller
 * and the origin have been checked before (gate.ts).
 */
import type { McpServer, Server } from '@modelcontextprotocol/server'

type Library = typeof import('@modelcontextprotocol/server')

/** The versions that handshake clients may request, newest first. The library knows older ones without users. */
export const handshakeVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
export const statelessVersions = ['2026-07-28'] as const
export const protocolVersions: readonly string[] = [...statelessVersions, ...handshakeVersions]

export interface OfferedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: object
  readonly outputSchema: object
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** The result of a tool call. An error has text only: clients check any other content against the output schema. */
export interface ToolAnswer {
  readonly text: string
  readonly structured?: Readonly<Record<string, unknown>>
  readonly isError: boolean
}

export interface Offer<Person> {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly websiteUrl: string
  readonly instructions: string
  readonly tools: readonly OfferedTool[]
  /** Undefined: there is no such tool. Throws nothing. */
  call(name: string, args: Readonly<Record<string, unknown>>, person: Person): Promise<ToolAnswer | undefined>
}

/** A server for one request, of the library's name for its era: 2026-07-28 is modern, the handshake revisions legacy. */
export type MakeServer<Person> = (library: Library, person: Person, era: 'modern' | 'legacy') => Server | McpServer

export interface Transport<Person> {
  /** `body` is the parsed body of a POST. */
  answer(request: Request, body: unknown, person: Person): Promise<Response>
}

/** How long clients may keep the list of tools, which changes with the version of this program only. */
const listTtlMs = 300_000

/**
 * Serves tools. Some hosts request resources and prompts whatever the capabilities say, and show an error as a fault.
 * So both are empty lists, which the capabilities name because they are answered.
 */
export function makeServerFactory<Person>(offer: Offer<Person>): MakeServer<Person> {
  const { name, title, version, websiteUrl, instructions, call } = offer
  const tools = offer.tools as unknown as (OfferedTool & {
    inputSchema: { type: 'object' }
    outputSchema: { type: 'object' }
  })[]
  const cacheHint = { ttlMs: listTtlMs, cacheScope: 'private' } as const
  // The library's own hint is a symbol on each result, with which JSON.stringify takes three times as long.
  const splitEras = <List extends object>(list: List) => ({ modern: { ...list, ...cacheHint }, legacy: list })
  const list = splitEras({ tools })
  const noResources = splitEras({ resources: [] })
  const noTemplates = splitEras({ resourceTemplates: [] })
  const noPrompts = splitEras({ prompts: [] })
  return ({ Server, ProtocolError }, person, era) => {
    const server = new Server(
      { name, title, version, websiteUrl },
      {
        capabilities: {
          tools: { listChanged: false },
          resources: { listChanged: false, subscribe: false },
          prompts: { listChanged: false },
        },
        instructions,
        supportedProtocolVersions: [...protocolVersions],
        cacheHints: { 'server/discover': cacheHint },
      },
    )
    server.setRequestHandler('tools/list', () => list[era])
    server.setRequestHandler('resources/list', () => noResources[era])
    server.setRequestHandler('resources/templates/list', () => noTemplates[era])
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      throw new ProtocolError(invalidParams, 'this server has no resources: use the tools', { uri })
    })
    server.setRequestHandler('prompts/list', () => noPrompts[era])
    server.setRequestHandler('prompts/get', () => {
      throw new ProtocolError(invalidParams, 'this server has no prompts: use the tools')
    })
    server.setRequestHandler('tools/call', async ({ params }) => {
      const answer = await call(params.name, params.arguments ?? {}, person)
      if (!answer)
        throw new ProtocolError(
          invalidParams,
          `there is no tool ${params.name.slice(0, 128)}: tools/list lists the tools`,
        )
      const { text, structured, isError } = answer
      return {
        content: [{ type: 'text', text }],
        ...(structured ? { structuredContent: structured } : {}),
        ...(isError ? { isError } : {}),
      }
    })
    return server
  }
}

const invalidParams = -32602

interface TransportOptions {
  readonly onFault: (error: Error) => void
  /** Whether handshake clients are answered by event streams, which tools need that report while they work. */
  readonly streams?: boolean
}

/** The library is loaded by the first request: no start of the server should wait for it. */
export function openTransport<Person extends object>(
  make: MakeServer<Person>,
  { onFault, streams = false }: TransportOptions,
): Transport<Person> {
  let opened: Promise<Opened<Person>> | undefined
  return {
    async answer(request, body, person) {
      opened ??= open(make, onFault, streams)
      return (await opened)(request, body, person)
    },
  }
}

type Opened<Person> = (request: Request, body: unknown, person: Person) => Promise<Response>

/** Streams of changes tell nothing, because nothing changes while the server runs: they are kept for clients that ask. */
const mostSubscriptions = 100

async function open<Person extends object>(
  make: MakeServer<Person>,
  onFault: (error: Error) => void,
  streams: boolean,
): Promise<Opened<Person>> {
  const library = await import('@modelcontextprotocol/server')
  const { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } = library
  // The library passes the person on as it came, and looks into nothing of it.
  const makeAuthInfo = (person: Person) => ({ token: '', clientId: '', scopes: [], extra: { person } })
  const handler = createMcpHandler(({ authInfo, era }) => make(library, authInfo?.extra?.person as Person, era), {
    ...(streams ? {} : { legacy: 'reject' }),
    maxSubscriptions: mostSubscriptions,
    onerror: onFault,
  })

  /** As createMcpHandler does it, but with plain JSON: half the cost, and some clients read one event only. */
  const answerHandshakeClient = async (request: Request, body: unknown, person: Person): Promise<Response> => {
    const server = make(library, person, 'legacy')
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await server.connect(transport)
      return await transport.handleRequest(request, { parsedBody: body })
    } finally {
      await server.close()
    }
  }

  return async (request, body, person) =>
    !streams && (await isLegacyRequest(request, body))
      ? answerHandshakeClient(request, body, person)
      : handler.fetch(request, { parsedBody: body, authInfo: makeAuthInfo(person) })
}
