/** Dynamic registration: rows D1 to D9 (consent.test.ts covers the page of D8). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { removeClient } from '../../src/oauth/remove-client.ts'
import { startApp, type TestApp } from '../app.ts'
import { overtake } from '../parts/overtake.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import {
  allScopes,
  authorizeParameters,
  callback,
  cliCallback,
  type Flow,
  flowOf,
  handleIn,
  returnedBy,
} from './flow.ts'

let app: TestApp
let flow: Flow
beforeAll(async () => {
  app = await startApp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_OAUTH_REDIRECT_SCHEMES: 'cursor,com.example.app,javascript',
  })
  flow = flowOf(app)
})
afterAll(() => app.close())

const hourMs = 3_600_000
const path = '/oauth/register'
const isKnown = async (client_id: string): Promise<boolean> =>
  (await flow.authorize(authorizeParameters({ client_id, redirect_uri: callback }))).status === 303

test('a client registers itself', async () => {
  const { status, body, headers } = await flow.register({ redirect_uris: [callback], client_name: 'An assistant' })
  expect(status).toBe(201)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toEqual({
    client_id: expect.stringMatching(/^c_[A-Za-z0-9_-]{22}$/),
    client_id_issued_at: app.now() / 1000,
    client_name: 'An assistant',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: allScopes,
  })
  expect(await isKnown(body.client_id)).toBe(true)
})

describe('D1 a redirect address is refused that', () => {
  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'DATA:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example/1',
    'about:blank',
    'ftp://app.example/',
    'http://app.example/cb',
    'http://192.168.1.1/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.1/cb',
    'http://2130706433/cb',
    'http://0x7f.1/cb',
    'http://LOCALHOST/cb',
    'http://localhost:99999/cb',
    'http://localhost@evil.example/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'https://app.example/cb#part',
    'https://app.example/cb#',
    'https://*.app.example/cb',
    'https://*/cb',
    'https://user@app.example/cb',
    'https://user:pw@app.example/cb',
    'https://app.example\\@evil.example/cb',
    'https://app.example/\u0000',
    'https://app.example/\r\nset-cookie:x',
    ' https://app.example/cb',
    'https://app.example/cb ',
    'https://äpp.example/cb',
    "https://app.example';script-src/cb",
    'https://',
    'cursor:javascript:alert(1)',
    'cursor:e.example',
    'cursor:/cb',
    'cursor:///cb',
    'cursor://',
    'cursor://?a',
    'cursor://javascript:alert(1)',
    'cursor://%6aavascript/cb',
    'com.example.app:cb',
    'com.example.app:javascript:alert(1)',
    'com.example.app:///cb',
    '//app.example/cb',
    '/cb',
    'app.example/cb',
    '',
    `https://app.example/${'x'.repeat(2048)}`,
    7,
    null,
    {},
    [],
  ])('%p is', async (uri) => {
    for (const redirect_uris of [[uri], ['https://app.example/ok', uri]])
      expect(await flow.register({ redirect_uris })).toMatchObject({
        status: 400,
        body: { error: 'invalid_redirect_uri' },
      })
  })

  test.each([
    'https://app.example/cb',
    'https://app.example',
    'https://app.example:8443/cb?a=b',
    'https://[2001:db8::1]/cb',
    'http://127.0.0.1/cb',
    'http://localhost:3000',
    'http://[::1]:3000/cb',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'cursor://anysphere.cursor-mcp',
    'com.example.app:/cb',
    'com.example.app://cb',
  ])('%s is not', async (uri) => {
    expect(await flow.register({ redirect_uris: [uri] })).toMatchObject({ status: 201, body: { redirect_uris: [uri] } })
  })
})

test('an address that was registered before, and would be refused today, is not returned to', async () => {
  const { body } = await flow.register({ redirect_uris: [callback], client_name: 'Of before' })
  const stored = 'cursor:javascript:alert(1)'
  await app.parts.db.write([
    {
      sql: 'UPDATE oauth_clients SET redirect_uris = ?1 WHERE id = ?2',
      params: [JSON.stringify([stored]), body.client_id],
    },
  ])
  const { cookie } = await app.signIn()
  const asked = { client_id: body.client_id, redirect_uri: stored }
  const answer = await flow.authorize(authorizeParameters(asked), { cookie })
  expect(answer.status).toBe(400)
  expect(answer.headers.get('location')).toBeNull()
})

test('an address with an unlisted scheme is left out, whatever its form', async () => {
  const redirect_uris = [callback, 'urn:ietf:wg:oauth:2.0:oob']
  expect((await flow.register({ redirect_uris })).body.redirect_uris).toEqual([callback])
})

test('D2 a client cannot choose its own rank', async () => {
  const { status, body } = await flow.register({
    redirect_uris: [callback],
    client_id: 'svc-cli',
    client_secret: 'chosen',
    first_party: true,
    kind: 'first-party',
    id: 'chosen',
  })
  expect(status).toBe(201)
  expect(body.client_id).toStartWith('c_')
  expect(Object.keys(body)).not.toContain('client_secret')
  expect(JSON.stringify(body)).not.toContain('chosen')
})

test('A18 registering the redirect URI of the command-line client grants no trust', async () => {
  const { body } = await flow.register({ redirect_uris: [cliCallback], client_name: 'svc command line' })
  expect(body.client_id).toStartWith('c_')
  const { cookie } = await app.signIn()
  const asked = { client_id: body.client_id, redirect_uri: cliCallback }
  const answer = await flow.authorize(authorizeParameters(asked), { cookie })
  expect(answer.status).toBe(200)
  expect(handleIn(answer.body)).not.toBe('')
})

describe('D3 a registration is refused that', () => {
  test.each([
    [
      'has 50 addresses',
      { redirect_uris: Array.from({ length: 50 }, (_, n) => `https://app.example/${n}`) },
      'invalid_redirect_uri',
    ],
    ['has no addresses', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['has one address instead of a list', { redirect_uris: callback }, 'invalid_redirect_uri'],
    ['says nothing', {}, 'invalid_redirect_uri'],
    ['is a list', [callback], 'invalid_client_metadata'],
    ['has a name of another type', { redirect_uris: [callback], client_name: 7 }, 'invalid_client_metadata'],
    ['has an endless name', { redirect_uris: [callback], client_name: 'x'.repeat(201) }, 'invalid_client_metadata'],
    [
      'has a name that turns its direction',
      { redirect_uris: [callback], client_name: 'a\u202eb' },
      'invalid_client_metadata',
    ],
    ...['\u200b', '\u061c', '\u3164', '\u2060', '\u{e0041}', '\u{1d159}', '\ufdd0'].map(
      (one) =>
        [
          `has a name with ${JSON.stringify(one)}, which nobody sees`,
          { redirect_uris: [callback], client_name: `Cl${one}aude` },
          'invalid_client_metadata',
        ] as const,
    ),
    ['has a name of two lines', { redirect_uris: [callback], client_name: 'a\nb' }, 'invalid_client_metadata'],
    ['wants other grants', { redirect_uris: [callback], grant_types: ['password'] }, 'invalid_client_metadata'],
    ['wants other responses', { redirect_uris: [callback], response_types: ['token'] }, 'invalid_client_metadata'],
  ])('%s', async (_, metadata, error) => {
    expect(await flow.register(metadata)).toMatchObject({ status: 400, body: { error, success: false } })
  })

  test.each(['Claude Code (proofgate)', 'Editor 👩‍💻 ❤️', 'می‌خواهم'])(
    'a client registers by a plain name: %s',
    async (name) => {
      expect(await flow.register({ redirect_uris: [callback], client_name: name })).toMatchObject({
        status: 201,
        body: { client_name: name },
      })
    },
  )

  test.each([
    ['is 100 kB', JSON.stringify({ redirect_uris: [callback], padding: 'x'.repeat(100_000) }), 413],
    ['is no JSON', '{"redirect_uris": [', 400],
    ['is empty', '', 400],
    ['is deeper than anybody needs', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400],
    ['is null', 'null', 400],
  ])('%s', async (_, body, status) => {
    expect((await app.post(path, body)).status).toBe(status)
  })

  test('is a form', async () => {
    expect((await flow.form(path, `redirect_uris=${callback}`)).status).toBe(415)
  })
})

describe('D4 a flood', () => {
  test('from one address is rate-limited', async () => {
    const limited = await startApp()
    const answers = []
    for (let count = 0; count < 60; count++)
      answers.push(await flowOf(limited).register({ redirect_uris: [callback], client_name: `C${count}` }))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(statuses.slice(20)).toEqual(Array.from({ length: 40 }, () => 429))
    expect(Number(answers[59]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answers[59]!.body).toMatchObject({ error: 'temporarily_unavailable', success: false })
    await limited.close()
  })

  test('from many addresses keeps a bounded number of clients, and blocks no newcomer', async () => {
    const full = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    await full.parts.db.write([
      {
        sql: `${countTo(10_000)}
              INSERT INTO oauth_clients (id, kind, redirect_uris, created_at, expires_at)
              SELECT 'c_' || i, 'dcr', '[]', CAST(?1 AS BIGINT), CAST(?1 AS BIGINT) + 86400000 FROM n`,
        params: [full.now()],
      },
    ])
    const answer = await flowOf(full).register({ redirect_uris: [callback] })
    expect(answer.status).toBe(201)
    const { total } = (await select<{ total: number }>(
      full.parts.db,
      'SELECT count(*) AS total FROM oauth_clients',
    ).get())!
    expect(total).toBe(10_000)
    full.wait(24 * hourMs)
    await full.sweep()
    expect((await flowOf(full).register({ redirect_uris: [callback] })).status).toBe(201)
    await full.close()
  })
})

describe('D5 the same registration again', () => {
  test('is the same client', async () => {
    const metadata = {
      redirect_uris: ['https://again.example/cb', 'https://again.example/other'],
      client_name: 'Again',
    }
    const [first, second] = [await flow.register(metadata), await flow.register({ ...metadata, software_version: '2' })]
    expect(second).toMatchObject({ status: 201, body: { client_id: first.body.client_id } })
  })
  test('at another port of this computer is the same client too', async () => {
    const at = (port: number) => flow.register({ redirect_uris: [`http://localhost:${port}/x`], client_name: 'Ports' })
    const [first, second] = [await at(1111), await at(2222)]
    expect(second.body.client_id).toBe(first.body.client_id)
    expect(second.body.redirect_uris).toEqual(['http://localhost:2222/x'])
  })
  test('at the same moment is one client', async () => {
    const metadata = { redirect_uris: ['https://once.example/cb'] }
    const answers = await Promise.all(Array.from({ length: 10 }, () => flow.register(metadata)))
    expect(new Set(answers.map(({ body }) => body.client_id)).size).toBe(1)
  })
  test('while the operator removes it is a new client', async () => {
    const metadata = { redirect_uris: [callback], client_name: 'Removed meanwhile' }
    const { client_id } = (await flow.register(metadata)).body
    overtake(app.parts.db, 'UPDATE oauth_clients SET expires_at', () => removeClient(app.parts, client_id))
    const again = await flow.register(metadata)
    expect(again.status).toBe(201)
    expect(again.body.client_id).not.toBe(client_id)
    expect(await isKnown(again.body.client_id)).toBe(true)
  })

  test('with another name is another client', async () => {
    const named = (client_name: string) => flow.register({ redirect_uris: [callback], client_name })
    expect((await named('One')).body.client_id).not.toBe((await named('Two')).body.client_id)
  })
})

test.each(['client_secret_basic', 'client_secret_post', 'private_key_jwt', undefined])(
  'D6 a client that asks for %p is registered without a secret',
  async (token_endpoint_auth_method) => {
    const { status, body } = await flow.register({ redirect_uris: [callback], token_endpoint_auth_method })
    expect(status).toBe(201)
    expect(body.token_endpoint_auth_method).toBe('none')
  },
)

describe('D7 a private scheme', () => {
  test('is left out unless the operator lists it', async () => {
    const { status, body } = await flow.register({
      redirect_uris: ['other://cb', 'cursor://cb', 'https://a.example/cb'],
    })
    expect(status).toBe(201)
    expect(body.redirect_uris).toEqual(['cursor://cb', 'https://a.example/cb'])
  })
  test('is refused when no other address is left', async () => {
    expect(await flow.register({ redirect_uris: ['other://cb'] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri' },
    })
  })
})

describe('D9 a client is forgotten', () => {
  test('a day after it registered and stayed unused', async () => {
    const { body } = await flow.register({ redirect_uris: [callback], client_name: 'Forgotten' })
    app.wait(24 * hourMs - 1)
    await app.sweep()
    expect(await isKnown(body.client_id)).toBe(true)
    app.wait(1)
    await app.sweep()
    expect(await isKnown(body.client_id)).toBe(false)
  })

  test('90 days after its last consent, unless it has an active grant', async () => {
    const client = await flow.newClient([callback], 'Used')
    app.wait(1)
    const { cookie } = await app.signIn(alice)
    const page = await flow.authorize(authorizeParameters({ client_id: client, redirect_uri: callback }), { cookie })
    const answer = await flow.allow(page.body, { cookie })
    let { body } = await flow.redeem(returnedBy(answer).searchParams.get('code')!, {
      client_id: client,
      redirect_uri: callback,
    })
    for (let month = 0; month < 5; month++) {
      app.wait(29 * 24 * hourMs)
      await app.sweep()
      const next = await flow.refresh(body.refresh_token, { client_id: client })
      expect(next.status).toBe(200)
      body = next.body
    }
    app.wait(31 * 24 * hourMs)
    await app.sweep()
    app.wait(24 * hourMs)
    await app.sweep()
    expect(await isKnown(client)).toBe(false)
    expect((await flow.refresh(body.refresh_token, { client_id: client })).body.error).toBe('invalid_client')
  })

  test('while the others stay, also when the sweep runs twice', async () => {
    const client = await flow.newClient([callback], 'Stays')
    await app.sweep()
    await app.sweep()
    expect(await isKnown(client)).toBe(true)
  })
})

test('the operator can switch registration off', async () => {
  const closed = await startApp({ PROOFGATE_OAUTH_REGISTRATION: 'false' })
  expect((await flowOf(closed).register({ redirect_uris: [callback] })).status).toBe(400)
  const { body } = await closed.get('/.well-known/oauth-authorization-server')
  expect(body.registration_endpoint).toBeUndefined()
  await closed.close()
})

describe('when the maximum number of unused clients is registered', () => {
  test('a new one registers, and the network with the most registrations loses its oldest', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const flow = flowOf(app)
    const used = await flow.newClient([callback], 'Used by somebody')
    const { cookie } = await app.signIn(alice)
    const asked = await flow.authorize(authorizeParameters({ client_id: used, redirect_uri: callback }), { cookie })
    await flow.allow(asked.body, { cookie })
    const ofOther = await flow.newClient([callback], 'Of another network')
    await app.parts.db.write([
      { sql: "UPDATE oauth_clients SET network = '198.51.100.0/24' WHERE id = ?1", params: [ofOther] },
      {
        sql: `${countTo(9_999)}
              INSERT INTO oauth_clients (id, kind, name, redirect_uris, metadata_hash, created_at, expires_at, network)
              SELECT 'c_flood' || i, 'dcr', NULL, '[]', ${randomHash}, ?1 + i, ?1 + 86400000, '203.0.113.0/24' FROM n`,
        params: [app.now()],
      },
    ])
    app.wait(60_000)
    const added = [await flow.newClient([callback], 'New 1'), await flow.newClient([callback], 'New 2')]
    const ids = (await select<{ id: string }>(app.parts.db, 'SELECT id FROM oauth_clients').all()).map(({ id }) => id)
    for (const id of [used, ofOther, ...added]) expect(ids).toContain(id)
    expect(ids).not.toContain('c_flood1')
    expect(ids).not.toContain('c_flood2')
    expect(ids).toContain('c_flood3')
    expect(ids).toHaveLength(10_001)
    await app.close()
  })

  test('a client with an open consent question stays while other clients of its network are removed', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const flow = flowOf(app)
    const asking = await flow.newClient([callback], 'A person decides about it')
    const { cookie } = await app.signIn(alice)
    const page = await flow.authorize(authorizeParameters({ client_id: asking, redirect_uri: callback }), { cookie })
    await app.parts.db.write([
      {
        sql: `${countTo(9_999)}
              INSERT INTO oauth_clients (id, kind, name, redirect_uris, metadata_hash, created_at, expires_at, network)
              SELECT 'c_flood' || i, 'dcr', NULL, '[]', ${randomHash}, ?1 + i, ?1 + 86400000,
                (SELECT network FROM oauth_clients WHERE id = ?2) FROM n`,
        params: [app.now(), asking],
      },
    ])
    app.wait(60_000)
    for (let count = 0; count < 3; count++) await flow.newClient([callback], `New ${count}`)
    const answer = await flow.allow(page.body, { cookie })
    const code = returnedBy(answer).searchParams.get('code')!
    expect((await flow.redeem(code, { client_id: asking, redirect_uri: callback })).status).toBe(200)
    await app.close()
  })

  test('a client whose question is over counts as unused again', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const flow = flowOf(app)
    const asked = await flow.newClient([callback], 'Nobody answered')
    const { cookie } = await app.signIn(alice)
    const page = await flow.authorize(authorizeParameters({ client_id: asked, redirect_uri: callback }), { cookie })
    await flow.consent(handleIn(page.body), 'deny', { cookie })
    await app.parts.db.write([
      {
        sql: `${countTo(9_999)}
              INSERT INTO oauth_clients (id, kind, redirect_uris, created_at, expires_at, network)
              SELECT 'c_flood' || i, 'dcr', '[]', ?1 + i, ?1 + 86400000,
                (SELECT network FROM oauth_clients WHERE id = ?2) FROM n`,
        params: [app.now(), asked],
      },
    ])
    app.wait(60_000)
    await flow.newClient([callback], 'New')
    expect((await flow.authorize(authorizeParameters({ client_id: asked, redirect_uri: callback }))).status).toBe(400)
    await app.close()
  })

  test('clients with open questions stay within the same limit', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const flow = flowOf(app)
    const first = await flow.newClient([callback], 'The first')
    const { cookie } = await app.signIn(alice)
    await flow.authorize(authorizeParameters({ client_id: first, redirect_uri: callback }), { cookie })
    await app.parts.db.write([
      {
        sql: `${countTo(9_999)}
              INSERT INTO oauth_clients (id, kind, redirect_uris, created_at, expires_at, network)
              SELECT 'c_flood' || i, 'dcr', '[]', ?1 + i, ?1 + 86400000,
                (SELECT network FROM oauth_clients WHERE id = ?2) FROM n`,
        params: [app.now(), first],
      },
      {
        sql: `INSERT INTO oauth_requests (hash, session_hash, params, expires_at, client)
              SELECT ${randomHash}, r.session_hash, '{}', r.expires_at, c.id
              FROM oauth_requests r, oauth_clients c WHERE c.id LIKE 'c_flood%'`,
        params: [],
      },
    ])
    await flow.newClient([callback], 'New')
    const { total } = (await select<{ total: number }>(
      app.parts.db,
      'SELECT count(*) AS total FROM oauth_clients',
    ).get())!
    expect(total).toBe(10_000)
    await app.close()
  })
})

test.each<[unknown, string]>([
  [{ redirect_uris: 5 }, 'redirect_uris must be a list, and is a number'],
  [{ redirect_uris: callback }, 'redirect_uris must be a list, and is a text'],
  [{ redirect_uris: [5] }, 'redirect_uris[0] must be a text, and is a number'],
  [{ redirect_uris: [callback], client_name: 7 }, 'client_name must be a text, and is a number'],
  [{ redirect_uris: [callback], grant_types: 'authorization_code' }, 'grant_types must be a list, and is a text'],
  [{ redirect_uris: [callback], response_types: true }, 'response_types must be a list, and is a boolean'],
  [[], 'the body must be a JSON object with redirect_uris, and is a list'],
])('a value of another kind is told as that: %j', async (body, words) => {
  const answer = await app.post(path, body)
  expect([answer.status, answer.body.error_description]).toEqual([400, words])
})
