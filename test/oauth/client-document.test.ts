/**
 * Clients whose id is the address of a document. The documents come from a real https server on this machine. The
 * server's guard refuses such addresses, so these tests use a guard with a configured exception.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { openDocuments } from '../../src/outside/documents/documents.ts'
import { makeGuard } from '../../src/outside/http/address-guard.ts'
import { startApp, type TestApp } from '../app.ts'
import { certificate, certificateKey, trustCertificate } from '../parts/dns-certificate.ts'
import { alice } from '../wallets.ts'
import { authorizeParameters, callback, codeVerifier, flowOf, handleIn, resource, tickedIn } from './flow.ts'

let app: TestApp
/** The same app, whose guard permits calls to this machine. */
let request: (path: string, init?: RequestInit) => Promise<{ status: number; location: string | null; text: string }>
let cookie: string
let asked: string[] = []
let serve: (address: string) => Response | Promise<Response>
const stopTrusting = trustCertificate()
const web = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  tls: { cert: certificate, key: certificateKey },
  fetch: ({ url }) => {
    asked.push(url)
    return serve(url)
  },
})
const addressOf = (path: string): string => `https://localhost:${web.port}${path}`
let count = 0
/** A new address each time, because documents are cached. */
const newAddress = (): string => addressOf(`/client-${++count}.json`)

beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_OAUTH_CLIENT_METADATA_DOCUMENTS: 'true' })
  const documents = openDocuments({ guard: makeGuard([]), timeoutMs: 300 })
  const open = createApp({ ...app.parts, outside: { ...app.parts.outside, documents } })
  request = async (path, init) => {
    const response = await open.handle(new Request(`http://localhost${path}`, init))
    return { status: response.status, location: response.headers.get('location'), text: await response.text() }
  }
  cookie = (await app.signIn(alice)).cookie
})
beforeEach(() => {
  asked = []
  serve = (url) => Response.json(document(url))
})
afterAll(async () => {
  await app.close()
  await web.stop(true)
  stopTrusting()
})

const document = (url: string, more: object = {}) => ({
  client_id: url,
  client_name: 'An assistant on the web',
  redirect_uris: [callback],
  ...more,
})
const authorize = (client_id: string, redirect_uri = callback) =>
  request(
    `/oauth/authorize?${new URLSearchParams(authorizeParameters({ client_id, redirect_uri }) as Record<string, string>)}`,
    { headers: { cookie } },
  )
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  request(path, { method: 'POST', headers, body: new URLSearchParams(fields) })

test('a client that is described by its document is asked for like any other, and gets tokens', async () => {
  const client_id = newAddress()
  const page = await authorize(client_id)
  expect(page.status).toBe(200)
  expect(page.text).toContain('An assistant on the web')
  expect(page.text).toContain(client_id)
  expect(page.text).toContain('Nobody has checked it')
  const answer = await form(
    '/oauth/consent',
    { handle: handleIn(page.text), decision: 'allow', scope: tickedIn(page.text) },
    { cookie },
  )
  const code = new URL(answer.location!).searchParams.get('code')!
  const redeemed = await form('/api/v1/auth/mcp/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    client_id,
    code_verifier: codeVerifier,
    resource,
  })
  expect(redeemed.status).toBe(200)
  const { refresh_token } = JSON.parse(redeemed.text)
  const refreshed = await form('/api/v1/auth/mcp/token', {
    grant_type: 'refresh_token',
    refresh_token,
    client_id,
    resource,
  })
  expect(refreshed.status).toBe(200)
  expect(asked).toEqual([client_id])
  const { body } = await app.get('/api/v1/auth/apps', { cookie })
  expect(body.data.apps[0]).toMatchObject({ clientId: client_id, name: 'An assistant on the web' })
})

describe('a document is refused that', () => {
  test.each<[string, (url: string) => Response]>([
    ['is of another client', (url) => Response.json({ ...document(url), client_id: 'https://other.example/c.json' })],
    ['has the id in another spelling', (url) => Response.json({ ...document(url), client_id: url.toUpperCase() })],
    ['has no name', (url) => Response.json({ ...document(url), client_name: undefined })],
    ['has a name that turns its direction', (url) => Response.json(document(url, { client_name: 'a\u202eb' }))],
    ['has no redirect addresses', (url) => Response.json(document(url, { redirect_uris: [] }))],
    [
      'has a dangerous redirect address',
      (url) => Response.json(document(url, { redirect_uris: ['javascript:alert(1)'] })),
    ],
    ['wants a secret', (url) => Response.json(document(url, { token_endpoint_auth_method: 'client_secret_basic' }))],
    ['is not there', () => new Response('no', { status: 404 })],
    ['is somewhere else', () => Response.redirect('https://localhost/other.json')],
    ['is a page', (url) => new Response(JSON.stringify(document(url)), { headers: { 'content-type': 'text/html' } })],
    ['is no JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['is a list', () => Response.json([])],
    ['is larger than anybody needs', (url) => Response.json(document(url, { padding: 'x'.repeat(70_000) }))],
  ])('%s', async (_, answer) => {
    serve = answer
    const refused = await authorize(newAddress())
    expect(refused.status).toBe(400)
    expect(refused.location).toBeNull()
    expect(JSON.parse(refused.text).error).toBe('invalid_client')
  })

  test('does not come in time', async () => {
    serve = async (url) => {
      await Bun.sleep(600)
      return Response.json(document(url))
    }
    expect((await authorize(newAddress())).status).toBe(400)
  })

  test('does not name the address', async () => {
    expect((await authorize(newAddress(), 'http://localhost:1/other')).status).toBe(400)
  })
})

describe('a document is kept', () => {
  test.each([
    [undefined, 300],
    ['max-age=3600', 3600],
    ['max-age=1', 60],
    ['max-age=99999999', 86_400],
    ['no-store', 60],
  ])('as its header %p says, within bounds: %i seconds', async (cacheControl, seconds) => {
    serve = (url) => Response.json(document(url), cacheControl ? { headers: { 'cache-control': cacheControl } } : {})
    const address = newAddress()
    await authorize(address)
    app.wait(seconds * 1000 - 1)
    cookie = (await app.signIn(alice)).cookie
    await authorize(address)
    expect(asked).toHaveLength(1)
    app.wait(1)
    await authorize(address)
    expect(asked).toHaveLength(2)
  })

  test('is not requested again for a minute after a failure', async () => {
    serve = () => new Response('no', { status: 500 })
    const address = newAddress()
    for (let times = 0; times < 3; times++) expect((await authorize(address)).status).toBe(400)
    expect(asked).toHaveLength(1)
  })

  test('is not kept longer because the clock was a day ahead when it was fetched', async () => {
    const address = newAddress()
    app.setClock(86_400_000)
    cookie = (await app.signIn(alice)).cookie
    await authorize(address)
    app.setClock(-86_400_000)
    app.wait(300_000)
    cookie = (await app.signIn(alice)).cookie
    await authorize(address)
    expect(asked).toHaveLength(2)
  })

  test('for all requests at the same moment', async () => {
    const address = newAddress()
    await Promise.all(Array.from({ length: 10 }, () => authorize(address)))
    expect(asked).toHaveLength(1)
  })
})

test.each([
  'http://localhost/c.json',
  'https://localhost',
  'https://localhost/',
  'https://user@localhost/c.json',
  'https://localhost/c.json#a',
  'https://LOCALHOST/c.json',
  'https://localhost/a/../c.json',
])('%s is not an address of a document', async (client_id) => {
  expect(JSON.parse((await authorize(client_id)).text).error).toBe('invalid_client')
  expect(asked).toEqual([])
})

describe('with the guard that the server has', () => {
  test.each(['/c.json', '/latest/meta-data'])('the server does not call its own machine: %s', async (path) => {
    const answer = await flowOf(app).authorize(authorizeParameters({ client_id: addressOf(path) }), { cookie })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_client' } })
    expect(asked).toEqual([])
  })

  test.each([
    'https://127.0.0.1/c.json',
    'https://169.254.169.254/latest',
    'https://[::1]/c.json',
    'https://10.0.0.1/c',
  ])('the server does not call a private address: %s', async (client_id) => {
    const { body } = await flowOf(app).authorize(authorizeParameters({ client_id }), { cookie })
    expect(body.error_description).toContain('private address')
  })

  test('the metadata says whether documents are read', async () => {
    const path = '/.well-known/oauth-authorization-server'
    expect((await app.get(path)).body.client_id_metadata_document_supported).toBe(true)
    const closed = await startApp()
    expect(closed.parts.outside.documents).toBeUndefined()
    expect((await closed.get(path)).body.client_id_metadata_document_supported).toBeUndefined()
    const answer = await flowOf(closed).authorize(authorizeParameters({ client_id: newAddress() }))
    expect(answer.body.error).toBe('invalid_client')
    expect(asked).toEqual([])
    await closed.close()
  })
})

describe('one network', () => {
  /** Behind a proxy that names the clients. */
  async function behindProxy() {
    const settings = { PROOFGATE_OAUTH_CLIENT_METADATA_DOCUMENTS: 'true', PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32' }
    const own = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', ...settings })
    const documents = openDocuments({ guard: makeGuard([]), timeoutMs: 5_000 })
    const open = createApp({ ...own.parts, outside: { ...own.parts.outside, documents } })
    open.listen({ port: 0, hostname: '127.0.0.1' })
    const ask = async (client_id: string, address: string) => {
      const parameters = authorizeParameters({ client_id, redirect_uri: callback }) as Record<string, string>
      const answer = await fetch(
        `http://127.0.0.1:${open.server!.port}/oauth/authorize?${new URLSearchParams(parameters)}`,
        {
          headers: { 'x-forwarded-for': address },
          redirect: 'manual',
        },
      )
      await answer.arrayBuffer()
      return answer.status
    }
    return {
      ask,
      async stop() {
        await open.stop(true)
        await own.close()
      },
    }
  }

  test('requesting many documents does not evict those of other networks', async () => {
    const { ask, stop } = await behindProxy()
    const ofOther = newAddress()
    expect(await ask(ofOther, '198.51.100.7')).toBe(303)
    for (let round = 0; round < 1001; round++) await ask(newAddress(), '203.0.113.7')
    expect(asked).toHaveLength(1002)
    expect(await ask(ofOther, '198.51.100.7')).toBe(303)
    expect(asked).toHaveLength(1002)
    await stop()
  })

  test('has a quarter of the simultaneous reads', async () => {
    const { ask, stop } = await behindProxy()
    const ofOther = newAddress()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const { promise: hasReachedOther, resolve: reachOther } = Promise.withResolvers<void>()
    serve = async (url) => {
      if (url === ofOther) reachOther()
      await isReleased
      return Response.json(document(url))
    }
    const flood = Array.from({ length: 20 }, () => ask(newAddress(), '203.0.113.7'))
    await Promise.race(flood)
    const answer = ask(ofOther, '198.51.100.7')
    await Promise.race([answer, hasReachedOther])
    release()
    expect(await answer).toBe(303)
    expect((await Promise.all(flood)).filter((status) => status === 303)).toHaveLength(4)
    await stop()
  })
})
