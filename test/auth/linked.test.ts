/** Wallets that are linked to one person, and no longer are. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type SignedInBrowser, startApp, type TestApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { link, unlink } from '../payments/linking.ts'
import { alice, bob, mallory } from '../wallets.ts'

setDefaultTimeout(60_000)

const auth = '/api/v1/auth'
const me = async (app: TestApp, { headers }: SignedInBrowser) => (await app.get(`${auth}/me`, headers)).body.data
const [first, second, third] = [alice, bob, mallory].map(({ address }) => address.toLowerCase())

describe('a linked wallet', () => {
  test('signs in to the profile of the wallet that linked it, even if that one never signed in', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    const asBob = await app.signIn(bob)
    expect(await me(app, asBob)).toMatchObject({
      did: `did:pkh:eip155:84532:${first}`,
      address: first,
      accounts: [
        { address: first, contractOn: null, isPrimary: true },
        { address: second, contractOn: null, isPrimary: false },
      ],
      via: 'linked-session',
    })
    expect((await app.signIn(alice)).subjectId).toBe(asBob.subjectId)
  })

  test('loses its session the moment the link is revoked, and then has its own profile', async () => {
    const app = await startApp()
    const qHash = await link(app, alice, bob)
    const [asAlice, asBob] = [await app.signIn(alice), await app.signIn(bob)]
    expect((await unlink(app, qHash, alice)).status).toBe(200)
    expect(await me(app, asBob)).toEqual({ authenticated: false, needsOnboarding: false })
    expectRefused(await app.get(`${auth}/sessions`, asBob.headers), 'WALLET_AUTH_REQUIRED')
    expect((await me(app, asAlice)).accounts).toHaveLength(1)
    const { data } = (await app.get(`${auth}/sessions`, asAlice.headers)).body
    expect(data.sessions).toHaveLength(1)
    const again = await app.signIn(bob)
    expect(again.subjectId).not.toBe(asBob.subjectId)
    expect((await me(app, again)).address).toBe(second)
  })

  test('loses its session when the link expires, or is made again as another kind', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    const before = await app.signIn(bob)
    // Links do not expire by themselves today.
    await app.parts.db.write([{ sql: 'UPDATE proofs SET expires_at = ?1', params: [app.now() + 1000] }])
    expect((await me(app, before)).address).toBe(first)
    app.wait(1000)
    expect((await me(app, before)).authenticated).toBe(false)

    await link(app, alice, bob)
    const then = await app.signIn(bob)
    expect((await me(app, then)).address).toBe(first)
    await link(app, alice, bob, { relationshipType: 'agent' })
    expect((await me(app, then)).authenticated).toBe(false)
    expect((await me(app, await app.signIn(bob))).address).toBe(second)
  })

  test.skipIf(onlyOnSqlite('a number that is given again'))(
    'loses its session when the link is erased, although another proof then has its number',
    async () => {
      const app = await startApp()
      await link(app, alice, bob)
      const asBob = await app.signIn(bob)
      const linkProof = async () =>
        (await select<{ id: number }>(app.parts.db, 'SELECT max(id) AS id FROM proofs').get())?.id
      const before = await linkProof()
      app.wait(1)
      const body = await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: first })
      expect((await app.post('/api/v1/proofs/erase-all', body)).body.erasedCount).toBe(1)
      await app.prove(mallory)
      expect(await linkProof()).toBe(before)
      expect((await me(app, asBob)).authenticated).toBe(false)
      await app.post(
        '/api/v1/proofs/erase-all',
        await app.ownerBody(mallory, { action: 'erase_all_proofs', walletAddress: third }),
      )
      await link(app, mallory, bob)
      expect(await linkProof()).toBe(before)
      expect((await me(app, asBob)).authenticated).toBe(false)
    },
  )

  test.skipIf(onlyOnSqlite('a number that is given again'))(
    'loses its session when the link is erased, although another wallet’s link then has its number',
    async () => {
      const app = await startApp()
      await link(app, alice, bob)
      const asBob = await app.signIn(bob)
      app.wait(1)
      await app.post(
        '/api/v1/proofs/erase-all',
        await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: first }),
      )
      await link(app, alice, mallory)
      expect(await select(app.parts.db, 'SELECT link_proof AS id FROM sessions').all()).toEqual(
        await select(app.parts.db, 'SELECT id FROM proofs').all(),
      )
      expect((await me(app, asBob)).authenticated).toBe(false)
    },
  )

  test.each(['agent', 'org', 'affiliate'])('with the relation %s keeps its own profile', async (relationshipType) => {
    const app = await startApp()
    await link(app, alice, bob, { relationshipType })
    expect((await me(app, await app.signIn(bob))).address).toBe(second)
  })

  test.each(['primary', 'personal', 'linked'])(
    'with the relation %s signs in to the profile',
    async (relationshipType) => {
      const app = await startApp()
      await link(app, alice, bob, { relationshipType })
      expect((await me(app, await app.signIn(bob))).address).toBe(first)
    },
  )

  test('linked by two wallets keeps its own profile, until one of them revokes', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    const qHash = await link(app, mallory, bob)
    expect((await me(app, await app.signIn(bob))).address).toBe(second)
    await unlink(app, qHash, mallory)
    expect((await me(app, await app.signIn(bob))).address).toBe(first)
  })

  test('keeps its own profile when it links back, and so does the other', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    await link(app, bob, alice)
    expect((await me(app, await app.signIn(alice))).address).toBe(first)
    expect((await me(app, await app.signIn(bob))).address).toBe(second)
  })

  test('does not pass on access: wallets that it linked sign in to its profile, and not to the first', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    await link(app, bob, mallory)
    expect((await me(app, await app.signIn(mallory))).address).toBe(second)
  })

  test('makes no key and deletes no profile, which would outlive the link', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    const { headers } = await app.signIn(bob)
    expectRefused(
      await app.post(`${auth}/profile-keys`, { name: 'x' }, headers),
      'FORBIDDEN',
      new RegExp(`sign in with ${first}`),
    )
    expectRefused(
      await app.request(`${auth}/me`, { method: 'DELETE', headers }),
      'FORBIDDEN',
      /a linked wallet may not/,
    )
  })
})
