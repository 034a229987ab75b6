/** The official conformance suite of MCP (@modelcontextprotocol/conformance), for the newest two revisions. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { openTransport } from '../../../src/mcp/transport.ts'
import type { RunningServer } from '../../../src/start.ts'
import { grantTo } from '../../oauth/grant.ts'
import { personAt } from '../../oauth/person.ts'
import { freePort } from '../../parts/free-port.ts'
import { startTestServer } from '../../parts/test-server.ts'
import { alice } from '../../wallets.ts'
import { demoServer } from './demo.ts'
import { runSuite, withBearer } from './suite.ts'

setDefaultTimeout(180_000)

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const expected = (name: string): string => join(import.meta.dir, `${name}.yaml`)

async function realServer(): Promise<RunningServer> {
  const env = { PROOFGATE_PORT: '0', PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_SERVER_SHUTDOWN_SECONDS: '1' }
  const server = await startTestServer(env)
  closing.push(() => server.stop())
  return server
}

async function realAddress(): Promise<string> {
  const { parts, addresses } = await realServer()
  const { token } = await grantTo(parts, alice)
  const proxy = withBearer(addresses.baseUrl, token)
  closing.push(() => proxy.stop(true))
  return `http://localhost:${proxy.port}/mcp`
}

/** The plumbing alone, behind the least that stands before it. */
function demoAddress(): string {
  const faults: Error[] = []
  const transport = openTransport(demoServer, { onFault: (error) => faults.push(error), streams: true })
  const isOwn = (address: string | null) => address === null || new URL(address).hostname === 'localhost'
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { headers, method } = request
      if (!isOwn(`http://${headers.get('host')}`) || !isOwn(headers.get('origin')))
        return new Response(null, { status: 403 })
      return method === 'POST'
        ? transport.answer(request, await request.json(), {})
        : new Response(null, { status: 405 })
    },
  })
  closing.push(() => server.stop(true))
  return `http://localhost:${server.port}/mcp`
}

async function passes(address: string, revision: string, baseline?: string): Promise<void> {
  const { code, out } = await runSuite('server', [
    ...['--url', address, '--requirements', revision],
    ...(baseline === undefined ? [] : ['--expected-failures', expected(baseline)]),
  ])
  const said = out.slice(out.indexOf('=== SUMMARY'))
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' })
  for (const scenario of ['tools-list', 'dns-rebinding-protection'])
    expect(said).toMatch(new RegExp(`✓ ${scenario}: [2-9] passed, 0 failed`))
}

describe('the suite of MCP finds no fault', () => {
  test.each(['2025-11-25', '2026-07-28'])('with the server, but for its own demo tools (%s)', async (revision) =>
    passes(await realAddress(), revision, `expected-${revision}`),
  )

  test('with the plumbing, demo tools and all (2026-07-28)', () => passes(demoAddress(), '2026-07-28'))

  test('with the plumbing and demo tools, except for calls that need a session (2025-11-25)', () =>
    passes(demoAddress(), '2025-11-25', 'expected-demo-2025-11-25'))

  test('with the authorization server: its metadata, and a code that becomes a token', async () => {
    const { authUrl } = (await realServer()).addresses
    const person = await personAt(authUrl)
    const open = async (address: string): Promise<void> => {
      await fetch(await person.allow(address))
    }
    const options = [
      '--url',
      authUrl,
      '--client-id',
      'svc-cli',
      '--resource',
      `${authUrl}/mcp`,
      '--port',
      String(await freePort()),
    ]
    const { code, out } = await runSuite('authorization', options, open)
    expect({ code, out: code === 0 ? '' : out }).toEqual({ code: 0, out: '' })
    expect(out).toContain('authorization-code-grant')
  })
})
