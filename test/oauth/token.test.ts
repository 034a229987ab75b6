/** The token endpoint, as far as it is about codes: rows T1 to T17. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { holdWrite } from '../http/hold-write.ts'
import { select } from '../parts/select.ts'
import { linkWallets } from '../wallet-link.ts'
import { alice, bob } from '../wallets.ts'
import { allScopes, cliCallback, codeVerifier, type Flow, flowOf, type Parameters } from './flow.ts'

let app: TestApp
let flow: Flow
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  flow = flowOf(app)
})
afterAll(() => app.close())

const path = '/api/v1/auth/mcp/token'
const refused = (error: string, status = 400) => ({ status, body: { error, success: false } })
const families = async (): Promise<number> =>
  (await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM oauth_families').get())!.n
const audited = async (event: string): Promise<number> =>
  (await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM audit_events WHERE event = ?').get(event))!.n

describe('T1 a code', () => {
  test('becomes tokens, which are never cached', async () => {
    const { status, body, headers } = await flow.redeem(await flow.newCode())
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ey/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^rt_[A-Za-z0-9_-]{22}\.[0-9a-z]+\.[A-Za-z0-9_-]{43}$/),
      scope: allScopes,
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('pragma')).toBe('no-cache')
    expect(headers.get('content-type')).toStartWith('application/json')
    expect(await flow.opens(body.access_token)).toBe(true)
  })

  test('T11 becomes no refresh token without offline_access', async () => {
    const { body } = await flow.redeem(await flow.newCode({ scope: 'svc:core' }))
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
  })

  test('is read by pages of other origins too, as MCP hosts are', async () => {
    const { headers } = await flow.form(path, '', { origin: 'https://host.example' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('T2 a code that comes again', () => {
  test('with its verifier ends the grant', async () => {
    const code = await flow.newCode()
    const { body } = await flow.redeem(code)
    const before = await audited('code_reused')
    expect(await flow.redeem(code)).toMatchObject(refused('invalid_grant'))
    expect(await flow.opens(body.access_token)).toBe(false)
    expect(await flow.refresh(body.refresh_token)).toMatchObject(refused('invalid_grant'))
    expect(await audited('code_reused')).toBe(before + 1)
    await flow.redeem(code)
    expect(await audited('code_reused')).toBe(before + 1)
  })

  test.each([{ code_verifier: 'x'.repeat(43) }, { code_verifier: undefined }])(
    'T2b without it changes no state: %p',
    async (changes: Parameters) => {
      const code = await flow.newCode()
      const { body } = await flow.redeem(code)
      expect((await flow.redeem(code, changes)).status).toBe(400)
      expect(await flow.opens(body.access_token)).toBe(true)
      expect((await flow.refresh(body.refresh_token)).status).toBe(200)
    },
  )

  test('T3 at the same moment is redeemed at most once', async () => {
    for (let round = 0; round < 50; round++) {
      const code = await flow.newCode()
      const before = await families()
      const answers = await Promise.all(Array.from({ length: 8 }, () => flow.redeem(code)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(7)
      expect(await families()).toBe(before + 1)
    }
  })
})

describe('T4 the verifier', () => {
  test.each([
    ['another one', 'x'.repeat(43), 'invalid_grant'],
    ['a short one', codeVerifier.slice(0, 42), 'invalid_grant'],
    ['a long one', 'x'.repeat(129), 'invalid_grant'],
    ['one of other characters', `${codeVerifier} `, 'invalid_grant'],
  ])('%s is refused, and the code is burnt', async (_, code_verifier, error) => {
    const code = await flow.newCode()
    expect(await flow.redeem(code, { code_verifier })).toMatchObject(refused(error))
    expect(await flow.redeem(code)).toMatchObject(refused('invalid_grant'))
  })

  test.each([undefined, ''])('is refused when missing (%p), and the code stays valid', async (code_verifier) => {
    const code = await flow.newCode()
    expect(await flow.redeem(code, { code_verifier })).toMatchObject(refused('invalid_request'))
    expect((await flow.redeem(code)).status).toBe(200)
  })
})

describe('T5 another client', () => {
  test('gets no token for a code, and leaves it valid', async () => {
    const other = await flow.newClient()
    const code = await flow.newCode()
    expect(await flow.redeem(code, { client_id: other })).toMatchObject(refused('invalid_grant'))
    expect(await flow.redeem(code, { client_id: other, code_verifier: 'x'.repeat(43) })).toMatchObject(
      refused('invalid_grant'),
    )
    expect((await flow.redeem(code)).status).toBe(200)
  })
})

describe('T6 redirect_uri', () => {
  test.each([
    ['missing', undefined, 'invalid_request'],
    ['another one', 'http://127.0.0.1:1/callback', 'invalid_grant'],
    ['one that a parser would call the same', 'http://127.0.0.1:43301/./callback', 'invalid_grant'],
  ])('%s is refused', async (_, redirect_uri, error) => {
    const code = await flow.newCode()
    expect(await flow.redeem(code, { redirect_uri })).toMatchObject(refused(error))
  })
})

describe('T7 the resource', () => {
  test.each([undefined, '', 'https://other.example/mcp', `${cliCallback}/mcp`])(
    '%p is refused, and the code can still be used',
    async (resource) => {
      const code = await flow.newCode()
      expect(await flow.redeem(code, { resource })).toMatchObject(refused('invalid_target'))
      expect((await flow.redeem(code)).status).toBe(200)
    },
  )
})

describe('T8 the client', () => {
  test.each(['nope', 'c_AAAAAAAAAAAAAAAAAAAAAA'])(
    '%s is unknown: 401, on which clients register again',
    async (client_id) => {
      expect(await flow.redeem(await flow.newCode(), { client_id })).toMatchObject(refused('invalid_client', 401))
    },
  )
  test('is missing', async () => {
    expect(await flow.redeem('ac_x', { client_id: undefined })).toMatchObject(refused('invalid_request'))
  })
})

test.each([
  'password',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
  'Authorization_Code',
  '<>',
])('T9 the grant type %s does not exist, whatever the resource', async (grant_type) => {
  const answer = await flow.tokenRequest({ grant_type, client_id: 'svc-cli', username: 'a', password: 'b' })
  expect(answer).toMatchObject(refused('unsupported_grant_type'))
})

test('a request without a grant is invalid', async () => {
  expect(await flow.tokenRequest({ client_id: 'svc-cli' })).toMatchObject(refused('invalid_request'))
})

describe('T10 a code is not redeemed', () => {
  const query = (code: string) => new URLSearchParams(flow.redeemParameters(code) as Record<string, string>)

  test('by GET', async () => {
    const code = await flow.newCode()
    const answer = await app.get(`${path}?${query(code)}`)
    expect(answer).toMatchObject(refused('invalid_request', 405))
    expect(answer.headers.get('allow')).toContain('POST')
    expect((await flow.redeem(code)).status).toBe(200)
  })
  test('by parameters in the address', async () => {
    const code = await flow.newCode()
    expect(await flow.form(`${path}?${query(code)}`, '')).toMatchObject(refused('invalid_request'))
    expect((await flow.redeem(code)).status).toBe(200)
  })
  test('by JSON', async () => {
    const code = await flow.newCode()
    expect(await app.post(path, flow.redeemParameters(code))).toMatchObject(refused('invalid_request', 415))
    expect((await flow.redeem(code)).status).toBe(200)
  })
})

test.each(['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope'])(
  'T12 %s may not be given twice',
  async (name) => {
    const code = await flow.newCode()
    const fields = new URLSearchParams(flow.redeemParameters(code) as Record<string, string>)
    const value = fields.get(name) ?? 'x'
    fields.set(name, value)
    fields.append(name, value)
    expect(await flow.form(path, String(fields))).toMatchObject(refused('invalid_request'))
    expect((await flow.redeem(code)).status).toBe(200)
  },
)

describe('T13 a body that is', () => {
  const send = (body: BodyInit | undefined, type?: string) =>
    app.request(path, {
      method: 'POST',
      ...(body === undefined ? {} : { body }),
      headers: type ? { 'content-type': type } : {},
    })
  const form = 'application/x-www-form-urlencoded'

  test.each([
    ['of no type', 'grant_type=refresh_token', undefined, 415],
    ['plain text', 'grant_type=refresh_token', 'text/plain', 415],
    ['multipart', '--x--', 'multipart/form-data; boundary=x', 415],
    ['of a broken type', 'grant_type=refresh_token', ';;;', 415],
    ['no UTF-8', new Uint8Array([0x67, 0xff, 0xfe, 0x3d, 0xc3]), form, 400],
    ['no UTF-8 behind percent signs', 'grant_type=%ff%fe', form, 400],
    ['half a percent sign', 'grant_type=%', form, 400],
    ['empty', '', form, 400],
    ['missing', undefined, form, 400],
    ['of zero bytes', '\0\0\0', form, 400],
    ['very large', `code=${'x'.repeat(1_000_000)}`, form, 413],
    ['of very many fields', 'a=1&'.repeat(20_000), form, 413],
  ])('%s is refused', async (_, body, type, status) => {
    const answer = await send(body as BodyInit | undefined, type)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ success: false })
  })

  test('a form with a charset is a form', async () => {
    const fields = new URLSearchParams(flow.redeemParameters(await flow.newCode()) as Record<string, string>)
    expect((await send(String(fields), `${form};charset=UTF-8`)).status).toBe(200)
  })
})

test('T14 a code is valid for ten minutes', async () => {
  const [early, late] = [await flow.newCode(), await flow.newCode()]
  app.wait(599_000)
  expect((await flow.redeem(early)).status).toBe(200)
  app.wait(1_001)
  expect(await flow.redeem(late)).toMatchObject(refused('invalid_grant'))
})

test('T15 a code that was stored without a challenge is refused', async () => {
  const code = await flow.newCode()
  await app.parts.db.write([{ sql: "UPDATE oauth_codes SET challenge = '' WHERE consumed_at IS NULL", params: [] }])
  for (const code_verifier of [codeVerifier, '', undefined])
    expect((await flow.redeem(code, { code_verifier })).status).toBe(400)
})

test('T16 a client that guesses is rate-limited, in the form that OAuth clients read', async () => {
  const limited = await startApp({ PROOFGATE_LIMITS_RATES_TOKEN: '5/1m' })
  const guesses = flowOf(limited)
  const answers = []
  for (let guess = 0; guess < 8; guess++) answers.push(await guesses.redeem(`ac_${guess}`))
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
  expect(answers[7]).toMatchObject({ body: { error: 'temporarily_unavailable', success: false } })
  expect(Number(answers[7]!.headers.get('retry-after'))).toBeGreaterThan(0)
  await limited.close()
})

describe('T17 a client that sends a secret', () => {
  test('as a field gets the same answer as without it', async () => {
    expect((await flow.redeem(await flow.newCode(), { client_secret: 'shh' })).status).toBe(200)
  })
  test('in a header beside its id gets the same answer as without it', async () => {
    const fields = new URLSearchParams(flow.redeemParameters(await flow.newCode()) as Record<string, string>)
    const answer = await flow.form(path, String(fields), { authorization: `Basic ${btoa('svc-cli:shh')}` })
    expect(answer.status).toBe(200)
  })
  test.each(['Basic c3ZjLWNsaTpzaGg=', 'Basic %%%', 'Basic', 'Bearer x'])(
    'in a header only (%s) is unknown',
    async (authorization) => {
      const { client_id: _, ...rest } = flow.redeemParameters('ac_x') as Record<string, string>
      expect(await flow.form(path, String(new URLSearchParams(rest)), { authorization })).toMatchObject(
        refused('invalid_client', 401),
      )
    },
  )
})

test('a code of a wallet that is no longer linked is refused', async () => {
  const qHash = await linkWallets(app, alice, bob)
  const code = await flow.newCode({}, bob)
  await flow.revokeProof(alice, qHash)
  expect(await flow.redeem(code)).toMatchObject(refused('invalid_grant'))
})

test('a code that is redeemed while its person is deleted is refused, without a storage fault', async () => {
  const racing = await startApp()
  const racingFlow = flowOf(racing)
  const { headers } = await racing.signIn(alice)
  const code = await racingFlow.newCode()
  const { held, release } = holdWrite(racing, 'INTO oauth_families')
  const redeemed = racingFlow.redeem(code)
  await held
  expect((await racing.request('/api/v1/auth/me', { method: 'DELETE', headers })).status).toBe(200)
  release()
  expect(await redeemed).toMatchObject(refused('invalid_grant'))
})

test('deleting a person deletes their codes', async () => {
  const code = await flow.newCode()
  app.wait(1)
  const { headers } = await app.signIn(alice)
  expect((await app.request('/api/v1/auth/me', { method: 'DELETE', headers })).status).toBe(200)
  expect(await flow.redeem(code)).toMatchObject(refused('invalid_grant'))
})
