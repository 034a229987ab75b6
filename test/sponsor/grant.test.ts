/** POST /api/v1/sponsor/grant, and answers to X-Sponsor-Grant (src/guides/wire.md, "Sponsor grants"). */
import { describe, expect, test } from 'bun:test'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice, bob } from '../wallets.ts'

const path = '/api/v1/sponsor/grant'
const create = '/api/v1/verification'
const orgWallet = bob.address.toLowerCase()
const origin = 'https://shop.example'
const page = { 'x-svc-app': 'shop', origin }
const body = { orgWallet, scope: 'sponsored-verification', expiresInSeconds: 900 }
const unlimited = { PROOFGATE_LIMITS_ENABLED: 'false' }

const ask = (app: TestApp, more: object = {}, headers: Record<string, string> = page): Promise<Answer> =>
  app.post(path, { ...body, ...more }, { 'x-svc-sdk': 'js', ...headers })
const grantOf = async (app: TestApp, more: object = {}, headers: Record<string, string> = page): Promise<string> => {
  const answer = await ask(app, more, headers)
  expect(answer.status).toBe(200)
  return answer.body.data.sponsorGrant
}
/** Settings of a server that records proofs on a chain. Its addresses are not called before a proof is made. */
const recordsOn = (name: string, chainId: number) => ({
  [`PROOFGATE_CHAINS_${name.toUpperCase()}_CHAIN`]: `eip155:${chainId}`,
  [`PROOFGATE_CHAINS_${name.toUpperCase()}_RPC`]: 'http://127.0.0.1:1',
  [`PROOFGATE_CHAINS_${name.toUpperCase()}_EAS`]: '0x4200000000000000000000000000000000000021',
  PROOFGATE_PUBLISHING_PRIVATE_KEY: `0x${'7'.repeat(64)}`,
})
let made = 0
const claim = (more: object = {}) => ({
  verifierIds: ['ownership-basic'],
  data: { owner: alice.address, content: `Sponsored ${made++}` },
  ...more,
})
const proveWith = async (app: TestApp, headers: Record<string, string>, more: object = {}): Promise<Answer> =>
  app.post(create, await app.signed(alice, claim(more)), headers)

describe('asking for a grant', async () => {
  const app = await startApp(unlimited)

  test('gives one that names app, wallet and page, ends in seconds, and is free', async () => {
    const { status, body: answer } = await ask(app)
    expect(status).toBe(200)
    expect(answer).toEqual({
      success: true,
      data: {
        sponsorGrant: expect.stringMatching(/^[\w.-]{40,4096}$/),
        exp: app.now() / 1000 + 900,
        orgWallet,
        appId: 'shop',
        origin,
      },
    })
    expect((await ask(app, { expiresInSeconds: 60 })).body.data.exp).toBe(app.now() / 1000 + 60)
    expect((await app.post(path, { orgWallet: bob.address }, page)).body.data).toMatchObject({
      exp: app.now() / 1000 + 900,
      orgWallet,
    })
  })

  test('needs no page: a server has none', async () => {
    const { status, body: answer } = await ask(app, {}, { 'x-svc-app': 'nightly' })
    expect(status).toBe(200)
    expect(answer.data).not.toHaveProperty('origin')
    expect((await ask(app, {}, { 'x-svc-app': 'shop', 'x-client-origin': origin })).body.data.origin).toBe(origin)
    expect((await ask(app, {}, { ...page, 'x-client-origin': origin })).body.data.origin).toBe(origin)
  })

  test.each<[string, object, Record<string, string>, RegExp]>([
    ['no app', {}, { origin }, /header X-Svc-App is missing/],
    ['an app that is none', {}, { 'x-svc-app': 'my shop', origin }, /X-Svc-App .*1 to 128 visible/],
    ['two pages', {}, { ...page, 'x-client-origin': 'https://other.example' }, /two different pages/],
    [
      'a page with a path',
      {},
      { ...page, origin: 'https://shop.example/pay' },
      /Origin, .*https:\/\/app\.example\.com/,
    ],
    ['a page that is none', {}, { ...page, origin: 'null' }, /Origin, .*null/],
    ['no address', {}, { ...page, origin: 'shop' }, /Origin, /],
    ['a time that is too short', { expiresInSeconds: 59 }, page, /expiresInSeconds: .*60/],
    ['a time that is too long', { expiresInSeconds: 3601 }, page, /expiresInSeconds: .*3600/],
    ['another scope', { scope: 'payments' }, page, /scope: .*sponsored-verification/],
    [
      'too many verifiers',
      { verifierIds: Array.from({ length: 26 }, (_, at) => `v-${at}`) },
      page,
      /verifierIds: .*25/,
    ],
    ['too many chains', { targetChains: Array.from({ length: 26 }, (_, at) => at + 1) }, page, /targetChains: .*25/],
  ])('with %s is refused', async (_, more, headers, hint) => {
    expectRefused(await leavesNothing(app.parts, () => ask(app, more, headers)), 'VALIDATION_ERROR', hint)
  })

  test.each(['0x12', 'alice', `did:pkh:eip155:1:${orgWallet}`])('with the wallet %s is refused', async (wallet) => {
    expectRefused(await ask(app, { orgWallet: wallet }), 'INVALID_WALLET_ADDRESS', /orgWallet/)
  })

  test('keeps nothing, and is counted', async () => {
    await leavesNothing(app.parts, () => ask(app))
    const limited = await startApp({ PROOFGATE_LIMITS_RATES_PREPARE: '1/1m' })
    expect((await ask(limited)).status).toBe(200)
    expectRefused(await ask(limited), 'RATE_LIMIT_EXCEEDED')
  })

  test('works from a page of another origin', async () => {
    const answer = await app.request(path, { method: 'OPTIONS', headers: { origin } })
    expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-sponsor-grant')
    expect((await ask(app)).headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('an app whose pages the operator lists', async () => {
  const app = await startApp({ ...unlimited, PROOFGATE_APPS_SHOP_ORIGINS: `${origin},https://www.shop.example` })

  test('gets grants for those pages', async () => {
    expect((await ask(app)).status).toBe(200)
    expect((await ask(app, {}, { ...page, origin: 'https://www.shop.example' })).status).toBe(200)
    expect((await ask(app, {}, { ...page, 'x-svc-app': 'other', origin: 'https://evil.example' })).status).toBe(200)
  })

  test.each([
    ['another page', { ...page, origin: 'https://evil.example' }],
    ['a page with another port', { ...page, origin: `${origin}:8443` }],
    ['no page', { 'x-svc-app': 'shop' }],
  ])('gets no grants for %s', async (_, headers) => {
    const answer = await leavesNothing(app.parts, () => ask(app, {}, headers as Record<string, string>))
    expectRefused(answer, 'FORBIDDEN', /apps\.shop\.origins/)
  })
})

describe('a proof that is made with a grant', async () => {
  const app = await startApp(unlimited)
  const grant = await grantOf(app)

  test('records the app and the wallet, which its owner alone is shown, and nothing is charged', async () => {
    const options = { privacyLevel: 'public', publicDisplay: true }
    const answer = await proveWith(app, { ...page, 'x-sponsor-grant': grant }, { options })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ appId: 'shop', sponsorWallet: orgWallet })
    expect(answer.body.creditInfo).toEqual({ creditsUsed: 0, billing: 'off' })
    const { qHash } = answer.body.data
    const stranger = (await app.get(`/api/v1/proofs/${qHash}`)).body.data
    expect(stranger).toMatchObject({ appId: 'shop' })
    expect(stranger).not.toHaveProperty('sponsorWallet')
    const owner = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash })
    expect((await app.get(`/api/v1/proofs/${qHash}`, owner)).body.data.sponsorWallet).toBe(orgWallet)
    const list = await app.get(`/api/v1/proofs/by-wallet/${alice.address}?appId=shop`)
    expect(list.body.data.proofs).toMatchObject([{ qHash }])
    expect((await proveWith(app, page)).body.data).not.toHaveProperty('sponsorWallet')
  })

  test('takes the app from the grant where the request names none', async () => {
    const answer = await proveWith(app, { origin, 'x-sponsor-grant': grant })
    expect(answer.body.data).toMatchObject({ appId: 'shop', sponsorWallet: orgWallet })
  })

  test('may be made by a server, with a grant that names no page', async () => {
    const bare = await grantOf(app, {}, { 'x-svc-app': 'shop' })
    for (const headers of [{ 'x-svc-app': 'shop' }, page])
      expect((await proveWith(app, { ...headers, 'x-sponsor-grant': bare })).status).toBe(200)
  })

  const altered = (text: string, at: number) =>
    `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
  test.each<[string, () => string, Record<string, string>, RegExp, string]>([
    ['a word', () => 'abc', page, /not one that this server gave out/, 'UNKNOWN'],
    ['one that was altered in front', () => altered(grant, 20), page, /not one that this server gave out/, 'UNKNOWN'],
    ['one that was altered at its end', () => altered(grant, grant.length - 1), page, /not one/, 'UNKNOWN'],
    ['one with something behind it', () => `${grant}.x`, page, /not one/, 'UNKNOWN'],
    ['one that is very long', () => 'x'.repeat(9_000), page, /not one/, 'UNKNOWN'],
    ['one of another app', () => grant, { ...page, 'x-svc-app': 'club' }, /is for the app "shop"/, 'OTHER_APP'],
    [
      'one of another page',
      () => grant,
      { ...page, origin: 'https://evil.example' },
      /is for the page/,
      'OTHER_ORIGIN',
    ],
    ['one of a page, from none', () => grant, { 'x-svc-app': 'shop' }, /is for the page/, 'OTHER_ORIGIN'],
  ])('is refused with %s', async (_, token, headers, hint, reason) => {
    const answer = await leavesNothing(app.parts, () => proveWith(app, { ...headers, 'x-sponsor-grant': token() }))
    expectRefused(answer, 'FORBIDDEN', hint)
    expect(answer.body.error.message).toContain('/api/v1/sponsor/grant')
    expect(answer.body.error.details).toMatchObject({ header: 'X-Sponsor-Grant', reason })
  })

  test('is refused once the grant is over', async () => {
    const short = await grantOf(app, { expiresInSeconds: 60 })
    const headers = { ...page, 'x-sponsor-grant': short }
    app.wait(59_000)
    expect((await proveWith(app, headers)).status).toBe(200)
    app.wait(1_000)
    const answer = await leavesNothing(app.parts, () => proveWith(app, headers))
    expectRefused(answer, 'FORBIDDEN', /ended at 20\d\d-.*Z/)
    expect(answer.body.error.details.reason).toBe('EXPIRED')
  })

  test('is refused with a grant of another server, and of this one for another purpose', async () => {
    const other = await startApp({ ...unlimited, PROOFGATE_MASTER_KEY: '12'.repeat(32) })
    const foreign = await grantOf(other)
    expectRefused(
      await proveWith(app, { ...page, 'x-sponsor-grant': foreign }),
      'FORBIDDEN',
      /not one that this server/,
    )
    const restarted = await startApp({ ...unlimited, PROOFGATE_MASTER_KEY: '12'.repeat(32) })
    expect((await proveWith(restarted, { ...page, 'x-sponsor-grant': foreign })).status).toBe(200)
  })

  test('is bound to the verifiers and chains that the grant names', async () => {
    const app = await startApp({
      ...unlimited,
      ...recordsOn('hub', 84532),
      ...recordsOn('base', 8453),
      ...recordsOn('op', 10),
    })
    const narrow = {
      ...page,
      'x-sponsor-grant': await grantOf(app, { verifierIds: ['ownership-basic@2'], targetChains: [8453] }),
    }
    expect((await proveWith(app, narrow)).status).toBe(200)
    const data = { pseudonymId: 'alice' }
    const other = await proveWith(app, narrow, { verifierIds: ['ownership-pseudonym'], data })
    expectRefused(other, 'FORBIDDEN', /is for ownership-basic, .*ownership-pseudonym/)
    expect(other.body.error.details.reason).toBe('OTHER_VERIFIER')
    const chains = await proveWith(app, narrow, { options: { targetChains: [8453, 10] } })
    expectRefused(chains, 'FORBIDDEN', /is for the chains 8453, .*10/)
    expect(chains.body.error.details.reason).toBe('OTHER_CHAIN')
    expectRefused(await proveWith(app, narrow, { options: { publishToHub: true } }), 'FORBIDDEN', /84532/)
    const anything = { ...page, 'x-sponsor-grant': await grantOf(app, { verifierIds: [], targetChains: [] }) }
    expect((await proveWith(app, anything)).status).toBe(200)
  })

  test('is refused for a page that the operator no longer lists', async () => {
    const key = { ...unlimited, PROOFGATE_MASTER_KEY: '34'.repeat(32) }
    const before = await grantOf(await startApp(key))
    const after = await startApp({ ...key, PROOFGATE_APPS_SHOP_ORIGINS: 'https://new.shop.example' })
    expectRefused(await proveWith(after, { ...page, 'x-sponsor-grant': before }), 'FORBIDDEN', /apps\.shop\.origins/)
  })
})

describe('a gate check with a grant', async () => {
  const app = await startApp(unlimited)
  const grant = await grantOf(app, { verifierIds: ['ownership-pseudonym'] })
  const query = `address=${alice.address}&verifierIds=ownership-basic`
  const many = { checks: [{ address: alice.address, verifierIds: 'ownership-basic' }] }
  const asked: readonly (readonly [string, (headers: Record<string, string>) => Promise<Answer>])[] = [
    ['one', (headers) => app.get(`/api/v1/proofs/check?${query}`, headers)],
    ['the older path', (headers) => app.get(`/api/v1/proofs/gate/check?${query}`, headers)],
    ['many', (headers) => app.post('/api/v1/proofs/check', many, headers)],
  ]

  test.each(asked)(
    'goes on with a valid one, whatever its purpose, and names the fault of others: %s',
    async (_, check) => {
      expect((await check({ ...page, 'x-sponsor-grant': grant })).status).toBe(200)
      expectRefused(
        await check({ ...page, 'x-sponsor-grant': 'abc' }),
        'FORBIDDEN',
        /not one that this server gave out/,
      )
      expectRefused(
        await check({ ...page, 'x-svc-app': 'club', 'x-sponsor-grant': grant }),
        'FORBIDDEN',
        /is for the app "shop"/,
      )
    },
  )
})
