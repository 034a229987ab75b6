import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { innerOf, linkWallets } from '../wallet-link.ts'
import { alice, bob, mallory } from '../wallets.ts'

const hour = 3_600_000
const secret = 'Only people with the link read this'

interface Made {
  readonly linkId: string
  readonly url: string
}

async function openStage() {
  const app = await startApp()
  const qHash = await app.prove(
    alice,
    { storeOriginalContent: true, meta: { title: 'Kept back' } },
    { content: secret },
  )
  const { headers } = await app.signIn(alice)
  const path = `/api/v1/profile/share-links/${qHash}`
  const make = async (body: object = {}, by: Record<string, string> = headers) =>
    app.post(path, { expiresAt: app.now() + hour, ...body }, by)
  const made = async (): Promise<Made> => (await make()).body.data
  const list = async () => (await app.get(path, headers)).body.data.links
  const end = (linkId: string, by = headers) => app.request(`${path}/${linkId}`, { method: 'DELETE', headers: by })
  return { app, qHash, headers, path, make, made, list, end }
}

async function openLink(app: TestApp, url: string) {
  const { pathname, search } = new URL(url)
  const answer = await app.request(pathname + search, { headers: { accept: 'text/html' } })
  return { status: answer.status, text: String(answer.body), headers: answer.headers }
}

describe('links that open a private proof', () => {
  test('show the proof without the portable form, are not indexed and leak no address', async () => {
    const { app, made, list } = await openStage()
    const { url, linkId } = await made()
    const { status, text, headers } = await openLink(app, url)
    expect(status).toBe(200)
    expect(text).toContain('Kept back')
    expect(text).toContain('Shared with you by a link')
    expect(text).toContain(secret)
    // No signature travels by a link.
    expect(text).not.toMatch(/[0-9a-f]{130}/)
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await list()).toMatchObject([{ linkId, openedCount: 1, lastOpenedAt: app.now() }])
  })

  test('are not opened by a request for the headers alone', async () => {
    const { app, made, list } = await openStage()
    const { pathname, search } = new URL((await made()).url)
    const { status } = await app.request(pathname + search, { method: 'HEAD', headers: { accept: 'text/html' } })
    expect(status).toBe(200)
    expect(await list()).toMatchObject([{ openedCount: 0, lastOpenedAt: null }])
  })

  test('keep only the SHA-256 of their token, and the list does not open them', async () => {
    const { app, made, list } = await openStage()
    const { url } = await made()
    const token = new URL(url).searchParams.get('link')!
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(await list())).not.toContain(token)
    const rows = await app.parts.db.read('SELECT lower(hex(digest)) AS digest FROM share_links' as never).all()
    expect(rows as unknown[]).toEqual([{ digest: Bun.SHA256.hash(token, 'hex') }])
    const guessed = await openLink(app, `${url.split('?')[0]}?link=${(await list())[0].linkId}`)
    expect(guessed.status).toBe(404)
  })

  test('that are unknown, ended, revoked, or of a revoked proof get one answer', async () => {
    const { app, qHash, made, end } = await openStage()
    const [first, second, third] = [await made(), await made(), await made()]
    const unknown = await openLink(app, `http://localhost/shared?link=${'A'.repeat(43)}`)
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('This link does not work')
    expect((await end(first!.linkId)).body.data).toEqual({ linkId: first!.linkId, wasShared: true })
    expect((await end(first!.linkId)).body.data.wasShared).toBe(false)
    const revoked = await openLink(app, first!.url)
    app.wait(hour)
    const ended = await openLink(app, second!.url)
    const fresh = await made()
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(alice, { action: 'revoke_proof', qHash }))
    const ofRevoked = await openLink(app, fresh.url)
    const empty = await openLink(app, 'http://localhost/shared')
    for (const one of [revoked, ended, ofRevoked, empty, await openLink(app, third!.url)])
      expect({ status: one.status, text: one.text }).toEqual({ status: 404, text: unknown.text })
  })

  test('are made, listed and revoked by nobody but the owner', async () => {
    const { app, path, make, made, end, qHash, list } = await openStage()
    const { linkId } = await made()
    const other = (await app.signIn(mallory)).headers
    const unknown = await app.post(
      `/api/v1/profile/share-links/0x${'ab'.repeat(32)}`,
      { expiresAt: app.now() + hour },
      other,
    )
    for (const answer of [await make({}, other), await app.get(path, other), await end(linkId, other), unknown])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
    for (const answer of [await make({}, {}), await app.get(path), await end(linkId, {} as never)])
      expect(answer.status).toBe(401)
    const withoutToken = await app.post(
      path,
      { expiresAt: app.now() + hour },
      { cookie: (await app.signIn(alice)).cookie },
    )
    expect(withoutToken.status).toBe(403)
    expect(await list()).toHaveLength(1)
    expect(qHash).toBeTruthy()
  })

  test('are bounded: 20 for a proof, also when they are made at once, and at most 366 days long', async () => {
    const { app, make, list, made } = await openStage()
    const answers = await Promise.all(Array.from({ length: 30 }, () => make()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.find(({ status }) => status !== 200)!.body.error.code).toBe('CONFLICT')
    expect(await list()).toHaveLength(20)
    app.wait(hour)
    // What has ended takes no place.
    expect((await made()).url).toContain('/shared?link=')
    for (const expiresAt of [app.now(), app.now() - 1, app.now() + 400 * 24 * hour]) {
      const { status, body } = await make({ expiresAt })
      expect([status, body.error.details.path]).toEqual([400, '/expiresAt'])
    }
    for (const label of ['x'.repeat(61), 'For\u202eBob', '\u3164', '\u2800'])
      expect((await make({ label })).body.error.details.path).toBe('/label')
  })

  test('go with their end by the sweep, and with their proof by an erasure', async () => {
    const { app, made } = await openStage()
    const count = async () =>
      ((await app.parts.db.read('SELECT count(*) AS n FROM share_links' as never).get()) as unknown as { n: number }).n
    await made()
    app.wait(2 * hour)
    await app.sweep()
    expect(await count()).toBe(0)
    const { url } = await made()
    const erasing = { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }
    await app.post('/api/v1/proofs/erase-all', await app.ownerBody(alice, erasing))
    expect((await openLink(app, url)).status).toBe(404)
    await app.sweep()
    expect(await count()).toBe(0)
  })

  test('are not made by a linked wallet for the proof of another one', async () => {
    const { app, path } = await openStage()
    const { accounts, signed } = await innerOf({ primary: alice, secondary: bob, at: app.now() })
    const { primaryAccountId, secondaryAccountId } = accounts
    await app.submit(alice, {
      verifierIds: ['wallet-link'],
      data: { primaryAccountId, secondaryAccountId, ...signed },
    })
    const linked = (await app.signIn(bob)).headers
    const answer = await app.post(path, { expiresAt: app.now() + hour }, linked)
    expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('end with the profile that made them, and leave those of other people', async () => {
    const { app, path, made, headers } = await openStage()
    const [first, second] = [await made(), await made()]
    const others = await app.prove(bob, { storeOriginalContent: true })
    const bobHeaders = (await app.signIn(bob)).headers
    const body = { expiresAt: app.now() + hour }
    const { url } = (await app.post(`/api/v1/profile/share-links/${others}`, body, bobHeaders)).body.data
    expect((await app.request('/api/v1/auth/me', { method: 'DELETE', headers })).status).toBe(200)
    for (const link of [first, second]) expect((await openLink(app, link.url)).status).toBe(404)
    expect((await openLink(app, url)).status).toBe(200)
    // A new profile of the wallet still has the proof, and no link of the former one.
    const again = (await app.signIn(alice)).headers
    expect((await app.get(path, again)).body.data.links).toEqual([])
    for (const { url } of [first, second]) expect((await openLink(app, url)).status).toBe(404)
  })

  test('stay when all browsers sign out, because they are no sessions, and are still listed and revoked', async () => {
    const { app, path, made, headers } = await openStage()
    const { url, linkId } = await made()
    expect((await app.post('/api/v1/auth/logout-everywhere', {}, headers)).status).toBe(200)
    expect((await openLink(app, url)).status).toBe(200)
    const again = (await app.signIn(alice)).headers
    expect((await app.get(path, again)).body.data.links).toMatchObject([{ linkId }])
    await app.request(`${path}/${linkId}`, { method: 'DELETE', headers: again })
    expect((await openLink(app, url)).status).toBe(404)
  })

  test('end with the proof for good, also when its owner signs it again', async () => {
    const { app, qHash, path, made, headers } = await openStage()
    const { url } = await made()
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, {}, headers)
    expect((await openLink(app, url)).status).toBe(404)
    expect((await app.post(path, { expiresAt: app.now() + hour }, headers)).status).toBe(409)
    expect((await app.get(path, headers)).body.data.links).toEqual([])
  })

  test('stay while their owner changes who sees the proof, and the list still names them', async () => {
    const { app, qHash, made, list } = await openStage()
    const { url, linkId } = await made()
    for (const visibility of ['listed', 'private']) {
      app.wait(1_000)
      const data = { action: 'set_proof_visibility', qHash, visibility }
      const changed = await app.post(`/api/v1/proofs/${qHash}/visibility`, {
        visibility,
        ...(await app.ownerBody(alice, data)),
      })
      expect([visibility, changed.status]).toEqual([visibility, 200])
      expect((await openLink(app, url)).status).toBe(200)
      expect(await list()).toMatchObject([{ linkId }])
    }
  })

  test('are not made by an access key, so that none can outlive its key', async () => {
    const { app, path, headers } = await openStage()
    const { key } = (await app.post('/api/v1/auth/profile-keys', { name: 'Job' }, headers)).body.data
    const answer = await app.post(path, { expiresAt: app.now() + hour }, { authorization: `Bearer ${key}` })
    expect(answer.status).toBe(403)
    expect((await app.get(path, headers)).body.data.links).toEqual([])
  })

  test('are listed together for their maker, a page at a time, and for nobody else', async () => {
    const { app, qHash, made, headers } = await openStage()
    const own = '/api/v1/profile/share-links'
    const ids = (await Promise.all([1, 2, 3, 4, 5].map(made))).map(({ linkId }) => linkId).sort()
    const otherProof = await app.prove(alice)
    await app.post(`${own}/${otherProof}`, { expiresAt: app.now() + 2 * hour, label: 'Other' }, headers)
    const seen: { linkId: string; qHash: string }[] = []
    let cursor: string | null = ''
    let pages = 0
    while (cursor !== null) {
      const { status, body } = await app.get(`${own}?limit=2${cursor && `&cursor=${cursor}`}`, headers)
      expect(status).toBe(200)
      seen.push(...body.data.links)
      cursor = body.data.nextCursor
      pages++
    }
    expect(pages).toBe(3)
    expect(seen.filter((one) => one.qHash === qHash).map(({ linkId }) => linkId)).toEqual(ids)
    expect(seen.filter((one) => one.qHash === otherProof)).toMatchObject([{ label: 'Other', openedCount: 0 }])
    expect((await app.get(own, (await app.signIn(bob)).headers)).body.data.links).toEqual([])
    expect((await app.get(own)).status).toBe(401)
    for (const query of ['limit=501', 'limit=0', 'cursor=xyz'])
      expect((await app.get(`${own}?${query}`, headers)).status).toBe(400)
    app.wait(hour)
    expect((await app.get(own, headers)).body.data.links).toHaveLength(1)
  })
})

describe('links to the proofs of a linked wallet', () => {
  const low = ({ address }: { readonly address: string }) => address.toLowerCase()

  /** Alice, to whom Bob's wallet is linked, shares a proof of each. */
  async function shareBoth() {
    const app = await startApp()
    const walletLink = await linkWallets(app, alice, bob)
    const { headers } = await app.signIn(alice)
    const share = async (wallet: typeof alice) => {
      const qHash = await app.prove(wallet, { storeOriginalContent: true }, { content: `Of ${wallet.address}` })
      const body = { expiresAt: app.now() + hour }
      const { url } = (await app.post(`/api/v1/profile/share-links/${qHash}`, body, headers)).body.data
      return async () => (await openLink(app, url)).status
    }
    const [own, linked] = [await share(alice), await share(bob)]
    expect([await own(), await linked()]).toEqual([200, 200])
    const revoke = async (qHash: string) =>
      app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(alice, { action: 'revoke_proof', qHash }))
    return { app, walletLink, headers, own, linked, revoke }
  }
  type Stage = Awaited<ReturnType<typeof shareBoth>>

  const endings: readonly (readonly [string, (stage: Stage) => Promise<unknown>])[] = [
    [
      'is unlinked',
      ({ app, headers }) => app.request(`/api/v1/profile/wallets/${low(bob)}`, { method: 'DELETE', headers }),
    ],
    ['has its wallet-link revoked as a proof, by a signature', ({ revoke, walletLink }) => revoke(walletLink)],
    [
      'has its wallet-link revoked as a proof, in a browser',
      ({ app, walletLink, headers }) => app.post(`/api/v1/proofs/revoke-self/${walletLink}`, {}, headers),
    ],
  ]

  test.each(endings)('end for good when the wallet %s', async (_, end) => {
    const stage = await shareBoth()
    const { app, own, linked, headers } = stage
    await end(stage)
    expect([await own(), await linked()]).toEqual([200, 404])
    expect((await app.get('/api/v1/profile/share-links', headers)).body.data.links).toHaveLength(1)
    app.wait(1)
    await linkWallets(app, alice, bob)
    expect([await own(), await linked()]).toEqual([200, 404])
  })

  test('are listed for the primary wallet, whoever made them, and for the linked wallet itself', async () => {
    const app = await startApp()
    const share = async (qHash: string, { headers }: { readonly headers: Record<string, string> }, label: string) => {
      const body = { expiresAt: app.now() + hour, label }
      expect((await app.post(`/api/v1/profile/share-links/${qHash}`, body, headers)).status).toBe(200)
    }
    const listAll = async ({ headers }: { readonly headers: Record<string, string> }) => {
      const labels: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const path: string = `/api/v1/profile/share-links?limit=1${cursor && `&cursor=${cursor}`}`
        const { data } = (await app.get(path, headers)).body
        labels.push(...data.links.map((one: { readonly label: string }) => one.label))
        cursor = data.nextCursor
      }
      return labels.sort()
    }
    const [ofAlice, ofBob] = [await app.prove(alice), await app.prove(bob)]
    // Bob still has a profile of his own.
    await share(ofBob, await app.signIn(bob), 'before the wallets were linked')
    const asAlice = await app.signIn(alice)
    expect(await listAll(asAlice)).toEqual([])
    await linkWallets(app, alice, bob)
    await share(ofAlice, asAlice, 'of the primary wallet')
    await share(ofBob, asAlice, 'by the primary wallet')
    const asLinked = await app.signIn(bob)
    await share(ofBob, asLinked, 'by the linked wallet')
    const ofBobAll = ['before the wallets were linked', 'by the linked wallet', 'by the primary wallet']
    expect(await listAll(asAlice)).toEqual([...ofBobAll, 'of the primary wallet'])
    expect(await listAll(asLinked)).toEqual(ofBobAll)
    // Another wallet that links Bob's as well may share his proofs, and shares no others.
    await linkWallets(app, mallory, bob)
    const asMallory = await app.signIn(mallory)
    await share(ofBob, asMallory, 'by another primary wallet')
    expect(await listAll(asMallory)).toEqual([...ofBobAll, 'by another primary wallet'].sort())
    expect(await listAll(asAlice)).toContain('by another primary wallet')
  })

  test('end for good when the primary wallet erases everything, which dissolves the wallet-link', async () => {
    const { app, headers, own, linked } = await shareBoth()
    app.wait(1)
    const erasing = { action: 'erase_all_proofs', walletAddress: low(alice) }
    expect((await app.post('/api/v1/proofs/erase-all', await app.ownerBody(alice, erasing))).status).toBe(200)
    await app.sweep()
    expect([await own(), await linked()]).toEqual([404, 404])
    expect((await app.get('/api/v1/profile/share-links', headers)).body.data.links).toEqual([])
    app.wait(1)
    await linkWallets(app, alice, bob)
    expect(await linked()).toBe(404)
  })

  test('do not open after the wallet-link expired', async () => {
    const { app, walletLink, own, linked } = await shareBoth()
    await app.parts.db.write([
      {
        sql: 'UPDATE proofs SET expires_at = ?1 WHERE q_hash = unhex(?2)',
        params: [app.now() + 1000, walletLink.slice(2)],
      },
    ])
    expect(await linked()).toBe(200)
    app.wait(1000)
    expect([await own(), await linked()]).toEqual([200, 404])
  })

  test('stay while another wallet-link of the two stands', async () => {
    const { app, walletLink, linked, revoke } = await shareBoth()
    app.wait(1)
    const renewed = await linkWallets(app, alice, bob)
    expect(await linked()).toBe(200)
    const { accounts, signed } = await innerOf({
      primary: alice,
      secondary: bob,
      secondaryChain: 'eip155:10',
      at: app.now(),
    })
    const { primaryAccountId, secondaryAccountId } = accounts
    const onOther = await app.submit(alice, {
      verifierIds: ['wallet-link'],
      data: { primaryAccountId, secondaryAccountId, ...signed },
    })
    expect(onOther.status).toBe(200)
    expect((await revoke(renewed)).status).toBe(200)
    expect(await linked()).toBe(200)
    expect((await revoke(onOther.body.data.qHash)).status).toBe(200)
    expect(await linked()).toBe(404)
    expect(walletLink).not.toBe(renewed)
  })
})
