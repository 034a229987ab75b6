/** A site learns a visitor's wallet by a code: the person agrees, and the site's server exchanges it. */

import { beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Answer, SignedInBrowser } from '../app.ts'
import { openStage, type Stage } from '../gates/fulfill-stage.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { link, unlink } from '../payments/linking.ts'
import { alice, bob, mallory } from '../wallets.ts'

const site = 'https://app.example.com'
const verifier = 'v'.repeat(43)
const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}
const [first, second] = [alice, bob].map(({ address }) => address.toLowerCase())

let app: Stage
let browser: SignedInBrowser
beforeEach(async () => {
  app = await openStage({
    PROOFGATE_PAGES_HANDOVER_SITES: `${site},https://other.example/signed-in?a=1,http://localhost:3000`,
  })
  browser = await app.signIn()
})

const agree = (body: object, headers: Record<string, string> = browser.headers) =>
  app.post('/api/v1/auth/code', body, headers)
const exchange = (body: object, headers: Record<string, string> = {}) =>
  app.post('/api/v1/auth/code/exchange', { origin: site, ...body }, headers)
async function codeFor(body: object = { origin: site }): Promise<string> {
  const answer = await agree(body)
  expect(answer.status).toBe(200)
  return answer.body.data.code
}
const unusable = (answer: Answer) => expectRefused(answer, 'FORBIDDEN', /code is not valid/)
const profile = async () => (await app.get('/api/v1/auth/me', browser.headers)).body.data

describe('the exchange', () => {
  test('reports the wallet of the person, once, and for a minute', async () => {
    const answer = await agree({ returnUrl: `${site}/cb?next=%2Fa` })
    expect(answer.body.data).toEqual({
      code: expect.stringMatching(/^sc_[A-Za-z0-9_-]{43}$/),
      origin: site,
      expiresAt: app.now() + 60_000,
    })
    const { code } = answer.body.data
    const told = await exchange({ code })
    expect(told.status).toBe(200)
    expect(told.headers.get('cache-control')).toBe('no-store')
    expect(told.body).toEqual({
      success: true,
      data: {
        walletAddress: first,
        chain: 'eip155:84532',
        did: `did:pkh:eip155:84532:${first}`,
        subjectId: browser.subjectId,
        origin: site,
        agreedAt: app.now(),
        gate: null,
        proofs: [],
      },
    })
    unusable(await exchange({ code }))
  })

  test('is refused after a minute', async () => {
    const code = await codeFor()
    app.wait(59_999)
    expect((await exchange({ code })).status).toBe(200)
    const late = await codeFor()
    app.wait(60_000)
    unusable(await exchange({ code: late }))
  })

  test('is refused where the clock was set back, which would make the minute longer', async () => {
    const code = await codeFor()
    app.setClock(-600_000)
    unusable(await exchange({ code }))
  })

  test('answers one of two simultaneous requests', async () => {
    const code = await codeFor()
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange({ code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)])
  })

  test.each([[{}], [{ code: '' }], [{ code: 1 }], [{ code: 'x'.repeat(257) }]])(
    '%j is refused as a request',
    async (body) => {
      expectRefused(await leavesNothing(app.parts, () => exchange(body)), 'VALIDATION_ERROR', /code/)
    },
  )

  test.each(['sc_unknown', `sc_${'A'.repeat(43)}`, 'ac_x'])('%s is refused like any other code', async (code) => {
    unusable(await exchange({ code }))
  })

  test('pages in a browser cannot read the answer', async () => {
    const { headers } = await exchange({ code: await codeFor() }, { origin: 'https://evil.example' })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('PKCE', () => {
  test('the right verifier is required; a missing one keeps the code', async () => {
    const code = await codeFor({ origin: site, ...pkce })
    for (const body of [{ code }, { code, code_verifier: '' }])
      expectRefused(await exchange(body), 'VALIDATION_ERROR', /code_verifier is missing/)
    expect((await exchange({ code, code_verifier: verifier })).status).toBe(200)
  })

  test.each(['w'.repeat(43), 'short', `${verifier}v`])('the wrong verifier %s invalidates the code', async (wrong) => {
    const code = await codeFor({ origin: site, ...pkce })
    const refused = await exchange({ code, code_verifier: wrong })
    unusable(refused)
    expect(refused.body.error.message).toContain('or its code_verifier was wrong')
    unusable(await exchange({ code, code_verifier: verifier }))
  })

  test('a verifier for a code without a challenge invalidates it, as the link was tampered with', async () => {
    const code = await codeFor()
    unusable(await exchange({ code, code_verifier: verifier }))
    unusable(await exchange({ code }))
  })

  test.each([
    [{ code_challenge: pkce.code_challenge }, /code_challenge_method must be S256/],
    [{ ...pkce, code_challenge_method: 'plain' }, /code_challenge_method must be S256/],
    [{ ...pkce, code_challenge: 'short' }, /code_challenge must be/],
    [{ code_challenge_method: 'S256' }, /code_challenge is missing/],
  ])('%j is refused as a challenge', async (more, hint) => {
    expectRefused(await agree({ origin: site, ...more }), 'VALIDATION_ERROR', hint)
  })
})

describe('the site', () => {
  test('must be the one that the code was made for', async () => {
    const code = await codeFor()
    unusable(await exchange({ code, origin: 'https://evil.example' }))
    unusable(await exchange({ code, origin: site }))
    expect((await exchange({ code: await codeFor(), origin: site })).status).toBe(200)
  })

  test.each([undefined, ''])('must be named where several are registered, and %j keeps the code', async (origin) => {
    const code = await codeFor()
    expectRefused(await exchange({ code, origin }), 'VALIDATION_ERROR', /origin is missing/)
    expect((await exchange({ code })).status).toBe(200)
  })

  test('must be named with the right verifier too: the challenge of a link is public, and anybody can send it on', async () => {
    const code = await codeFor({ returnUrl: 'https://other.example/signed-in?a=1', ...pkce })
    const bring = () => exchange({ code, code_verifier: verifier, origin: undefined })
    expectRefused(await leavesNothing(app.parts, bring), 'VALIDATION_ERROR', /origin is missing/)
    const told = await exchange({ code, code_verifier: verifier, origin: 'https://other.example' })
    expect(told.body.data.origin).toBe('https://other.example')
    const own = await codeFor({ origin: site, ...pkce })
    unusable(await exchange({ code: own, code_verifier: verifier, origin: 'https://other.example' }))
  })

  test('need not be named where it is the only one', async () => {
    app = await openStage({ PROOFGATE_PAGES_HANDOVER_SITES: site })
    browser = await app.signIn()
    expect((await exchange({ code: await codeFor(), origin: undefined })).status).toBe(200)
    const code = await codeFor({ origin: site, ...pkce })
    expect((await exchange({ code, code_verifier: verifier, origin: undefined })).status).toBe(200)
  })

  test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080/cb'])(
    'must be named where the only one is %s, which stands for every port',
    async (entry) => {
      app = await openStage({ PROOFGATE_PAGES_HANDOVER_SITES: entry })
      browser = await app.signIn()
      const { pathname, protocol, hostname } = new URL(entry)
      const [mine, other] = [4000, 5000].map((port) => `${protocol}//${hostname}:${port}`)
      const code = await codeFor({ returnUrl: `${other}${pathname}` })
      const bring = () => exchange({ code, origin: undefined })
      expectRefused(await leavesNothing(app.parts, bring), 'VALIDATION_ERROR', /every port/)
      expect((await exchange({ code, origin: other })).status).toBe(200)
      unusable(await exchange({ code: await codeFor({ returnUrl: `${other}${pathname}` }), origin: mine }))
    },
  )

  test.each([
    [{ returnUrl: `${site}/any/page?x=1` }, site],
    [{ returnUrl: 'https://other.example/signed-in?a=1' }, 'https://other.example'],
    [{ returnUrl: 'http://localhost:50123/cb' }, 'http://localhost:50123'],
    [{ origin: 'http://localhost:4000' }, 'http://localhost:4000'],
  ])('%j is registered', async (asked, origin) => {
    expect((await agree(asked)).body.data.origin).toBe(origin)
  })

  test.each([
    { returnUrl: 'https://evil.example/' },
    { returnUrl: 'https://app.example.com.evil.example/' },
    { returnUrl: 'https://app.example.com:8443/' },
    { returnUrl: 'http://app.example.com/' },
    { returnUrl: 'https://www.app.example.com/' },
    { returnUrl: 'https://other.example/signed-in' },
    { returnUrl: 'https://other.example/signed-in?a=1&b=2' },
    { returnUrl: 'https://other.example/signed-in/?a=1' },
    { returnUrl: 'http://127.0.0.1:3000/' },
    { origin: 'https://other.example' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost.evil.example' },
  ])('%j is not registered, and gets no code', async (asked) => {
    const refused = await leavesNothing(app.parts, () => agree(asked))
    if (refused.status === 400) expectRefused(refused, 'VALIDATION_ERROR', /must be/)
    else expectRefused(refused, 'FORBIDDEN', /pages\.handover_sites/)
  })

  test.each([
    [{}],
    [{ origin: site, returnUrl: `${site}/` }],
    [{ origin: `${site}/` }],
    [{ returnUrl: 'javascript:1' }],
  ])('%j names no site', async (asked) => {
    expectRefused(await agree(asked), 'VALIDATION_ERROR')
  })

  test('is registered only by the operator', async () => {
    app = await openStage()
    browser = await app.signIn()
    expectRefused(await agree({ origin: site }), 'FORBIDDEN', /pages\.handover_sites/)
  })
})

describe('a code needs the person’s consent', () => {
  test('in a page of this server, signed in', async () => {
    expectRefused(await agree({ origin: site }, {}), 'WALLET_AUTH_REQUIRED')
    expectRefused(await agree({ origin: site }, { cookie: browser.cookie }), 'FORBIDDEN', /X-CSRF-Token/)
    expectRefused(await agree({ origin: site }, { ...browser.headers, origin: site }), 'FORBIDDEN')
    const made = await app.post('/api/v1/auth/profile-keys', { name: 'A program' }, browser.headers)
    const bearer = { authorization: `Bearer ${made.body.data.key}` }
    expectRefused(await agree({ origin: site }, bearer), 'FORBIDDEN', /access key/)
  })

  test.each([
    ['the person signs out', () => app.post('/api/v1/auth/logout', {}, browser.headers)],
    ['everywhere', () => app.post('/api/v1/auth/logout-everywhere', {}, browser.headers)],
    ['the profile is deleted', () => app.request('/api/v1/auth/me', { method: 'DELETE', headers: browser.headers })],
  ])('a code ends when %s', async (_, end) => {
    const code = await codeFor()
    expect((await end()).status).toBe(200)
    unusable(await exchange({ code }))
  })

  test('for the newest of many open codes of a session', async () => {
    const codes: string[] = []
    for (let n = 0; n < 33; n++) {
      app.wait(1)
      codes.push(await codeFor())
    }
    unusable(await exchange({ code: codes[0]! }))
    expect((await exchange({ code: codes[1]! })).status).toBe(200)
    expect((await exchange({ code: codes[32]! })).status).toBe(200)
  })
})

describe('proofs', () => {
  test('are reported when they belong to this journey, and no others', async () => {
    const [other, one, two] = [await app.prove(), await app.prove(), await app.prove()]
    const told = await exchange({ code: await codeFor({ origin: site, qHashes: [one, two] }) })
    expect(told.body.data).toMatchObject({
      walletAddress: first,
      gate: null,
      proofs: [
        { qHash: one, verifierIds: ['ownership-basic'], status: 'verified' },
        { qHash: two, verifierIds: ['ownership-basic'], status: 'verified' },
      ],
    })
    expect(JSON.stringify(told.body)).not.toContain(other)
  })

  test('are refused alike when unknown or of other people', async () => {
    const hers = await app.prove(mallory)
    const answers = [
      await agree({ origin: site, qHashes: [hers] }),
      await agree({ origin: site, qHashes: [`0x${'0'.repeat(64)}`] }),
    ]
    for (const answer of answers) expectRefused(answer, 'FORBIDDEN', /proof/)
    expect(answers[0]!.body.error).toEqual(answers[1]!.body.error)
  })

  test('one that was revoked since is reported as revoked; one that was erased ends the code', async () => {
    const qHash = await app.prove()
    const [code, late] = [
      await codeFor({ origin: site, qHashes: [qHash] }),
      await codeFor({ origin: site, qHashes: [qHash] }),
    ]
    await app.parts.db.write([{ sql: 'UPDATE proofs SET revoked_at = ?1', params: [app.now()] }])
    expect((await exchange({ code })).body.data.proofs).toEqual([
      { qHash, verifierIds: ['ownership-basic'], status: 'revoked' },
    ])
    await app.parts.db.write([{ sql: 'DELETE FROM proofs', params: [] }])
    unusable(await exchange({ code: late }))
  })

  test('with a linked wallet the site sees only the wallet that made the proofs', async () => {
    const linkId = await link(app, alice, bob)
    const qHash = await app.prove(bob)
    const told = await exchange({ code: await codeFor({ origin: site, qHashes: [qHash] }) })
    expect(told.body.data).toMatchObject({ walletAddress: second, did: `did:pkh:eip155:84532:${second}` })
    expect(JSON.stringify(told.body)).not.toContain(first!)

    const mixed = await agree({ origin: site, qHashes: [qHash, await app.prove(alice)] })
    expectRefused(mixed, 'FORBIDDEN', /proof/)

    const code = await codeFor({ origin: site, qHashes: [qHash] })
    expect((await unlink(app, linkId, alice)).status).toBe(200)
    unusable(await exchange({ code }))
  })

  test('a session of a linked wallet tells that wallet, and ends with the link', async () => {
    const linkId = await link(app, alice, bob)
    browser = await app.signIn(bob)
    const told = await exchange({ code: await codeFor() })
    expect(told.body.data).toMatchObject({ walletAddress: second, subjectId: browser.subjectId })
    expect(JSON.stringify(told.body)).not.toContain(first!)
    const code = await codeFor()
    expect((await unlink(app, linkId, alice)).status).toBe(200)
    unusable(await exchange({ code }))
  })
})

describe('a gate', () => {
  test('is reported with the proof that passed it', async () => {
    await app.gate('club')
    const qHash = await app.prove()
    expectRefused(await agree({ origin: site, gateId: 'club', qHashes: [qHash] }), 'FORBIDDEN', /gate/)
    expect((await app.fulfill('club', qHash)).status).toBe(200)
    const fulfilledAt = app.now()
    const told = await exchange({ code: await codeFor({ origin: site, gateId: 'club', qHashes: [qHash] }) })
    expect(told.body.data).toMatchObject({
      walletAddress: first,
      gate: { gateId: 'club', qHash, passed: true, passedAt: fulfilledAt },
      proofs: [{ qHash }],
    })
  })

  test('is refused like an unknown one when another proof or another person passed it', async () => {
    await app.gate('club')
    const [mine, other, hers] = [await app.prove(), await app.prove(), await app.prove(mallory)]
    await app.fulfill('club', mine)
    await app.fulfill('club', hers, { wallet: mallory })
    const answers = [
      await agree({ origin: site, gateId: 'club', qHashes: [other] }),
      await agree({ origin: site, gateId: 'none', qHashes: [mine] }),
    ]
    for (const answer of answers) expectRefused(answer, 'FORBIDDEN', /gate/)
    expect(answers[0]!.body.error).toEqual(answers[1]!.body.error)
    expectRefused(await agree({ origin: site, gateId: 'club', qHashes: [hers] }), 'FORBIDDEN')
    expectRefused(await agree({ origin: site, gateId: 'club' }), 'VALIDATION_ERROR', /qHashes/)
  })
})

describe('a gate that a person has passed', () => {
  const passed = async () => {
    await app.gate('club')
    const qHash = await app.prove()
    expect((await app.fulfill('club', qHash)).status).toBe(200)
    return { origin: site, gateId: 'club', qHashes: [qHash] }
  }
  const revoke = () => app.parts.db.write([{ sql: 'UPDATE proofs SET revoked_at = ?1', params: [app.now()] }])
  const expire = () => app.parts.db.write([{ sql: 'UPDATE proofs SET expires_at = ?1', params: [app.now()] }])
  const close = () => app.setStatus('club', 'deleted')

  test.each([
    ['the gate is deleted', close],
    ['the proof is revoked', revoke],
    ['the proof is over', expire],
  ])('counts no more when %s before the exchange', async (_, end) => {
    const code = await codeFor(await passed())
    await end()
    expect((await exchange({ code })).body.data.gate).toMatchObject({ gateId: 'club', passed: false })
  })

  test('brings no code that names it once the gate is deleted', async () => {
    const asked = await passed()
    await close()
    expectRefused(await leavesNothing(app.parts, () => agree(asked)), 'FORBIDDEN', /gate/)
  })

  test('counts while it is paused', async () => {
    const code = await codeFor(await passed())
    await app.setStatus('club', 'paused')
    expect((await exchange({ code })).body.data.gate).toMatchObject({ passed: true })
  })
})

describe('a partner’s access key', () => {
  test('is not needed, and must be good where one is sent', async () => {
    const made = await app.post('/api/v1/auth/profile-keys', { name: 'A site' }, browser.headers)
    const code = await codeFor()
    expectRefused(await exchange({ code }, { authorization: `Bearer npk_${'A'.repeat(43)}` }), 'WALLET_AUTH_REQUIRED')
    const told = await exchange({ code }, { authorization: `Bearer ${made.body.data.key}` })
    expect(told.status).toBe(200)
    const line = (await events()).find(({ event }) => event === 'site_told')!
    expect(line.details).toContain(made.body.data.keyId)
  })
})

const events = () =>
  select<{ event: string; details: string; profile: number | null }>(
    app.parts.db,
    'SELECT event, details, profile FROM audit_events ORDER BY id',
  ).all()

test('the log of the server records the events, without the code', async () => {
  const code = await codeFor({ origin: site, ...pkce })
  await exchange({ code, code_verifier: verifier })
  const burnt = await codeFor({ origin: site, ...pkce })
  await exchange({ code: burnt, code_verifier: 'w'.repeat(43) })
  const lines = (await events()).filter(({ event }) => event.startsWith('site_'))
  expect(lines.map(({ event }) => event)).toEqual(['site_agreed', 'site_told', 'site_agreed', 'site_code_refused'])
  for (const { details, profile: of } of lines) {
    expect(details).toContain(site)
    expect(of).not.toBeNull()
  }
  const stored = await select<Record<string, unknown>>(app.parts.db, 'SELECT * FROM audit_events').all()
  expect(JSON.stringify(stored)).not.toContain(code)
  expect(await profile()).toMatchObject({ authenticated: true })
})

test('the database has the SHA-256 of a code and not the code, and the sweep takes it away', async () => {
  const code = await codeFor()
  const rows = () =>
    select<Record<string, unknown>>(app.parts.db, 'SELECT lower(hex(hash)) AS hash, origin FROM site_codes').all()
  expect(await rows()).toEqual([{ hash: createHash('sha256').update(code).digest('hex'), origin: site }])
  app.wait(60_000)
  expect((await app.sweep()).siteCodes).toBe(1)
  expect(await rows()).toEqual([])
})

test('both steps are counted', async () => {
  app = await openStage({
    PROOFGATE_PAGES_HANDOVER_SITES: site,
    PROOFGATE_LIMITS_ENABLED: 'true',
    PROOFGATE_LIMITS_RATES_TOKEN: '2/1m',
  })
  browser = await app.signIn()
  expect((await agree({ origin: site })).headers.get('ratelimit-limit')).not.toBeNull()
  await exchange({ code: 'x' })
  await exchange({ code: 'x' })
  expectRefused(await exchange({ code: 'x' }), 'RATE_LIMIT_EXCEEDED')
})

describe('a link', () => {
  const linkTo = (more: Record<string, string>) =>
    app.get(`/verify?${new URLSearchParams({ intent: 'login', returnUrl: `${site}/cb`, ...more })}`)

  test.each([
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'code_challenge must be'],
    [{ code_challenge: pkce.code_challenge }, 'code_challenge_method must be S256'],
    [{ ...pkce, code_challenge_method: 'plain' }, 'code_challenge_method must be S256'],
    [{ state: 's'.repeat(1025) }, 'state must be at most 1024'],
    [{ state: 'a\nb' }, 'state must be'],
  ])('with %j is not followed', async (more, why) => {
    const { status, body } = await linkTo(more)
    expect(status).toBe(400)
    expect(body).toContain(why)
  })

  test('makes no code by itself, also for a signed-in person', async () => {
    const page = await leavesNothing(app.parts, () =>
      app.get(`/verify?intent=login&returnUrl=${encodeURIComponent(`${site}/cb`)}`, browser.headers),
    )
    expect(page.status).toBe(200)
    expect(page.headers.get('location')).toBeNull()
    expect(page.body).toContain('Tell app.example.com who I am')
    expect(page.body).not.toContain('sc_')
  })
})

test.each([
  'http://app.example.com',
  'https://App.example.com',
  'https://app.example.com/#x',
  'https://app.example.com/cb?code=1',
  'https://*.example.com',
  'app.example.com',
  'https://u:p@app.example.com/',
])('%s cannot be registered as a site by an operator', async (entry) => {
  await expect(openStage({ PROOFGATE_PAGES_HANDOVER_SITES: entry })).rejects.toThrow(/handover_sites/i)
})
