/** <proof-gate> on a page of another origin, under that page's own strict policy, with wallets that sign for real. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addEvmWallet } from './browser-wallets.ts'
import { addGate } from './gates-here.ts'
import {
  addressOf,
  connect,
  fill,
  finished,
  keyOf,
  openHosted,
  press,
  pressAndClose,
  proofIds,
  share,
} from './hosted-stage.ts'
import type { Visit, VisitOptions } from './visit.ts'
import { closeWindow, hear, heard, listen, openedBy, passGate, startSite, strictPolicy } from './widget-stage.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()
const { origin } = hosted
const site = startSite(origin)
const requirements = [{ verifierId: 'ownership-pseudonym' }]
const rewards = [{ kind: 'reveal', value: 'xyzzy', label: 'The word' }]
for (const gateId of ['gate_widget', 'gate_other'])
  await addGate(origin, { gateId, name: 'A gate', requirements, rewards })
const markup = '"><img src=x onerror="alert(1)">'
const label = 'Verify with your wallet'

async function visitAt(address: string, options: VisitOptions = {}) {
  const visit = await hosted.open({ alsoAt: [site.origin], ...options })
  await listen(visit.context)
  await visit.page.goto(address)
  return visit
}

let wallets = 0x41
const key = (): `0x${string}` => `0x${(wallets++).toString(16).repeat(32)}`

/** Claims content in a page of the server. */
async function makeProof(page: Page, content: string, isPublic = true): Promise<string> {
  await connect(page)
  await fill(page, 'content', content)
  if (isPublic) await share(page)
  await press(page, 'Sign the claim')
  await finished(page)
  return (await proofIds(page))[0]!
}

async function openedAt({ context }: Visit, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(origin + path)
  return page
}

site.serve(
  '/site.css',
  () =>
    new Response(
      'proof-gate { --proofgate-accent: rgb(1, 2, 3) } proof-gate::part(button) { text-transform: uppercase }',
      { headers: { 'content-type': 'text/css' } },
    ),
)
site.serve(
  '/words.js',
  () =>
    new Response(
      `import { setTexts } from '${origin}/widget.js'\nsetTexts({ lang: 'de', button: 'Mit der Wallet bestätigen', misused: 'Falsch eingerichtet:' })`,
      { headers: { 'content-type': 'text/javascript;charset=utf-8' } },
    ),
)

describe('a gate in a popup', () => {
  test('one line on a foreign page under a strict policy: the event reports the outcome, and the policy is kept', async () => {
    const visit = await visitAt(site.page('<proof-gate gate-id="gate_widget" id="one"></proof-gate>'))
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('4') })
    const popup = await openedBy(page, label)
    expect(new URL(popup.url()).search).toBe(
      `?${new URLSearchParams({ gateId: 'gate_widget', mode: 'popup', origin: site.origin })}`,
    )
    await page.getByText('Go on in the window that opened.').waitFor()
    await passGate(popup, 'widget.one')
    const [first, ...more] = await hear(page, 'proofgate-done')
    expect(more).toEqual([])
    const { qHash } = first!.detail as { qHash: string }
    expect(first).toEqual({
      type: 'proofgate-done',
      id: 'one',
      detail: {
        qHash,
        qHashes: [qHash],
        eligible: true,
        checked: false,
        walletAddress: addressOf('4'),
        verifierIds: ['ownership-pseudonym'],
        gateId: 'gate_widget',
        proofUrl: `${origin}/proof/${qHash}`,
        via: 'popup',
      },
    })
    expect((await hosted.proofOf(qHash)).walletAddress).toBe(addressOf('4').toLowerCase())
    expect(await page.evaluate('document.querySelector("proof-gate").result.qHash')).toBe(qHash)
    // The reward is in the window: the element does not close it.
    expect(popup.isClosed()).toBe(false)
    await page.getByText('Done. You have the proof.').waitFor()
    await pressAndClose(popup, 'Close this window')
    expect(await heard(page)).toHaveLength(1)
    expect(visit.complaints).toEqual([])
  })

  test('a verification of single proofs needs no gate; the proved claims are named', async () => {
    const visit = await visitAt(
      site.page('<proof-gate verifiers="ownership-pseudonym,ownership-basic" label="Prove two things"></proof-gate>'),
    )
    const { page } = visit
    await addEvmWallet(visit.context, { key: key() })
    const popup = await openedBy(page, 'Prove two things')
    await connect(popup)
    await fill(popup, 'pseudonymId', 'two.things')
    await press(popup, 'Sign and check')
    await fill(popup, 'content', 'The second thing')
    await press(popup, 'Sign the claim')
    await finished(popup)
    const ids = await proofIds(popup)
    const [first] = await hear(page, 'proofgate-done')
    expect(first!.detail).toMatchObject({
      qHash: ids[1]!,
      qHashes: ids,
      verifierIds: ['ownership-pseudonym', 'ownership-basic'],
      gateId: null,
    })
    expect(visit.complaints).toEqual([])
  })

  test('a second press brings the window to the front, and opens no other', async () => {
    const visit = await visitAt(site.page('<proof-gate preset="basic"></proof-gate>'))
    const { page } = visit
    await openedBy(page, label)
    await press(page, label)
    await page.evaluate('document.querySelector("proof-gate").start()')
    expect(visit.context.pages()).toHaveLength(2)
    expect(await page.evaluate('document.querySelector("proof-gate").state')).toBe('open')
  })

  test('a window that closes half-way is reported, and the other way is offered', async () => {
    const visit = await visitAt(site.page('<proof-gate gate-id="gate_widget"></proof-gate>'))
    const { page } = visit
    await closeWindow(await openedBy(page, label))
    expect(await hear(page, 'proofgate-closed')).toEqual([{ type: 'proofgate-closed', id: '', detail: null }])
    await page.getByText('The window closed, or lost its connection to this page.').waitFor()
    await page.getByRole('link', { name: 'Go on in this tab' }).waitFor()
    // And it can be tried again.
    const again = await openedBy(page, label)
    await page.getByText('Go on in the window that opened.').waitFor()
    await closeWindow(again)
    expect(await hear(page, 'proofgate-closed', 2)).toHaveLength(2)
    expect(visit.complaints).toEqual([])
  })

  test('a browser that lets no window open: the element says so, and leads through this tab and back', async () => {
    const visit = await visitAt(
      site.page('<proof-gate gate-id="gate_widget" id="held"></proof-gate>', {
        policy: `${strictPolicy(origin)}; sandbox allow-scripts allow-same-origin allow-top-navigation-by-user-activation`,
      }),
    )
    const { page } = visit
    await addEvmWallet(visit.context, { key: key() })
    await press(page, label)
    await page.getByText('Your browser blocked the window.').waitFor()
    const [problem] = await hear(page, 'proofgate-error')
    expect(problem!.detail).toMatchObject({ code: 'POPUP_BLOCKED', retryable: true })
    await page.getByRole('link', { name: 'Go on in this tab' }).click()
    await page.waitForURL(`${origin}/verify?*`)
    await passGate(page, 'held.back')
    await page.locator('#go-on').click()
    await page.waitForURL(`${site.origin}/*`)
    const [back] = await hear(page, 'proofgate-done')
    expect(back).toMatchObject({ id: 'held', detail: { via: 'redirect', gateId: 'gate_widget' } })
    expect(visit.complaints.filter((one) => !/Blocked opening|sandbox/.test(one))).toEqual([])
  })

  test('a page that cuts its ties to the windows it opens hears nothing of them, and the element offers this tab', async () => {
    const visit = await visitAt(
      site.page('<proof-gate gate-id="gate_widget"></proof-gate>', {
        headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
      }),
    )
    const popup = await openedBy(visit.page, label)
    await hear(visit.page, 'proofgate-closed')
    expect(popup.isClosed()).toBe(false)
    await visit.page.getByText('lost its connection to this page').waitFor()
    await visit.page.getByRole('link', { name: 'Go on in this tab' }).waitFor()
    // The script itself comes to a page that is isolated.
    expect(visit.complaints).toEqual([])
  })

  test('an element that is removed hears nothing more, and leaves the window to the person', async () => {
    const visit = await visitAt(site.page('<proof-gate preset="basic"></proof-gate>'))
    const { page } = visit
    await addEvmWallet(visit.context, { key: key() })
    const popup = await openedBy(page, label)
    await page.evaluate(`(() => {
      globalThis.taken = document.querySelector('proof-gate')
      taken.addEventListener('proofgate-done', () => note('after'))
      taken.addEventListener('proofgate-closed', () => note('after'))
      taken.remove()
    })()`)
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    expect(await page.evaluate('taken.state')).toBe('idle')
    await makeProof(popup, 'Nobody waits')
    await page.evaluate('document.body.append(taken)')
    await popup.close()
    const second = await openedBy(page, label)
    await closeWindow(second)
    // The one of the second window only.
    expect(await hear(page, 'proofgate-closed')).toEqual([
      'after',
      { type: 'proofgate-closed', id: '', detail: null },
    ] as never)
    expect(visit.complaints).toEqual([])
  })

  test('an element that is only moved still receives events', async () => {
    const visit = await visitAt(site.page('<main><proof-gate preset="basic"></proof-gate></main><aside></aside>'))
    const { page } = visit
    await addEvmWallet(visit.context, { key: key() })
    const popup = await openedBy(page, label)
    await page.evaluate('document.querySelector("aside").append(document.querySelector("proof-gate"))')
    await makeProof(popup, 'Moved')
    expect(await hear(page, 'proofgate-done')).toHaveLength(1)
    expect(visit.complaints).toEqual([])
  })

  test('several on one page: each hears its own window', async () => {
    const visit = await visitAt(
      site.page(
        '<proof-gate preset="basic" id="a" label="First"></proof-gate><proof-gate preset="basic" id="b" label="Second"></proof-gate>',
      ),
    )
    const { page } = visit
    await addEvmWallet(visit.context, { key: key() })
    const first = await openedBy(page, 'First')
    const second = await openedBy(page, 'Second')
    await makeProof(second, 'Of the second')
    expect(await hear(page, 'proofgate-done')).toMatchObject([{ id: 'b' }])
    await makeProof(first, 'Of the first')
    expect(await hear(page, 'proofgate-done', 2)).toMatchObject([{ id: 'b' }, { id: 'a' }])
    expect(visit.complaints).toEqual([])
  })
})

describe('a message from another source', () => {
  const forged = (qHash: string): string =>
    `{ type: 'svc_checkout_done', success: true, eligible: true, qHash: '${qHash}', walletAddress: '0x${'9'.repeat(40)}' }`
  const fake = `0x${'f'.repeat(64)}`

  test('is ignored: from the page itself, another window of the server, or the right window at another place', async () => {
    const other = startSite(origin)
    const visit = await visitAt(site.page('<proof-gate preset="basic"></proof-gate>'), {
      alsoAt: [other.origin, site.origin],
    })
    const { page } = visit
    await addEvmWallet(visit.context, { key: key() })
    const popup = await openedBy(page, label)
    await page.evaluate(`postMessage(${forged(fake)}, '*')`)

    // A window of the server's origin that knows the page as its opener, but was not opened by the element.
    const link = `${origin}/verify?preset=basic&mode=popup&origin=${site.origin}`
    const [stray] = await Promise.all([visit.context.waitForEvent('page'), page.evaluate(`void open('${link}')`)])
    await stray.waitForLoadState()
    expect(await stray.evaluate('opener !== null')).toBe(true)
    await stray.evaluate(`opener.postMessage(${forged(fake)}, '*')`)

    // The window that it opened has gone to a page of another site.
    const checkout = popup.url()
    const goes = async (address: string) => {
      // The page navigates by itself: a page that the browser is sent to has no opener.
      await popup.evaluate(`location.href = '${address}'`)
      await popup.waitForURL(address)
    }
    await goes(other.page('Evil'))
    expect(await popup.evaluate('opener !== null')).toBe(true)
    await popup.evaluate(`opener.postMessage(${forged(fake)}, '*')`)

    // The right window at the right place, with something else to say.
    await goes(checkout)
    await popup.evaluate(`opener.postMessage({ type: 'svc_login_complete', success: true, qHash: '${fake}' }, '*')`)
    await popup.evaluate(`opener.postMessage(${forged(markup.replaceAll("'", ''))}, '*')`)
    for (const odd of ['null', '"svc_checkout_done"', '{}', '{ type: 7 }', '[]'])
      await popup.evaluate(`opener.postMessage(${odd}, '*')`)
    // Events from here on came after all of these messages.
    await makeProof(popup, 'A real one')
    const [qHash] = await proofIds(popup)
    expect(await hear(page, 'proofgate-done')).toMatchObject([{ detail: { qHash, verifierIds: ['ownership-basic'] } }])
  })

  test('is shown as a refusal when it reports one', async () => {
    const visit = await visitAt(site.page('<proof-gate preset="basic"></proof-gate>'))
    const { page } = visit
    const popup = await openedBy(page, label)
    await popup.waitForLoadState()
    const refused = forged(fake).replace('eligible: true', 'eligible: false')
    await popup.evaluate(`opener.postMessage(${refused}, '*')`)
    expect(await hear(page, 'proofgate-done')).toMatchObject([{ detail: { eligible: false } }])
    await page.getByText('This proof does not open the gate.').waitFor()
  })
})

test('where the operator lists the sites, the window tells the person that this one is missing, and the page gets no message', async () => {
  const strict = await openHosted({ PROOFGATE_PAGES_RETURN_ORIGINS: 'https://app.example.com' })
  const other = startSite(strict.origin)
  const visit = await strict.open({ alsoAt: [other.origin] })
  await visit.page.goto(other.page('<proof-gate preset="basic"></proof-gate>'))
  const popup = await openedBy(visit.page, label)
  await popup.getByText('For the maker of the link').click()
  await popup.getByText('on a site that the operator of this server does not send people to').waitFor()
  expect(await popup.evaluate('opener')).toBeNull()
})

describe('a gate by redirect', () => {
  test('goes there and back: the event comes once, the address is clean again, a reload fires nothing', async () => {
    const address = `${site.page('<proof-gate gate-id="gate_widget" mode="redirect" id="tab"></proof-gate>')}?theme=dark`
    const visit = await visitAt(`${address}#part`)
    const { page } = visit
    await addEvmWallet(visit.context, { key: key() })
    await press(page, label)
    await page.waitForURL(`${origin}/verify?*`)
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      gateId: 'gate_widget',
      returnUrl: `${address}&proofgate=gate_widget`,
    })
    await passGate(page, 'there.and.back')
    await page.locator('#go-on').click()
    await page.waitForURL(`${site.origin}/*`)
    const [back] = await hear(page, 'proofgate-done')
    const { qHash } = back!.detail as { qHash: string }
    expect(back).toEqual({
      type: 'proofgate-done',
      id: 'tab',
      detail: {
        qHash,
        qHashes: [qHash],
        eligible: null,
        checked: false,
        walletAddress: null,
        verifierIds: [],
        gateId: 'gate_widget',
        proofUrl: `${origin}/proof/${qHash}`,
        via: 'redirect',
      },
    })
    expect((await hosted.proofOf(qHash)).status).toBe('verified')
    await page.getByText('You are back.').waitFor()
    expect(page.url()).toBe(address)
    await page.reload()
    await page.getByRole('button', { name: label }).waitFor()
    expect(await heard(page)).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  const body =
    '<proof-gate gate-id="gate_widget" id="a"></proof-gate><proof-gate gate-id="gate_other" id="b"></proof-gate>'
  const id = `0x${'ab'.repeat(32)}`

  test('returns to the one of several elements that sent the person away', async () => {
    const visit = await visitAt(`${site.page(body)}?qHash=${id}&proofgate=gate_other`)
    expect(await hear(visit.page, 'proofgate-done')).toMatchObject([{ id: 'b', detail: { qHash: id, eligible: null } }])
  })

  test('ignores an unrequested id where it could belong to several elements, and where it is invalid', async () => {
    for (const query of [`?qHash=${id}`, `?qHash=${encodeURIComponent(markup)}&proofgate=gate_other`]) {
      const address = `${site.page(body)}${query}`
      const visit = await visitAt(address)
      await visit.page.waitForLoadState('load')
      expect(await heard(visit.page)).toEqual([])
      expect(visit.page.url()).toBe(new URL(address).href)
    }
  })

  test('accepts a link of the site’s own for its only element', async () => {
    const second = `0x${'cd'.repeat(32)}`
    const visit = await visitAt(
      `${site.page('<proof-gate gate-id="gate_other"></proof-gate>')}?qHash=${id}&qHashes=${second},${id},rubbish`,
    )
    expect(await hear(visit.page, 'proofgate-done')).toMatchObject([{ detail: { qHash: id, qHashes: [second, id] } }])
  })
})

describe('with check', () => {
  const back = (id: string, gateId = 'gate_widget') =>
    `${site.page(`<proof-gate gate-id="${gateId}" check></proof-gate>`)}?qHash=${id}&proofgate=${gateId}`

  test('the server is asked first: a wallet that passes, one that does not, and a private proof without a verdict', async () => {
    const visit = await visitAt(site.page('<proof-gate gate-id="gate_widget" check></proof-gate>'))
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: key() })
    await passGate(await openedBy(page, label), 'checked.one')
    const [first] = await hear(page, 'proofgate-done')
    expect(first!.detail).toMatchObject({ eligible: true, checked: true })

    wallet.key = key()
    const { qHash } = first!.detail as { qHash: string }
    const returned = await visitAt(back(qHash))
    expect(await hear(returned.page, 'proofgate-done')).toMatchObject([
      { detail: { qHash: qHash!, eligible: true, checked: true } },
    ])

    const content = await makeProof(await openedAt(visit, '/verify?preset=basic'), 'Something else')
    const refused = await visitAt(back(content))
    expect(await hear(refused.page, 'proofgate-done')).toMatchObject([{ detail: { eligible: false, checked: true } }])
    await refused.page.getByText('This proof does not open the gate.').waitFor()

    const hidden = await makeProof(await openedAt(visit, '/verify?preset=basic&message=x'), 'Hidden', false)
    const unseen = await visitAt(back(hidden))
    expect(await hear(unseen.page, 'proofgate-done')).toMatchObject([{ detail: { eligible: null, checked: true } }])
    await unseen.page.getByText('The proof is private, so this page cannot check it.').waitFor()
    expect([visit, returned, refused, unseen].flatMap(({ complaints }) => complaints)).toEqual([])
  })

  test('an unknown id and an unknown gate are errors in words; no event fires', async () => {
    const made = await hosted.open()
    await addEvmWallet(made.context, { key: key() })
    const known = await makeProof(await openedAt(made, '/verify?preset=basic'), 'For no gate')
    for (const [address, code, words] of [
      [back(`0x${'ab'.repeat(32)}`), 'NOT_FOUND', 'there is no proof'],
      [back(known, 'gate_nowhere'), 'GATE_NOT_FOUND', 'does not exist or is not published'],
    ] as const) {
      const visit = await visitAt(address, { expectsStatus: [404] })
      expect(await hear(visit.page, 'proofgate-error')).toMatchObject([{ detail: { code, retryable: false } }])
      expect(await visit.page.getByRole('status').textContent()).toContain(words)
      expect(visit.complaints).toEqual([])
    }
  })

  test('a server that does not answer is no “no”, and can be asked again', async () => {
    const made = await hosted.open()
    await addEvmWallet(made.context, { key: key() })
    await made.goto('/verify?gateId=gate_widget')
    await passGate(made.page, 'asked.again')
    const [qHash] = await proofIds(made.page)

    const visit = await hosted.open({ alsoAt: [site.origin] })
    await listen(visit.context)
    await visit.context.route('**/api/v1/proofs/*', (route) => route.abort('connectionreset'))
    await visit.page.goto(back(qHash!))
    expect(await hear(visit.page, 'proofgate-error')).toMatchObject([
      { detail: { code: 'NO_ANSWER', retryable: true } },
    ])
    await visit.page.getByText('This could not be checked now. Nothing was decided.').waitFor()
    await visit.context.unroute('**/api/v1/proofs/*')
    await visit.page.getByRole('button', { name: 'Check again' }).press('Enter')
    // The button that was pressed is gone: the focus is not.
    expect(await visit.page.evaluate('document.activeElement.shadowRoot.activeElement.part.value')).toBe('button')
    expect(await hear(visit.page, 'proofgate-done')).toMatchObject([
      { type: 'proofgate-error' },
      { detail: { qHash: qHash!, eligible: true, checked: true } },
    ])
  })
})

describe('an element that is set up wrongly names the mistake, and opens nothing', () => {
  test.each([
    ['a gate id with markup', `gate-id='${markup}'`, 'gate-id must be'],
    ['nothing to open', '', 'give it one of gate-id, verifiers and preset'],
    ['two things to open', 'gate-id="a" preset="basic"', 'give it one of gate-id, verifiers and preset'],
    ['a server that would be a script', `preset="basic" server="javascript:alert(1)//"`, 'server must be an address'],
    ['a return address that is none', 'preset="basic" return-url="https://"', 'return-url must be an address'],
  ])('%s', async (_, attributes, words) => {
    const visit = await visitAt(site.page(`<proof-gate ${attributes}></proof-gate>`))
    const { page } = visit
    await press(page, label)
    const [problem] = await hear(page, 'proofgate-error')
    expect(problem!.detail).toMatchObject({ code: 'MISUSED', retryable: false })
    expect((problem!.detail as { message: string }).message).toContain(words)
    expect(await page.getByRole('status').textContent()).toContain(words)
    expect(visit.context.pages()).toHaveLength(1)
    expect(visit.complaints).toEqual([])
  })

  test('check without a gate', async () => {
    const visit = await visitAt(
      `${site.page('<proof-gate preset="basic" check></proof-gate>')}?qHash=0x${'ab'.repeat(32)}&proofgate=basic`,
    )
    expect(await hear(visit.page, 'proofgate-error')).toMatchObject([{ detail: { code: 'MISUSED' } }])
  })
})

describe('the button', () => {
  test('is one for keyboard and screen reader; disabled, it does nothing', async () => {
    const visit = await visitAt(
      site.page(
        '<proof-gate preset="basic"><b>Own</b> words</proof-gate><proof-gate preset="basic" disabled></proof-gate>',
      ),
    )
    const { page } = visit
    const button = page.getByRole('button', { name: 'Own words' })
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.localName')).toBe('proof-gate')
    const [popup] = await Promise.all([visit.context.waitForEvent('page'), page.keyboard.press('Enter')])
    await closeWindow(popup)
    const { width, height } = (await button.boundingBox())!
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)

    const disabled = page.getByRole('button', { name: label })
    expect(await disabled.isDisabled()).toBe(true)
    await page.evaluate('document.querySelector("[disabled]").start()')
    expect(visit.context.pages()).toHaveLength(1)
    await page.evaluate('document.querySelector("[disabled]").disabled = false')
    expect(await disabled.isEnabled()).toBe(true)
    expect(visit.complaints).toEqual([])
  })

  test('shows words with markup as they are', async () => {
    const visit = await visitAt(site.page(`<proof-gate preset="basic" label='${markup}'></proof-gate>`))
    expect(await visit.page.getByRole('button').textContent()).toBe(markup)
    expect(visit.complaints).toEqual([])
  })

  test('takes its looks from parts and properties of the page', async () => {
    const visit = await visitAt(
      site.page('<proof-gate preset="basic"></proof-gate>', {
        policy: strictPolicy(origin).replace("style-src 'none'", "style-src 'self'"),
        head: '<link rel="stylesheet" href="/site.css">',
      }),
    )
    const color = await visit.page.getByRole('button').evaluate((button) => {
      const { backgroundColor, textTransform } = getComputedStyle(button)
      return [backgroundColor, textTransform]
    })
    expect(color).toEqual(['rgb(1, 2, 3)', 'uppercase'])
    expect(visit.complaints).toEqual([])
  })

  test('speaks the language that the page gives it', async () => {
    const visit = await visitAt(
      site.page('<proof-gate></proof-gate>', {
        policy: strictPolicy(origin).replace('script-src ', "script-src 'self' "),
        head: '<script type="module" src="/words.js"></script>',
      }),
    )
    await visit.page.getByRole('button', { name: 'Mit der Wallet bestätigen' }).click()
    await visit.page.getByText('Falsch eingerichtet:').waitFor()
    expect(visit.complaints).toEqual([])
  })
})
