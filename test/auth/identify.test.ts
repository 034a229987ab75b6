/** parts.identify(): from cookies and keys to a person, for every part of the server that asks. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Identity } from '../../src/auth/identity.ts'
import { AppError, type ErrorCode } from '../../src/errors.ts'
import { type SignedInBrowser, startApp, type TestApp } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import { startOnFiles } from '../journeys/server.ts'
import { select } from '../parts/select.ts'
import { settleWrites } from '../parts/settle-writes.ts'
import { link, unlink } from '../payments/linking.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const auth = '/api/v1/auth'
const idOf = ({ cookie }: SignedInBrowser): string => cookie.split('=')[1]!

const ask = (app: TestApp, method: string, headers: Record<string, string>): Promise<Identity | undefined> =>
  app.parts.identify(new Request('http://localhost/api/v1/anything', { method, headers }))

async function refusal(app: TestApp, method: string, headers: Record<string, string>): Promise<[ErrorCode, string]> {
  try {
    await ask(app, method, headers)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    return [(error as AppError).code, (error as AppError).message]
  }
  throw new Error('was let through')
}

const keyOf = async (app: TestApp, browser: SignedInBrowser): Promise<string> =>
  (await app.post(`${auth}/profile-keys`, { name: 'x' }, browser.headers)).body.data.key

describe('a cookie', () => {
  test('is enough to read, and not to change data', async () => {
    const app = await startApp()
    const { cookie, csrf, subjectId } = await app.signIn(alice)
    for (const method of ['GET', 'HEAD'])
      expect(await ask(app, method, { cookie })).toMatchObject({ profile: { subject: subjectId }, via: 'session' })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      expect(await refusal(app, method, { cookie })).toEqual(['FORBIDDEN', expect.stringContaining('X-CSRF-Token')])
      expect((await ask(app, method, { cookie, 'x-csrf-token': csrf }))?.profile.subject).toBe(subjectId)
    }
  })

  test.each<[string, (csrf: string, of: { bob: string }) => string]>([
    ['an empty one', () => ''],
    ['half of it', (csrf) => csrf.slice(0, 32)],
    ['one with something behind', (csrf) => `${csrf}0`],
    ['another spelling', (csrf) => csrf.toUpperCase()],
    ['twice', (csrf) => `${csrf}, ${csrf}`],
    ['that of another session', (_, of) => of.bob],
  ])('with a wrong token (%s) changes nothing', async (_, wrong) => {
    const app = await startApp()
    const { cookie, csrf } = await app.signIn(alice)
    const sent = wrong(csrf, { bob: (await app.signIn(bob)).csrf })
    expect((await refusal(app, 'POST', { cookie, 'x-csrf-token': sent }))[0]).toBe('FORBIDDEN')
  })

  test('reads nothing for a page that names the token of another session', async () => {
    const app = await startApp()
    const { cookie, csrf } = await app.signIn(alice)
    const { csrf: former } = await app.signIn(bob)
    expect((await ask(app, 'GET', { cookie, 'x-csrf-token': csrf }))?.via).toBe('session')
    expect(await refusal(app, 'GET', { cookie, 'x-csrf-token': former })).toEqual([
      'FORBIDDEN',
      expect.stringContaining('X-CSRF-Token'),
    ])
  })

  test('with its token changes no data from a page of another origin', async () => {
    const app = await startApp({ PROOFGATE_CORS_ORIGINS: 'https://app.example.com' })
    const { headers } = await app.signIn(alice)
    for (const origin of [
      'https://evil.example',
      'https://app.example.com',
      'null',
      'http://localhost',
      'http://localhost:8787.evil.example',
    ])
      expect(await refusal(app, 'POST', { ...headers, origin })).toEqual([
        'FORBIDDEN',
        expect.stringContaining('pages of another origin may not act'),
      ])
    expect(await ask(app, 'POST', { ...headers, origin: 'http://localhost:8787' })).toBeDefined()
  })

  test.each<[string, (id: string) => string]>([
    ['is not there', () => 'other=1'],
    ['is empty', () => 'svc_session='],
    ['is cut short', (id) => `svc_session=${id.slice(0, -1)}`],
    ['has another spelling', (id) => `svc_session=${id.toLowerCase() === id ? id.toUpperCase() : id.toLowerCase()}`],
    ['has quotes', (id) => `svc_session="${id}"`],
    ['is nobody’s', () => `svc_session=${'A'.repeat(43)}`],
    ['has another name', (id) => `acme_session=${id}; SVC_SESSION=${id}`],
    ['is no text', () => 'svc_session=%zz%00'],
    ['comes twice, the first one planted', (id) => `svc_session=${'A'.repeat(43)}; svc_session=${id}`],
    ['comes twice, the second one planted', (id) => `svc_session=${id}; svc_session=${'A'.repeat(43)}`],
    ['is the hash that the database has', (id) => `svc_session=${Bun.SHA256.hash(id, 'hex')}`],
  ])('that %s is nobody', async (_, cookieOf) => {
    const app = await startApp()
    const cookie = cookieOf(idOf(await app.signIn(alice)))
    expect(await ask(app, 'GET', { cookie })).toBeUndefined()
    expect(await ask(app, 'POST', { cookie })).toBeUndefined()
  })

  test('among others is found', async () => {
    const app = await startApp()
    const { cookie } = await app.signIn(alice)
    expect(await ask(app, 'GET', { cookie: `a=b; ${cookie}; c="d e"` })).toBeDefined()
  })

  test('identifies nobody once the session is over, and using it does not revive it', async () => {
    const app = await startApp({ PROOFGATE_AUTH_SESSION_DAYS: '1' })
    const { headers } = await app.signIn(alice)
    app.wait(86_400_000 - 1)
    expect(await ask(app, 'GET', headers)).toBeDefined()
    app.wait(1)
    expect(await ask(app, 'GET', headers)).toBeUndefined()
    expect(await ask(app, 'POST', headers)).toBeUndefined()
  })

  test('identifies nobody once its linked wallet is unlinked, and the wallet leaves the accounts', async () => {
    const app = await startApp()
    const qHash = await link(app, alice, bob)
    const [asAlice, asBob] = [await app.signIn(alice), await app.signIn(bob)]
    const linked = await ask(app, 'GET', asBob.headers)
    expect(linked).toMatchObject({ via: 'linked-session' })
    expect(await linked?.listAccounts()).toMatchObject([{}, { wallet: bob.address.toLowerCase() }])
    await unlink(app, qHash, alice)
    expect(await ask(app, 'GET', asBob.headers)).toBeUndefined()
    expect(await ask(app, 'POST', asBob.headers)).toBeUndefined()
    expect(await (await ask(app, 'GET', asAlice.headers))?.listAccounts()).toHaveLength(1)
  })
})

describe('a key', () => {
  test('needs neither token nor origin, and is limited to its scopes', async () => {
    const app = await startApp()
    const key = await keyOf(app, await app.signIn(alice))
    for (const spelling of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key} `])
      expect(await ask(app, 'POST', { authorization: spelling, origin: 'https://evil.example' })).toMatchObject({
        via: 'access-key',
      })
    await app.parts.db.write([{ sql: "UPDATE access_keys SET scopes = 'core later unknown:x'", params: [] }])
    expect([...(await ask(app, 'GET', { authorization: `Bearer ${key}` }))!.scopes]).toEqual(['core'])
    await app.parts.db.write([{ sql: "UPDATE access_keys SET scopes = 'corexx svc:core'", params: [] }])
    expect([...(await ask(app, 'GET', { authorization: `Bearer ${key}` }))!.scopes]).toEqual([])
  })

  test('is refused when unknown, misspelled or revoked, also beside a good cookie', async () => {
    const app = await startApp()
    const browser = await app.signIn(alice)
    const key = await keyOf(app, browser)
    const changed = `${key.slice(0, -1)}${key.endsWith('A') ? 'E' : 'A'}`
    for (const wrong of [changed, key.slice(0, -1), `${key}A`, 'npk_', `npk_${Bun.SHA256.hash(key, 'hex')}`])
      for (const headers of [{}, browser.headers])
        expect((await refusal(app, 'GET', { ...headers, authorization: `Bearer ${wrong}` }))[0]).toBe(
          'WALLET_AUTH_REQUIRED',
        )
    await app.parts.db.write([{ sql: 'UPDATE access_keys SET revoked_at = 1', params: [] }])
    expect((await refusal(app, 'GET', { authorization: `Bearer ${key}` }))[0]).toBe('WALLET_AUTH_REQUIRED')
  })

  test('is not searched in other kinds of credentials, which are ignored here', async () => {
    const app = await startApp()
    const browser = await app.signIn(alice)
    const key = await keyOf(app, browser)
    for (const authorization of [`Basic ${key}`, key, `Bearer eyJhbGciOiJub25lIn0.e30.`, 'Bearer', `Bearer a ${key}`])
      expect(await ask(app, 'GET', { authorization })).toBeUndefined()
    expect(await ask(app, 'GET', { authorization: 'Bearer other', cookie: browser.cookie })).toMatchObject({
      via: 'session',
    })
  })

  test('is recorded as used, and a session as seen, only as often as it is written', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    const seenAt = async () =>
      (await select<{ at: number }>(app.parts.db, 'SELECT seen_at AS at FROM sessions').get())!.at
    const started = app.now()
    app.wait(3_599_999)
    await ask(app, 'GET', headers)
    await settleWrites(app.parts.db)
    expect(await seenAt()).toBe(started)
    app.wait(1)
    await ask(app, 'GET', headers)
    await settleWrites(app.parts.db)
    expect(await seenAt()).toBe(app.now())
  })
})

test('sessions and keys outlive a restart, and the stored values are not credentials', async () => {
  const folder = newFolder()
  const env = { PROOFGATE_BASE_URL: 'http://127.0.0.1:9' }
  let server = await startOnFiles(folder, env)
  const { message, nonce } = (await server.post(`${auth}/nonce`, { walletAddress: alice.address })).body.data
  const url = (path: string) => `http://127.0.0.1:${server.port}${path}`
  const json = { 'content-type': 'application/json' }
  const signature = await alice.sign(message)
  const verified = await fetch(url(`${auth}/verify`), {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ message, signature }),
  })
  const cookie = verified.headers.get('set-cookie')!.split(';')[0]!
  const { csrfToken } = (await verified.json()).data
  const created = await fetch(url(`${auth}/profile-keys`), {
    method: 'POST',
    headers: { ...json, cookie, 'x-csrf-token': csrfToken },
    body: JSON.stringify({ name: 'x' }),
  })
  const { key } = (await created.json()).data
  await server.stop()

  server = await startOnFiles(folder, env)
  expect((await server.get(`${auth}/me`, { cookie })).body.data).toMatchObject({ authenticated: true, csrfToken })
  expect((await server.get(`${auth}/me`, { authorization: `Bearer ${key}` })).body.data.authenticated).toBe(true)

  const id = cookie.split('=')[1]!
  let looked = 0
  for await (const name of new Bun.Glob('**/*').scan(folder)) {
    const bytes = Buffer.from(await Bun.file(`${folder}/${name}`).arrayBuffer())
    looked += bytes.length
    for (const secret of [id, key, key.slice(4), csrfToken, nonce, signature.slice(2)]) {
      expect([name, bytes.includes(secret)]).toEqual([name, false])
      expect([name, bytes.includes(Buffer.from(secret, secret === signature.slice(2) ? 'hex' : 'base64url'))]).toEqual([
        name,
        false,
      ])
    }
  }
  expect(looked).toBeGreaterThan(50_000)
  await server.stop()
})

test('a refusal says that the header Authorization was not used, where it holds no access key', async () => {
  const app = await startApp()
  const readMessage = async (headers: Record<string, string>, path = '/api/v1/auth/profile-keys'): Promise<string> => {
    const { status, body } = await app.get(path, headers)
    expect([status, body.error.code]).toEqual([401, 'WALLET_AUTH_REQUIRED'])
    return body.error.message
  }
  const plain = await readMessage({})
  expect(await readMessage({ authorization: '' })).toBe(plain)
  for (const authorization of ['Basic YTpi', 'Bearer eyJhbGciOiJub25lIn0.e30.', 'npk_1', 'Bearer a npk_1'])
    expect(await readMessage({ authorization })).toBe(
      `${plain}. The header Authorization of this request was not used: it is not "Bearer" with an access key (npk_…)`,
    )
  expect(await readMessage({ authorization: 'Basic YTpi' }, '/api/v1/profile/payments?side=received')).toContain(
    'was not used',
  )
  const key = `Bearer npk_${'a'.repeat(43)}`
  expect(await readMessage({ authorization: key }, '/api/v1/profile/payments?side=received')).not.toContain(
    'was not used',
  )
  // This path needs no credential, so it ignores an unusable one.
  expect((await app.get('/api/v1/auth/me', { authorization: 'Basic YTpi' })).body.data.authenticated).toBe(false)
})
