/** /proof/{qHash} as each kind of viewer sees it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { verifiers } from '../../src/verifiers/index.ts'
import { startApp, type TestApp } from '../app.ts'
import { alice, bob } from '../wallets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
})

const isPublic = { privacyLevel: 'public', storeOriginalContent: true }
const markup = `<img src=x onerror="alert(1)">'&`

describe('/proof/{qHash}', () => {
  test('a public proof: its claims, its time, its wallet, its content, and the way to check it oneself', async () => {
    const qHash = await app.prove(alice, { ...isPublic, meta: { title: `About ${markup}` } }, { content: markup })
    const { status, body, headers } = await app.get(`/proof/${qHash}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html;charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toContain(
      '<strong>Verified.</strong> <span>This shows that the wallet claimed it at this time. Others may',
    )
    expect(body).toContain(alice.address.toLowerCase())
    expect(body).toContain('Claim content: verified')
    expect(body).toMatch(/<time datetime="2026-01-01T00:00:00.\d{3}Z">Jan 1, 2026, 12:00.AM UTC</)
    expect(body).toContain('npm run --silent proofgate -- verify proof.json')
    expect(body).toContain(`/api/v1/proofs/${qHash}`)
    expect(body).not.toContain('<img src=x')
    expect(body).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
    expect(body).not.toContain('id="owner"')
    expect(body).not.toMatch(/<style|style=|<script(?![^>]* src=)/)
  })

  test.each([
    ['one long text', { extra: '&'.repeat(400_000) }],
    ['ten thousand lists', { extra: Array.from({ length: 10_000 }, () => [1]) }],
  ])('evidence as large as a request is shown in part: %s', async (_, more) => {
    const reference = { type: 'other', id: 'short-id', ...more }
    const qHash = await app.prove(alice, { privacyLevel: 'public' }, { reference })
    const { status, body } = await app.get(`/proof/${qHash}`)
    expect(status).toBe(200)
    expect(body).toContain('short-id')
    expect(Buffer.byteLength(body)).toBeLessThan(200_000)
    if (Array.isArray(more.extra)) expect(body).toContain('more, or even more in the JSON')
  })

  test('facts have names in the language of the page, where the pages and the verifier name them', async () => {
    const reference = { type: 'url', id: 'https://example.org/a', shelfMark: 'B 12' }
    const qHash = await app.prove(alice, isPublic, { content: 'A text', reference, provenance: { source: 'archive' } })
    const namesIn = async (language: string) => {
      const { body } = await app.get(`/proof/${qHash}`, { 'accept-language': language })
      const facts = /Claim content: verified[\s\S]*?<\/dl>|Inhalt beanspruchen: bestätigt[\s\S]*?<\/dl>/.exec(body)![0]
      return [...facts.matchAll(/<dt>([^<]*)</g)].map(([, name]) => name)
    }
    const english = await namesIn('en')
    expect(english).toEqual(
      expect.arrayContaining(['Claimed by', 'Fingerprint (hash) of the content', 'Reference · Kind', 'Signed at']),
    )
    // Members of the maker's own are named by themselves.
    expect(english).toContain('Reference · Shelf mark')
    const german = await namesIn('de')
    expect(german).toEqual(
      expect.arrayContaining(['Beansprucht von', 'Fingerabdruck (Hash) des Inhalts', 'Verweis · Art', 'Signiert am']),
    )
    expect(german).toContain('Herkunft · Source')
    expect(german).toHaveLength(english.length)
  })

  test('its title comes first, with the sentence that is proved beneath it', async () => {
    const reference = { type: 'url', id: 'https://example.org/a' }
    const titled = await app.prove(alice, { ...isPublic, meta: { title: 'My poem' } }, { reference })
    const { body } = await app.get(`/proof/${titled}`)
    expect(body).toMatch(
      /<h1><bdi>My poem<\/bdi><\/h1>\s*<p class="hero-statement"><bdi>0x\w+…\w+ claims https:\/\/example.org\/a</,
    )
    const untitled = await app.prove(alice, isPublic, { reference: { ...reference, id: 'https://example.org/b' } })
    expect((await app.get(`/proof/${untitled}`)).body).toMatch(/<h1><bdi>0x\w+…\w+ claims https:/)
  })

  test.each([
    ['en', 'Yes', 'No', /Jan 1, 2026, 12:00.AM UTC/, 'Only its owner'],
    ['de', 'Ja', 'Nein', /01\.01\.2026, 00:00 UTC/, 'Nur sein Inhaber'],
  ])('facts are in words and not in codes: %s', async (language, yes, no, moment, onlyOwner) => {
    const reference = { type: 'other', id: `facts-${language}`, isFree: true, isSold: false }
    const qHash = await app.prove(alice, isPublic, { reference })
    const read = async (headers: Record<string, string> = {}) =>
      (await app.get(`/proof/${qHash}`, { 'accept-language': language, ...headers })).body as string
    const body = await read()
    expect(body).toContain(`<dd>${yes}</dd>`)
    expect(body).toContain(`<dd>${no}</dd>`)
    expect(body).not.toMatch(/<dd>(true|false)</)
    expect(body).toContain('<dd>Base Sepolia (84532)</dd>')
    expect(body).toMatch(moment)
    expect(body.replace(/datetime="[^"]*"/g, '')).not.toContain('2026-01-01')
    const owned = await app.prove(alice, {}, { reference: { ...reference, id: `${reference.id}-private` } })
    const { cookie } = await app.signIn(alice)
    expect((await app.get(`/proof/${owned}`, { 'accept-language': language, cookie })).body).toContain(onlyOwner)
  })

  test.each([...verifiers])('$id: the same facts have a name in each language', ({ words, translations }) => {
    for (const translated of Object.values(translations ?? {}))
      expect(Object.keys(translated.names ?? {})).toEqual(Object.keys(words.names ?? {}))
  })

  test('a missing proof is told in the language of the reader alone', async () => {
    const { status, body } = await app.get(`/proof/0x${'0'.repeat(64)}`, { 'accept-language': 'de' })
    expect(status).toBe(404)
    expect(body).toContain('Hier gibt es keinen Nachweis mit dieser Kennung.')
    expect(body).not.toContain('auf Englisch')
  })

  test('a private proof and a link that has ended lead on to the start page', async () => {
    const qHash = await app.prove(alice, {}, { content: 'Nothing to see' })
    for (const path of [`/proof/${qHash}`, '/shared?link=ended'])
      expect((await app.get(path)).body).toMatch(/<a class="button secondary" href="[^"]+">Go to the start page</)
  })

  test('a private proof tells a stranger that it exists, and no more', async () => {
    const qHash = await app.prove(alice, {}, { content: 'my secret text' })
    for (const headers of [undefined, { cookie: (await app.signIn(bob)).cookie }]) {
      const { status, body } = await app.get(`/proof/${qHash}`, headers)
      expect(status).toBe(200)
      expect(body).toContain('A private proof')
      expect(body).not.toContain(alice.address.toLowerCase())
      expect(body).not.toContain('ownership-basic')
      expect(body).not.toContain('contentHash')
      expect(body).not.toContain('id="owner"')
    }
  })

  test('its owner sees it whole, with buttons for sharing and revoking', async () => {
    const qHash = await app.prove(alice, {}, { content: 'my secret text' })
    const { cookie, csrf } = await app.signIn(alice)
    const { body } = await app.get(`/proof/${qHash}`, { cookie })
    expect(body).toContain(alice.address.toLowerCase())
    expect(body).toContain('This proof is yours')
    expect(body).toContain(`data-csrf="${csrf}"`)
    expect(body).toContain('id="share"')
  })

  test('a viewer that it was shared with sees it, and can neither share nor revoke it', async () => {
    const qHash = await app.prove(alice)
    const { headers } = await app.signIn(alice)
    const granted = await app.post(
      '/api/v1/verification/access/grant',
      { qHash, ownerWallet: alice.address, viewerWallet: bob.address },
      headers,
    )
    expect(granted.status).toBe(200)
    const { body } = await app.get(`/proof/${qHash}`, { cookie: (await app.signIn(bob)).cookie })
    expect(body).toContain(alice.address.toLowerCase())
    expect(body).not.toContain('id="owner"')
  })

  test.each([
    ['en', 'Others may have claimed it before.', 'Claimed by'],
    ['de', 'Andere können ihn vorher beansprucht haben.', 'Beansprucht von'],
  ])('a claim that anyone can make says what it does not show: %s', async (language, limit, by) => {
    const qHash = await app.prove(alice, isPublic, { content: `Anyone could have written this, in ${language}` })
    const { body } = await app.get(`/proof/${qHash}`, { 'accept-language': language })
    expect(body).toMatch(new RegExp(`class="hero-state"><strong>[^<]*</strong> <span>[^<]*${limit}</span>`))
    expect(body).toContain(`<dt>${by}</dt>`)
    expect(body).not.toMatch(/<dt>(Owner|Inhaber)</)
    const { headers } = await app.signIn(alice)
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, {}, headers)
    expect((await app.get(`/proof/${qHash}`, { 'accept-language': language })).body).not.toContain(limit)
  })

  test('only claims that nobody else confirmed say what they do not show', () => {
    const limited = verifiers.filter(({ words }) => words.doesNotSay !== undefined)
    expect(limited.map(({ id }) => id).toSorted()).toEqual([
      'agent-identity',
      'ownership-basic',
      'ownership-licensed',
      'ownership-pseudonym',
    ])
    for (const { translations } of limited)
      for (const translated of Object.values(translations ?? {})) expect(translated.doesNotSay).toBeString()
  })

  test('a kept text names its proof to those who may read it, and to nobody else', async () => {
    const content = `\n  The first line of my poem, which goes on for longer than a heading should be  \nThe second line`
    const qHash = await app.prove(alice, { storeOriginalContent: true }, { content })
    const { cookie } = await app.signIn(alice)
    const beginning = 'The first line of my poem, which goes on for longer than a h…'
    expect((await app.get(`/proof/${qHash}`, { cookie })).body).toMatch(
      new RegExp(`<h1><bdi>0x\\w+…\\w+ claims “${beginning}”</bdi></h1>`),
    )
    expect((await app.get(`/proof/${qHash}`)).body).not.toContain('The first line')
    const unkept = await app.prove(alice, {}, { content: 'Not kept' })
    expect((await app.get(`/proof/${unkept}`, { cookie })).body).toMatch(
      /claims content with the fingerprint 0x\w+…\w+</,
    )
  })

  test('a kept text that turns its direction turns no word beside it', async () => {
    const content = 'a poem \u202emeop'
    const qHash = await app.prove(alice, { storeOriginalContent: true }, { content })
    const { cookie } = await app.signIn(alice)
    const { body } = await app.get(`/proof/${qHash}`, { cookie })
    expect(body).toContain(`claims “\u2068${content}\u2069”</bdi></h1>`)
    expect(body).toMatch(/<title>\u2068[^<\u2068\u2069]*\u2069 · Proofgate<\/title>/)
  })

  test('a private proof tells each reader once who can read it', async () => {
    const qHash = await app.prove(alice, {}, { content: 'for a few' })
    const { headers, cookie } = await app.signIn(alice)
    const bobs = await app.signIn(bob)
    await app.post(
      '/api/v1/verification/access/grant',
      { qHash, ownerWallet: alice.address, viewerWallet: bob.address },
      headers,
    )
    const link = await app.post(`/api/v1/profile/share-links/${qHash}`, { expiresAt: app.now() + 3_600_000 }, headers)
    const { pathname, search } = new URL(link.body.data.url)
    const count = (body: string) => [
      body.split('Only its owner can read it').length - 1,
      body.split('Its owner shared it with you').length - 1,
      body.split('Shared with you by a link').length - 1,
    ]
    expect(count((await app.get(`/proof/${qHash}`)).body)).toEqual([1, 0, 0])
    expect(count((await app.get(`/proof/${qHash}`, { cookie })).body)).toEqual([1, 0, 0])
    expect(count((await app.get(`/proof/${qHash}`, { cookie: bobs.cookie })).body)).toEqual([0, 1, 0])
    expect(count((await app.get(pathname + search)).body)).toEqual([0, 0, 1])
  })

  test('sharing stands at the top, and revoking is the last action', async () => {
    const { cookie } = await app.signIn(alice)
    const places = async (qHash: string) => {
      const { body } = await app.get(`/proof/${qHash}`, { cookie })
      const parts = {
        copy: 'data-copy-link',
        share: 'id="share"',
        facts: 'class="facts"',
        check: 'id="yourself"',
        revoke: 'id="revoke"',
      }
      return Object.entries(parts)
        .map(([name, part]) => ({ name, at: body.indexOf(part) }))
        .filter(({ at }) => at >= 0)
        .toSorted((a, b) => a.at - b.at)
        .map(({ name }) => name)
    }
    expect(await places(await app.prove(alice, isPublic, { content: 'Shown to all' }))).toEqual([
      'copy',
      'facts',
      'check',
      'revoke',
    ])
    expect(await places(await app.prove(alice, {}, { content: 'Shown to some' }))).toEqual([
      'share',
      'facts',
      'check',
      'revoke',
    ])
  })

  test('a revoked and an expired one say so', async () => {
    const qHash = await app.prove(alice, isPublic)
    const { headers, cookie } = await app.signIn(alice)
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, {}, headers)
    const { body } = await app.get(`/proof/${qHash}`, { cookie })
    expect(body).toContain('The owner revoked this proof')
    expect(body).not.toContain('id="revoke"')

    const granted = await app.submit(alice, {
      verifierIds: ['agent-delegation'],
      data: { controllerWallet: alice.address, agentWallet: bob.address, expiresAt: app.now() + 1000 },
      options: { privacyLevel: 'public' },
    })
    app.wait(2000)
    expect((await app.get(`/proof/${granted.body.data.qHash}`)).body).toContain('This proof expired')
  })

  test.each([`0x${'0'.repeat(64)}`, '0x12', 'nothing', '%3Cscript%3E', '..%2f..%2fetc'])(
    'an unknown id is a page that says so: %s',
    async (id) => {
      const { status, body, headers } = await app.get(`/proof/${id}`)
      expect(status).toBe(404)
      expect(headers.get('content-type')).toBe('text/html;charset=utf-8')
      expect(body).toContain('Page not found')
      expect(body).not.toContain('<script>')
    },
  )

  test('pages of other origins cannot read it', async () => {
    const qHash = await app.prove(alice, isPublic)
    const { headers } = await app.get(`/proof/${qHash}`, { origin: 'https://evil.example' })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('the id counts in either case', async () => {
    const qHash = await app.prove(alice, isPublic)
    expect((await app.get(`/proof/0x${qHash.slice(2).toUpperCase()}`)).status).toBe(200)
  })
})
