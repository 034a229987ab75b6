/** The wallets of a person: which there are, and what ends with a link. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type SignedInBrowser, startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { setMember } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { link } from '../payments/linking.ts'
import { linkWallets } from '../wallet-link.ts'
import { agent, alice, bob, mallory, sol } from '../wallets.ts'

setDefaultTimeout(60_000)

const wallets = '/api/v1/profile/wallets'
const low = ({ address }: { address: string }) => address.toLowerCase()
const listed = async (app: TestApp, { headers }: Pick<SignedInBrowser, 'headers'>) =>
  (await app.get(wallets, headers)).body.data
const unlink = (app: TestApp, account: string, headers: Record<string, string>) =>
  app.request(`${wallets}/${encodeURIComponent(account)}`, { method: 'DELETE', headers })
const isSignedIn = async (app: TestApp, { headers }: SignedInBrowser): Promise<boolean> =>
  (await app.get('/api/v1/auth/me', headers)).body.data.authenticated
const statusOf = async (app: TestApp, qHash: string): Promise<string> =>
  (await app.get(`/api/v1/verification/status/${qHash}`)).body.data.status
const plainView = (address: string) => ({ account: address, address, contractOn: null })

describe('the wallets of a person', () => {
  test('are the primary one and those it linked, each with how, since when, and whether it signs in', async () => {
    const app = await startApp()
    const first = await linkWallets(app, alice, bob, { relationshipType: 'personal', label: 'حاسوب <b>🦊</b>' })
    const linkedAt = app.now()
    app.wait(1000)
    const second = await linkWallets(app, alice, sol, { relationshipType: 'org' })
    const browser = await app.signIn(alice)
    expect(await listed(app, browser)).toEqual({
      primary: plainView(low(alice)),
      linked: [
        {
          ...plainView(low(bob)),
          relationship: 'personal',
          label: 'حاسوب <b>🦊</b>',
          linkedAt,
          qHash: first,
          signsIn: true,
          openSessions: 0,
          apps: 0,
          endsWith: { delegations: 0, agents: 0, accessGrants: 0 },
        },
        {
          ...plainView(sol.address),
          relationship: 'org',
          label: null,
          linkedAt: app.now(),
          qHash: second,
          signsIn: false,
          openSessions: 0,
          apps: 0,
          endsWith: { delegations: 0, agents: 0, accessGrants: 0 },
        },
      ],
      linkedBy: [],
    })
  })

  test('are marked when others linked them; with links both ways, each has its own profile', async () => {
    const app = await startApp()
    const qHash = await linkWallets(app, alice, bob, { relationshipType: 'agent', label: 'Helper' })
    const asBob = await app.signIn(bob)
    expect(await listed(app, asBob)).toEqual({
      primary: plainView(low(bob)),
      linked: [],
      linkedBy: [{ ...plainView(low(alice)), relationship: 'agent', label: 'Helper', linkedAt: app.now(), qHash }],
    })
    await link(app, bob, alice)
    await link(app, alice, bob)
    const asAlice = await app.signIn(alice)
    expect((await listed(app, asAlice)).linked).toMatchObject([{ account: low(bob), signsIn: false }])
    expect((await listed(app, asAlice)).linkedBy).toMatchObject([{ account: low(bob) }])
  })

  test('sign in to neither of two persons who linked them', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    await link(app, mallory, bob)
    expect((await listed(app, await app.signIn(alice))).linked).toMatchObject([{ account: low(bob), signsIn: false }])
  })

  test('are seen by an access key with the scope profile, by no other key, and by no stranger', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    const keyWith = async (scopes: string[]) => {
      const { body } = await app.post('/api/v1/auth/profile-keys', { name: 'A key', scopes }, headers)
      return { authorization: `Bearer ${body.data.key}` }
    }
    expect((await app.get(wallets, await keyWith(['profile']))).body.data.primary.address).toBe(low(alice))
    expectRefused(await app.get(wallets, await keyWith(['core', 'secrets'])), 'FORBIDDEN', /lacks the scope "profile"/)
    expectRefused(await app.get(wallets), 'WALLET_AUTH_REQUIRED')
  })
})

describe('unlinking a wallet', () => {
  test('revokes the link, ends the sessions of the wallet and its apps, and says how many', async () => {
    const app = await startApp()
    const qHash = await link(app, alice, bob)
    const asAlice = await app.signIn(alice)
    const [one, two] = [await app.signIn(bob), await app.signIn(bob)]
    const linkProof = (await select<{ id: number }>(app.parts.db, 'SELECT max(id) AS id FROM proofs').get())!.id
    await app.parts.db.write([
      {
        sql: `INSERT INTO oauth_families (handle, profile, client, account, link_proof, scope, resource, signed_in_at, created_at,
                expires_at, generation, refresh_ends_at, access_ends_at)
              SELECT 'h', id, 'svc-cli', ?1, ?2, 'svc:core', 'r', ?3, ?3, ?4, 0, ?4, ?4 FROM profiles`,
        params: [low(bob), linkProof, app.now(), app.now() + 3_600_000],
      },
    ])
    expect((await listed(app, asAlice)).linked).toMatchObject([{ openSessions: 2, apps: 1, signsIn: true }])

    const answer = await unlink(app, bob.address, asAlice.headers)
    expect(answer.body).toEqual({
      success: true,
      data: { account: low(bob), linked: false, revoked: [qHash], endedSessions: 2, endedApps: 1 },
    })
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await statusOf(app, qHash)).toBe('revoked')
    expect([await isSignedIn(app, one), await isSignedIn(app, two), await isSignedIn(app, asAlice)]).toEqual([
      false,
      false,
      true,
    ])
    expect((await listed(app, asAlice)).linked).toEqual([])
    expectRefused(await unlink(app, bob.address, asAlice.headers), 'NOT_FOUND')
    const events = await select<{ details: string }>(
      app.parts.db,
      "SELECT details FROM audit_events WHERE event = 'wallet_unlinked'",
    ).all()
    expect(events).toEqual([{ details: JSON.stringify({ account: low(bob) }) }])
    // Unlinked, the wallet has its own DID again.
    expect((await app.signIn(bob)).did).toBe(`did:pkh:eip155:84532:${low(bob)}`)
  })

  test('revokes every link to it, on whichever chains it was linked', async () => {
    const app = await startApp()
    const all = [
      await link(app, alice, bob, { chain: 'eip155:1' }),
      await link(app, alice, bob, { chain: 'eip155:8453' }),
    ]
    const other = await link(app, alice, agent)
    const { headers } = await app.signIn(alice)
    expect((await unlink(app, bob.address, headers)).body.data.revoked).toEqual(all)
    expect((await listed(app, { headers: headers as never })).linked).toMatchObject([{ account: low(agent) }])
    expect(await statusOf(app, other)).toBe('verified')
  })

  test('affects a contract wallet on its chain only', async () => {
    const app = await startApp()
    const onBase = await link(app, alice, bob, { chain: 'eip155:8453' })
    const onMain = await link(app, alice, bob, { chain: 'eip155:1' })
    // Marks the proof as signed by a contract; other tests cover real contract signatures.
    await app.parts.db.write([
      {
        sql: `UPDATE proofs SET record = ${setMember('record', '$.rows[0].data.signatureMethod', "CAST('eip1271' AS TEXT)")}`,
        params: [],
      },
    ])
    const browser = await app.signIn(alice)
    const view = (chain: string) => ({ account: `${chain}:${low(bob)}`, address: low(bob), contractOn: chain })
    expect((await listed(app, browser)).linked).toMatchObject([view('eip155:8453'), view('eip155:1')])
    expectRefused(await unlink(app, bob.address, browser.headers), 'NOT_FOUND')
    expect((await unlink(app, `eip155:1:${bob.address}`, browser.headers)).body.data.revoked).toEqual([onMain])
    expect((await listed(app, browser)).linked).toMatchObject([view('eip155:8453')])
    expect(await statusOf(app, onBase)).toBe('verified')
  })

  test('is open to the linked wallet for itself, which is signed out by it, and not for others', async () => {
    const app = await startApp()
    await link(app, alice, bob)
    await link(app, alice, agent)
    const asBob = await app.signIn(bob)
    expectRefused(await unlink(app, agent.address, asBob.headers), 'FORBIDDEN', /itself only/)
    const answer = await unlink(app, bob.address, asBob.headers)
    expect(answer.body.data.endedSessions).toBe(1)
    expect(answer.headers.get('set-cookie')).toContain('svc_session=;')
    expect(await isSignedIn(app, asBob)).toBe(false)
    expect((await listed(app, await app.signIn(alice))).linked).toMatchObject([{ account: low(agent) }])
  })

  test('is refused to others: the one who was linked, and another person', async () => {
    const app = await startApp()
    const qHash = await linkWallets(app, alice, bob, { relationshipType: 'org' })
    const asBob = await app.signIn(bob)
    const asMallory = await app.signIn(mallory)
    for (const account of [alice.address, bob.address]) {
      expectRefused(await unlink(app, account, asBob.headers), 'NOT_FOUND')
      expectRefused(await unlink(app, account, asMallory.headers), 'NOT_FOUND')
    }
    expect(await statusOf(app, qHash)).toBe('verified')
  })

  test('needs the CSRF token and a page of this server; a key or a stranger does not do it', async () => {
    const app = await startApp()
    const qHash = await link(app, alice, bob)
    const { cookie, headers } = await app.signIn(alice)
    const { body } = await app.post('/api/v1/auth/profile-keys', { name: 'A key' }, headers)
    const answers = await leavesNothing(app.parts, async () => ({
      forbidden: [
        await unlink(app, bob.address, { cookie }),
        await unlink(app, bob.address, { ...headers, origin: 'https://elsewhere.test' }),
        await unlink(app, bob.address, { authorization: `Bearer ${body.data.key}` }),
      ],
      stranger: await unlink(app, bob.address, {}),
    }))
    for (const answer of answers.forbidden) expectRefused(answer, 'FORBIDDEN')
    expectRefused(answers.stranger, 'WALLET_AUTH_REQUIRED')
    expect(await statusOf(app, qHash)).toBe('verified')
  })

  test.each(['x', 'eip155:1:0x00', '%', '../../me', 'a'.repeat(300)])('with the id %s is refused', async (account) => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    const answer = await unlink(app, account, headers)
    expectRefused(answer, account.length > 200 ? 'VALIDATION_ERROR' : 'NOT_FOUND')
  })
})
