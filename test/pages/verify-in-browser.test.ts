/** /verify in a real browser, with wallets that sign for real: from a link to a proof and back. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { program } from '../parts/program.ts'
import { addEvmWallet, addSolanaWallet } from './browser-wallets.ts'
import {
  addressOf,
  choose,
  connect,
  fill,
  finished,
  goUnsigned,
  keyOf,
  openHosted,
  press,
  pressAndClose,
  problem,
  proofIds,
  share,
} from './hosted-stage.ts'
import { judged } from './looks.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()
const { origin } = hosted
const one = addressOf('1')
const markup = `"><img src=x onerror="alert(1)">`

/** A page of another origin that opens /verify in a popup and notes what it hears from it. */
function startSite(address: (own: string) => string): string {
  const site: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request): Response =>
      new Response(
        new URL(request.url).pathname !== '/'
          ? ''
          : `<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="data:,"><button>Verify</button>
<script>
globalThis.heard = []
addEventListener('message', (event) => heard.push({ origin: event.origin, data: event.data }))
document.querySelector('button').onclick = () => { globalThis.popup = open(${JSON.stringify(address(`http://127.0.0.1:${site.port}`))}, 'svc_checkout', 'popup,width=600,height=700') }
</script>`,
        { headers: { 'content-type': 'text/html' } },
      ),
  })
  afterAll(() => site.stop(true))
  return `http://127.0.0.1:${site.port}`
}

describe('a claim of content', () => {
  test('loads its form while the person chooses a wallet', async () => {
    const { context, page, goto } = await hosted.open()
    await addEvmWallet(context)
    await goto('/verify?verifiers=ownership-basic')
    await page.locator('.choice').waitFor()
    await page.waitForLoadState('networkidle')
    const listScripts = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.endsWith('.js')),
      )
    const before = await listScripts()
    await connect(page)
    await page.locator('[name=content]').waitFor()
    expect(await listScripts()).toEqual(before)
  })

  test('from a link to a proof, and on to the site that asked, which learns the id', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context)
    await visit.goto('/verify?verifiers=ownership-basic&returnUrl=https://app.example.com/done?x=1')
    expect(await page.locator('.destination').textContent()).toContain('app.example.com')
    await connect(page)
    await fill(page, 'content', 'A text of mine')
    await share(page)
    await press(page, 'Sign the claim')
    await finished(page)
    const [qHash] = await proofIds(page)
    expect(await hosted.proofOf(qHash!)).toMatchObject({
      status: 'verified',
      privacyLevel: 'public',
      walletAddress: one.toLowerCase(),
      verifierIds: ['ownership-basic'],
    })
    const goOn = page.locator('#go-on')
    expect(await goOn.getAttribute('href')).toBe(`https://app.example.com/done?x=1&qHash=${qHash}`)
    expect(await goOn.textContent()).toBe('Go on to app.example.com')
    expect(wallet.asked.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
    expect(visit.complaints).toEqual([])
  })

  test('the app that the link names is recorded with the proof, whether the wallet signs or is signed in', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?verifiers=ownership-basic&appId=shop')
    await connect(page)
    await fill(page, 'content', 'Through a shop')
    await share(page)
    await press(page, 'Sign the claim')
    await finished(page)
    const [signed] = await proofIds(page)
    expect(await hosted.proofOf(signed!)).toMatchObject({ appId: 'shop' })

    await visit.goto('/verify?intent=login')
    await choose(page)
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    await visit.goto('/verify?verifiers=ownership-basic&appId=club')
    await goUnsigned(page)
    await fill(page, 'content', 'Through a club, by session')
    await share(page)
    await press(page, 'Make the unsigned proof')
    await finished(page)
    const [unsigned] = await proofIds(page)
    expect(await hosted.proofOf(unsigned!)).toMatchObject({ appId: 'club', walletAddress: one.toLowerCase() })
    expect(visit.complaints).toEqual([])
  })

  test('the link on really leads there', async () => {
    const landed: string[] = []
    const site = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        landed.push(`${request.url} ${request.headers.get('referer')}`)
        return new Response('<!doctype html><title>back</title><link rel="icon" href="data:,">', {
          headers: { 'content-type': 'text/html' },
        })
      },
    })
    const there = `http://127.0.0.1:${site.port}`
    const visit = await hosted.open({ alsoAt: [there] })
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto(`/verify?preset=basic&returnUrl=${there}/done`)
    await connect(page)
    await fill(page, 'content', 'On')
    await press(page, 'Sign the claim')
    await finished(page)
    const [qHash] = await proofIds(page)
    await page.locator('#go-on').click()
    await page.waitForURL(`${there}/done*`)
    expect(landed[0]).toBe(`${there}/done?qHash=${qHash} null`)
    expect(visit.complaints).toEqual([])
    await site.stop(true)
  })

  test('the portable proof can be saved, and verifies offline', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await fill(page, 'content', 'To take away')
    await press(page, 'Sign the claim')
    await finished(page)
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save the portable proof')])
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const { exitCode, stdout } = Bun.spawnSync([...program, 'verify', (await download.path())!])
    expect(stdout.toString()).toMatch(/valid/i)
    expect(exitCode).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('a contract wallet sees the chain that it signs for', async () => {
    // Every address of this node has code.
    const node = Bun.serve({ port: 0, fetch: () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x6001' }) })
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { contract: `0x${'c'.repeat(40)}`, node: node.url.href })
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await page.getByText('Contract wallet on').waitFor()
    expect(await page.locator('#summary .facts').textContent()).toContain('(eip155:1)')
    expect(visit.complaints).toEqual([])
    await node.stop(true)
  })

  test('a file is claimed by the hash that the server computes for its text', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?verifiers=ownership-basic,ownership-basic@1'.replace(',ownership-basic@1', ''))
    await connect(page)
    const upload = { name: `${markup}.txt`, mimeType: 'text/plain', buffer: Buffer.from('hello') }
    await page.locator('#work input[type=file]').setInputFiles(upload)
    await share(page)
    await press(page, 'Sign the claim')
    await finished(page)
    const { verifiedVerifiers } = await hosted.proofOf((await proofIds(page))[0]!)
    expect(verifiedVerifiers[0].data.contentHash).toBe(
      '0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8',
    )
    expect(verifiedVerifiers[0].data.reference).toMatchObject({ type: 'file', size: 5, mime: 'text/plain' })
    expect(visit.complaints).toEqual([])
  })

  test('a Solana wallet makes one as well', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const { address } = await addSolanaWallet(visit.context)
    await visit.goto('/verify?preset=basic')
    await connect(page, 'Sun Wallet')
    await fill(page, 'content', 'From the sun')
    await share(page)
    await press(page, 'Sign the claim')
    await finished(page)
    expect(await hosted.proofOf((await proofIds(page))[0]!)).toMatchObject({
      walletAddress: address,
      chain: 'solana:mainnet',
    })
    expect(visit.complaints).toEqual([])
  })

  test('makes no proof when it has no content, a declined signature, or a second click', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { refuses: { personal_sign: { code: 4001, message: 'x' } } })
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await press(page, 'Sign the claim')
    await problem(page, 'Enter a text, choose a file or give a web address')
    await fill(page, 'content', 'Once')
    await press(page, 'Sign the claim')
    await problem(page, 'You declined in the wallet. Nothing was signed.')
    wallet.refuses = {}
    wallet.waits = { personal_sign: Bun.sleep(500) }
    await page.getByRole('button', { name: 'Sign the claim' }).dblclick()
    await finished(page)
    expect(wallet.asked.filter(({ method }) => method === 'personal_sign')).toHaveLength(2)
    expect(visit.complaints).toEqual([])
  })

  test('markup of the link and of the person is text', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { name: markup })
    const query = new URLSearchParams({ preset: 'basic', presetLabel: markup, message: markup })
    await visit.goto(`/verify?${query}`)
    expect(await page.locator('#title').textContent()).toBe('Claim content')
    expect(await page.locator('.said').allTextContents()).toEqual([markup, markup])
    await connect(page, markup)
    await fill(page, 'content', markup)
    await press(page, 'Sign the claim')
    await finished(page)
    expect(await page.locator('img[src=x]').count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })
})

describe('on the way', () => {
  test('a signature that comes after Cancel is not sent, and the next claim asks the wallet again', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const late = Promise.withResolvers<void>()
    const wallet = await addEvmWallet(visit.context, { waits: { personal_sign: late.promise } })
    const claims: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/v1/verification') claims.push(request.method())
    })
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await fill(page, 'content', 'Changed my mind')
    await press(page, 'Sign the claim')
    await page.locator('#status').filter({ hasText: 'Sign the text' }).waitFor()
    await press(page, 'Cancel')
    late.resolve()
    wallet.waits = {}
    // The late answer has reached the page once this second one has.
    await press(page, 'Sign the claim')
    await finished(page)
    expect(claims).toEqual(['POST'])
    expect(wallet.asked.filter(({ method }) => method === 'personal_sign')).toHaveLength(2)
    expect(visit.complaints).toEqual([])
  })

  test('a second wallet that signs after Cancel links nothing', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const late = Promise.withResolvers<void>()
    const wallet = await addEvmWallet(visit.context)
    await visit.goto('/verify?verifiers=wallet-link')
    await choose(page)
    await page.getByText('Now the second wallet signs').waitFor()
    wallet.key = keyOf('2')
    await wallet.emit('accountsChanged', [addressOf('2')])
    wallet.waits = { personal_sign: late.promise }
    await choose(page)
    await page.locator('#status').filter({ hasText: 'both wallets belong together' }).waitFor()
    await press(page, 'Cancel')
    late.resolve()
    wallet.waits = {}
    await choose(page)
    await page.getByText('(signed)').waitFor()
    expect(wallet.asked.filter(({ method }) => method === 'personal_sign')).toHaveLength(2)
    expect(visit.complaints).toEqual([])
  })

  test('a name that another wallet has is told in plain words, in both languages', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: keyOf('1') })
    const take = async () => {
      await visit.goto('/verify?verifiers=ownership-pseudonym')
      await connect(page)
      await fill(page, 'pseudonymId', 'first.come')
      await press(page, 'Sign and check')
    }
    await take()
    await finished(page)
    wallet.key = keyOf('2')
    await take()
    await problem(page, 'Another wallet has this name here. Choose another one.')
    await press(page, 'Deutsch')
    await press(page, 'Signieren und prüfen')
    await problem(page, 'Diesen Namen hat hier schon eine andere Wallet. Wählen Sie einen anderen.')
    expect(await page.locator('#problem').textContent()).not.toContain('auf Englisch')
  })

  test('while the wallet is open, a long form shows what the page waits for', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await page.setViewportSize({ width: 390, height: 500 })
    await addEvmWallet(visit.context, { waits: { personal_sign: new Promise(() => {}) } })
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await fill(page, 'content', 'Far below')
    await press(page, 'Sign the claim')
    await page.locator('#status').filter({ hasText: 'Sign the text' }).waitFor()
    const top = await page.locator('#status').evaluate((status) => status.getBoundingClientRect().top)
    expect(top).toBeGreaterThanOrEqual(0)
    expect(top).toBeLessThan(500)
  })

  test('the end says who can read the proof, and offers the link only of a proof that others can read', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    const make = async (content: string, isShared: boolean) => {
      await visit.goto(`/verify?preset=basic&returnUrl=${origin}/wallets`)
      await connect(page)
      // The site of the link is this server, so there is nobody who cannot see it.
      expect(await page.getByText('cannot see what it says').count()).toBe(0)
      expect(await page.getByText('Did you make this proof before?').count()).toBe(0)
      await fill(page, 'content', content)
      if (isShared) await share(page)
      await press(page, 'Sign the claim')
      await finished(page)
    }
    await make('For me', false)
    await page.getByText('Private. Only you can read it. Sign in to share it.').waitFor()
    expect(await page.getByRole('button', { name: 'Copy the link' }).count()).toBe(0)
    await make('For you', true)
    await page.getByText('Everyone with the link can read it.').waitFor()
    await page.getByRole('button', { name: 'Copy the link' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('each proof begins as a private one', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await fill(page, 'content', 'By link')
    await share(page)
    await press(page, 'Sign the claim')
    await finished(page)
    await visit.goto('/verify?preset=basic')
    await connect(page)
    expect(await page.getByLabel('Private').isChecked()).toBe(true)
    expect(visit.complaints).toEqual([])
  })

  test('an account that is switched in the wallet ends the current run, and another one goes on', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const { promise, resolve } = Promise.withResolvers<void>()
    const wallet = await addEvmWallet(visit.context, { waits: { personal_sign: promise } })
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await fill(page, 'content', 'Whose is it')
    await press(page, 'Sign the claim')
    await page.locator('#status').filter({ hasText: 'Sign the text' }).waitFor()
    wallet.key = keyOf('2')
    await wallet.emit('accountsChanged', [addressOf('2')])
    await problem(page, 'You changed the account')
    resolve()
    wallet.waits = {}
    await connect(page)
    expect(await page.locator('#summary').textContent()).toContain(addressOf('2'))
    await fill(page, 'content', 'Whose is it')
    await share(page)
    await press(page, 'Sign the claim')
    await finished(page)
    expect((await hosted.proofOf((await proofIds(page))[0]!)).walletAddress).toBe(addressOf('2').toLowerCase())
    expect(visit.complaints).toEqual([])
  })

  test('a reload keeps the finished steps and public fields; the way back shows them', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?verifiers=ownership-pseudonym,ownership-basic')
    await connect(page)
    await fill(page, 'pseudonymId', 'kept.name')
    await press(page, 'Sign and check')
    await page.getByRole('heading', { name: '2 of 2: Claim content' }).waitFor()
    await fill(page, 'referenceId', 'https://example.com/kept')
    await fill(page, 'content', 'a secret text')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('a secret text')

    await page.reload()
    await connect(page)
    await page.getByRole('heading', { name: '2 of 2: Claim content' }).waitFor()
    expect(await page.locator('#work [name=referenceId]').inputValue()).toBe('https://example.com/kept')
    await page.goBack()
    await page.getByText('Done.').waitFor()
    await page.goForward()
    await page.getByRole('heading', { name: '2 of 2: Claim content' }).waitFor()
    await press(page, 'Sign the claim')
    await finished(page)
    expect(await proofIds(page)).toHaveLength(2)
    expect(visit.complaints).toEqual([])
  })

  test('a second tab with the same link begins anew, and neither disturbs the other', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?verifiers=ownership-pseudonym,ownership-basic')
    await connect(page)
    await fill(page, 'pseudonymId', 'two.tabs')
    await press(page, 'Sign and check')
    await page.getByRole('heading', { name: '2 of 2' }).waitFor()
    const second = await visit.context.newPage()
    await second.goto(`${origin}/verify?verifiers=ownership-pseudonym,ownership-basic`)
    await connect(second)
    await second.getByRole('heading', { name: '1 of 2' }).waitFor()
    await fill(page, 'content', 'first tab')
    await press(page, 'Sign the claim')
    await finished(page)
  })

  test('a proof that was made before can be used again: a public one at once, a private one for a signature', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('e') })
    for (const name of ['used.before', 'used.again']) {
      await visit.goto('/verify?verifiers=ownership-pseudonym')
      await connect(page)
      await fill(page, 'pseudonymId', name)
      await press(page, 'Sign and check')
      await finished(page)
    }
    // The newest of both.
    const [made] = await proofIds(page)

    await visit.goto('/verify?verifiers=ownership-pseudonym&message=again')
    await connect(page)
    await page.getByText('Did you make this proof before?').click()
    await press(page, 'Look among my proofs')
    await press(page, 'Use the proof I have')
    await finished(page)
    expect(await proofIds(page)).toEqual([made!])
    await page.getByText('you already had this proof').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a signed-in person signs with the wallet they used, without choosing it again, and keeps a portable copy', async () => {
    const key = `0x${'15'.repeat(32)}` as const
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key })
    await visit.goto('/verify?intent=login')
    await choose(page)
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    const connections = () => wallet.asked.filter(({ method }) => method === 'eth_requestAccounts').length
    const before = connections()
    await visit.goto('/verify?preset=basic')
    await fill(page, 'content', 'Signed at once')
    await fill(page, 'proofTitle', 'My first one')
    await share(page)
    await press(page, 'Sign the claim')
    await finished(page)
    expect(connections()).toBe(before)
    const [qHash] = await proofIds(page)
    const made = await hosted.proofOf(qHash!)
    expect(made).toMatchObject({ signed: true, title: 'My first one', options: { storeOriginalContent: false } })
    expect(made).not.toHaveProperty('publicContent')

    await page.getByRole('link', { name: 'Go to my proofs' }).click()
    await page.getByRole('link', { name: 'My first one' }).click()
    await page.getByRole('button', { name: 'Download the portable proof' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('no portable copy is kept when the person unticks it', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: `0x${'14'.repeat(32)}` })
    await visit.goto('/verify?intent=login')
    await choose(page)
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    await visit.goto('/verify?preset=basic')
    await fill(page, 'content', 'Not kept')
    await page.getByLabel('Keep a portable copy for me').uncheck()
    await press(page, 'Sign the claim')
    await finished(page)
    await page.getByRole('button', { name: 'Save the portable proof' }).waitFor()
    await page.getByRole('link', { name: 'Go to my proofs' }).click()
    await page
      .getByRole('link', { name: /Ownership|claim/i })
      .first()
      .click()
    await page.getByText('This server keeps no portable copy of this proof').waitFor()
  })

  test('a signed-in person may go on without signing, and learns the consequences', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: `0x${'12'.repeat(32)}` })
    await visit.goto('/verify?intent=login')
    await choose(page)
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    const asked = wallet.asked.length
    await visit.goto('/verify?preset=basic')
    await goUnsigned(page)
    await page.getByText('No wallet signs this proof').waitFor()
    await fill(page, 'content', 'By session')
    await press(page, 'Make the unsigned proof')
    await finished(page)
    await page.getByText('Not signed. An unsigned proof counts on this server only.').waitFor()
    expect(wallet.asked.slice(asked).map(({ method }) => method)).not.toContain('personal_sign')
    expect(await page.getByRole('button', { name: 'Save the portable proof' }).count()).toBe(0)
    const [qHash] = await proofIds(page)

    await page.getByRole('link', { name: 'View and share' }).click()
    await page.getByText('This proof is yours').waitFor()
    await page.getByText('Share it with another wallet').click()
    await page.getByLabel('Wallet that may read it').fill(addressOf('2'))
    await press(page, 'Share')
    await problem(page, 'You shared it with')
    await page.getByText('Revoke it', { exact: true }).click()
    await press(page, 'Revoke this proof')
    await press(page, 'Revoke it for good')
    await page.getByText('The owner revoked this proof').waitFor()
    expect((await hosted.proofOf(qHash!)).status).toBe('revoked')
    expect(visit.complaints).toEqual([])
  })

  test('a completed link begins again when it is opened again, and not when it is reloaded', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context)
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await fill(page, 'content', 'The first')
    await press(page, 'Sign the claim')
    await finished(page)
    const [first] = await proofIds(page)
    await page.reload()
    await finished(page)
    expect(await proofIds(page)).toEqual([first!])
    await page.getByRole('link', { name: 'Make another of this kind' }).click()
    wallet.key = keyOf('2')
    await connect(page)
    await fill(page, 'content', 'The second')
    await press(page, 'Sign the claim')
    await finished(page)
    const [second] = await proofIds(page)
    expect(second).not.toBe(first)
    await visit.goto('/verify?preset=basic')
    await page.locator('#way-in').waitFor()
    expect(await proofIds(page)).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('the end names the proof as its maker did, and leads to all kinds and to the proofs of the person', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('c') })
    await visit.goto('/verify?verifiers=ownership-basic')
    await page.getByText('The proof will say: “This wallet claimed this content as its own at this time.”').waitFor()
    await page.getByText('First your wallet asks whether this site may see your address.').waitFor()
    await connect(page)
    await page.getByText('Your wallet shows a text to sign. Nothing is sent, and it costs nothing.').waitFor()
    expect(await page.getByText('Base Sepolia').count()).toBe(0)
    await fill(page, 'content', 'A poem')
    await fill(page, 'proofTitle', 'My poem')
    await press(page, 'Sign the claim')
    await finished(page)
    await page.getByRole('heading', { name: 'My poem' }).waitFor()
    await page.getByText('Claim content', { exact: true }).waitFor()
    expect(await page.getByText('The proof will say').isVisible()).toBe(false)
    // One primary button: the most useful next step.
    expect(await page.locator('#work .button:not(.secondary)').allTextContents()).toEqual(['View and share'])
    await judged(page, 'verify-done')
    await page.getByRole('link', { name: 'Make another proof' }).click()
    await page.getByRole('heading', { name: 'What do you want to prove?' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Sign in to see your proofs' }).click()
    await choose(page)
    await page.getByRole('link', { name: 'My poem' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a slow server is awaited, with a message, and asked once', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await fill(page, 'content', 'Slowly')
    let asked = 0
    await page.route('**/api/v1/verification', async (route) => {
      asked++
      await Bun.sleep(2000)
      await route.continue()
    })
    await press(page, 'Sign the claim')
    await page.locator('#status').filter({ hasText: 'Checking …' }).waitFor()
    expect(await page.locator('#work [type=submit]').getAttribute('aria-disabled')).toBe('true')
    await page.locator('#work [type=submit]').click({ force: true })
    await finished(page)
    expect(asked).toBe(1)
    expect(visit.complaints).toEqual([])
  })

  test('an ended session is reported, and the wallet itself goes on', async () => {
    const visit = await hosted.open({ expectsStatus: [401] })
    const { page } = visit
    await addEvmWallet(visit.context, { key: `0x${'13'.repeat(32)}` })
    await visit.goto('/verify?intent=login')
    await choose(page)
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    await visit.goto('/verify?preset=username')
    await goUnsigned(page)
    await fill(page, 'pseudonymId', 'session.over')
    await visit.context.clearCookies()
    await press(page, 'Make the unsigned proof')
    await problem(page, 'Your session has ended. Nothing was changed.')
    await press(page, 'Use another wallet')
    await connect(page)
    await press(page, 'Sign and check')
    await finished(page)
    expect(visit.complaints).toEqual([])
  })

  test('a server that does not answer is no “no”', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    await visit.goto('/verify?preset=basic')
    await connect(page)
    await fill(page, 'content', 'Lost')
    await page.route('**/api/v1/verification', (route) => route.abort('connectionreset'))
    await press(page, 'Sign the claim')
    await problem(page, 'This server did not answer. We do not know whether your proof was made.')
    await page.unroute('**/api/v1/verification')
    await press(page, 'Try again')
    await finished(page)
  })

  test('an unavailable verifier is reported, and no wallet is asked for', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context)
    for (const id of ['nft-ownership', 'ownership-social', 'ownership-org-oauth', 'proof-of-human']) {
      await visit.goto(`/verify?verifiers=${id}`)
      await page.getByText('This server does not offer “').waitFor()
      expect(await page.locator('#way-in').isVisible()).toBe(false)
      await page.getByRole('link', { name: 'See all kinds of proofs' }).waitFor()
    }
    // Others are offered a wallet by the same page.
    await visit.goto('/verify?verifiers=ownership-basic')
    await page.locator('#way-in').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('at another address than the public one the page leads there', async () => {
    const elsewhere = `http://localhost:${hosted.server.port}`
    const visit = await hosted.open({ alsoAt: [elsewhere] })
    await visit.page.goto(`${elsewhere}/verify?preset=basic&message=x`)
    expect(
      await visit.page.getByRole('link', { name: `Go on at 127.0.0.1:${hosted.server.port}` }).getAttribute('href'),
    ).toBe(`${origin}/verify?preset=basic&message=x`)
  })
})

describe('the set-up of an agent', () => {
  const plan = {
    verifiers: 'agent-identity,agent-delegation',
    agentId: `agent ${markup}`,
    agentWallet: addressOf('3'),
    controllerWallet: one,
    agentLabel: markup,
    agentType: 'bot',
    scope: 'payments:x402',
    expiresAt: '1893456000000',
    maxSpend: '5000000',
    prefillDelegationDefaults: JSON.stringify({ permissions: ['read_data', markup] }),
    prefillAllowedActions: JSON.stringify(['read_data']),
    prefillRuntimePolicy: JSON.stringify({ requiresHumanApproval: true }),
    returnUrl: 'https://app.example.com/agents',
  }

  test('the agent signs its identity, the person its permissions; the site learns both', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: keyOf('1') })
    await visit.goto(`/verify?${new URLSearchParams(plan)}`)
    await page.getByRole('heading', { name: 'The wallet of the agent' }).waitFor()
    await choose(page)
    await problem(page, `This step needs the account ${addressOf('3')}`)
    wallet.key = keyOf('3')
    await connect(page)
    expect(await page.locator('#work [name=agentId]').inputValue()).toBe(plan.agentId)
    await share(page)
    await press(page, 'Sign as the agent')
    await page.getByRole('heading', { name: 'Your wallet, which lets the agent act' }).waitFor()
    wallet.key = keyOf('1')
    await wallet.emit('accountsChanged', [one])
    await connect(page)
    expect(await page.locator('#work [name=permissions]').inputValue()).toBe(`read_data\n${markup}`)
    await page.getByText('The link adds these rules').waitFor()
    await share(page)
    await press(page, 'Sign the permission')
    await finished(page)

    const [identity, delegation] = await proofIds(page)
    expect((await hosted.proofOf(identity!)).verifiedVerifiers[0].data).toMatchObject({
      agentId: plan.agentId,
      agentWallet: addressOf('3').toLowerCase(),
      agentLabel: markup,
      agentType: 'bot',
    })
    const granted = (await hosted.proofOf(delegation!)).verifiedVerifiers[0].data
    expect(granted).toMatchObject({
      controllerWallet: one.toLowerCase(),
      scope: 'payments:x402',
      maxSpend: '5000000',
      expiresAt: 1893456000000,
      permissions: ['read_data', markup],
    })
    const there = new URL((await page.locator('#go-on').getAttribute('href'))!)
    expect(Object.fromEntries(there.searchParams)).toEqual({
      qHash: delegation!,
      qHashes: `${identity},${delegation}`,
      agentId: plan.agentId,
      agentWallet: addressOf('3'),
    })
    expect(visit.complaints).toEqual([])
  })

  test('one wallet is the agent and its person: it is chosen twice, and signs both', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('3') })
    await visit.goto('/verify?verifiers=agent-identity,agent-delegation&agentId=alone')
    await connect(page)
    await press(page, 'Sign as the agent')
    // A wallet must not become its own agent by a careless click, so the page asks for the wallet again.
    await page.getByRole('heading', { name: 'Your wallet, which lets the agent act' }).waitFor()
    await connect(page)
    expect(await page.locator('#work [name=agentWallet]').inputValue()).toBe(addressOf('3').toLowerCase())
    await press(page, 'Sign the permission')
    await finished(page)
    const [identity, delegation] = await proofIds(page)
    expect(identity).not.toBe(delegation)
    expect(visit.complaints).toEqual([])
  })

  test('a link that names one wallet for both asks for it once', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: keyOf('1') })
    const shared = { ...plan, agentWallet: addressOf('3'), controllerWallet: addressOf('3').toLowerCase() }
    await visit.goto(`/verify?${new URLSearchParams(shared)}`)
    await choose(page)
    await problem(page, `This step needs the account ${addressOf('3')}`)
    wallet.key = keyOf('3')
    await connect(page)
    await share(page)
    await press(page, 'Sign as the agent')
    await page.getByRole('button', { name: 'Sign the permission' }).waitFor()
    await share(page)
    await press(page, 'Sign the permission')
    await finished(page)
    const [identity, delegation] = await proofIds(page)
    const both = { agentId: plan.agentId, agentWallet: addressOf('3').toLowerCase() }
    expect((await hosted.proofOf(identity!)).verifiedVerifiers[0].data).toMatchObject(both)
    expect((await hosted.proofOf(delegation!)).verifiedVerifiers[0].data).toMatchObject({
      ...both,
      controllerWallet: both.agentWallet,
    })
    const there = new URL((await page.locator('#go-on').getAttribute('href'))!)
    expect(there.searchParams.get('qHash')).toBe(delegation!)
    expect(visit.complaints).toEqual([])
  })

  test('a person who gave permission first is not taken for the agent', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('1') })
    await visit.goto(`/verify?verifiers=agent-delegation,agent-identity&agentId=later&agentWallet=${addressOf('3')}`)
    await connect(page)
    await press(page, 'Sign the permission')
    await page.getByRole('heading', { name: 'The wallet of the agent' }).waitFor()
    await choose(page)
    await problem(page, `This step needs the account ${addressOf('3')}`)
    expect(visit.complaints).toEqual([])
  })

  test('instructions of 16,000 characters are taken, markup and all', async () => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('3') })
    const instructions = markup.repeat(1000).slice(0, 16_000)
    await visit.goto('/verify?verifiers=agent-identity&agentId=long')
    await connect(page)
    await fill(page, 'instructions', instructions)
    await share(page)
    await press(page, 'Sign as the agent')
    await finished(page)
    const [qHash] = await proofIds(page)
    expect((await hosted.proofOf(qHash!)).verifiedVerifiers[0].data.instructions).toBe(instructions)
    await page.getByRole('link', { name: 'View and share' }).click()
    await page.getByRole('heading', { name: 'Agent: verified' }).waitFor()
    expect(visit.complaints).toEqual([])
  })
})

describe('a popup', () => {
  async function pass(opened: (own: string) => string) {
    const site = startSite(opened)
    const visit = await hosted.open({ alsoAt: [site] })
    await addEvmWallet(visit.context)
    await visit.page.goto(site)
    const [popup] = await Promise.all([visit.context.waitForEvent('page'), visit.page.getByRole('button').click()])
    const complaints: string[] = []
    popup.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await connect(popup)
    await fill(popup, 'content', 'In a popup')
    await press(popup, 'Sign the claim')
    await finished(popup)
    const [qHash] = await proofIds(popup)
    await Bun.sleep(200)
    return { site, popup, qHash, complaints, visit, heard: (await visit.page.evaluate('heard')) as unknown[] }
  }

  test('the page that opened it hears the outcome', async () => {
    const { heard, qHash, complaints, popup, visit } = await pass(
      (own) => `${origin}/verify?preset=basic&mode=popup&origin=${own}`,
    )
    expect(heard).toEqual([
      {
        origin,
        data: {
          type: 'svc_checkout_done',
          success: true,
          qHash,
          eligible: true,
          verifierIds: ['ownership-basic'],
          proofUrl: `${origin}/proof/${qHash}`,
          walletAddress: one.toLowerCase(),
        },
      },
    ])
    expect(complaints).toEqual([])
    await pressAndClose(popup, 'Close this window')
    expect(visit.complaints).toEqual([])
  })

  test('one of another origin than the link names hears nothing', async () => {
    const { heard } = await pass(() => `${origin}/verify?preset=basic&mode=popup&origin=https://app.example.com`)
    expect(heard).toEqual([])
  })

  /** Signs in with the wallet, in a popup that says `told` is to be told. */
  async function signInFor(told?: string) {
    const site = startSite((own) => `${origin}/verify?intent=login&mode=popup&origin=${told ?? own}`)
    const visit = await hosted.open({ alsoAt: [site] })
    await addEvmWallet(visit.context)
    await visit.page.goto(site)
    const [popup] = await Promise.all([visit.context.waitForEvent('page'), visit.page.getByRole('button').click()])
    await choose(popup, 'Test Wallet')
    await popup.getByRole('button', { name: 'Tell ' }).waitFor()
    const before = await visit.page.evaluate('heard')
    await pressAndClose(popup, 'Tell ')
    await Bun.sleep(200)
    return { before, after: await visit.page.evaluate('heard'), complaints: visit.complaints }
  }

  test('one that asks for no more than signing in hears the wallet, once the person agrees', async () => {
    const { before, after, complaints } = await signInFor()
    expect(before).toEqual([])
    expect(after).toEqual([
      { origin, data: { type: 'svc_login_complete', success: true, walletAddress: one.toLowerCase() } },
    ])
    expect(complaints).toEqual([])
  })

  test('a sign-in is reported to no page of another origin', async () => {
    expect((await signInFor('https://app.example.com')).after).toEqual([])
  })

  test('after signing in, the way to the site that asked is a link', async () => {
    const visit = await hosted.open()
    await addEvmWallet(visit.context)
    await visit.page.goto(`${origin}/verify?intent=login&returnUrl=https://app.example.com/done?a=1`)
    await choose(visit.page, 'Test Wallet')
    const link = visit.page.getByRole('link', { name: 'Go on to app.example.com' })
    expect(await link.getAttribute('href')).toBe('https://app.example.com/done?a=1')
    expect(visit.complaints).toEqual([])
  })

  test('one without an opener origin hears nothing, and holds no tie to the page', async () => {
    const { heard, popup } = await pass(() => `${origin}/verify?preset=basic`)
    expect(heard).toEqual([])
    expect(await popup.evaluate('opener')).toBeNull()
  })
})
