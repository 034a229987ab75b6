/** Providers of plain OAuth, with the built-in addresses and fields, a real token, and their published answers. */
import { afterEach, describe, expect, test } from 'bun:test'
import { providers } from '../../src/outside/social/providers.ts'
import { startApp, type TestApp } from '../app.ts'
import { oidcProvider, type ProviderOptions, type RunningProvider, stopProviders } from '../parts/oidc-provider.ts'
import { alice } from '../wallets.ts'
import { claimOf, comeBack, exchange, signInThere, socialSettings, start, tokenFor } from './person.ts'

const id = 'ownership-social'
let app: TestApp | undefined
afterEach(() => {
  app?.close()
  app = undefined
  stopProviders()
})

type Name = 'github' | 'x'
const authentications = { github: 'client_secret_post', x: 'client_secret_basic' } as const

/** GitHub takes a request without one, and the provider of these tests does not. */
const scopes = 'read:user'

/** The settings of the provider as they are built in, with its addresses here. */
async function appFor(
  name: Name,
  options: ProviderOptions,
  more: Record<string, string> = {},
): Promise<[TestApp, RunningProvider]> {
  const provider = await oidcProvider({ authentication: authentications[name], ...options })
  const { origin } = provider
  app = await startApp(
    socialSettings(name, {
      provider: name,
      authorization_endpoint: `${origin}/auth`,
      token_endpoint: `${origin}/token`,
      userinfo_endpoint: `${origin}/user`,
      ...(name === 'github' ? { scopes } : {}),
      ...more,
    }),
  )
  return [app, provider]
}

const octocat = (login: string) => ({
  login,
  id: 583231,
  html_url: 'javascript:alert(1)',
  name: '<b>The Octocat</b>',
  email: 'octocat@example.com',
  public_repos: 8,
  public_gists: 0,
  followers: 20_000,
  following: 9,
  created_at: '2011-01-25T18:44:36Z',
})

const evidenceOf = async (here: TestApp, name: Name, login = 'octocat') => {
  const internalSocialToken = await tokenFor(here, name, { login })
  const made = await here.submit(alice, claimOf(id, { provider: name, internalSocialToken }))
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return made.body.data.verifiedVerifiers[0].data
}

test('GitHub: the number is the account, the login its handle, and the page is not the one that the answer names', async () => {
  const [here] = await appFor('github', { user: octocat })
  expect(await evidenceOf(here, 'github')).toEqual({
    provider: 'github',
    socialUserId: '583231',
    handle: 'octocat',
    profileUrl: 'https://github.com/octocat',
    traits: {
      followers: 20_000,
      following: 9,
      publicRepos: 8,
      publicGists: 0,
      createdAt: Date.parse('2011-01-25T18:44:36Z'),
    },
    walletAddress: alice.address.toLowerCase(),
    linkTimestamp: here.now(),
  })
})

test('GitHub tells of a bad code with status 200: it is refused', async () => {
  const [here] = await appFor('github', {
    user: octocat,
    before: async (context, next) => {
      await next()
      if (context.path !== '/token') return
      context.status = 200
      context.body = { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
    },
  })
  const back = await signInThere(here, 'github')
  expect(back.page.status).toBe(400)
  expect(back.page.body).toContain('data-error="provider_refused"')
})

test('GitHub tells of wrong credentials with status 200: that is for the operator', async () => {
  const [here] = await appFor('github', {
    before: async (context, next) => {
      await next()
      if (context.path !== '/token') return
      context.status = 200
      context.body = { error: 'incorrect_client_credentials' }
    },
  })
  expect((await signInThere(here, 'github')).page.status).toBe(503)
})

/** X, whose token endpoint refuses with a body. */
const refusingCodes = (body: object) =>
  appFor('x', {
    before: async (context, next) => {
      await next()
      if (context.path !== '/token') return
      context.status = 400
      context.body = body
    },
  })

describe('an expired code, reported as', () => {
  test.each([
    [
      'X says it',
      { error: 'invalid_request', error_description: 'Value passed for the authorization code was invalid.' },
    ],
    [
      'LinkedIn says it',
      { error: 'invalid_request', error_description: 'Unable to retrieve access token: authorization code not found' },
    ],
    [
      'Facebook says it',
      { error: { message: 'This authorization code has been used.', type: 'OAuthException', code: 100 } },
    ],
  ])('%s, is refused', async (_, body) => {
    const [here] = await refusingCodes(body)
    expect((await signInThere(here, 'x')).page.status).toBe(400)
  })

  test.each([
    ['a verifier', { error: 'invalid_request', error_description: 'Value passed for the code verifier did not match' }],
    ['something else', { error: 'invalid_request', error_description: 'Missing client_id' }],
    ['nothing', { error: 'invalid_request' }],
    ['a fault of theirs', { error: { code: 1 } }],
    ['a number', { error: 5 }],
  ])('an error about %s is not taken for one', async (_, body) => {
    const [here] = await refusingCodes(body)
    expect((await signInThere(here, 'x')).page.status).toBe(503)
  })
})

test('X: the account is inside of data, and the secret goes in a header', async () => {
  const [here, provider] = await appFor('x', {
    user: (login) => ({
      data: {
        id: '2244994945',
        username: login,
        created_at: '2013-12-14T04:35:55.000Z',
        public_metrics: { followers_count: 513_868, following_count: 2018, tweet_count: 3961, listed_count: 1672 },
      },
    }),
  })
  const { traits, ...account } = await evidenceOf(here, 'x', 'XDevelopers')
  expect(account).toMatchObject({
    socialUserId: '2244994945',
    handle: 'XDevelopers',
    profileUrl: 'https://x.com/XDevelopers',
  })
  expect(traits).toEqual({
    followers: 513_868,
    following: 2018,
    posts: 3961,
    listed: 1672,
    createdAt: Date.parse('2013-12-14T04:35:55.000Z'),
  })
  expect(provider.requests).toContain('GET /user')
})

test('an answer without token_type, and with an unrequested ID token, is accepted', async () => {
  const [here] = await appFor('github', {
    user: octocat,
    before: async (context, next) => {
      await next()
      if (context.path !== '/token') return
      const { token_type: _, ...body } = context.body as Record<string, string>
      context.body = { ...body, id_token: 'not.a.token' }
    },
  })
  expect((await signInThere(here, 'github')).page.status).toBe(200)
})

test('a server without a secret is a public client, and PKCE protects it', async () => {
  const provider = await oidcProvider({ authentication: 'none', user: octocat })
  app = await startApp(
    socialSettings('github', {
      provider: 'github',
      client_secret: '',
      authorization_endpoint: `${provider.origin}/auth`,
      token_endpoint: `${provider.origin}/token`,
      userinfo_endpoint: `${provider.origin}/user`,
      scopes,
    }),
  )
  expect((await signInThere(app, 'github')).page.status).toBe(200)
})

describe('text that people write themselves', () => {
  test.each([
    ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['quotes', `"'><script>`, `"'><script>`],
    ['a path', '../../admin', '../../admin'],
    ['letters of another script', 'Ωμέγα', 'Ωμέγα'],
    ['a mark that turns the text around', 'ali\u202Eeci', undefined],
    ['an invisible character', 'ali\u200Bce', undefined],
    ['a line break', 'alice\nbob', undefined],
    ['a space at the end', 'alice ', undefined],
    ['nothing', '', undefined],
    ['a thousand characters', 'a'.repeat(1000), undefined],
    ['a list', ['alice'], undefined],
    ['a truth value', true, undefined],
  ])('in a handle: %s', async (_, login, handle) => {
    const [here] = await appFor('github', { user: () => ({ id: 1, login }) })
    const evidence = await evidenceOf(here, 'github')
    expect(evidence.handle).toBe(handle)
    expect(evidence.profileUrl).toBe(
      handle === undefined ? undefined : `https://github.com/${encodeURIComponent(handle)}`,
    )
  })

  test('is not shown on the page that they come back to', async () => {
    const [here] = await appFor('github', { user: () => ({ id: 1, login: '<img src=x onerror=alert(1)>' }) })
    const back = await signInThere(here, 'github')
    expect(back.page.body).not.toContain('onerror')
    expect(back.page.headers.get('content-security-policy')).toContain("script-src 'self'")
  })

  test.each([
    ['a text', '1200'],
    ['not a number', null],
    ['an object', { valueOf: 5 }],
  ])('includes a count that is %s, which is left out', async (_, followers) => {
    const [here] = await appFor('github', { user: () => ({ id: 1, login: 'a', followers }) })
    expect((await evidenceOf(here, 'github')).traits).toEqual({})
  })
})

describe('an account without a usable id gives', () => {
  test.each([
    ['without an id', { login: 'alice' }],
    ['with an empty id', { id: '', login: 'alice' }],
    ['with a number that JavaScript does not hold exactly', '{"id":9007199254740993,"login":"alice"}'],
    ['with a fraction', { id: 1.5, login: 'alice' }],
    ['with an object', { id: { a: 1 }, login: 'alice' }],
    ['with an invisible character', { id: 'a\u200Bb', login: 'alice' }],
    ['as a list', [{ id: 1 }]],
    ['as nothing', null],
  ])('%s: 503, and no identity', async (_, user) => {
    const [here] = await appFor('github', { user: () => user })
    expect((await signInThere(here, 'github')).page.status).toBe(503)
  })
})

test('a token that the provider refuses at its own endpoint gives no verdict', async () => {
  const [here] = await appFor('github', {
    before: async (context, next) => {
      await next()
      if (context.path === '/token') context.body = { ...(context.body as object), access_token: 'another' }
    },
  })
  expect((await signInThere(here, 'github')).page.status).toBe(503)
})

test('the token is revoked where the operator says so, and a failure of that is ignored', async () => {
  const here = await appFor('github', { user: octocat })
  await here[0].close()
  stopProviders()
  const [again, provider] = await appFor('github', {
    user: octocat,
    before: async (context, next) => {
      if (context.path === '/broken') context.status = 500
      else await next()
    },
  })
  expect(provider.requests).not.toContain('POST /token/revocation')
  await again.close()
  app = await startApp(
    socialSettings('github', {
      provider: 'github',
      authorization_endpoint: `${provider.origin}/auth`,
      token_endpoint: `${provider.origin}/token`,
      userinfo_endpoint: `${provider.origin}/user`,
      scopes,
      revocation_endpoint: `${provider.origin}/token/revocation`,
    }),
  )
  expect((await signInThere(app, 'github')).page.status).toBe(200)
  expect(provider.requests).toContain('POST /token/revocation')
  await app.close()
  app = await startApp(
    socialSettings('github', {
      provider: 'github',
      authorization_endpoint: `${provider.origin}/auth`,
      token_endpoint: `${provider.origin}/token`,
      userinfo_endpoint: `${provider.origin}/user`,
      scopes,
      revocation_endpoint: `${provider.origin}/broken`,
    }),
  )
  const back = await signInThere(app, 'github')
  expect(back.page.status).toBe(200)
  expect((await exchange(app, back)).status).toBe(200)
})

describe('the address of a person of each provider', () => {
  test.each(Object.entries(providers).filter(([name]) => name !== 'oidc'))('%s', async (name, facts) => {
    // Providers with an issuer are looked up first, so a local issuer stands in for theirs.
    const local = 'issuer' in facts ? await oidcProvider() : undefined
    app = await startApp(socialSettings(name, { provider: name, ...(local ? { issuer: local.issuer } : {}) }))
    const { authorizationUrl, answer, browser } = await start(app, name)
    expect(answer.status).toBe(200)
    const url = new URL(authorizationUrl)
    expect(url.origin + url.pathname).toBe(
      'authorizationEndpoint' in facts ? facts.authorizationEndpoint : `${local?.origin}/auth`,
    )
    expect(url.searchParams.get('redirect_uri')).toBe(`http://localhost:8787/api/v1/auth/oauth/callback/${name}`)
    expect(url.searchParams.get('scope')).toBe(facts.scopes.length > 0 ? facts.scopes.join(' ') : null)
    expect(url.searchParams.has('code_challenge')).toBe(facts.pkce)
    expect(url.searchParams.has('nonce')).toBe('issuer' in facts)
    const listed = (await app.get('/api/v1/auth/oauth/providers')).body.data
    expect(listed).toEqual([{ id: name, label: facts.label, kinds: [...facts.kinds] }])
    expect(
      (await comeBack(app, new URL('http://localhost:8787/api/v1/auth/oauth/callback/none'), browser)).status,
    ).toBe(400)
  })
})
