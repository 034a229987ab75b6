/** Access that a person can revoke: access keys, apps, secrets, linked wallets, sessions. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startApp } from '../app.ts'
import { handleIn } from '../oauth/flow.ts'
import { isOnPostgres } from '../parts/test-database.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { carry, judged, openDashboards } from './dashboard-stage.ts'
import { eventually } from './eventually.ts'
import { addressOf, choose, keyOf, linkSecond, press } from './hosted-stage.ts'
import { newClient } from './loopback-client.ts'

setDefaultTimeout(60_000)

const dashboards = await openDashboards()
const { origin } = dashboards
const odd = '🦊 <b>مفتاح</b> & "Ключ"'
const person = (pair: string): string => `0x${pair.repeat(32)}`
const low = (digit: string) => addressOf(digit).toLowerCase()
const api = async (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) => {
  const answer = await fetch(`${origin}/api/v1${path}`, init)
  return { status: answer.status, body: await answer.json() }
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const confirmed = (page: Page, yes: string) => page.getByRole('dialog').getByRole('button', { name: yes }).click()
const gone = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

describe('access keys', () => {
  test('a key is made, shown once, works, is marked as used, and is invalid after revoking', async () => {
    const { page, complaints } = await dashboards.openAs(person('a1'), '/keys')
    await page.getByRole('heading', { name: 'There is no key yet' }).waitFor()
    await judged(page, 'dashboard-keys-empty')
    await press(page, 'Create a key')
    await page.getByLabel('Name', { exact: true }).fill(odd)
    await page.getByLabel(/private proofs/).check()
    await judged(page, 'dashboard-keys-form')
    await press(page, 'Create the key')
    const shown = page.locator('pre.code')
    await shown.first().waitFor()
    const key = (await shown.first().textContent())!
    expect(key).toMatch(/^npk_[A-Za-z0-9_-]{43}$/)
    await judged(page, 'dashboard-keys-new')
    const command = (await shown.nth(1).textContent())!
    expect(command).toBe(`curl -s ${origin}/api/v1/auth/me -H 'Authorization: Bearer ${key}'`)
    const run = Bun.spawn(['sh', '-c', command], { stdout: 'pipe' })
    const { data } = await new Response(run.stdout).json()
    expect(data).toMatchObject({ authenticated: true, via: 'access-key', scopes: ['svc:core', 'svc:profile'] })
    expect(await shown.nth(2).textContent()).toBe(
      `claude mcp add --transport http proofgate ${origin}/mcp --header 'Authorization: Bearer ${key}'`,
    )
    const configuration = JSON.parse((await shown.nth(3).textContent())!)
    expect(configuration.mcpServers.proofgate).toEqual({
      url: `${origin}/mcp`,
      headers: { Authorization: `Bearer ${key}` },
    })
    const made = await api('/verification', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        walletAddress: data.address,
        verifierIds: ['agent-delegation'],
        data: { controllerWallet: data.address, agentWallet: addressOf('7'), expiresAt: Date.now() + 86_400_000 },
      }),
    })
    expect(made.status).toBe(200)
    await press(page, 'I have kept it')
    await page.getByText(odd, { exact: true }).waitFor()
    expect(await page.content()).not.toContain(key)
    await page.reload()
    await page.getByText('last used just now').waitFor()
    expect(await page.content()).not.toContain(key)
    await judged(page, 'dashboard-keys')

    await press(page, `Revoke ${odd}`)
    await page.getByRole('dialog').getByText('1 delegation to an agent', { exact: true }).waitFor()
    await judged(page, 'dashboard-keys-revoking')
    await confirmed(page, 'Revoke the key')
    await gone(page)
    expect((await api(`/proofs/${made.body.data.qHash}`)).body.data.status).toBe('revoked')
    await page.getByText('Revoked keys (1)').waitFor()
    const after = await api('/auth/profile-keys', { headers: { authorization: `Bearer ${key}` } })
    expect(after.status).toBe(401)
    expect((await api('/profile/wallets', { headers: { authorization: `Bearer ${key}` } })).status).toBe(401)
    expect(complaints).toEqual([])
  })

  test('leaving while a key is shown asks for confirmation', async () => {
    const { page } = await dashboards.openAs(person('a2'), '/keys')
    await press(page, 'Create a key')
    await page.getByLabel('Name', { exact: true }).fill('One')
    await page.keyboard.press('Enter')
    await press(page, 'Copy the key')
    const asked: string[] = []
    page.once('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByRole('link', { name: 'Sessions' }).click()
    expect(asked).toEqual([expect.stringContaining('is not shown again')])
    expect(new URL(page.url()).pathname).toBe('/keys')
  })

  test('the back button of the browser asks as well, and leads on after a yes', async () => {
    const { page } = await dashboards.openAs(person('b9'), '/sessions')
    await page.getByRole('list', { name: 'Your pages' }).getByRole('link', { name: 'Access keys' }).click()
    await press(page, 'Create a key')
    await page.getByLabel('Name', { exact: true }).fill('One')
    await page.keyboard.press('Enter')
    await press(page, 'Copy the key')
    page.once('dialog', (dialog) => void dialog.dismiss())
    await page.evaluate('history.back()')
    await page.waitForURL('**/keys')
    await page.getByRole('button', { name: 'Copy the key' }).waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.evaluate('history.back()')
    await heading(page, 'Sessions')
    expect(new URL(page.url()).pathname).toBe('/sessions')
  })

  test('a typed name survives the end of the session, and is sent after signing in again', async () => {
    const visit = await dashboards.openAs(person('a3'), '/keys', { expectsStatus: [401, 403] })
    const { page } = visit
    await press(page, 'Create a key')
    await page.getByLabel('Name', { exact: true }).fill('Kept name')
    await fetch(`${origin}/api/v1/auth/logout`, { method: 'POST', headers: visit.person.headers })
    await press(page, 'Create the key')
    await page.getByText('Your session has ended').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kept name')
    await judged(page, 'dashboard-keys-signed-out')
    const again = await dashboards.sessionOf(person('a3'))
    const [name, value] = again.headers.cookie!.split('=') as [string, string]
    await page.context().addCookies([{ name, value, url: origin }])
    await press(page, 'Create the key')
    await page.getByRole('heading', { name: 'The key of Kept name' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('two tabs: a revocation in one appears in the other when it is looked at', async () => {
    const visit = await dashboards.openAs(person('a4'), '/keys')
    await api('/auth/profile-keys', {
      method: 'POST',
      headers: { ...visit.person.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Shared', scopes: ['core'] }),
    })
    await visit.page.reload()
    const other = await visit.context.newPage()
    await other.goto(`${origin}/keys`)
    await press(other, 'Revoke Shared')
    await confirmed(other, 'Revoke the key')
    await gone(other)
    await visit.page.evaluate("dispatchEvent(new Event('focus'))")
    await visit.page.getByText('Revoked keys (1)').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('with the keyboard alone: made, kept, revoked, and the focus comes back', async () => {
    const { page, complaints } = await dashboards.openAs(person('a5'), '/keys')
    const focused = () => page.evaluate('document.activeElement.textContent') as Promise<string>
    const to = async (name: string) => {
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press('Tab')
        if ((await focused()).trim() === name) return
      }
      throw new Error(`Tab does not come to ${name}`)
    }
    await heading(page, 'Access keys')
    await to('Create a key')
    await page.keyboard.press('Enter')
    await page.locator('input[type=text]:focus').waitFor()
    await page.keyboard.type('By keyboard')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByText('Allow at least one thing').waitFor()
    await page.keyboard.press('Space')
    await to('Create the key')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The key of By keyboard' }).waitFor()
    expect(await focused()).toContain('The key of By keyboard')
    await to('I have kept it')
    await page.keyboard.press('Enter')
    await to('Revoke')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await gone(page)
    await page.locator('button:focus', { hasText: 'Revoke' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('connected apps', () => {
  const callMcp = async (token: string, name = 'svc_context', args: object = {}) =>
    (
      await fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args },
        }),
      })
    ).status

  test('a person without apps learns how to connect one, with this server’s address', async () => {
    const { page, complaints } = await dashboards.openAs(person('e1'), '/apps')
    await page.getByText('No app is connected').waitFor()
    const texts = await page.locator('pre.code').allTextContents()
    expect(texts[0]).toBe(`claude mcp add --transport http proofgate ${origin}/mcp`)
    expect(JSON.parse(texts[1]!)).toEqual({ mcpServers: { proofgate: { url: `${origin}/mcp` } } })
    expect(JSON.parse(texts[2]!)).toEqual({ servers: { proofgate: { type: 'http', url: `${origin}/mcp` } } })
    expect(texts[3]).toBe(`${origin}/mcp`)
    await judged(page, 'dashboard-apps-empty')
    expect(complaints).toEqual([])
  })

  test('an app that the person allowed shows its permissions, and is invalid after disconnecting it', async () => {
    const client = await newClient(origin, odd)
    const visit = await dashboards.openAs(person('e2'), '/apps', {
      alsoAt: [new URL(client.listener.address).origin],
      expectsStatus: [404],
    })
    const { page } = visit
    await visit.goto(client.path)
    await press(page, 'Allow')
    const { searchParams } = await client.listener.first
    await page.getByText('You can close this window.').waitFor()
    const { access_token, refresh_token } = await (await client.redeem(searchParams.get('code')!)).json()
    expect(await callMcp(access_token)).toBe(200)
    const agent = { agentId: 'helper', agentWallet: 'generate' }
    expect(await callMcp(access_token, 'svc_agent_create', agent)).toBe(200)

    await visit.goto('/apps')
    const row = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem').filter({ hasText: odd })
    await row.getByText('name not verified').waitFor()
    expect(await row.textContent()).toContain('returns to 127.0.0.1')
    expect(await row.getByRole('list', { name: 'It may' }).getByRole('listitem').allTextContents()).toEqual([
      'Check proofs, and make proofs for you',
      'See and share your private proofs, see your linked wallets, set up agents, get what gates give you, and see and change your gates',
      'Store, list and revoke your encrypted secrets, hand them to your agents, and share or delegate without an end date',
      'Stay connected while you are away, until you disconnect it',
    ])
    await judged(page, 'dashboard-apps')
    await press(page, `Disconnect ${odd}`)
    const ending = page.getByRole('dialog').getByRole('list', { name: 'What ends with it' })
    await ending.waitFor()
    expect(await ending.getByRole('listitem').allTextContents()).toEqual([
      '1 delegation to an agent',
      '1 agent that it set up',
    ])
    await confirmed(page, 'Disconnect')
    await gone(page)
    await page.getByText('No app is connected').waitFor()
    expect(await callMcp(access_token)).toBe(401)
    const refreshed = await fetch(`${origin}/api/v1/auth/mcp/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id: client.id }).toString(),
    })
    expect(refreshed.status).toBe(400)
    expect(visit.complaints).toEqual([])
  })

  test('a remembered consent is listed in words where no token is left, and is taken back', async () => {
    const client = await newClient(origin, 'Web app', 'https://app.example/cb')
    const visit = await dashboards.openAs(person('e4'), '/apps')
    const { page } = visit
    // The person's answer as the browser sends it: the site that it leads to is not there.
    const consentPage = await (
      await fetch(origin + client.path, { headers: { cookie: visit.person.headers.cookie!, accept: 'text/html' } })
    ).text()
    const answered = await fetch(`${origin}/oauth/consent`, {
      method: 'POST',
      headers: { cookie: visit.person.headers.cookie!, origin: 'null', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ handle: handleIn(consentPage), decision: 'allow', scope: 'svc:core' }),
      redirect: 'manual',
    })
    expect(answered.status).toBe(303)

    await visit.goto('/apps')
    const row = page.getByRole('list', { name: 'Connected apps' }).getByRole('listitem').filter({ hasText: 'Web app' })
    await row.getByText('not connected').waitFor()
    const remembered = row.getByRole('list', { name: 'Allowed without asking, from app.example' })
    expect(await remembered.getByRole('listitem').allTextContents()).toEqual([
      'Check proofs, and make proofs for you',
      'Stay connected while you are away, until you disconnect it',
    ])
    await judged(page, 'dashboard-apps-remembered')
    await press(page, 'Forget consent for Web app')
    await judged(page, 'dashboard-apps-forget')
    await confirmed(page, 'Forget consent')
    await gone(page)
    await page.getByText('No app is connected').waitFor()
    const again = await fetch(origin + client.path, {
      headers: { cookie: visit.person.headers.cookie!, accept: 'text/html' },
      redirect: 'manual',
    })
    expect(again.status).toBe(200)
    expect(visit.complaints).toEqual([])
  })
})

describe('secrets', () => {
  test('one is sealed, its value leaves the page, and it is erased again', async () => {
    const visit = await dashboards.openAs(person('b1'), '/secrets')
    const { page } = visit
    await page.getByRole('heading', { name: 'There is no secret yet' }).waitFor()
    await judged(page, 'dashboard-secrets-empty')
    await press(page, 'Add a secret')
    await press(page, 'Seal the secret')
    await page.getByText('Begin with a letter').waitFor()
    await page.getByLabel('Alias').fill('OPENAI_API_KEY')
    await page.getByLabel('Value').fill('sk-xyzzy')
    expect(await page.getByLabel('Value').getAttribute('type')).toBe('password')
    await judged(page, 'dashboard-secrets-form')
    await press(page, 'Seal the secret')
    await page.getByRole('listitem').filter({ hasText: 'OPENAI_API_KEY' }).waitFor()
    expect(await page.content()).not.toContain('xyzzy')
    await press(page, 'Add a secret')
    await page.getByLabel('Alias').fill('DATABASE')
    await page.getByLabel('Kind').selectOption('bundle')
    await page.getByLabel('Name 1').fill('HOST')
    await page.getByLabel('Value 1').fill('db')
    await press(page, 'Add a value')
    await page.getByLabel('Name 2').fill('PASSWORD')
    await page.getByLabel('Value 2').fill('plugh')
    await press(page, 'Seal the secret')
    await page.getByText('several values').waitFor()
    await judged(page, 'dashboard-secrets')
    await press(page, 'Erase OPENAI_API_KEY')
    await judged(page, 'dashboard-secrets-erase')
    await confirmed(page, 'Erase the secret')
    await gone(page)
    const { body } = await api('/profile/secrets', { headers: { cookie: visit.person.headers.cookie! } })
    expect(body.data.secrets.map(({ alias, type }: { alias: string; type: string }) => [alias, type])).toEqual([
      ['DATABASE', 'bundle'],
    ])
    expect(visit.complaints).toEqual([])
  })

  test('the command of the empty state seals one, with a key that may', async () => {
    const { page, person: owner, complaints } = await dashboards.openAs(person('b3'), '/secrets')
    const command = (await page.locator('pre.code').textContent())!
    const made = await api('/auth/profile-keys', {
      method: 'POST',
      headers: { ...owner.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Sealer', scopes: ['secrets'] }),
    })
    const run = Bun.spawn(['sh', '-c', command], { stdout: 'pipe', env: { ...process.env, KEY: made.body.data.key } })
    expect(await new Response(run.stdout).json()).toMatchObject({ success: true, data: { alias: 'OPENAI_API_KEY' } })
    await page.evaluate("dispatchEvent(new Event('focus'))")
    await page.getByRole('listitem').filter({ hasText: 'OPENAI_API_KEY' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a typed secret is sealed after signing in again, where the session ended meanwhile', async () => {
    const visit = await dashboards.openAs(person('b4'), '/secrets', { expectsStatus: [401, 403] })
    const { page } = visit
    await press(page, 'Add a secret')
    await page.getByLabel('Alias').fill('LATE')
    await page.getByLabel('Value').fill('xyzzy')
    await fetch(`${origin}/api/v1/auth/logout`, { method: 'POST', headers: visit.person.headers })
    await press(page, 'Seal the secret')
    await page.getByText('Your session has ended').waitFor()
    await page.getByRole('button', { name: 'Seal the secret', disabled: false }).waitFor()
    await carry(visit, origin, await dashboards.sessionOf(person('b4')))
    await press(page, 'Seal the secret')
    await page.getByRole('listitem').filter({ hasText: 'LATE' }).waitFor()
    expect(await page.content()).not.toContain('xyzzy')
    expect(visit.complaints).toEqual([])
  })

  test('a list that was requested earlier and arrives later does not hide a secret sealed meanwhile', async () => {
    const { page, complaints } = await dashboards.openAs(person('b7'), '/secrets')
    await press(page, 'Add a secret')
    const sealed = Promise.withResolvers<void>()
    let older = 0
    await page.route('**/api/v1/profile/secrets', async (route) => {
      if (route.request().method() !== 'GET' || older++ > 0) return route.continue()
      const response = await route.fetch()
      await sealed.promise
      // The page may have dropped its request by then.
      await route.fulfill({ response }).catch(() => undefined)
    })
    await page.evaluate("dispatchEvent(new Event('focus'))")
    await eventually(page, async () => older > 0)
    await page.getByLabel('Alias').fill('EARLY')
    await page.getByLabel('Value').fill('xyzzy')
    await press(page, 'Seal the secret')
    await page.getByText('EARLY is sealed.').waitFor()
    sealed.resolve()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('listitem').filter({ hasText: 'EARLY' }).isVisible()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('an alias that is taken and a value that is too large are reported, and the input stays', async () => {
    const { page, complaints } = await dashboards.openAs(person('b2'), '/secrets', {
      expectsStatus: [409],
    })
    const add = async (alias: string, value: string) => {
      await page.getByLabel('Alias').fill(alias)
      await page.getByLabel('Value').fill(value)
      await press(page, 'Seal the secret')
    }
    await press(page, 'Add a secret')
    await add('TAKEN', 'a')
    await page.getByRole('listitem').filter({ hasText: 'TAKEN' }).waitFor()
    await press(page, 'Add a secret')
    await add('TAKEN', 'b')
    await page.getByRole('alert').filter({ hasText: 'There is a secret TAKEN already' }).waitFor()
    expect(await page.getByLabel('Value').inputValue()).toBe('b')
    await page.getByLabel('Value').focus()
    await page.evaluate(`(() => {
      document.activeElement.value = 'x'.repeat(1_000_000)
      document.activeElement.dispatchEvent(new Event('input', { bubbles: true }))
    })()`)
    await page.getByLabel('Alias').fill('LARGE')
    await press(page, 'Seal the secret')
    await page.getByText('The value is larger than 16,384 bytes.').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('wallets', () => {
  test('a second wallet is linked with real wallets, signs in as the person, and is unlinked with its session', async () => {
    const visit = await dashboards.openAs('4', '/wallets')
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: keyOf('4'), isAllowed: false })
    await page.getByText('Primary', { exact: true }).waitFor()
    await judged(page, 'dashboard-wallets-empty')
    await page.getByRole('link', { name: 'Link a wallet' }).click()
    await page.waitForURL(/\/verify\?preset=wallet-link/)
    await page.getByRole('link', { name: 'Back to your wallets' }).waitFor()
    await page.getByText(`First choose ${low('4')}`).waitFor()
    // The advice is this server's own, and not what a stranger wrote into a link.
    expect(await page.getByText('The link that brought you here says').count()).toBe(0)
    await choose(page)
    await linkSecond(page, wallet, '4', '5')
    await page.getByRole('heading', { name: 'The wallets are linked' }).waitFor()
    await page.getByRole('link', { name: 'Back to your wallets' }).click()
    await heading(page, 'Wallets')
    const row = page.getByRole('listitem').filter({ hasText: low('5') })
    await row.getByText('Signs in as you').waitFor()

    const linked = await dashboards.openAs('5', '/sessions')
    await linked.page.getByText('by the linked wallet').waitFor()
    await judged(linked.page, 'dashboard-sessions-linked')
    await linked.goto('/keys')
    await linked.page.getByText('It may not create keys').waitFor()
    await linked.goto('/wallets')
    await linked.page.getByText('Signed in here', { exact: true }).waitFor()
    const delegation = {
      walletAddress: low('4'),
      verifierIds: ['agent-delegation'],
      data: { controllerWallet: low('4'), agentWallet: low('6'), agentId: 'helper' },
    }
    const made = await linked.page.evaluate(`(async () => {
      const { data } = await (await fetch('/api/v1/auth/me')).json()
      const headers = { 'content-type': 'application/json', 'x-csrf-token': data.csrfToken }
      const body = ${JSON.stringify(JSON.stringify(delegation))}
      return (await fetch('/api/v1/verification', { method: 'POST', headers, body })).status
    })()`)
    expect(made).toBe(200)

    await page.reload()
    await row.getByText('1 open session').waitFor()
    await judged(page, 'dashboard-wallets')
    await press(page, `Unlink ${low('5')}`)
    await page.getByText('Its open session ends').waitFor()
    await page.getByText('Ends with it: 1 delegation to an agent.').waitFor()
    await judged(page, 'dashboard-wallets-unlink')
    await confirmed(page, 'Unlink the wallet')
    await gone(page)
    await row.waitFor({ state: 'detached' })
    await linked.page.evaluate("dispatchEvent(new Event('focus'))")
    await linked.page.getByText('Your session has ended').waitFor()
    expect(visit.complaints).toEqual([])
  })
})

test('the views of an account are shown in German', async () => {
  const { page, complaints } = await dashboards.openAs('1', '/keys', { locale: 'de-DE' })
  for (const [place, title, hint] of [
    ['/keys', 'Zugriffsschlüssel', 'Für Server, Skripte und Assistenten ohne Browser.'],
    ['/apps', 'Verbundene Apps', 'Jedes kann nur, was Sie erlaubt haben.'],
    ['/secrets', 'Geheimnisse', 'Schlüssel und Passwörter für Ihre Agenten.'],
    ['/wallets', 'Wallets', 'Hier verwalten Sie die Nachweise und Gates von allen.'],
    ['/sessions', 'Sitzungen', 'Browser, in denen Sie angemeldet sind.'],
  ] as const) {
    await page.goto(`${origin}${place}`)
    await heading(page, title)
    await page.getByText(hint).waitFor()
    await page.locator('.waiting').waitFor({ state: 'detached' })
    await judged(page, `dashboard${place.replace('/', '-')}-german`)
  }
  await press(page, 'Profil löschen')
  await page.getByLabel('Tippen Sie löschen, um fortzufahren').fill('löschen')
  await page.getByRole('button', { name: 'Profil endgültig löschen', disabled: false }).waitFor()
  expect(complaints).toEqual([])
})

describe('sessions', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

  test('another browser is signed out from here, and sees that', async () => {
    const key = person('c1')
    const there = await dashboards.openAs(key, '/keys')
    await dashboards.sessionOf(key, firefox)
    await dashboards.sessionOf(key, `<b>Odd</b> ${'x'.repeat(180)}`)
    const { page, complaints } = await dashboards.openAs(key, '/sessions')
    await page.getByText('This browser').waitFor()
    await page.getByText('Firefox on Linux').waitFor()
    await judged(page, 'dashboard-sessions')
    const german = await dashboards.openAs(key, '/sessions', { locale: 'de-DE' })
    await german.page.getByText('Firefox unter Linux').waitFor()
    await page.getByRole('button', { name: /^Sign out Firefox on Linux/ }).click()
    await page.getByText('Firefox on Linux is signed out').waitFor()
    await page.getByText('calls itself <b>').waitFor()
    for (const left of [1, 0]) {
      await page
        .getByRole('button', { name: /^Sign out Unknown browser/ })
        .first()
        .click()
      await eventually(page, async () => (await page.locator('.list > li').count()) === left + 1)
    }
    await page.getByText('No other browser is signed in').waitFor()
    await there.page.evaluate("dispatchEvent(new Event('focus'))")
    await there.page.getByText('Your session has ended').waitFor()
    expect(complaints).toEqual([])
  })

  test('signing out everywhere ends all of them, and leads to the page of welcome', async () => {
    const key = person('c2')
    const there = await dashboards.sessionOf(key)
    const { page, complaints } = await dashboards.openAs(key, '/sessions')
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await confirmed(page, 'Sign out everywhere')
    await page.getByRole('heading', { name: 'Prove it with your wallet' }).waitFor()
    expect((await api('/auth/me', { headers: { cookie: there.headers.cookie! } })).body.data.authenticated).toBe(false)
    expect(complaints).toEqual([])
  })

  test('the profile is deleted only after the word is typed', async () => {
    const visit = await dashboards.openAs(person('c3'), '/sessions')
    const { page } = visit
    await press(page, 'Delete the profile')
    const button = page.getByRole('dialog').getByRole('button', { name: 'Delete the profile for good' })
    await button.click({ force: true })
    await page.getByLabel('Type delete to continue').fill('delet')
    await button.click({ force: true })
    await judged(page, 'dashboard-delete')
    const { headers } = visit.person
    expect((await api('/auth/me', { headers: { cookie: headers.cookie! } })).body.data.authenticated).toBe(true)
    await page.getByLabel('Type delete to continue').fill('delete')
    await confirmed(page, 'Delete the profile for good')
    // PostgreSQL has dead rows until the next vacuum, and the page says so.
    if (isOnPostgres) {
      await page.getByText('sealed text may still be in the files of the database').waitFor()
      await press(page, 'Leave this page')
    }
    await page.getByRole('heading', { name: 'Prove it with your wallet' }).waitFor()
    expect((await api('/auth/me', { headers: { cookie: headers.cookie! } })).body.data.authenticated).toBe(false)
    expect(visit.complaints).toEqual([])
  })
})

test('a browser whose clock is a day off shows the same ages', async () => {
  const signedIn = await dashboards.sessionOf(person('f1'))
  for (const dayOff of [-86_400_000, 86_400_000]) {
    const visit = await dashboards.open()
    await visit.page.addInitScript(`(() => {
      const real = Date.now
      Date.now = () => real() + ${dayOff}
    })()`)
    await carry(visit, origin, signedIn)
    await visit.goto('/sessions')
    await visit.page.getByText('signed in just now').waitFor()
    expect(visit.complaints).toEqual([])
  }
})

test('signing in at /login ends in the dashboard', async () => {
  const visit = await dashboards.open()
  await addEvmWallet(visit.context, { key: keyOf('e') })
  await visit.goto('/login')
  await choose(visit.page)
  await heading(visit.page, 'Proofs')
  expect(new URL(visit.page.url()).pathname).toBe('/')
  expect(visit.complaints).toEqual([])
})

test('a signed-in person who opens /login is led to the dashboard', async () => {
  const visit = await dashboards.openAs(person('f2'), '/login')
  await visit.page.getByRole('link', { name: 'Go to my proofs' }).click()
  await heading(visit.page, 'Proofs')
  expect(new URL(visit.page.url()).pathname).toBe('/')
  expect(visit.complaints).toEqual([])
})

test('the start page says what a gate is, and leads through the sign-in to a new one', async () => {
  const visit = await dashboards.open()
  await addEvmWallet(visit.context, { key: keyOf('e') })
  await visit.goto('/')
  await visit.page.getByText('A gate asks for proofs, and gives something to everyone who has them').waitFor()
  await visit.page.getByRole('link', { name: 'Build a gate' }).click()
  await choose(visit.page)
  await heading(visit.page, 'New gate')
  expect(new URL(visit.page.url()).pathname).toBe('/gates/new')
  expect(visit.complaints).toEqual([])
})

describe('the pages around it', () => {
  const page = async (path: string, env: Record<string, string> = {}, isSignedIn = true) => {
    const app = await startApp(env)
    return app.get(path, isSignedIn ? { cookie: (await app.signIn()).cookie } : {})
  }

  test('an instance without an endpoint for assistants says so in the view', async () => {
    expect((await page('/apps')).body).toContain('&quot;hasMcp&quot;:true')
    expect((await page('/apps', { PROOFGATE_MCP_ENABLED: 'false' })).body).toContain('&quot;hasMcp&quot;:false')
  })

  test.each([
    ['/login', true],
    ['/verify?intent=login', true],
    ['/login?returnTo=/keys', false],
    ['/login?returnUrl=https://app.example.com/', false],
    ['/verify?intent=mcp', false],
  ])('%s, signed in, offers the dashboard: %p', async (path, offers) => {
    expect(/>Go to my proofs</.test((await page(path)).body)).toBe(offers)
    expect((await page(path, {}, false)).body).not.toContain('Go to my proofs')
  })

  test('the way back to this server works also where the operator lists other sites, and tells them nothing', async () => {
    const env = { PROOFGATE_PAGES_RETURN_ORIGINS: 'https://app.example.com' }
    const asked = (returnUrl: string) => page(`/verify?preset=wallet-link&returnUrl=${returnUrl}`, env)
    const own = await asked('http://localhost:8787/wallets')
    expect(own.status).toBe(200)
    expect(own.body).not.toContain('The site then gets')
    expect((await asked('https://app.example.com/')).body).toContain('The site then gets')
    expect((await asked('https://elsewhere.example/')).status).toBe(400)
  })
})
