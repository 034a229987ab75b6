/** The clients that people use: the official SDK of both lines, against a server that listens. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import * as client2 from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createKey } from '../../src/auth/access-keys/access-keys.ts'
import type { RunningServer } from '../../src/start.ts'
import { grantTo } from '../oauth/grant.ts'
import { type Person, personAt } from '../oauth/person.ts'
import { startTestServer } from '../parts/test-server.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)

let server: RunningServer
let person: Person
let key: string
beforeAll(async () => {
  const env = { PROOFGATE_PORT: '0', PROOFGATE_SERVER_SHUTDOWN_SECONDS: '1', PROOFGATE_LIMITS_ENABLED: 'false' }
  server = await startTestServer(env)
  person = await personAt(server.addresses.baseUrl)
  await grantTo(server.parts, bob)
  const primary = bob.address.toLowerCase()
  key = (await createKey(server.parts, { primary, name: 'script', scopes: ['core', 'profile', 'secrets'] })).key
})
afterAll(() => server.stop())

const callback = 'http://localhost:43909/callback'

// biome-ignore lint/suspicious/noExplicitAny: two libraries whose types do not know each other
type Any = any

/** A client of one of the two lines, with the little in which they differ. */
interface Line {
  readonly name: string
  readonly version: string
  connect(options: object): Promise<Any>
  transport(options: object): Any
  finish(transport: Any, returned: URL): Promise<void>
}

const endpoint = () => new URL(`${server.addresses.mcpUrl}/mcp`)
const info = { name: 'test', version: '1' }

const lines: readonly Line[] = [
  {
    name: 'SDK 1',
    version: '2025-11-25',
    transport: (options) => new Transport1(endpoint(), options),
    async connect(options) {
      const client = new Client1(info)
      await client.connect(new Transport1(endpoint(), options) as Any)
      return client
    },
    finish: (transport, returned) => transport.finishAuth(returned.searchParams.get('code')!),
  },
  ...(['legacy', 'auto'] as const).map(
    (mode): Line => ({
      name: `SDK 2 (${mode})`,
      version: mode === 'auto' ? '2026-07-28' : '2025-11-25',
      transport: (options) => new client2.StreamableHTTPClientTransport(endpoint(), options),
      async connect(options) {
        const client = new client2.Client(info, { versionNegotiation: { mode } })
        await client.connect(new client2.StreamableHTTPClientTransport(endpoint(), options))
        return client
      },
      finish: (transport, returned) => transport.finishAuth(returned.searchParams),
    }),
  ),
]

let hosts = 0

/** The data that a host keeps of a person between its runs. `narrowed` asks for less than the client would. */
function hostStore(narrowed?: string) {
  const kept: Record<string, Any> = {}
  const opened: URL[] = []
  return {
    kept,
    opened,
    provider: {
      redirectUrl: callback,
      // Another name is another client, which the person has not allowed anything yet.
      clientMetadata: {
        client_name: `Host ${++hosts}`,
        redirect_uris: [callback],
        token_endpoint_auth_method: 'none',
      },
      state: () => 'a-state',
      clientInformation: () => kept.client,
      saveClientInformation: (client: Any) => {
        kept.client = client
      },
      tokens: () => kept.tokens,
      saveTokens: (tokens: Any) => {
        kept.tokens = tokens
      },
      saveCodeVerifier: (verifier: string) => {
        kept.verifier = verifier
      },
      codeVerifier: () => kept.verifier,
      saveDiscoveryState: (discovery: Any) => {
        kept.discovery = discovery
      },
      discoveryState: () => kept.discovery,
      redirectToAuthorization(url: URL) {
        if (narrowed !== undefined && opened.length === 0) url.searchParams.set('scope', narrowed)
        opened.push(url)
      },
    },
  }
}

/** Takes a client from its first start to a connection; the person signs in on the way. */
async function signedIn(line: Line, store: ReturnType<typeof hostStore>) {
  const options = { authProvider: store.provider }
  await expect(line.connect(options)).rejects.toThrow()
  await returned(line, store)
  return line.connect(options)
}

async function returned(line: Line, store: ReturnType<typeof hostStore>): Promise<void> {
  const back = await person.allow(store.opened.at(-1)!.href)
  expect(back.origin + back.pathname).toBe(callback)
  const transport = line.transport({ authProvider: store.provider })
  await line.finish(transport, back)
}

describe.each(lines)('$name', (line) => {
  test('lists and calls tools with an access key', async () => {
    const client = await line.connect({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })
    expect(client.getServerVersion()).toMatchObject({ name: 'svc', title: 'Proofgate' })
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(12)
    const { structuredContent } = await client.callTool({ name: 'svc_context', arguments: {} })
    expect(structuredContent).toMatchObject({ mode: { via: 'access-key' }, sessionWallet: bob.address.toLowerCase() })
    const refused = await client.callTool({ name: 'svc_proofs_get', arguments: { limit: 0 } })
    expect(refused.isError).toBe(true)
    await client.close()
  })

  test('finds no resources and no prompts, and no promise of them', async () => {
    const client = await line.connect({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      prompts: { listChanged: false },
    })
    expect((await client.listResources()).resources).toEqual([])
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([])
    expect((await client.listPrompts()).prompts).toEqual([])
    await expect(client.getPrompt({ name: 'none' })).rejects.toThrow()
    await client.close()
  })

  test('finds out by itself where and how to sign in, registers, and comes back with a token', async () => {
    const store = hostStore()
    const client = await signedIn(line, store)
    expect(store.opened).toHaveLength(1)
    expect(store.kept.client.client_id).toBeString()
    expect(store.kept.tokens).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) })
    const { structuredContent } = await client.callTool({ name: 'svc_context', arguments: {} })
    expect(structuredContent).toMatchObject({
      sessionWallet: alice.address.toLowerCase(),
      mode: { via: 'access-token', scopes: ['svc:core', 'svc:profile', 'svc:secrets'] },
    })
    await client.close()
  })

  test('refreshes a token that is accepted no longer, without the person', async () => {
    const store = hostStore()
    await (await signedIn(line, store)).close()
    const { refresh_token: before } = store.kept.tokens
    store.kept.tokens = { ...store.kept.tokens, access_token: 'expired' }
    const client = await line.connect({ authProvider: store.provider })
    expect((await client.listTools()).tools).toHaveLength(12)
    expect(store.opened).toHaveLength(1)
    expect(store.kept.tokens.refresh_token).not.toBe(before)
    await client.close()
  })

  test('asks the person for more when a tool needs it', async () => {
    const store = hostStore('svc:core')
    const client = await signedIn(line, store)
    expect(store.kept.tokens.scope).toBe('svc:core')
    const call = { name: 'svc_secret_list', arguments: {} }
    await expect(client.callTool(call)).rejects.toThrow()
    expect(store.opened).toHaveLength(2)
    expect(store.opened[1]!.searchParams.get('scope')!.split(' ')).toEqual(
      expect.arrayContaining(['svc:core', 'svc:secrets']),
    )
    await returned(line, store)
    const again = await line.connect({ authProvider: store.provider })
    expect((await again.callTool(call)).structuredContent).toMatchObject({ success: true, items: [] })
    await client.close()
    await again.close()
  })
})

test('every answer of the tools passes the checks of the clients, and the newest line speaks the newest protocol', async () => {
  const line = lines.at(-1)!
  const client = await line.connect({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  await client.listTools()
  const call = (name: string, args: object = {}) => client.callTool({ name: `svc_${name}`, arguments: args })
  await call('secret_create', { alias: `K${Date.now()}`, secretType: 'single', content: 'x' })
  await call('agent_create', { agentId: 'a', agentWallet: 'generate' })
  for (const [name, args] of [
    ['verifiers_catalog', {}],
    ['proofs_check', { verifiers: ['agent-identity'] }],
    ['verify_or_guide', { verifierIds: ['wallet-link'] }],
    ['verify', { verifierIds: ['ownership-basic'], data: { content: 'x' } }],
    ['proofs_get', { include: 'content' }],
    ['agent_link', { agentWallet: alice.address }],
    ['agent_mount', { agentId: 'a' }],
    ['secret_list', {}],
  ] as const) {
    const { isError, structuredContent } = await call(name, args)
    expect({ name, isError: isError ?? false, hasAnswer: structuredContent !== undefined }).toEqual({
      name,
      isError: false,
      hasAnswer: true,
    })
  }
  await client.close()
})
