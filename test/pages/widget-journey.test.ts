/**
 * A visitor of another site, with the executable that we ship. The page has the lines that /widget offers, and the
 * site's own server asks before it opens.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { build, removeAll, start } from '../executable/executable.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { openBrowser, type SharedBrowser } from './chromium.ts'
import { addGate } from './gates-here.ts'
import { addressOf, keyOf, press, pressAndClose } from './hosted-stage.ts'
import { openVisit } from './visit.ts'
import { openedBy, passGate, startSite, strictPolicy } from './widget-stage.ts'

setDefaultTimeout(120_000)

let proofgate: Awaited<ReturnType<typeof start>>
let browser: SharedBrowser
beforeAll(async () => {
  build()
  proofgate = await start(['serve'], { env: { PROOFGATE_LIMITS_ENABLED: 'false' } })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  expect(await proofgate.stop()).toBe(0)
  removeAll()
})

/** The site's server asks Proofgate about the id that a page sends, and accepts each id for one account. */
function door(base: string, gateId: string) {
  const accountOf = new Map<string, string>()
  return async (request: Request): Promise<Response> => {
    const { qHash } = (await request.json()) as { qHash: string }
    const account = /account=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? 'nobody'
    const query = new URLSearchParams({ gateId, qHash })
    const answer = await fetch(`${base}/api/v1/proofs/check?${query}`)
    if (!answer.ok) return new Response('We could not look. Try again.', { status: 503 })
    const { data } = (await answer.json()) as { data: { gate: { allRequiredSatisfied: boolean } } }
    const owner = accountOf.get(qHash) ?? account
    if (!data.gate.allRequiredSatisfied || owner !== account)
      return new Response('You may not come in.', { status: 403 })
    accountOf.set(qHash, account)
    return new Response('Welcome to the back room.')
  }
}

/** Returns the lines that /widget offers to copy. */
async function pastedLines(base: string, gateId: string): Promise<string[]> {
  const author = await openVisit(browser, base)
  await author.goto(`/widget?gateId=${gateId}`)
  const lines = (await author.page.locator('pre').first().textContent())!.split('\n')
  expect(lines).toHaveLength(3)
  expect(author.complaints).toEqual([])
  await author.context.close()
  return lines
}

test('the three lines, as they are, in a page that has no policy', async () => {
  const { base } = proofgate
  const gateId = await addGate(base, {
    gateId: 'gate_pasted',
    name: 'Pasted',
    requirements: [{ verifierId: 'ownership-pseudonym' }],
    rewards: [{ kind: 'reveal', value: 'Ring twice', label: 'How to get in' }],
  })
  const site = startSite(base)
  const lines = await pastedLines(base, gateId)
  const visit = await openVisit(browser, base, { alsoAt: [site.origin] })
  await addEvmWallet(visit.context, { key: keyOf('6') })
  await visit.page.goto(site.page(lines.join('\n'), { scriptLine: '', policy: '' }))
  const window = await openedBy(visit.page, 'Verify with your wallet')
  const said = visit.page.waitForEvent('dialog')
  const passing = passGate(window, 'pasted.lines')
  const dialog = await said
  expect(dialog.message()).toBe(addressOf('6'))
  await dialog.accept()
  await passing
  expect(visit.complaints).toEqual([])
  await visit.context.close()
})

test('a wallet that signs, and a server that asks before it opens', async () => {
  const { base } = proofgate
  const gateId = await addGate(base, {
    gateId: 'gate_backroom',
    name: 'The back room',
    requirements: [{ verifierId: 'ownership-pseudonym' }],
    rewards: [{ kind: 'reveal', value: 'Ring twice', label: 'How to get in' }],
  })

  const lines = await pastedLines(base, gateId)

  // The last line goes into a script of the site, which sends the event to the site's server.
  const site = startSite(base)
  site.serve('/enter', door(base, gateId))
  site.serve(
    '/site.js',
    () =>
      new Response(
        `const answer = document.body.appendChild(document.createElement('p'))
addEventListener('proofgate-done', async ({ detail }) => {
  const response = await fetch('/enter', { method: 'POST', body: JSON.stringify(detail) })
  answer.textContent = await response.text()
})`,
        { headers: { 'content-type': 'text/javascript;charset=utf-8' } },
      ),
  )
  const address = site.page(`${lines[1]}<script type="module" src="/site.js"></script>`, {
    scriptLine: lines[0]!,
    policy: strictPolicy(base).replace('script-src', "script-src 'self'").replace('connect-src', "connect-src 'self'"),
  })

  // A visitor comes by.
  const visit = await openVisit(browser, base, { alsoAt: [site.origin] })
  await visit.context.addCookies([{ name: 'account', value: 'visitor', url: site.origin }])
  await addEvmWallet(visit.context, { key: keyOf('4') })
  await visit.page.goto(address)
  const window = await openedBy(visit.page, 'Verify with your wallet')
  await passGate(window, 'back.room')
  await visit.page.getByText('Welcome to the back room.').waitFor()
  const qHash = (await visit.page.evaluate('document.querySelector("proof-gate").result.qHash')) as string
  await pressAndClose(window, 'Close this window')
  expect(visit.complaints).toEqual([])

  const enter = async (id: string, account: string) =>
    (
      await fetch(`${site.origin}/enter`, {
        method: 'POST',
        headers: { cookie: `account=${account}` },
        body: JSON.stringify({ qHash: id, eligible: true }),
      })
    ).status
  expect(await enter(qHash, 'visitor')).toBe(200)
  // The id is no password: who saw it somewhere does not come in with it, nor who makes one up.
  expect(await enter(qHash, 'thief')).toBe(403)
  expect(await enter(`0x${'f'.repeat(64)}`, 'thief')).toBe(403)

  // A second visitor keeps the proof private: the page hears of it, and the site's server cannot see it.
  const other = await openVisit(browser, base, { alsoAt: [site.origin], expectsStatus: [403] })
  await other.context.addCookies([{ name: 'account', value: 'secretive', url: site.origin }])
  await addEvmWallet(other.context, { key: keyOf('5') })
  await other.page.goto(address)
  const second = await openedBy(other.page, 'Verify with your wallet')
  await second.locator('.choice', { hasText: 'Test Wallet' }).click()
  await press(second, /^Go on: Pseudonym/)
  await second.getByText(`The site ${new URL(site.origin).host} cannot see what it says.`).waitFor()
  await second.locator('[name=pseudonymId]').fill('kept.secret')
  await press(second, 'Sign and check')
  await press(second, 'Get it now')
  await other.page.getByText('You may not come in.').waitFor()
  expect(other.complaints).toEqual([])
  await Promise.all([visit, other].map(({ context }) => context.close()))
})
