import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { asking, evidenceIn, refused } from './ask.ts'

const id = 'ownership-pseudonym'
const day = 86_400_000
const revoke = async (app: TestApp, qHash: string, wallet = alice) =>
  app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(wallet, { action: 'revoke_proof', qHash }))
const taken = { status: 409, body: { success: false, error: { code: 'CONFLICT' } } }

describe('ownership-pseudonym (src/guides/wire.md, "ownership-pseudonym")', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const ask = asking(app, id)

  test.each<[string, object, object]>([
    ['a handle alone', { pseudonymId: 'alice' }, { pseudonymId: 'alice', handle: 'alice', namespace: 'svc' }],
    ['three characters', { pseudonymId: 'a.b' }, { pseudonymId: 'a.b' }],
    ['32 characters', { pseudonymId: `a${'-'.repeat(30)}z` }, {}],
    ['the namespace by its name', { pseudonymId: 'named', namespace: 'svc' }, { namespace: 'svc' }],
    [
      'a display name and metadata',
      { pseudonymId: 'shown', displayName: 'Alice \u2728', metadata: { site: 'https://a.example' } },
      { displayName: 'Alice \u2728', metadata: { site: 'https://a.example' } },
    ],
  ])('holds: %s', async (_, data, evidence) => {
    const answer = await ask(alice, data)
    expect(answer).toMatchObject({ status: 200, body: { data: { expiresAt: null } } })
    expect(evidenceIn(answer)).toMatchObject({ owner: alice.address.toLowerCase(), ...evidence })
  })

  test.each<[string, object, string]>([
    ['two characters', { pseudonymId: 'ab' }, '/pseudonymId'],
    ['33 characters', { pseudonymId: 'a'.repeat(33) }, '/pseudonymId'],
    ['upper case, which would look like another handle', { pseudonymId: 'Alice' }, '/pseudonymId'],
    ['a hyphen in front', { pseudonymId: '-alice' }, '/pseudonymId'],
    ['a dot at the end', { pseudonymId: 'alice.' }, '/pseudonymId'],
    ['letters of another script', { pseudonymId: '\u0430lice' }, '/pseudonymId'],
    ['a line feed at the end', { pseudonymId: 'alice\n' }, '/pseudonymId'],
    ['no handle', {}, '/pseudonymId'],
    ['another namespace', { pseudonymId: 'alice', namespace: 'acme' }, '/namespace'],
    ['a display name of 65 characters', { pseudonymId: 'alice', displayName: 'x'.repeat(65) }, '/displayName'],
    [
      'metadata of more than 4096 bytes',
      { pseudonymId: 'alice', metadata: { note: '\u00e9'.repeat(2100) } },
      '/metadata',
    ],
  ])('refused: %s', async (_, data, path) => {
    expect(await ask(alice, data)).toMatchObject(refused(id, path))
  })

  test('the operator may choose another namespace', async () => {
    const acme = await startApp({ PROOFGATE_VERIFIERS_PSEUDONYM_NAMESPACE: 'acme' })
    expect(evidenceIn(await asking(acme, id)(alice, { pseudonymId: 'alice' })).namespace).toBe('acme')
    expect(await asking(acme, id)(alice, { pseudonymId: 'other', namespace: 'svc' })).toMatchObject(
      refused(id, '/namespace'),
    )
  })
})

describe('a handle belongs to one wallet at a time', () => {
  const handle = { pseudonymId: 'the-one' }

  test('another wallet is refused and leaves no data behind', async () => {
    const app = await startApp()
    const ask = asking(app, id)
    await ask(alice, handle)

    const answer = await ask(bob, handle)

    expect(answer).toMatchObject(taken)
    expect(answer.body.error.message).toContain('the-one')
    expect(answer.body.error.message.toLowerCase()).not.toContain(alice.address.toLowerCase())
    expect((await app.get(`/api/v1/proofs/by-wallet/${bob.address}?includeHistory=1`)).body.data.totalCount).toBe(0)
    expect((await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM proofs').get())?.n).toBe(1)
  })

  test('one of four wallets that race for it gets it', async () => {
    const app = await startApp()
    const wallets = [alice, bob, mallory, sol]
    const bodies = await Promise.all(wallets.map((wallet) => app.signed(wallet, { verifierIds: [id], data: handle })))

    const answers = await Promise.all(bodies.map((body) => app.post('/api/v1/verification', body)))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM proofs').get())?.n).toBe(1)
  })

  test('its holder may prove it again, and it is still held', async () => {
    const app = await startApp()
    const ask = asking(app, id)
    const first = await ask(alice, handle)
    const second = await ask(alice, { ...handle, displayName: 'New' })
    expect([first.status, second.status]).toEqual([200, 200])
    await revoke(app, first.body.data.qHash)
    expect(await ask(bob, handle)).toMatchObject(taken)
  })

  test('revoking frees it', async () => {
    const app = await startApp()
    const ask = asking(app, id)
    const { body } = await ask(alice, handle)
    await revoke(app, body.data.qHash)
    expect((await ask(bob, handle)).status).toBe(200)
    expect(await ask(alice, handle)).toMatchObject(taken)
  })

  test('revoking the newest proof of it does not free it while an older one is active', async () => {
    const app = await startApp()
    const ask = asking(app, id)
    const [older, newest] = [await ask(alice, handle), await ask(alice, handle)]
    await revoke(app, newest.body.data.qHash)
    expect((await app.get(`/api/v1/proofs/${older.body.data.qHash}`)).body.status).toBe('verified')
    expect(await ask(bob, handle)).toMatchObject(taken)

    await revoke(app, older.body.data.qHash)
    expect((await ask(bob, handle)).status).toBe(200)
  })

  test('a proof that claims it beside other things keeps it too', async () => {
    const app = await startApp()
    const ask = asking(app, id)
    await ask(alice, handle)
    app.wait(1)
    const both = {
      verifierIds: ['ownership-basic', id],
      data: { 'ownership-basic': { owner: alice.address, content: 'x' }, [id]: handle },
    }
    const { body } = await app.submit(alice, both)
    await revoke(app, body.data.qHash)
    expect(await ask(bob, handle)).toMatchObject(taken)
  })

  test('the handle is held by a request of several verifiers as well', async () => {
    const app = await startApp()
    app.wait(1)
    const both = {
      verifierIds: ['ownership-basic', id],
      data: { 'ownership-basic': { owner: alice.address, content: 'x' }, [id]: handle },
    }
    expect((await app.submit(alice, both)).status).toBe(200)
    expect(await asking(app, id)(bob, handle)).toMatchObject(taken)
  })

  test('its holder gets the same proof for the same request', async () => {
    const app = await startApp()
    const body = await app.signed(alice, { verifierIds: [id], data: handle })
    const [first, again] = [await app.post('/api/v1/verification', body), await app.post('/api/v1/verification', body)]
    expect([again.status, again.body.data.qHash]).toEqual([200, first.body.data.qHash])
  })
})

describe('with a lifetime (verifiers.pseudonym_ttl_days)', () => {
  const start = () => startApp({ PROOFGATE_VERIFIERS_PSEUDONYM_TTL_DAYS: '30' })
  const handle = { pseudonymId: 'for-a-month' }

  test('a handle says when it ends, and is held until then', async () => {
    const app = await start()
    const ask = asking(app, id)
    const answer = await ask(alice, handle)
    expect(answer.body.data.expiresAt).toBe(app.now() + 30 * day)
    expect(evidenceIn(answer).expiresAt).toBe(app.now() + 30 * day)
    app.wait(30 * day - 2)
    expect(await ask(bob, handle)).toMatchObject(taken)
  })

  test.each([false, true])('then it is free and the old proof has expired (swept: %p)', async (swept) => {
    const app = await start()
    const ask = asking(app, id)
    const { body } = await ask(alice, handle)
    app.wait(30 * day)
    if (swept) await app.sweep()

    expect((await ask(bob, handle)).status).toBe(200)
    expect((await app.get(`/api/v1/proofs/${body.data.qHash}`)).body.status).toBe('expired')
    expect(await ask(alice, handle)).toMatchObject(taken)
  })

  test('a new proof by its holder prolongs it', async () => {
    const app = await start()
    const ask = asking(app, id)
    await ask(alice, handle)
    app.wait(20 * day)
    await ask(alice, handle)
    app.wait(20 * day)
    await app.sweep()
    expect(await ask(bob, handle)).toMatchObject(taken)
  })
})
