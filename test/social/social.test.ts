/** ownership-social at a real OpenID provider, from the first step to the proof, and every way to go astray. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { isStreamSafe } from '../../src/stream-safe.ts'
import { startApp, type TestApp } from '../app.ts'
import { oidcProvider, type RunningProvider, stopProviders, visitProvider } from '../parts/oidc-provider.ts'
import { select } from '../parts/select.ts'
import { dropTrigger, makeTrigger } from '../parts/triggers.ts'
import { alice, bob, sol } from '../wallets.ts'
import { claimOf, comeBack, exchange, localSettings, newBrowser, signInThere, start, tokenFor } from './person.ts'

const id = 'ownership-social'
const api = '/api/v1'

let provider: RunningProvider
let app: TestApp

beforeAll(async () => {
  provider = await oidcProvider({
    claims: (login) => ({ preferred_username: login, followers: 1200, email: `${login}@example.com` }),
  })
})
afterAll(stopProviders)
beforeEach(async () => {
  const other = { PROOFGATE_SOCIAL_OTHER_PROVIDER: 'oidc', PROOFGATE_SOCIAL_OTHER_ISSUER: provider.issuer }
  app = await startApp({
    ...localSettings(provider, { traits: 'followers=followers', profile_url: 'https://people.example/{handle}' }),
    ...other,
    PROOFGATE_SOCIAL_OTHER_CLIENT_ID: 'proofgate',
    PROOFGATE_SOCIAL_OTHER_CLIENT_SECRET: 'a-secret-of-this-server-0123456789',
    PROOFGATE_LIMITS_ENABLED: 'false',
  })
})
afterEach(() => app.close())

const reasonOf = ({ body }: { readonly body: { error?: { details?: { reason?: string } } } }) =>
  body.error?.details?.reason

describe('a person who signs in there', () => {
  test('under a name of many combining marks gets a proof whose text can be normalized', async () => {
    const name = `e${'\u0315\u0300'.repeat(20)}`
    const odd = await oidcProvider({ claims: () => ({ preferred_username: name }) })
    const other = await startApp(localSettings(odd))
    const { internalSocialToken } = (await exchange(other, await signInThere(other))).body.data
    const made = await other.submit(alice, claimOf(id, { provider: 'local', internalSocialToken }))
    expect(made.status).toBe(200)
    const { handle } = made.body.data.verifiedVerifiers[0].data
    expect(isStreamSafe(handle)).toBe(true)
    expect(handle.replaceAll('\u034f', '')).toBe(name)
    await other.close()
  })

  test('gets a proof of the account, with its numbers, and without the e-mail address', async () => {
    const back = await signInThere(app)
    expect(back.page.status).toBe(200)
    expect(back.page.body).toContain(`data-next="../../../../../verify?oauthState=${back.state}"`)
    const exchanged = await exchange(app, back)
    const { internalSocialToken } = exchanged.body.data
    expect(exchanged.body.data).toEqual({
      internalSocialToken: expect.any(String),
      provider: 'local',
      handle: 'alice',
      expiresAt: app.now() + 60_000,
    })

    const made = await app.submit(alice, claimOf(id, { provider: 'local', internalSocialToken }))
    expect(made.status).toBe(200)
    const [row] = made.body.data.verifiedVerifiers
    expect(row).toEqual({
      zkInfo: { zkStatus: 'zk_not_required' },
      verifierId: id,
      verified: true,
      status: 'social_account_linked',
      data: {
        provider: 'local',
        socialUserId: 'alice',
        handle: 'alice',
        profileUrl: 'https://people.example/alice',
        traits: { followers: 1200 },
        walletAddress: alice.address.toLowerCase(),
        linkTimestamp: app.now(),
      },
    })
    expect(JSON.stringify(made.body)).not.toContain('example.com')
  })

  test('passes gates that ask for provider, handle and a number', async () => {
    const internalSocialToken = await tokenFor(app)
    await app.submit(alice, {
      ...claimOf(id, { provider: 'local', internalSocialToken }),
      options: { privacyLevel: 'public' },
    })
    const check = async (query: Record<string, string>) =>
      (await app.get(`${api}/proofs/check?${new URLSearchParams({ address: alice.address, ...query })}`)).body.data
    const select = 'handle,provider,profileUrl,traits.followers'
    expect(await check({ verifierId: id, provider: 'local', handle: 'alice', select })).toMatchObject({
      eligible: true,
      projections: [
        {
          handle: 'alice',
          provider: 'local',
          profileUrl: 'https://people.example/alice',
          traits: { followers: 1200 },
        },
      ],
    })
    expect(await check({ verifierId: id, traitPath: 'followers', traitGte: '1200' })).toMatchObject({ eligible: true })
    expect(await check({ verifierId: id, traitPath: 'followers', traitGte: '1201' })).toMatchObject({ eligible: false })
    expect(await check({ handle: 'bob' })).toMatchObject({ eligible: false })
    expect(await check({ provider: 'github', verifierId: id })).toMatchObject({ eligible: false })
  })

  test('may have a wallet that is not EVM', async () => {
    const internalSocialToken = await tokenFor(app, 'local', { wallet: sol })
    expect((await app.submit(sol, claimOf(id, { provider: 'local', internalSocialToken }))).status).toBe(200)
  })

  test('is led on to the page that was named at the start, without leftovers of an earlier try in its address', async () => {
    const returnTo = '/verify?verifiers=ownership-social&oauthError=access_denied&mode=popup&oauthState=x'
    const begun = await start(app, 'local', { returnTo })
    const page = await comeBack(app, await visitProvider(begun.authorizationUrl), begun.browser)
    expect(page.body).toContain(
      `data-next="../../../../../verify?verifiers=ownership-social&amp;mode=popup&amp;oauthState=${begun.state}"`,
    )
  })

  test('is asked to begin again when the answer of the provider could not be stored', async () => {
    const { parts } = app
    const at = 'BEFORE UPDATE ON social_sign_ins'
    await parts.db.write(makeTrigger({ name: 'refusing', at, when: "NEW.stage = 'signed-in'" }))
    const begun = await start(app)
    const page = await comeBack(app, await visitProvider(begun.authorizationUrl), begun.browser)
    await parts.db.write(dropTrigger('refusing'))
    expect(page.status).toBe(503)
    expect(JSON.stringify(page.body)).toMatch(/could not be stored.*begin this sign-in anew/)
  })

  test('sends the request with PKCE, nonce and state, and the verifier of neither', async () => {
    const { authorizationUrl, answer } = await start(app)
    const parameters = Object.fromEntries(new URL(authorizationUrl).searchParams)
    expect(parameters).toEqual({
      response_type: 'code',
      client_id: 'proofgate',
      redirect_uri: 'http://localhost:8787/api/v1/auth/oauth/callback/local',
      scope: 'openid profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(answer.headers.get('set-cookie')).toMatch(/^svc_social=[\w-]{43}; Path=\/; .*HttpOnly/i)
    expect(answer.headers.get('set-cookie')).toMatch(/SameSite=Lax/i)
    expect(answer.headers.get('set-cookie')).toMatch(/Max-Age=600/i)
  })

  test('can have two sign-ins under way in two tabs', async () => {
    const browser = newBrowser()
    const first = await start(app, 'local', { browser })
    const second = await start(app, 'local', { browser })
    for (const begun of [first, second]) {
      const to = await visitProvider(begun.authorizationUrl)
      expect((await comeBack(app, to, browser)).status).toBe(200)
      expect((await exchange(app, begun)).status).toBe(200)
    }
  })
})

describe('a sign-in fails', () => {
  test('when the person does not agree', async () => {
    const back = await signInThere(app, 'local', { consents: false })
    expect(back.to.searchParams.get('error')).toBe('access_denied')
    expect(back.page.status).toBe(400)
    expect(back.page.body).toContain('You did not agree')
    expect(back.page.body).toContain('data-error="access_denied"')
    const answer = await exchange(app, back)
    expect(answer.status).toBe(400)
    expect(reasonOf(answer)).toBe('access_denied')
  })

  test('when the person comes back after ten minutes', async () => {
    const begun = await start(app)
    const to = await visitProvider(begun.authorizationUrl)
    app.wait(600_000)
    const page = await comeBack(app, to, begun.browser)
    expect(page.status).toBe(400)
    expect(page.body).toContain('took longer than 10 minutes')
    expect(page.body).not.toContain('data-next')
  })

  test('when it is exchanged after ten minutes', async () => {
    const back = await signInThere(app)
    app.wait(600_000)
    const answer = await exchange(app, back)
    expect(answer.status).toBe(404)
    expect(reasonOf(answer)).toBe('UNKNOWN_STATE')
    await app.sweep()
    expect((await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM social_sign_ins').get())?.n).toBe(0)
  })

  test('when it is exchanged before the person is back', async () => {
    const answer = await exchange(app, await start(app))
    expect(answer.status).toBe(409)
    expect(reasonOf(answer)).toBe('NOT_FINISHED')
  })

  test('when the same callback comes twice, and the provider is not asked again', async () => {
    const back = await signInThere(app)
    const asked = () => provider.requests.filter((one) => one === 'POST /token').length
    const before = asked()
    const page = await comeBack(app, back.to, back.browser)
    expect(page.status).toBe(409)
    expect(asked()).toBe(before)
    expect((await exchange(app, back)).status).toBe(200)
  })

  test('when a hundred requests with one callback come at once: the provider is asked once', async () => {
    const begun = await start(app)
    const to = await visitProvider(begun.authorizationUrl)
    const asked = () => provider.requests.filter((one) => one === 'POST /token').length
    const before = asked()
    const pages = await Promise.all(Array.from({ length: 100 }, () => comeBack(app, to, begun.browser)))
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(asked()).toBe(before + 1)
  })

  test('when the code of another sign-in is put into it', async () => {
    const stolen = await visitProvider((await start(app)).authorizationUrl)
    const own = await start(app)
    const to = new URL(stolen)
    to.searchParams.set('state', own.state)
    const page = await comeBack(app, to, own.browser)
    expect(page.status).toBe(400)
    expect(page.body).toContain('data-error="provider_refused"')
    expect(reasonOf(await exchange(app, own))).toBe('provider_refused')
  })

  test('when the code was redeemed before', async () => {
    const first = await signInThere(app)
    const again = await start(app)
    const to = new URL(first.to)
    to.searchParams.set('state', again.state)
    expect((await comeBack(app, to, again.browser)).status).toBe(400)
  })

  test('when it is exchanged twice, and of many at once one gets it', async () => {
    const back = await signInThere(app)
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(app, back)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((one) => reasonOf(one) === 'ALREADY_EXCHANGED')).toHaveLength(49)
  })

  test.each([
    ['no cookie', {}],
    ['another cookie', { cookie: `svc_social=${'A'.repeat(43)}` }],
    ['a short cookie', { cookie: 'svc_social=A' }],
  ])('when the person comes back in a browser with %s, and the right browser is not held up', async (_, headers) => {
    const begun = await start(app)
    const to = await visitProvider(begun.authorizationUrl)
    const page = await comeBack(app, to, { headers: headers as Record<string, string> })
    expect(page.status).toBe(403)
    expect(page.body).toContain('did not begin in this browser')
    expect(page.body).not.toContain(begun.state)
    expect((await comeBack(app, to, begun.browser)).status).toBe(200)
    const elsewhere = await exchange(app, { ...begun, browser: { headers: headers as Record<string, string> } })
    expect(reasonOf(elsewhere)).toBe('ANOTHER_BROWSER')
    expect((await exchange(app, begun)).status).toBe(200)
  })

  test('with two cookies of the same name, which cannot be told apart', async () => {
    const begun = await start(app)
    const to = await visitProvider(begun.authorizationUrl)
    const [own, other] = [begun.browser.headers.cookie, `svc_social=${'B'.repeat(43)}`]
    for (const cookie of [`${other}; ${own}`, `${own}; ${other}`])
      expect((await comeBack(app, to, { headers: { cookie } })).status).toBe(403)
  })

  test('when it is exchanged for another wallet', async () => {
    const back = await signInThere(app)
    const answer = await exchange(app, back, bob)
    expect(answer.status).toBe(403)
    expect(reasonOf(answer)).toBe('ANOTHER_WALLET')
    expect((await exchange(app, back)).status).toBe(200)
  })

  test('when it is exchanged as, or comes back as, a sign-in at another provider', async () => {
    const begun = await start(app)
    const to = await visitProvider(begun.authorizationUrl)
    const other = new URL(to.href.replace('/callback/local', '/callback/other'))
    expect((await comeBack(app, other, begun.browser)).status).toBe(400)
    expect((await comeBack(app, to, begun.browser)).status).toBe(200)
    expect(reasonOf(await exchange(app, { ...begun, id: 'other' }))).toBe('ANOTHER_PROVIDER')
    expect((await exchange(app, begun)).status).toBe(200)
  })

  test.each([
    ['no state', (to: URL) => to.searchParams.delete('state')],
    ['a state twice', (to: URL) => to.searchParams.append('state', to.searchParams.get('state')!)],
    ['a code twice', (to: URL) => to.searchParams.append('code', 'x')],
    ['neither code nor error', (to: URL) => to.searchParams.delete('code')],
    ['code and error', (to: URL) => to.searchParams.set('error', 'access_denied')],
    ['a state that is none of ours', (to: URL) => to.searchParams.set('state', 'A'.repeat(43))],
    ['an endless query', (to: URL) => to.searchParams.set('more', 'x'.repeat(9000))],
  ])('with %s in the way back, and what is right is still taken afterwards', async (_, change) => {
    const begun = await start(app)
    const to = await visitProvider(begun.authorizationUrl)
    const changed = new URL(to)
    change(changed)
    const page = await comeBack(app, changed, begun.browser)
    expect(page.status).toBe(400)
    expect(page.body).toContain('This sign-in does not work')
    expect((await comeBack(app, to, begun.browser)).status).toBe(200)
  })

  test.each([
    ['another issuer', (to: URL) => to.searchParams.set('iss', 'https://evil.example')],
    ['no issuer, though the provider always sends its own', (to: URL) => to.searchParams.delete('iss')],
  ])('with %s in the way back (RFC 9207)', async (_, change) => {
    const begun = await start(app)
    const to = await visitProvider(begun.authorizationUrl)
    change(to)
    const page = await comeBack(app, to, begun.browser)
    expect(page.status).toBe(400)
    expect(page.body).toContain('data-error="wrong_issuer"')
  })

  test('with another nonce than the one that was asked for', async () => {
    const begun = await start(app)
    const url = new URL(begun.authorizationUrl)
    url.searchParams.set('nonce', 'another-nonce-than-ours')
    const page = await comeBack(app, await visitProvider(url.href), begun.browser)
    expect(page.status).toBe(400)
    expect(reasonOf(await exchange(app, begun))).toBe('wrong_nonce')
  })

  test('when the ID token has no nonce', async () => {
    const begun = await start(app)
    const url = new URL(begun.authorizationUrl)
    url.searchParams.delete('nonce')
    const page = await comeBack(app, await visitProvider(url.href), begun.browser)
    expect(page.status).toBe(400)
    expect(page.body).toContain('without a claim that it must have')
  })
})

describe('the token is refused', () => {
  const submit = (data: object, wallet = alice) => app.submit(wallet, claimOf(id, data))

  test('for the wallet of another person', async () => {
    const internalSocialToken = await tokenFor(app)
    const answer = await submit({ provider: 'local', internalSocialToken }, bob)
    expect(answer.status).toBe(400)
    expect(reasonOf(answer)).toBe('SOCIAL_TOKEN_OF_ANOTHER_WALLET')
    expect((await submit({ provider: 'local', internalSocialToken })).status).toBe(200)
  })

  test('after a minute, and not a moment before', async () => {
    const internalSocialToken = await tokenFor(app)
    app.wait(60_000)
    expect(reasonOf(await submit({ provider: 'local', internalSocialToken }))).toBe('SOCIAL_TOKEN_EXPIRED')
    app.wait(-1)
    expect((await submit({ provider: 'local', internalSocialToken })).status).toBe(200)
  })

  test('for a second proof, and the first request sent again is the first proof', async () => {
    const internalSocialToken = await tokenFor(app)
    const body = await app.signed(alice, claimOf(id, { provider: 'local', internalSocialToken }))
    const first = await app.post(`${api}/verification`, body)
    expect(first.status).toBe(200)
    app.wait(1)
    const second = await submit({ provider: 'local', internalSocialToken })
    expect(second.status).toBe(409)
    expect(reasonOf(second)).toBe('SOCIAL_TOKEN_USED')
    const again = await app.post(`${api}/verification`, body)
    expect(again.status).toBe(200)
    expect(again.body.data.qHash).toBe(first.body.data.qHash)
    await app.sweep()
    app.wait(1)
    expect(reasonOf(await submit({ provider: 'local', internalSocialToken }))).toBe('SOCIAL_TOKEN_USED')
  })

  test('for all but one of many requests at once', async () => {
    const internalSocialToken = await tokenFor(app)
    const bodies = []
    for (let nth = 0; nth < 20; nth++) {
      app.wait(1)
      bodies.push(await app.signed(alice, claimOf(id, { provider: 'local', internalSocialToken })))
    }
    const answers = await Promise.all(bodies.map((body) => app.post(`${api}/verification`, body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((one) => reasonOf(one) === 'SOCIAL_TOKEN_USED')).toHaveLength(19)
  })

  test('for the same request many times at once: one proof, the same for all', async () => {
    const internalSocialToken = await tokenFor(app)
    const body = await app.signed(alice, claimOf(id, { provider: 'local', internalSocialToken }))
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.post(`${api}/verification`, body)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data?.qHash}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(200)
  })

  test('from another provider than data names', async () => {
    const internalSocialToken = await tokenFor(app)
    expect(reasonOf(await submit({ provider: 'other', internalSocialToken }))).toBe('SOCIAL_TOKEN_OF_ANOTHER_PROVIDER')
  })

  test('where the provider shows no organization', async () => {
    const organized = await startApp({ ...localSettings(provider, { org_claim: 'org_domain' }) })
    try {
      const internalSocialToken = await tokenFor(organized)
      const claim = claimOf('ownership-org-oauth', { provider: 'local', internalSocialToken })
      expect(reasonOf(await organized.submit(alice, claim))).toBe('NOT_AN_ORGANISATION')
    } finally {
      organized.close()
    }
  })

  test.each([
    ['invented', 'v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['empty in its parts', 'v1..'],
    ['markup', '<script>'],
  ])('when it is %s', async (_, internalSocialToken) => {
    expect(reasonOf(await submit({ provider: 'local', internalSocialToken }))).toBe('SOCIAL_TOKEN_UNKNOWN')
  })

  test('when a single character of it was changed', async () => {
    const token = await tokenFor(app)
    const at = token.length - 20
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    expect(reasonOf(await submit({ provider: 'local', internalSocialToken: changed }))).toBe('SOCIAL_TOKEN_UNKNOWN')
  })

  test('from another server', async () => {
    const elsewhere = await startApp(localSettings(provider))
    try {
      const internalSocialToken = await tokenFor(elsewhere)
      expect(reasonOf(await submit({ provider: 'local', internalSocialToken }))).toBe('SOCIAL_TOKEN_UNKNOWN')
    } finally {
      elsewhere.close()
    }
  })

  test('with a walletAddress in data that is not the signer', async () => {
    const internalSocialToken = await tokenFor(app)
    const data = { provider: 'local', internalSocialToken, walletAddress: bob.address }
    expect(reasonOf(await submit(data))).toBe('WALLET_MISMATCH')
  })

  test('together with another verifier', async () => {
    const internalSocialToken = await tokenFor(app)
    const answer = await app.submit(alice, {
      verifierIds: [id, 'ownership-basic'],
      data: {
        [id]: { provider: 'local', internalSocialToken },
        'ownership-basic': { owner: alice.address, content: 'x' },
      },
    })
    expect(answer.body.error.code).toBe('INVALID_VERIFIER_FLOW_COMBINATION')
  })

  test('every one of these leaves the database unchanged', async () => {
    const internalSocialToken = await tokenFor(app)
    await submit({ provider: 'other', internalSocialToken })
    await submit({ provider: 'local', internalSocialToken }, bob)
    for (const table of ['proofs', 'spent_signatures'])
      expect((await select<{ n: number }>(app.parts.db, `SELECT count(*) AS n FROM ${table}`).get())?.n).toBe(0)
  })
})

describe('the start refuses', () => {
  const begin = (body: unknown, at = 'local', headers: Record<string, string> = {}) =>
    app.post(`${api}/auth/oauth/start/${at}`, body, headers)

  test.each([
    ['a provider that is not configured', () => begin({ walletAddress: alice.address }, 'github'), 404, 'NOT_FOUND'],
    ['a wallet that is none', () => begin({ walletAddress: '0x12' }), 400, 'INVALID_WALLET_ADDRESS'],
    ['no wallet', () => begin({}), 400, 'VALIDATION_ERROR'],
    [
      'a page elsewhere',
      () => begin({ walletAddress: alice.address, returnTo: 'https://evil.example' }),
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a page that looks like ours',
      () => begin({ walletAddress: alice.address, returnTo: '//evil.example/verify' }),
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a request of a page elsewhere',
      () => begin({ walletAddress: alice.address }, 'local', { origin: 'https://evil.example' }),
      403,
      'FORBIDDEN',
    ],
  ])('%s', async (_, attempt, status, code) => {
    const answer = await attempt()
    expect(answer.status).toBe(status)
    expect(answer.body.error.code).toBe(code)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })
})

describe('the catalog', () => {
  test('holds the verifier, for the hosted page and not for the API alone', async () => {
    const { body } = await app.get(`${api}/verification/verifiers`)
    expect(body.metadata[id]).toMatchObject({
      flowType: 'interactive',
      expiryType: 'permanent',
      supportsDirectApi: false,
      supportsHostedVerify: true,
      requiredFields: ['provider', 'internalSocialToken'],
    })
    expect(body.data).not.toContain('ownership-org-oauth')
  })

  test('lists the providers', async () => {
    const { body } = await app.get(`${api}/auth/oauth/providers`)
    expect(body.data).toEqual([
      { id: 'local', label: 'local', kinds: ['social'] },
      { id: 'other', label: 'other', kinds: ['social'] },
    ])
  })

  test('leaves out unconfigured providers, and names the settings that add them', async () => {
    const bare = await startApp()
    try {
      expect((await bare.get(`${api}/auth/oauth/providers`)).body.data).toEqual([])
      expect((await bare.get(`${api}/verification/verifiers`)).body.data).not.toContain(id)
      const answer = await bare.submit(alice, claimOf(id, { provider: 'github', internalSocialToken: 'x' }))
      expect(answer.body.error).toMatchObject({ code: 'VERIFIER_NOT_FOUND' })
      expect(answer.body.error.message).toContain('[social.<name>]')
      const begun = await bare.post(`${api}/auth/oauth/start/github`, { walletAddress: alice.address })
      expect(begun.body.error.message).toContain('[social.<name>]')
    } finally {
      bare.close()
    }
  })
})
