/**
 * The dashboard behind a reverse proxy. The server is below one path, and signing in below another, on another host.
 * The proxy and the server are real, and the server knows its addresses from the configuration alone.
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { freePort } from '../parts/free-port.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { openDashboards } from './dashboard-stage.ts'
import { addressOf, choose, fill, keyOf, linkSecond, press, proofIds } from './hosted-stage.ts'
import type { Visit } from './visit.ts'

setDefaultTimeout(60_000)

const [port, proxyPort] = [await freePort(), await freePort()]
/** Two hosts for the browser: cookies of one are not sent to the other. */
const baseUrl = `http://localhost:${proxyPort}/box`
const authUrl = `http://127.0.0.1:${proxyPort}/door`
const [baseOrigin, authOrigin] = [baseUrl, authUrl].map((address) => new URL(address).origin) as [string, string]

const dashboards = await openDashboards({
  PROOFGATE_PORT: String(port),
  PROOFGATE_BASE_URL: baseUrl,
  PROOFGATE_AUTH_URL: authUrl,
})

/** Takes the prefix away, and passes everything else on as it is. */
const proxy = Bun.serve({
  port: proxyPort,
  async fetch(request) {
    const { pathname, search, host } = new URL(request.url)
    const [, prefix, path = ''] = /^\/(box|door)(\/.*)?$/.exec(pathname) ?? []
    // Each prefix is of its own host.
    if (prefix === undefined || host.startsWith('localhost') !== (prefix === 'box'))
      return new Response('nothing here', { status: 404 })
    const headers = new Headers(request.headers)
    headers.delete('host')
    return fetch(`http://127.0.0.1:${port}${path || '/'}${search}`, {
      method: request.method,
      headers,
      body: request.body,
      redirect: 'manual',
      decompress: false,
    })
  },
})
afterAll(() => proxy.stop(true))

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Opens `place` at the base address as a new visitor, and signs in where that leads. */
async function arrive(
  place: string,
  digit: string,
): Promise<Visit & { wallet: Awaited<ReturnType<typeof addEvmWallet>> }> {
  const visit = await dashboards.open({ alsoAt: [baseOrigin] }, authOrigin)
  const wallet = await addEvmWallet(visit.context, { key: keyOf(digit) })
  await visit.page.goto(`${baseUrl}${place}`)
  if (place === '/') await visit.page.getByRole('link', { name: 'Sign in' }).click()
  await visit.page.waitForURL(`${authUrl}/login?**`)
  await choose(visit.page)
  return { ...visit, wallet }
}

test('the page of welcome leads to where people sign in, and from there to every view', async () => {
  const { page, complaints } = await arrive('/', '1')
  await heading(page, 'Proofs')
  expect(page.url()).toBe(`${authUrl}/`)
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  for (const [name, place] of [
    ['Shared with me', '/shared-with-me'],
    ['Gates', '/gates'],
    ['Payments', '/payments'],
    ['Access keys', '/keys'],
    ['Connected apps', '/apps'],
    ['Secrets', '/secrets'],
    ['Wallets', '/wallets'],
    ['Sessions', '/sessions'],
  ] as const) {
    await menu.getByRole('link', { name }).click()
    await heading(page, name)
    expect(page.url()).toBe(`${authUrl}${place}`)
  }
  await page.reload()
  await page.getByText('This browser').waitFor()
  await page.goBack()
  await heading(page, 'Wallets')
  await page.goForward()
  await menu.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Prove it with your wallet' }).waitFor()
  expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toStartWith(`${authUrl}/login`)
  expect(complaints).toEqual([])
})

test.each(['/gates', '/keys'])('a view asked for at the base address, %s, is shown after signing in', async (place) => {
  const { page, complaints } = await arrive(place, '2')
  await page.waitForURL(`${authUrl}${place}`)
  await page.getByRole('navigation', { name: 'Dashboard' }).waitFor()
  expect(complaints).toEqual([])
})

test('the page shows working addresses: for a key, and for the endpoint of assistants', async () => {
  const { page, complaints } = await arrive('/keys', '3')
  await press(page, 'Create a key')
  await page.getByLabel('Name', { exact: true }).fill('Behind a proxy')
  await press(page, 'Create the key')
  const shown = page.locator('.panel pre.code')
  await shown.first().waitFor()
  const [key, command, , configuration] = (await shown.allTextContents()) as [string, string, string, string]
  expect(command).toStartWith(`curl -s ${baseUrl}/api/v1/auth/me `)
  const { data } = await new Response(Bun.spawn(['sh', '-c', command], { stdout: 'pipe' }).stdout).json()
  expect(data).toMatchObject({ authenticated: true, address: addressOf('3').toLowerCase() })
  const { url, headers } = JSON.parse(configuration).mcpServers.proofgate
  expect(url).toBe(`${baseUrl}/mcp`)
  expect(headers).toEqual({ Authorization: `Bearer ${key}` })
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'svc_context', arguments: {} },
    }),
  })
  expect(answer.status).toBe(200)
  await press(page, 'I have kept it')
  await press(page, 'Revoke Behind a proxy')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('Revoked keys (1)').waitFor()
  expect(complaints).toEqual([])
})

test('a proof is made from the view, and the link to it leads its owner back to it', async () => {
  const { page, complaints } = await arrive('/', '6')
  await page.getByRole('link', { name: 'Make a proof with this wallet' }).click()
  await page.waitForURL(`${authUrl}/verify`)
  await page.getByRole('link', { name: 'Pseudonym' }).click()
  await fill(page, 'pseudonymId', 'behind.a.proxy')
  await press(page, 'Sign and check')
  await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
  const [qHash] = await proofIds(page)
  await page.goto(`${authUrl}/`)
  await page.locator('.proof-open').first().click()
  await page.getByText('You share it with no other wallet.').waitFor()

  // Shared links name the base address, where this browser is not signed in.
  await page.goto(`${baseUrl}/proof/${qHash}`)
  await page.getByText('Only its owner can read it').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(`${authUrl}/proof/${qHash}`)
  await page.getByText('behind.a.proxy').first().waitFor()
  expect(complaints).toEqual([])
})

test('a wallet is linked on the page of proofs, and the way back leads to the view', async () => {
  const { page, wallet, complaints } = await arrive('/wallets', '4')
  await page.getByRole('link', { name: 'Link a wallet' }).click()
  await page.waitForURL(`${authUrl}/verify?**`)
  await choose(page)
  await linkSecond(page, wallet, '4', '5')
  const [qHash] = await proofIds(page)
  await page.getByRole('link', { name: 'Back to your wallets' }).click()
  await page.waitForURL(`${authUrl}/wallets`)
  await page.getByText('Signs in as you').waitFor()
  await page.getByRole('link', { name: 'proof of the link' }).click()
  await page.waitForURL(`${authUrl}/proof/${qHash}`)
  await page.goto(`${authUrl}/`)
  await heading(page, 'Proofs')
  expect(complaints).toEqual([])
})

test('a gate is shared from its view by an address at which another person passes it', async () => {
  const { page, complaints } = await arrive('/gates', '7')
  await page.getByRole('heading', { name: 'You have no gate yet' }).waitFor()
  const { headers } = await dashboards.sessionOf('7')
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/profile/gates`, {
    method: 'POST',
    headers: { ...headers, origin: authOrigin, 'content-type': 'application/json' },
    body: JSON.stringify({
      definition: {
        gateId: 'club',
        name: 'The club',
        requirements: [{ id: 'r1', verifierId: 'ownership-pseudonym' }],
        rewards: [{ kind: 'reveal', value: 'the word is xyzzy', label: 'The word' }],
      },
    }),
  })
  expect(answer.status).toBe(200)
  await page.reload()
  await page.getByRole('link', { name: 'The club' }).click()
  await page.waitForURL(`${authUrl}/gates/club`)
  await press(page, 'Share')
  const [checkout] = await page.getByRole('dialog').locator('pre.code').allTextContents()
  expect(checkout).toBe(`${authUrl}/g/club`)

  const guest = await dashboards.open({}, authOrigin)
  await addEvmWallet(guest.context, { key: keyOf('8') })
  await guest.page.goto(checkout!)
  await choose(guest.page)
  await press(guest.page, /^Go on: Pseudonym/)
  await fill(guest.page, 'pseudonymId', 'a.guest')
  await press(guest.page, 'Sign and check')
  await press(guest.page, 'Get it now')
  await guest.page.getByRole('heading', { name: 'You have access' }).waitFor()
  expect(await guest.page.locator('#reward pre').textContent()).toBe('the word is xyzzy')
  expect(guest.complaints).toEqual([])
  expect(complaints).toEqual([])
})
