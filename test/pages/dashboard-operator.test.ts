/** The operator's side of the dashboard: becoming one, and every view, empty and with data. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { makeAuditStatement } from '../../src/audit/log-store.ts'
import { noteJobRun } from '../../src/jobs/store.ts'
import { removeOperator } from '../../src/operator/claim.ts'
import { buildClaimLink, makeLink } from '../../src/operator/link.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { carry, judged, openDashboards } from './dashboard-stage.ts'
import { addressOf, press } from './hosted-stage.ts'

setDefaultTimeout(60_000)

const node = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('no', { status: 503 }) })
node.unref()
const claiming = await openDashboards({ PROOFGATE_CORS_ORIGINS: 'https://app.example.com' })
const running = await openDashboards({
  PROOFGATE_OPERATOR_WALLETS: addressOf('1'),
  PROOFGATE_LIMITS_ENABLED: 'true',
  PROOFGATE_LIMITS_RATES_OWNER: '3/1h',
  PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
  PROOFGATE_CHAINS_BASE_RPC: node.url.href,
  PROOFGATE_OUTSIDE_PRIVATE_NETWORKS: '127.0.0.0/8',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
})
const faultyFolder = mkdtempSync(join(tmpdir(), 'proofgate-test-'))
const faulty = await openDashboards({ PROOFGATE_OPERATOR_WALLETS: addressOf('1') }, faultyFolder)
// When the server has ended.
afterAll(() => rmSync(faultyFolder, { recursive: true }))
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const tokenIn = (link: string | undefined): string => new URL(link!).hash.slice(1)

describe('the one-time link', () => {
  test('from the start leads to signing in, and then makes that person operator', async () => {
    const { origin, server } = claiming
    const link = server.operatorLink!
    expect(link).toStartWith(`${origin}/operator/claim#`)
    const visit = await claiming.open()
    const { page, complaints } = visit
    await page.goto(link)
    await heading(page, 'Become the operator')
    expect(new URL(page.url()).hash).toBe('')
    await judged(page, 'dashboard-claim')
    await page.getByRole('link', { name: 'Sign in with a wallet' }).click()
    await heading(page, 'Sign in')
    expect(decodeURIComponent(page.url())).toContain('returnTo=/operator/claim')
    expect(page.url()).not.toContain(tokenIn(link))

    await carry(visit, origin, await claiming.sessionOf('1'))
    await page.goto(`${origin}/operator/claim`)
    await judged(page, 'dashboard-claim-signed-in')
    await press(page, 'Make this wallet the operator')
    await heading(page, 'Health')
    expect(new URL(page.url()).pathname).toBe('/operator')
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('button', { name: /^Became operator/ }).waitFor()
    expect(complaints).toEqual([])
    expect((await fetch(`${origin}/operator/claim`)).status).toBe(404)
  })

  test('says when another person has used it, and how to get another', async () => {
    const { origin, server } = claiming
    const { token } = await makeLink(server.parts)
    const visit = await claiming.open()
    await carry(visit, origin, await claiming.sessionOf('2'))
    const { page } = visit
    await page.goto(buildClaimLink(origin, token))
    await heading(page, 'Become the operator')
    await makeLink(server.parts)
    await press(page, 'Make this wallet the operator')
    await page.getByText('This link was used already').waitFor()
    await page.getByRole('button', { name: 'Copy the command' }).waitFor()
    await judged(page, 'dashboard-claim-used')
  })

  test('says that it was used when it is opened again, and how to get another', async () => {
    const used = await openDashboards()
    const visit = await used.open()
    const link = used.server.operatorLink!
    const claimed = await used.sessionOf('7')
    const answer = await fetch(`${used.origin}/api/v1/operator/claim`, {
      method: 'POST',
      headers: { ...claimed.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ token: tokenIn(link) }),
    })
    expect(answer.status).toBe(200)

    const { page } = visit
    await page.goto(link)
    await heading(page, 'This link no longer works')
    await page.getByText('This one was used, replaced by a newer one, or is too old.').waitFor()
    expect(await page.locator('pre.code').textContent()).toContain('operator link')
    await page.getByRole('button', { name: 'Copy the command' }).waitFor()
    expect(page.url()).not.toContain(tokenIn(link))
    await judged(page, 'dashboard-claim-over')
    expect(await page.getByRole('link', { name: 'Open the operator pages' }).count()).toBe(0)

    await carry(visit, used.origin, claimed)
    await page.goto(link)
    await page.reload()
    await page.getByRole('link', { name: 'Open the operator pages' }).click()
    await heading(page, 'Health')
    expect(visit.complaints).toEqual([])
    // For a program it is an unknown address.
    const asProgram = await fetch(`${used.origin}/operator/claim`, { headers: { accept: 'application/json' } })
    expect((await asProgram.json()).error.code).toBe('NOT_FOUND')
  })

  test('stays good after too many attempts, and the page says when to try again', async () => {
    const { origin, server, ...limited } = await openDashboards({
      PROOFGATE_LIMITS_ENABLED: 'true',
      PROOFGATE_LIMITS_RATES_SESSIONS: '10/1m',
    })
    const visit = await limited.open()
    const session = await limited.sessionOf('3')
    await carry(visit, origin, session)
    const { page } = visit
    await page.goto(server.operatorLink!)
    const button = page.getByRole('button', { name: 'Make this wallet the operator' })
    await button.waitFor()
    const guess = async () =>
      fetch(`${origin}/api/v1/operator/claim`, {
        method: 'POST',
        headers: { ...session.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ token: 'x'.repeat(43) }),
      })
    while ((await guess()).status === 404);
    await button.click()
    await page.getByText(/^Too many attempts\. Try again in [1-9] seconds?\.$/).waitFor()
    await judged(page, 'dashboard-claim-too-many')
    await page.reload()
    await Bun.sleep(6_100)
    await button.click()
    await heading(page, 'Health')
  })

  test('is reported as incomplete when it lacks its end', async () => {
    const { origin, server } = claiming
    await makeLink(server.parts)
    const { page } = await claiming.open()
    await page.goto(`${origin}/operator/claim`)
    await page.getByText('The end of the link is missing').waitFor()
  })

  test('makes an operator whose open page shows no more data once they are removed', async () => {
    const { server } = claiming
    const { page } = await claiming.openAs('1', '/operator/limits')
    await page.getByRole('heading', { name: 'No limits' }).waitFor()
    await removeOperator(server.parts, addressOf('1').toLowerCase())
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText('You are no longer an operator of this server').waitFor()
    expect(await page.getByRole('heading', { name: 'No limits' }).count()).toBe(0)
    await page.reload()
    await heading(page, 'Page not found')
  })
})

describe('an operator’s address', () => {
  const page = 'text/html'
  test.each([
    ['/operator', page],
    ['/operator/limits', page],
    ['/operator/catalog', page],
    ['/operator/audit', page],
    ['/operator/numbers', page],
    // A browser learns there that links work once, whether there is one or not.
    ['/operator/claim', 'application/json'],
  ])('%s looks to strangers, byte for byte, like an unknown one (%s)', async (place, accept) => {
    const { origin } = running
    const stranger = await running.sessionOf('2')
    const unknown = `${place.slice(0, -2)}zz`
    for (const cookie of ['', stranger.headers.cookie!])
      for (const method of ['GET', 'HEAD', 'POST']) {
        const seen = async (path: string) => {
          const answer = await fetch(origin + path, { method, headers: { accept, cookie } })
          // The id counts up, and may grow by a digit.
          const {
            'x-request-id': id = '',
            'content-length': _,
            date: __,
            ...headers
          } = Object.fromEntries(answer.headers)
          const text = (await answer.text()).replaceAll(id, '<id>').replaceAll(path, '<path>')
          return { status: answer.status, headers, text: text.replace(/"timestamp":"[^"]+"/, '') }
        }
        expect(await seen(place)).toEqual(await seen(unknown))
      }
  })
})

describe('health', () => {
  test('shows the state of the server, warnings, and remedies for failures', async () => {
    const { page, complaints } = await running.openAs('1', '/operator')
    await heading(page, 'Health')
    await page.getByText('The database can be read and written').waitFor()
    await page.getByText('Not tested since the start').waitFor()
    await judged(page, 'dashboard-health')
    await press(page, 'Test all services now')
    await page.getByText(/of \d+ fails?/).waitFor()
    await page.getByText('chains.base.rpc[0]').first().waitFor()
    await judged(page, 'dashboard-health-findings')
    expect(complaints).toEqual([])
  })

  test('shows the last backup, drill and change of version, good or failed', async () => {
    const { db, now } = running.server.parts
    const noteUpgrade = (isGood: boolean, says: string) =>
      db.write([noteJobRun({ job: 'upgrade', endedAt: now() - 7_200_000, tookMs: 412, isGood, says })])
    await db.write([
      noteJobRun({ job: 'backup', endedAt: now() - 60_000, tookMs: 900, isGood: true, says: 'made' }),
      noteJobRun({ job: 'drill', endedAt: now() - 3_600_000, tookMs: 900, isGood: true, says: 'can be restored' }),
    ])
    await noteUpgrade(true, '0.1.0 to 0.2.0, 2 migrations')
    const { page } = await running.openAs('1', '/operator')
    await heading(page, 'Health')
    const figure = (name: string) => page.locator('.figures > div').filter({ hasText: name })
    expect(await figure('Last change of version').textContent()).toMatch(/0\.1\.0 to 0\.2\.0 \(412 ms\)/)
    const readStates = async () =>
      Promise.all(
        ['Last backup', 'Last restore on trial', 'Last change of version'].map((name) =>
          figure(name).locator('.tag').textContent(),
        ),
      )
    expect(await readStates()).toEqual(['Good', 'Good', 'Good'])
    await judged(page, 'dashboard-health-jobs')
    await noteUpgrade(false, '0.2.0 to 0.3.0, 1 migration: it cannot be applied')
    await page.reload()
    await figure('0.2.0 to 0.3.0').waitFor()
    expect(await readStates()).toEqual(['Good', 'Good', 'Failed'])
    await db.write([
      noteJobRun({ job: 'backup', endedAt: now() - 30_000, tookMs: 9, isGood: false, says: 'the disk is full' }),
      noteJobRun({ job: 'drill', endedAt: now() - 9 * 86_400_000, tookMs: 900, isGood: true, says: 'can be restored' }),
    ])
    await page.reload()
    await figure('Last good one: 1 minute ago').waitFor()
    expect(await readStates()).toEqual(['Failed', 'Good', 'Failed'])
    await judged(page, 'dashboard-health-jobs-failed')
  })
})

test.skipIf(onlyOnSqlite('a data folder'))(
  'a fault of the server is shown with its start and its remedy, and disappears when it is over',
  async () => {
    const { page, complaints } = await faulty.openAs('1', '/operator')
    await heading(page, 'Health')
    await page.getByText('Last write to disk').waitFor()
    const [key, lock] = [join(faultyFolder, 'master.key'), join(faultyFolder, 'proofgate.sqlite.lock')]
    renameSync(key, `${key}.away`)
    rmSync(lock)
    const look = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    const seen = async (text: string): Promise<void> => {
      for (let turn = 0; turn < 100; turn++, await Bun.sleep(100)) {
        await look()
        if ((await page.getByText(text).count()) > 0) return
      }
      throw new Error(`not seen: ${text}`)
    }
    await seen('This server cannot do its work.')
    await page.getByText('The master key beside the database was removed or moved away').waitFor()
    await page.getByText('Move master.key back').waitFor()
    await page.getByText('so a second server could start on it').waitFor()
    expect(await page.getByText('The database can be read and written').count()).toBe(0)
    await judged(page, 'dashboard-health-failing')
    renameSync(`${key}.away`, key)
    await seen('The database can be read and written')
    expect(await page.getByText('The master key beside the database').count()).toBe(0)
    expect(await page.getByText('so a second server could start on it').count()).toBe(1)
    expect(complaints).toEqual([])
  },
)

test('a server that hangs is asked once, and not again with every look', async () => {
  const { page } = await running.openAs('1', '/operator')
  await heading(page, 'Health')
  await page.clock.install()
  await page.reload()
  await heading(page, 'Health')
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/operator/health*', async (route) => {
    asked++
    await promise
    await route.continue().catch(() => undefined)
  })
  await page.clock.fastForward(15_000)
  // A request reaches the route some time after the page sent it.
  while (asked === 0) await Bun.sleep(10)
  await page.clock.fastForward(15_000)
  await Bun.sleep(200)
  expect(asked).toBe(1)
  const answered = page.waitForResponse('**/operator/health*')
  resolve()
  await answered
  await page.clock.fastForward(15_000)
  await page.clock.fastForward(15_000)
  while (asked === 1) await Bun.sleep(10)
})

describe('rate limits', () => {
  test('show refused callers, and forget them', async () => {
    const { origin } = running
    const revoke = () =>
      fetch(`${origin}/api/v1/proofs/revoke-self/0x${'a'.repeat(64)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ walletAddress: addressOf('2'), signature: `0x${'1'.repeat(130)}`, signedTimestamp: 1 }),
      })
    for (let count = 0; count < 5; count++) await revoke()
    expect((await revoke()).status).toBe(429)
    const { page, complaints } = await running.openAs('1', '/operator/limits')
    await page.getByText('3 times').waitFor()
    await judged(page, 'dashboard-limits')
    await page.getByRole('button', { name: 'Reset 127.0.0.1 at Actions of owners' }).first().click()
    await page.getByText('The count is zero again.').waitFor()
    await page.getByText('No request was refused since the start.').waitFor()
    expect((await revoke()).status).not.toBe(429)
    expect(complaints).toEqual([])
  })
})

describe('providers', () => {
  test('show how each provider fares, and which ones are missing', async () => {
    const { headers } = await running.sessionOf('1')
    await fetch(`${running.origin}/api/v1/operator/health/probe`, { method: 'POST', headers })
    const { page, complaints } = await running.openAs('1', '/operator/catalog')
    await page.getByText('Last call failed').waitFor()
    await page
      .getByText(/\d+ calls? in the last hour/)
      .first()
      .waitFor()
    await page.getByText('It needs a service that can tell a human being from a program.').waitFor()
    await judged(page, 'dashboard-catalog')
    expect(complaints).toEqual([])
  })

  test('say how to add one on a server that has none', async () => {
    const { server } = claiming
    await server.parts.db.write([
      { sql: 'INSERT INTO operators VALUES (?, 1) ON CONFLICT DO NOTHING', params: [addressOf('3').toLowerCase()] },
    ])
    const { page } = await claiming.openAs('3', '/operator/catalog')
    await page.getByRole('heading', { name: 'This server calls no service yet' }).waitFor()
    await judged(page, 'dashboard-catalog-empty')
  })
})

describe('the audit log', () => {
  const { origin, server } = running
  const odd = '🦊 <b>مفتاح</b> & "Ключ"'

  test('has a hundred thousand events without a pause', async () => {
    const { parts } = server
    const at = parts.now() - 100_000
    for (let from = 0; from < 100_000; from += 5000)
      await parts.db.write(
        Array.from({ length: 5000 }, (_, index) =>
          makeAuditStatement(index % 500 === 0 ? 'refresh_reused' : 'signed_in', {
            profile: null,
            at: at + from + index,
            agent: odd,
          }),
        ),
      )
    const { page, complaints } = await running.openAs('1', '/operator/audit')
    const rows = page.getByRole('list', { name: 'Events, newest first' })
    await rows.getByRole('button').first().waitFor()
    await judged(page, 'dashboard-audit')
    await page.setViewportSize({ width: 1280, height: 800 })
    // All the way down several pages, as fast as they come; only the rows in sight are elements.
    for (let turn = 0; turn < 5; turn++) {
      const before = await rows.evaluate((list) => list.clientHeight)
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await rows.evaluate(
        (list, height) =>
          new Promise<void>((resolve) => {
            const look = () => (list.clientHeight > height ? resolve() : requestAnimationFrame(look))
            look()
          }),
        before,
      )
    }
    expect(await rows.getByRole('listitem').count()).toBeLessThan(80)

    await page.getByLabel('Event', { exact: true }).selectOption('refresh_reused')
    // Some of these are among the rows before: the new list is there when the others are gone.
    await rows.getByText('Signed in').first().waitFor({ state: 'detached' })
    await rows.getByText('Refresh token used twice').first().waitFor()
    await rows.getByRole('button').first().press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('🦊 <b>مفتاح</b> &').waitFor()
    await judged(page, 'dashboard-audit-event')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('event')).toBe('refresh_reused')

    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export as NDJSON' }).click()
    const file = await (await downloading).path()
    expect((await Bun.file(file).text()).trim().split('\n')).toHaveLength(200)
    expect(complaints).toEqual([])
  })

  test('is filtered by a person, and says when there are no matches', async () => {
    const { page, complaints } = await running.openAs('1', `/operator/audit?person=${addressOf('1')}`)
    await page
      .getByRole('button', { name: /^Signed in/ })
      .first()
      .waitFor()
    await page.getByLabel('Person').fill(addressOf('9'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No events match these filters' }).waitFor()
    await judged(page, 'dashboard-audit-none')
    await press(page, 'Show all events')
    await page.getByRole('list', { name: 'Events, newest first' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('shows no other events when a filtered request fails', async () => {
    const { page } = await running.openAs('1', '/operator/audit')
    const rows = page.getByRole('list', { name: 'Events, newest first' })
    await rows.getByRole('button').first().waitFor()
    await page.route('**/operator/audit?*', (route) => route.abort())
    await page.getByLabel('Person').fill(addressOf('1'))
    await page.keyboard.press('Enter')
    await page.getByText('We could not reach the server').waitFor()
    expect(await rows.count()).toBe(0)
    await page.unroute('**/operator/audit?*')
    await rows
      .getByRole('button', { name: /^Signed in/ })
      .first()
      .waitFor()
    expect(await rows.getByText('nobody').count()).toBe(0)
  })

  test('keeps a field that is being edited when an answer comes late', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { page } = await running.openAs('1', '/keys')
    await page.route('**/operator/audit?*', (route) => promise.then(() => route.continue()))
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByLabel('Person').fill('0x1234')
    resolve()
    await page.getByRole('list', { name: 'Events, newest first' }).waitFor()
    expect(await page.getByLabel('Person').inputValue()).toBe('0x1234')
  })

  test('ages follow the clock of the server, whatever the clock of the browser says', async () => {
    const { page, context } = await running.openAs('1', `/operator/audit?event=signed_in&person=${addressOf('1')}`)
    await context.clock.setFixedTime(Date.now() - 86_400_000)
    await page.reload()
    const rows = page.getByRole('list', { name: 'Events, newest first' })
    await rows.getByRole('button').first().getByText('just now').waitFor()
    expect(origin).toBe(new URL(page.url()).origin)
  })
})

describe('numbers', () => {
  test('say so on a server without activity', async () => {
    const { server } = claiming
    await server.parts.db.write([
      { sql: 'INSERT INTO operators VALUES (?, 1) ON CONFLICT DO NOTHING', params: [addressOf('4').toLowerCase()] },
    ])
    const { page, complaints } = await claiming.openAs('4', '/operator/numbers')
    await page.getByRole('heading', { name: 'Nothing was counted yet' }).waitFor()
    await judged(page, 'dashboard-numbers-empty')
    expect(complaints).toEqual([])
  })

  test('are charts, and tables of the same', async () => {
    const { parts } = running.server
    const today = Math.floor(parts.now() / 86_400_000)
    const verifiers = [
      'ownership-basic',
      'nft-ownership',
      'token-holding',
      'wallet-link',
      'ownership-dns-txt',
      'wallet-risk',
      'proof-of-human',
    ]
    const put = (kind: string, day: number, subject: string, count: number) => ({
      sql: 'INSERT INTO daily_numbers VALUES (?, ?, ?, ?) ON CONFLICT (kind, day, subject) DO UPDATE SET count = excluded.count',
      params: [kind, day, subject, count],
    })
    for (let ago = 1; ago < 88; ago++) {
      const wave = 1 + Math.sin(ago / 5) * 0.6
      const counts = verifiers.map((verifier, index) => ({ verifier, count: Math.round((wave * 90) / (index + 1)) }))
      await parts.db.write([
        ...counts.map(({ verifier, count }) => put('proofs', today - ago, verifier, count)),
        put(
          'proofs',
          today - ago,
          '',
          counts.reduce((sum, { count }) => sum + count, 0),
        ),
        ...['', 'gate_members', 'gate_🦊_beta'].flatMap((gate, index) => [
          put('gate_passes', today - ago, gate, Math.round((wave * 200) / (index + 1))),
          put('gate_refusals', today - ago, gate, Math.round(60 / (index + 1))),
          put('fulfillments', today - ago, gate, Math.round(12 / (index + 1))),
        ]),
      ])
    }
    for (let ms = 0.3; ms < 900; ms *= 1.05) {
      parts.metrics.took('create', ms * 2)
      parts.metrics.took('checks', ms / 3)
      parts.metrics.took('pages', ms / 2)
    }
    const { page, complaints } = await running.openAs('1', '/operator/numbers?range=90d')
    await page.getByRole('img', { name: /^Proofs made, by verifier/ }).waitFor()
    await judged(page, 'dashboard-numbers')
    await page.getByText('Show the numbers as a table').first().click()
    const table = page.getByRole('table').first()
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'Day (UTC)',
      'Claim content',
      'NFT',
      expect.any(String),
      expect.any(String),
      'All others',
    ])
    expect(await table.getByRole('row').count()).toBe(88)
    await page.getByLabel('7 days', { exact: true }).check()
    await page
      .getByText(/^Last 7 days:/)
      .first()
      .waitFor()
    expect(new URL(page.url()).search).toBe('?range=7d')
    expect(await table.getByRole('row').count()).toBe(7)
    await page.getByLabel('24 hours').check()
    await page
      .getByText(/^Last 24 hours:/)
      .first()
      .waitFor()
    await page.getByLabel('90 days').check()
    await page
      .getByText(/^Last 90 days:/)
      .first()
      .waitFor()
    await page.getByLabel('Last day').check()
    await page.getByRole('row', { name: /Gate checks/ }).waitFor()
    await judged(page, 'dashboard-numbers-table')
    expect(complaints).toEqual([])
  })
})

test('an operator reads every view in German', async () => {
  const { page, complaints } = await running.openAs('1', '/operator', { locale: 'de-DE' })
  for (const [place, title, sentence] of [
    ['/operator', 'Zustand', 'Dienste, die dieser Server aufruft'],
    ['/operator/limits', 'Anfragelimits', 'Alle Limits'],
    ['/operator/catalog', 'Prüfungen und Anbieter', 'Anbieter'],
    ['/operator/audit', 'Protokoll', 'Nicht nach'],
    ['/operator/numbers', 'Zahlen', 'Antwortzeiten'],
  ] as const) {
    await page.goto(`${running.origin}${place}`)
    await heading(page, title)
    await page.getByText(sentence, { exact: true }).first().waitFor()
    await judged(page, `dashboard${place.replaceAll('/', '-')}-de`)
  }
  expect(complaints).toEqual([])
})
