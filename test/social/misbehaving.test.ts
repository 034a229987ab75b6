/** Providers that are set up wrongly, broken, down, or that lie: nothing is believed, and "not known" is never "no". */
import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { makeGuard } from '../../src/outside/http/address-guard.ts'
import { openRootFetch } from '../../src/outside/social/root-fetch.ts'
import { startApp, type TestApp } from '../app.ts'
import { httpAnswer, rawServer, stopRawServers } from '../parts/http-server.ts'
import {
  oidcProvider,
  type ProviderOptions,
  type RunningProvider,
  stopProviders,
  visitProvider,
} from '../parts/oidc-provider.ts'
import { comeBack, exchange, localSettings, signInThere, socialSettings, start } from './person.ts'

let app: TestApp | undefined
afterEach(async () => {
  app?.close()
  app = undefined
  stopProviders()
  stopRawServers()
})

async function appWith(
  options: ProviderOptions,
  more: Record<string, string> = {},
  env: Record<string, string> = {},
): Promise<[TestApp, RunningProvider]> {
  const provider = await oidcProvider({ claims: (login) => ({ preferred_username: login }), ...options })
  app = await startApp({ PROOFGATE_OUTSIDE_ATTEMPTS: '1', ...localSettings(provider, more), ...env })
  return [app, provider]
}

type Body = Record<string, string>

/** A provider whose token endpoint answers something else than it should. */
const tokenAnswer =
  (change: (body: Body) => Body | Promise<Body>): ProviderOptions['before'] =>
  async (context, next) => {
    await next()
    if (context.path === '/token' && context.status === 200) context.body = await change(context.body as Body)
  }

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
const { privateKey: strangersKey } = await generateKeyPair('RS256', { extractable: true })
const jwks = { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'key-1' }] }

const claimsIn = (token: string): JWTPayload => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

/** The same ID token with other claims, signed with the key of the provider or another one. */
const signedAgain = (
  change: JWTPayload,
  key = privateKey,
  header: { alg: string; kid?: string } = { alg: 'RS256', kid: 'key-1' },
) =>
  tokenAnswer(async ({ id_token, ...body }) => ({
    ...body,
    id_token: await new SignJWT({ ...claimsIn(id_token!), ...change }).setProtectedHeader(header).sign(key),
  }))

const unsigned = tokenAnswer(({ id_token, ...body }) => {
  const payload = id_token!.split('.')[1]
  return { ...body, id_token: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.` }
})

async function hmac(): Promise<ProviderOptions['before']> {
  // Uses the public key as HMAC secret: a library that trusts the token's header would accept it.
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)))
  return tokenAnswer(async ({ id_token, ...body }) => ({
    ...body,
    id_token: await new SignJWT(claimsIn(id_token!)).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(secret),
  }))
}

describe('an ID token is not believed', () => {
  test('unless it is signed again unchanged', async () => {
    const [here] = await appWith({ jwks, before: signedAgain({}) })
    expect((await signInThere(here)).page.status).toBe(200)
  })

  test.each<[string, string, string, () => ProviderOptions['before'] | Promise<ProviderOptions['before']>]>([
    ['of another issuer', 'wrong_issuer', '(iss)', () => signedAgain({ iss: 'https://evil.example' })],
    ['for another client', 'wrong_audience', '(aud, azp)', () => signedAgain({ aud: 'another-client' })],
    [
      'for us and another client that it was issued to',
      'wrong_audience',
      '(aud, azp)',
      () => signedAgain({ aud: ['proofgate', 'other'], azp: 'other' }),
    ],
    ['with another nonce', 'wrong_nonce', '(nonce)', () => signedAgain({ nonce: 'another' })],
    ['that is over', 'token_expired', '(exp)', () => signedAgain({ exp: Math.floor(Date.now() / 1000) - 120 })],
    [
      'that is not valid yet',
      'token_not_yet_valid',
      '(nbf)',
      () => signedAgain({ nbf: Math.floor(Date.now() / 1000) + 3600 }),
    ],
    [
      'without a subject',
      'incomplete_token',
      'without a claim',
      () => signedAgain({ sub: undefined } as unknown as JWTPayload),
    ],
    [
      'with a nonce that is no text',
      'wrong_nonce',
      '(nonce)',
      () => signedAgain({ nonce: 7 } as unknown as JWTPayload),
    ],
    [
      'with an end that is no number',
      'incomplete_token',
      'without a claim',
      () => signedAgain({ exp: 'soon' } as unknown as JWTPayload),
    ],
    ['signed with the key of a stranger', 'wrong_signature', 'a signature', () => signedAgain({}, strangersKey)],
    [
      'signed with a key that the provider does not publish',
      'unknown_key',
      'does not publish',
      () => signedAgain({}, strangersKey, { alg: 'RS256', kid: 'key-2' }),
    ],
    ['that is not signed', 'wrong_algorithm', '(alg)', () => unsigned],
    ['signed with the public key as a secret', 'wrong_algorithm', '(alg)', hmac],
    [
      'that is encrypted',
      'wrong_algorithm',
      '(alg)',
      () => tokenAnswer((body) => ({ ...body, id_token: 'a.b.c.d.e' })),
    ],
    ['that is not there', 'no_token', 'no ID token', () => tokenAnswer(({ id_token: _, ...body }) => body)],
    ['that is no token', 'no_token', 'no ID token', () => tokenAnswer((body) => ({ ...body, id_token: 'x' }))],
    ['that is a text of dots', 'no_token', 'no ID token', () => tokenAnswer((body) => ({ ...body, id_token: '..' }))],
    [
      'with a signature that is no base64',
      'no_token',
      'no ID token',
      () => tokenAnswer(({ id_token, ...body }) => ({ ...body, id_token: `${id_token!.replace(/[^.]*$/, '')}!` })),
    ],
    [
      'of somebody else than the account description',
      'wrong_account',
      '(sub)',
      () => async (context, next) => {
        await next()
        if (context.path === '/me') context.body = { ...(context.body as object), sub: 'somebody-else' }
      },
    ],
  ])('%s', async (_, reason, words, before) => {
    const [here] = await appWith({ jwks, before: await before() })
    const back = await signInThere(here)
    expect(back.page.status).toBe(400)
    expect(back.page.headers.get('retry-after')).toBeNull()
    expect(back.page.body).toContain(`data-error="${reason}"`)
    expect(back.page.body).toContain(words)
    expect(back.page.body).toContain('Start again')
    expect(back.page.body).not.toContain('no usable answer')
    const { status, body } = await exchange(here, back)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VERIFICATION_FAILED', details: { reason } })
    expect(body.error.message).toContain(words)
  })

  test('when it came back in the name of another issuer', async () => {
    const [here] = await appWith({ jwks })
    const begun = await start(here)
    const to = await visitProvider(begun.authorizationUrl)
    to.searchParams.set('iss', 'https://evil.example')
    const page = await comeBack(here, to, begun.browser)
    expect(page.status).toBe(400)
    expect(page.body).toContain('data-error="wrong_issuer"')
    expect((await exchange(here, begun)).body.error.details).toMatchObject({ reason: 'wrong_issuer' })
  })

  test('the log names the setting to look at', async () => {
    const [here] = await appWith({ jwks, before: signedAgain({ aud: 'another-client' }) })
    const lines = spyOn(process.stderr, 'write').mockImplementation(() => true)
    await signInThere(here)
    const told = lines.mock.calls.map(([line]) => String(line)).find((line) => line.includes('a sign-in was refused'))
    lines.mockRestore()
    expect(told).toContain('provider=local reason=wrong_audience')
    expect(told).toContain('mend="see whether client_id is right')
  })
})

describe('a provider that', () => {
  test('describes itself as another issuer is not used', async () => {
    const [here] = await appWith({
      before: async (context, next) => {
        await next()
        if (context.path.endsWith('openid-configuration'))
          context.body = { ...(context.body as object), issuer: 'https://evil.example' }
      },
    })
    const { answer } = await start(here)
    expect(answer.status).toBe(503)
    expect(answer.body.error).toMatchObject({ code: 'VERIFIER_UNAVAILABLE', details: { source: 'social.local' } })
  })

  test.each([
    ['another loopback address', '127.0.0.2', '127.0.0.2'],
    ['localhost', '127.0.0.1', 'localhost'],
    ['a numeric address in other clothes', '127.0.0.2', '2130706434'],
    ['an IPv6 address', '::1', '[::1]'],
  ])('names %s as its token endpoint cannot send us there', async (_, host, written) => {
    const other = await rawServer((socket) => socket.end(httpAnswer(400, '{"error":"invalid_grant"}')), { host })
    const [here] = await appWith({
      before: async (context, next) => {
        await next()
        if (context.path.endsWith('openid-configuration'))
          context.body = { ...(context.body as object), token_endpoint: `http://${written}:${other.port}/token` }
      },
    })
    const back = await signInThere(here)
    expect(back.page.status).toBe(503)
    expect(back.page.body).toContain('data-error="provider_unavailable"')
    expect(other.connections()).toBe(0)
  })

  test('is known by https cannot send us to plain http', async () => {
    const policy = { timeoutMs: 1000, attempts: 1, guard: makeGuard(['127.0.0.0/8']) }
    const plain = await rawServer((socket) => socket.end(httpAnswer(200, '{}')))
    const door = openRootFetch('social.local', ['https://127.0.0.1'], policy)
    const call = door(`${plain.url}/jwks`, { method: 'GET', headers: {} })
    await expect(call).rejects.toMatchObject({ fault: 'forbidden-address' })
    expect(plain.connections()).toBe(0)
  })

  test.each([
    ['a key that is broken', { kty: 'RSA', n: 'AQ', e: '!', use: 'sig', alg: 'RS256', kid: 'key-1' }],
    ['a key that is no key', 7],
  ])('publishes %s is reported as broken, and not as a refusal of the person', async (_, key) => {
    const [here] = await appWith({
      jwks,
      before: async (context, next) => {
        await next()
        if (context.path === '/jwks') context.body = { keys: [key] }
      },
    })
    const back = await signInThere(here)
    expect(back.page.status).toBe(503)
    expect(back.page.body).toContain('data-error="provider_unavailable"')
  })

  test.each(['/.well-known/openid-configuration', '/token', '/me', '/jwks'])(
    'redirects %s without end is not followed',
    async (path) => {
      const [here, provider] = await appWith({
        before: async (context, next) => {
          if (context.path !== path) return next()
          context.redirect(`${path}?again`)
        },
      })
      const begun = await start(here)
      if (begun.answer.status === 200) {
        const page = await comeBack(here, await visitProvider(begun.authorizationUrl), begun.browser)
        expect(page.status).toBe(503)
      } else expect(begun.answer.status).toBe(503)
      expect(provider.requests.filter((one) => one.endsWith(path))).toHaveLength(1)
    },
  )

  test.each(['/.well-known/openid-configuration', '/token', '/me', '/jwks'])(
    'sends ten megabytes from %s is cut off',
    async (path) => {
      const [here] = await appWith({
        before: async (context, next) => {
          if (context.path !== path) return next()
          context.status = 200
          context.type = 'application/json'
          context.body = JSON.stringify({ filling: 'x'.repeat(10_000_000) })
        },
      })
      const begun = await start(here)
      const { status } =
        begun.answer.status === 200
          ? await comeBack(here, await visitProvider(begun.authorizationUrl), begun.browser)
          : begun.answer
      expect(status).toBe(503)
    },
  )

  test.each([
    ['a page', 'text/html', '<h1>Sorry</h1>'],
    ['half a document', 'application/json', '{"access_token":"x"'],
    ['a list', 'application/json', '[]'],
    ['null', 'application/json', 'null'],
    ['a document nested a thousand times', 'application/json', `${'['.repeat(1000)}${']'.repeat(1000)}`],
  ])('answers with %s in place of a token', async (_, type, text) => {
    const [here] = await appWith({
      before: async (context, next) => {
        if (context.path !== '/token') return next()
        context.status = 200
        context.type = type
        context.body = text
      },
    })
    expect((await signInThere(here)).page.status).toBe(503)
  })

  test.each([500, 502, 503, 429])(
    'answers %i at its token endpoint is asked once, because a code is valid once',
    async (status) => {
      const [here, provider] = await appWith(
        {
          before: async (context, next) => {
            if (context.path !== '/token') return next()
            context.status = status
          },
        },
        {},
        { PROOFGATE_OUTSIDE_ATTEMPTS: '3' },
      )
      expect((await signInThere(here)).page.status).toBe(503)
      expect(provider.requests.filter((one) => one === 'POST /token')).toHaveLength(1)
    },
  )

  test('does not know our secret is reported to the operator, and not blamed on the person', async () => {
    const [here] = await appWith({}, { client_secret: 'another-secret' })
    const back = await signInThere(here)
    expect(back.page.status).toBe(503)
    expect(back.page.body).not.toContain('another-secret')
  })

  test('is down at the start: 503, and it works once it is back', async () => {
    let isDown = true
    const [here] = await appWith({
      before: async (context, next) => {
        if (!isDown) return next()
        context.status = 500
      },
    })
    const { answer } = await start(here)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toMatch(/^[0-9]+$/)
    isDown = false
    expect((await start(here)).answer.status).toBe(200)
  })

  test('goes down while the person is there: 503, and the sign-in is over', async () => {
    const [here, provider] = await appWith({})
    const begun = await start(here)
    const to = await visitProvider(begun.authorizationUrl)
    provider.stop()
    expect((await comeBack(here, to, begun.browser)).status).toBe(503)
    const answer = await exchange(here, begun)
    expect(answer.body.error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { reason: 'provider_unavailable' },
    })
  })

  test('is not there at all', async () => {
    app = await startApp({
      ...socialSettings('local', { provider: 'oidc', issuer: 'http://127.0.0.1:1' }),
      PROOFGATE_OUTSIDE_ATTEMPTS: '1',
    })
    expect((await start(app)).answer.status).toBe(503)
  })

  test('accepts the connection and sends nothing', async () => {
    const silent = await rawServer(() => undefined)
    app = await startApp({
      ...socialSettings('local', { provider: 'oidc', issuer: silent.url }),
      PROOFGATE_OUTSIDE_ATTEMPTS: '1',
      PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1',
    })
    expect((await start(app)).answer.status).toBe(503)
  })

  test('names in its own header when to call it again', async () => {
    const busy = await rawServer((socket) => socket.end(httpAnswer(429, '{}', { 'retry-after': '17' })))
    app = await startApp(socialSettings('local', { provider: 'oidc', issuer: busy.url }))
    const { answer } = await start(app)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('17')
  })
})

describe('the person comes back with an error of the provider:', () => {
  test.each([
    ['temporarily_unavailable', 503, 'provider_unavailable'],
    ['server_error', 503, 'provider_unavailable'],
    ['invalid_scope', 400, 'provider_refused'],
    ['consent_required', 400, 'access_denied'],
    ['user_cancelled_login', 400, 'access_denied'],
    ['<script>alert(1)</script>', 400, 'provider_refused'],
  ])('%s', async (error, status, word) => {
    const [here, provider] = await appWith({})
    const begun = await start(here)
    const query = new URLSearchParams({
      error,
      error_description: '<img src=x>',
      state: begun.state,
      iss: provider.issuer,
    })
    const to = new URL(`http://localhost:8787/api/v1/auth/oauth/callback/local?${query}`)
    const page = await comeBack(here, to, begun.browser)
    expect(page.status).toBe(status)
    expect(page.body).toContain(`data-error="${word}"`)
    expect(page.body).not.toContain('alert(1)')
    expect(page.body).not.toContain('<img src=x>')
  })
})
