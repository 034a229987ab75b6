/**
 * From a fresh start to a working assistant, with a real server, the official MCP client and a browser wallet. Then the
 * server is killed, and the sessions survive.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { privateKeyToAddress } from 'viem/accounts'
import { addEvmWallet } from '../pages/browser-wallets.ts'
import { openBrowser, type SharedBrowser } from '../pages/chromium.ts'
import { openVisit } from '../pages/visit.ts'
import { program } from '../parts/program.ts'
import { newFolder } from './server.ts'

setDefaultTimeout(60_000)

const folder = newFolder()
const key = `0x${'5'.repeat(64)}` as const
let browser: SharedBrowser
let server: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  browser = await openBrowser()
  server = await start('0')
})
afterAll(async () => {
  await browser?.close()
  server?.kill()
  folder.remove()
})

/** Starts in an empty folder, with no setting but the port, because tests run side by side. */
async function start(port: string) {
  const child = Bun.spawn([...program, 'serve', '--json'], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? '', HOME: folder.path, PROOFGATE_PORT: port },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  for await (const chunk of child.stdout) {
    const ready = JSON.parse(new TextDecoder().decode(chunk))
    return { ...ready, kill: () => child.kill('SIGKILL'), ended: child.exited } as {
      readonly port: number
      readonly authUrl: string
      readonly mcpUrl: string
      readonly ended: Promise<number>
      kill(): void
    }
  }
  throw new Error('the server did not start')
}

/** Acts as an MCP host does for its person: opens the browser, and waits for the callback. */
function newHost() {
  // biome-ignore lint/suspicious/noExplicitAny: what the client keeps is its own business
  const kept: Record<string, any> = {}
  const opened = Promise.withResolvers<URL>()
  const returned = Promise.withResolvers<URL>()
  const listener = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const url = new URL(request.url)
      if (url.pathname === '/oauth/callback') returned.resolve(url)
      return new Response('<!doctype html><title>Done</title>', { headers: { 'content-type': 'text/html' } })
    },
  })
  const redirectUrl = `http://127.0.0.1:${listener.port}/oauth/callback`
  const authProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Example Assistant', redirect_uris: [redirectUrl] },
    state: () => 'a-state',
    clientInformation: () => kept.client,
    saveClientInformation: (client: object) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: object) => void Object.assign(kept, { tokens }),
    saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery: object) => void Object.assign(kept, { discovery }),
    redirectToAuthorization: (url: URL) => opened.resolve(url),
  }
  const transport = () => new StreamableHTTPClientTransport(new URL(`${server.mcpUrl}/mcp`), { authProvider })
  return {
    kept,
    opened: opened.promise,
    returned: returned.promise,
    origin: new URL(redirectUrl).origin,
    transport,
    async connect() {
      const client = new Client({ name: 'example', version: '1' })
      await client.connect(transport())
      return client
    },
    stop: () => listener.stop(true),
  }
}

test('an assistant is connected, signed in, and works with proofs; a crash of the server disturbs neither', async () => {
  const host = newHost()
  await expect(host.connect()).rejects.toBeInstanceOf(UnauthorizedError)

  const visit = await openVisit(browser, server.authUrl, { alsoAt: [host.origin] })
  await addEvmWallet(visit.context, { key })
  const { page } = visit
  await page.goto((await host.opened).href)
  await page.getByRole('button', { name: /Test Wallet/ }).click()
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
  expect(await page.getByText('Example Assistant').first().isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Allow' }).click()
  const back = await host.returned
  expect(visit.complaints).toEqual([])

  const finishing = host.transport()
  await finishing.finishAuth(back.searchParams)
  const client = await host.connect()
  const context = await client.callTool({ name: 'svc_context', arguments: {} })
  expect(context.structuredContent).toMatchObject({ sessionWallet: privateKeyToAddress(key).toLowerCase() })
  const claim = { verifierIds: ['ownership-basic'], data: { content: 'Words of my own' } }
  const made = await client.callTool({ name: 'svc_verify', arguments: claim })
  expect(made.structuredContent).toMatchObject({ result: 'Passed', receipt: { portable: false } })
  await client.close()

  server.kill()
  await server.ended
  server = await start(String(server.port))
  const again = await host.connect()
  const proofs = await again.callTool({ name: 'svc_proofs_get', arguments: {} })
  expect(JSON.stringify(proofs.structuredContent)).toContain((made.structuredContent as { qHash: string }).qHash)
  await again.close()

  // An hour passes, so that the client refreshes by itself.
  const before = host.kept.tokens.refresh_token
  host.kept.tokens = { ...host.kept.tokens, access_token: 'expired' }
  const refreshed = await host.connect()
  expect((await refreshed.listTools()).tools).toHaveLength(12)
  expect(host.kept.tokens.refresh_token).not.toBe(before)
  await refreshed.close()
  host.stop()
})
