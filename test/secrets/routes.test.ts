/** Secrets over HTTP: they go in, are named, and never come out. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeSecretContext } from '../../src/secrets/secret.ts'
import { type SignedInBrowser, startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { link } from '../payments/linking.ts'
import { soonNoTraces } from '../proofs/traces.ts'
import { alice, bob, mallory } from '../wallets.ts'

setDefaultTimeout(60_000)

const secrets = '/api/v1/profile/secrets'
const low = ({ address }: { address: string }) => address.toLowerCase()
const secret = { alias: 'OPENAI_API_KEY', content: 'sk-xyzzy' }

interface Row {
  readonly qHash: string
  readonly sealed: string | null
}
const rowsOf = (app: TestApp) =>
  select<Row>(app.parts.db, `SELECT '0x' || lower(hex(q_hash)) AS "qHash", sealed FROM secrets ORDER BY id`).all()
const remove = (app: TestApp, id: string, headers: Record<string, string>) =>
  app.request(`${secrets}/${id}`, { method: 'DELETE', headers })
const keyOf = async (app: TestApp, { headers }: SignedInBrowser, scopes: string[]): Promise<Record<string, string>> => {
  const { body } = await app.post('/api/v1/auth/profile-keys', { name: 'A key', scopes }, headers)
  return { authorization: `Bearer ${body.data.key}` }
}

describe('a secret over HTTP', () => {
  test('is sealed when it is made, listed by its alias, and in no answer', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    const made = await app.post(secrets, { ...secret, type: 'single' }, headers)
    const view = {
      id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      alias: 'OPENAI_API_KEY',
      type: 'single',
      walletAddress: low(alice),
      createdAt: app.now(),
    }
    const { id } = made.body.data
    expect(made.body).toEqual({ success: true, data: view })
    expect(made.headers.get('cache-control')).toBe('no-store')
    const listed = await app.get(secrets, headers)
    expect(listed.body).toEqual({ success: true, data: { secrets: [view] } })
    expect(JSON.stringify([made.body, listed.body])).not.toContain('xyzzy')
    const [row] = await rowsOf(app)
    expect(app.parts.sealer.open(row!.sealed!, writeSecretContext(id))).toBe('sk-xyzzy')
  })

  test('is erased by revoking it, once; its alias is free again', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    const { id } = (await app.post(secrets, secret, headers)).body.data
    expectRefused(await app.post(secrets, secret, headers), 'CONFLICT', /OPENAI_API_KEY already/)
    const revoked = { id, alias: 'OPENAI_API_KEY', revokedAt: app.now() }
    expect((await remove(app, id, headers)).body.data).toEqual({
      ...revoked,
      alreadyRevoked: false,
      traces: soonNoTraces,
    })
    app.wait(1000)
    expect((await remove(app, id, headers)).body.data).toEqual({
      ...revoked,
      alreadyRevoked: true,
      traces: soonNoTraces,
    })
    expect(await rowsOf(app)).toEqual([{ qHash: id, sealed: null }])
    expect((await app.get(secrets, headers)).body.data.secrets).toEqual([])
    expect((await app.post(secrets, secret, headers)).status).toBe(200)
  })

  test('may be kept and erased by an access key with the scope secrets, and by no other key', async () => {
    const app = await startApp()
    const browser = await app.signIn(alice)
    const fit = await keyOf(app, browser, ['secrets'])
    const unfit = await keyOf(app, browser, ['core', 'profile'])
    const { id } = (await app.post(secrets, secret, fit)).body.data
    for (const answer of await leavesNothing(app.parts, async () => [
      await app.get(secrets, unfit),
      await app.post(secrets, { ...secret, alias: 'B' }, unfit),
      await remove(app, id, unfit),
    ]))
      expectRefused(answer, 'FORBIDDEN', /lacks the scope "secrets"/)
    expect((await rowsOf(app))[0]!.sealed).not.toBeNull()
    expect((await remove(app, id, fit)).body.data.alreadyRevoked).toBe(false)
  })

  test('is not found by another person', async () => {
    const app = await startApp()
    const own = await app.signIn(alice)
    const other = await app.signIn(bob)
    const { id } = (await app.post(secrets, secret, own.headers)).body.data
    expect((await app.get(secrets, other.headers)).body.data.secrets).toEqual([])
    expectRefused(await remove(app, id, other.headers), 'NOT_FOUND')
    expect((await rowsOf(app))[0]!.sealed).not.toBeNull()
    expect((await app.post(secrets, secret, other.headers)).status).toBe(200)
    expectRefused(
      await app.post(secrets, { ...secret, alias: 'B', walletAddress: alice.address }, other.headers),
      'FORBIDDEN',
    )
  })

  test('is in the vault of a linked wallet when that one is named', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    const { headers } = await app.signIn(alice)
    const make = (alias: string, walletAddress: string) =>
      app.post(secrets, { ...secret, alias, walletAddress }, headers)
    expect((await make('A', bob.address)).body.data.walletAddress).toBe(low(bob))
    expect((await make('B', `did:pkh:eip155:1:${bob.address}`)).body.data.walletAddress).toBe(low(bob))
    expectRefused(await make('C', mallory.address), 'FORBIDDEN')
    expectRefused(await make('D', '0x12'), 'INVALID_WALLET_ADDRESS')
  })

  test('is kept and erased by a linked wallet as well, for the person it is linked to', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    const asBob = await app.signIn(bob)
    const { id, walletAddress } = (await app.post(secrets, secret, asBob.headers)).body.data
    expect(walletAddress).toBe(low(alice))
    const { headers } = await app.signIn(alice)
    expect((await app.get(secrets, headers)).body.data.secrets).toMatchObject([{ id }])
    expect((await remove(app, id, asBob.headers)).status).toBe(200)
  })

  test('is not made or erased without the CSRF token, from a foreign page, or without a credential', async () => {
    const app = await startApp()
    const { cookie, csrf, headers } = await app.signIn(alice)
    const { id } = (await app.post(secrets, secret, headers)).body.data
    const another = { ...secret, alias: 'B' }
    for (const answer of await leavesNothing(app.parts, async () => [
      await app.post(secrets, another, { cookie }),
      await remove(app, id, { cookie }),
      await app.post(secrets, another, { cookie, 'x-csrf-token': `${csrf.slice(1)}0` }),
      await app.post(secrets, another, { ...headers, origin: 'https://elsewhere.test' }),
      await remove(app, id, { ...headers, origin: 'https://elsewhere.test' }),
    ]))
      expectRefused(answer, 'FORBIDDEN')
    for (const answer of await leavesNothing(app.parts, async () => [
      await app.get(secrets),
      await app.post(secrets, another),
      await remove(app, id, {}),
      await app.get(secrets, { authorization: `Bearer npk_${'A'.repeat(43)}` }),
    ]))
      expectRefused(answer, 'WALLET_AUTH_REQUIRED')
    expect((await rowsOf(app))[0]!.sealed).not.toBeNull()
  })

  test.each([
    ['no alias', { content: 'a' }],
    ['an alias with a space', { alias: 'A B', content: 'a' }],
    ['an alias of 65 letters', { alias: 'A'.repeat(65), content: 'a' }],
    ['no content', { alias: 'A' }],
    ['empty content', { alias: 'A', content: '' }],
    ['content of 16,385 letters', { alias: 'A', content: 'xyzzy'.repeat(3277) }],
    ['content of 16,386 bytes', { alias: 'A', content: 'é'.repeat(8193) }],
    ['another type', { alias: 'A', type: 'file', content: 'a' }],
    ['a bundle that is a text', { alias: 'A', type: 'bundle', content: 'xyzzy' }],
    ['a bundle of numbers', { alias: 'A', type: 'bundle', content: '{"xyzzy":1}' }],
  ])('is refused with %s, and the refusal does not repeat it', async (_, body) => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    const answer = await leavesNothing(app.parts, () => app.post(secrets, body, headers))
    expectRefused(answer, 'VALIDATION_ERROR')
    expect(JSON.stringify(answer.body)).not.toContain('xyzzy')
  })

  test('is refused at 1 MB before it is read, and a malformed id is reported', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    expectRefused(await app.post(secrets, { alias: 'A', content: 'x'.repeat(1_000_000) }, headers), 'PAYLOAD_TOO_LARGE')
    expectRefused(await remove(app, 'nothing', headers), 'VALIDATION_ERROR')
    expectRefused(await remove(app, `0x${'ab'.repeat(32)}`, headers), 'NOT_FOUND')
  })
})
