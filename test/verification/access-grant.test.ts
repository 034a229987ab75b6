import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { countTo, writeAddress } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'

const path = '/api/v1/verification/access/grant'
const second = 1000

interface Terms {
  readonly qHash: string
  readonly viewerWallet: string
  readonly expiresInSeconds?: number | null
}

async function grantBody(app: TestApp, terms: Terms, owner: TestWallet = alice) {
  const { walletAddress, ...signature } = await app.ownerBody(owner, { action: 'grant_proof_access', ...terms })
  return { ...terms, ownerWallet: walletAddress, ...signature }
}

const grant = async (app: TestApp, terms: Terms, owner?: TestWallet) =>
  app.post(path, await grantBody(app, terms, owner))

const readAs = async (app: TestApp, viewer: TestWallet, qHash: string) =>
  app.get(`/api/v1/proofs/${qHash}`, await app.ownerHeaders(viewer, { action: 'access_private_proof', qHash }))

const seesAll = ({ body }: { body: { data: object } }) => 'verifiedVerifiers' in body.data

describe('POST /api/v1/verification/access/grant (src/guides/wire.md, "Access grants")', () => {
  test('a private proof is readable by the viewer, with a signature of its own, until the grant ends', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    expect(seesAll(await readAs(app, bob, qHash))).toBe(false)

    const { status, body } = await grant(app, { qHash, viewerWallet: bob.address })

    expect(status).toBe(200)
    expect(body.data).toEqual({ qHash, viewerWallet: bob.address.toLowerCase(), expiresAt: app.now() + 900 * second })
    expect(seesAll(await readAs(app, bob, qHash))).toBe(true)
    expect(seesAll(await readAs(app, mallory, qHash))).toBe(false)
    expect(seesAll(await app.get(`/api/v1/proofs/${qHash}`))).toBe(false)
    app.wait(900 * second - 1)
    expect(seesAll(await readAs(app, bob, qHash))).toBe(true)
    app.wait(1)
    expect(seesAll(await readAs(app, bob, qHash))).toBe(false)
  })

  test.each([
    ['60 seconds', 60, 60 * second],
    ['a year', 31_536_000, 31_536_000 * second],
    ['without an end', null, null],
  ])('the owner may choose %s', async (_, expiresInSeconds, lasts) => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const { status, body } = await grant(app, { qHash, viewerWallet: bob.address, expiresInSeconds })
    expect(status).toBe(200)
    expect(body.data.expiresAt).toBe(lasts === null ? null : app.now() + lasts)
  })

  test('a grant without an end outlives the sweep, one that ended is swept away', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    await grant(app, { qHash, viewerWallet: bob.address, expiresInSeconds: null })
    await grant(app, { qHash, viewerWallet: mallory.address, expiresInSeconds: 60 })
    app.wait(60 * second)
    await app.sweep()
    expect(await select<object>(app.parts.db, 'SELECT viewer FROM access_grants').all()).toEqual([
      { viewer: bob.address.toLowerCase() },
    ])
    expect(seesAll(await readAs(app, bob, qHash))).toBe(true)
  })

  test('a later grant to the same viewer takes the place of the earlier one', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    await grant(app, { qHash, viewerWallet: bob.address, expiresInSeconds: 86_400 })
    app.wait(1)
    await grant(app, { qHash, viewerWallet: bob.address, expiresInSeconds: 60 })
    app.wait(60 * second)
    expect(seesAll(await readAs(app, bob, qHash))).toBe(false)
  })

  test('ends with the proof: revoking it ends the access of the viewer', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    await grant(app, { qHash, viewerWallet: bob.address, expiresInSeconds: null })
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(alice, { action: 'revoke_proof', qHash }))

    expect(seesAll(await readAs(app, bob, qHash))).toBe(false)
    app.wait(1)
    expect(await grant(app, { qHash, viewerWallet: bob.address })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
  })

  test('granting and revoking at the same moment leaves no viewer of a revoked proof', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const revocation = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
    const terms = await grantBody(app, { qHash, viewerWallet: bob.address, expiresInSeconds: null })

    await Promise.all([app.post(`/api/v1/proofs/revoke-self/${qHash}`, revocation), app.post(path, terms)])

    expect(seesAll(await readAs(app, bob, qHash))).toBe(false)
  })

  test('sent again it is refused: a captured request cannot renew a grant', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const body = await grantBody(app, { qHash, viewerWallet: bob.address, expiresInSeconds: 60 })
    expect((await app.post(path, body)).status).toBe(200)
    app.wait(61 * second)

    expect(await app.post(path, body)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect(seesAll(await readAs(app, bob, qHash))).toBe(false)
  })

  test('sent again with its signature spelled in another way it is refused as well', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const body = await grantBody(app, { qHash, viewerWallet: bob.address, expiresInSeconds: 60 })
    await app.post(path, body)
    app.wait(61 * second)

    const last = Number.parseInt(body.signature.slice(-2), 16) - 27
    const respelled = { ...body, signature: `${body.signature.slice(0, -2)}0${last}` }
    expect((await app.post(path, respelled)).status).toBe(409)
  })

  test.each<[string, Partial<Terms>]>([
    ['the viewer', { viewerWallet: mallory.address }],
    ['the duration', { expiresInSeconds: 86_400 }],
    ['the end', { expiresInSeconds: null }],
  ])('%s is signed and cannot be changed on the way', async (_, change) => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const body = await grantBody(app, { qHash, viewerWallet: bob.address, expiresInSeconds: 60 })
    expect(await app.post(path, { ...body, ...change })).toMatchObject({
      status: 401,
      body: { error: { code: 'SIGNATURE_INVALID' } },
    })
  })

  test('the proof is signed and cannot be exchanged', async () => {
    const app = await startApp()
    const [shared, other] = [await app.prove(alice), await app.prove(alice)]
    const body = await grantBody(app, { qHash: shared, viewerWallet: bob.address })
    expect((await app.post(path, { ...body, qHash: other })).status).toBe(401)
  })

  test.each([
    [
      'a wallet that does not own the proof',
      { owner: mallory, viewerWallet: bob.address, known: true },
      403,
      'FORBIDDEN',
    ],
    ['a proof that does not exist', { owner: alice, viewerWallet: bob.address, known: false }, 404, 'NOT_FOUND'],
    ['a viewer that is no wallet', { owner: alice, viewerWallet: 'Bob!', known: true }, 400, 'INVALID_WALLET_ADDRESS'],
  ])('refused: %s', async (_, { owner, viewerWallet, known }, status, code) => {
    const app = await startApp()
    const qHash = known ? await app.prove(alice) : `0x${'12'.repeat(32)}`
    expect(await grant(app, { qHash, viewerWallet }, owner)).toMatchObject({ status, body: { error: { code } } })
  })

  test.each([59, 31_536_001, 1.5])('refused: a duration of %d seconds', async (expiresInSeconds) => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    expect(await grant(app, { qHash, viewerWallet: bob.address, expiresInSeconds })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    })
  })
})

describe('the wallets that may read one proof', () => {
  const makeViewer = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`
  /** Grants of before, as many as the owner may make. */
  const fill = (app: TestApp, sourceKind: string, sourceId: string, expiresAt: number | null = null) =>
    app.parts.db.write([
      {
        sql: `${countTo(500)}
              INSERT INTO access_grants (proof_id, viewer, created_at, expires_at, source_kind, source_id)
              SELECT (SELECT max(id) FROM proofs), ${writeAddress('i')}, ?1, ?2, ?3, ?4 FROM n`,
        params: [app.now(), expiresAt, sourceKind, sourceId],
      },
    ])
  const count = async (app: TestApp): Promise<number> =>
    (await select<{ total: number }>(app.parts.db, 'SELECT count(*) AS total FROM access_grants').get())!.total

  test('are bounded in number; a grant can be renewed or withdrawn, which makes room', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    await fill(app, 'signature', '')
    const refused = await grant(app, { qHash, viewerWallet: bob.address })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { limit: 500, path: '/viewerWallet' } } },
    })
    expect(refused.body.error.message).toContain('withdraw a grant')
    expect(await count(app)).toBe(500)
    app.wait(1)
    expect((await grant(app, { qHash, viewerWallet: makeViewer(1) })).status).toBe(200)
    const { walletAddress, ...signature } = await app.ownerBody(alice, {
      action: 'withdraw_proof_access',
      qHash,
      viewerWallet: makeViewer(2),
    })
    const withdrawn = { qHash, viewerWallet: makeViewer(2), ownerWallet: walletAddress, ...signature }
    expect((await app.post('/api/v1/verification/access/withdraw', withdrawn)).status).toBe(200)
    app.wait(1)
    expect((await grant(app, { qHash, viewerWallet: bob.address })).status).toBe(200)
    expect(seesAll(await readAs(app, bob, qHash))).toBe(true)
  })

  test('leave room for the wallet itself beside the grants of credentials', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    await fill(app, 'access-key', 'key_0000000000000000')
    const { headers } = await app.signIn(alice)
    const { key } = (await app.post('/api/v1/auth/profile-keys', { name: 'A key' }, headers)).body.data
    const terms = { qHash, ownerWallet: alice.address, viewerWallet: bob.address, expiresInSeconds: 60 }
    const refused = await app.post(path, terms, { authorization: `Bearer ${key}` })
    expect(refused.status).toBe(409)
    expect(refused.body.error.message).toContain('sign this grant with the wallet itself')
    expect((await grant(app, { qHash, viewerWallet: bob.address })).status).toBe(200)
  })

  test('are a thousand by one credential, over all proofs, because their grants end in one write', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    const { key, keyId } = (await app.post('/api/v1/auth/profile-keys', { name: 'A key' }, headers)).body.data
    for (let proof = 0; proof < 2; proof++) {
      await app.prove(alice)
      await fill(app, 'access-key', keyId)
    }
    const qHash = await app.prove(alice)
    const terms = { qHash, ownerWallet: alice.address, viewerWallet: bob.address, expiresInSeconds: 60 }
    const refused = await app.post(path, terms, { authorization: `Bearer ${key}` })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { limit: 1000 } } } })
    expect((await app.post(path, terms, headers)).status).toBe(200)
    expect(await count(app)).toBe(1001)
  })

  test('do not count once their grants have ended', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    await fill(app, 'signature', '', app.now() + 1000)
    app.wait(1000)
    expect((await grant(app, { qHash, viewerWallet: bob.address })).status).toBe(200)
    expect(await count(app)).toBe(1)
  })
})
