import { describe, expect, test } from 'bun:test'
import { mapInOrder } from '../../src/in-order.ts'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { tableNames } from '../parts/tables.ts'
import { makeTrigger } from '../parts/triggers.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import { soonDone, soonNoTraces } from './traces.ts'

const path = '/api/v1/proofs/erase-all'
const bodyOf = (app: TestApp, wallet: TestWallet) =>
  app.ownerBody(wallet, { action: 'erase_all_proofs', walletAddress: wallet.address.toLowerCase() })

const rows = (app: TestApp, table: string) => select<object>(app.parts.db, `SELECT * FROM ${table}`).all()

describe('POST /api/v1/proofs/erase-all (src/guides/wire.md, "Erasing")', () => {
  test('deletes everything of the wallet, and nothing of others', async () => {
    const app = await startApp()
    const text = 'Original words of Alice'
    const kept = await app.prove(bob, { privacyLevel: 'public', publicDisplay: true })
    const open = await app.prove(
      alice,
      { privacyLevel: 'public', publicDisplay: true, storeOriginalContent: true },
      { content: text },
    )
    const secret = await app.prove(alice, { storeOriginalContent: true, meta: { title: 'Diary of Alice' } })
    await app.submit(alice, { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })
    for (const [owner, qHash, viewer] of [
      [alice, secret, bob],
      [bob, kept, alice],
    ] as const) {
      const terms = { qHash, viewerWallet: viewer.address }
      const { walletAddress, ...signed } = await app.ownerBody(owner, { action: 'grant_proof_access', ...terms })
      await app.post('/api/v1/verification/access/grant', { ...terms, ownerWallet: walletAddress, ...signed })
    }

    const { status, body } = await app.post(path, await bodyOf(app, alice))

    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      erasedCount: 3,
      alreadyRevoked: false,
      erasure: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        state: soonDone,
        total: 3,
        left: 0,
        begunAt: new Date(app.now()).toISOString(),
        deletedAt: new Date(app.now()).toISOString(),
        status: `/api/v1/proofs/erasures/${body.erasure.id}`,
      },
      traces: soonNoTraces,
      timestamp: new Date(app.now()).toISOString(),
    })
    for (const qHash of [open, secret]) expect((await app.get(`/api/v1/proofs/${qHash}`)).status).toBe(404)
    expect((await app.get(`/api/v1/proofs/${kept}`)).status).toBe(200)

    const dump = JSON.stringify(await mapInOrder(tableNames, (table) => rows(app, table)))
    for (const trace of [text, 'Diary', alice.address.toLowerCase(), alice.address, 'alice'])
      expect(dump).not.toContain(trace)
    expect(await rows(app, 'proofs')).toHaveLength(1)
    expect(await rows(app, 'contents')).toHaveLength(0)
    expect(await rows(app, 'access_grants')).toHaveLength(0)
    expect(await rows(app, 'reserved_names')).toHaveLength(0)
  })

  test('the list is empty and its totals are zero, for strangers and for the owner', async () => {
    const app = await startApp()
    await app.prove(alice, { privacyLevel: 'public', publicDisplay: true })
    await app.post(path, await bodyOf(app, alice))
    const list = `/api/v1/proofs/by-wallet/${alice.address}?includeHistory=1`
    const headers = await app.ownerHeaders(alice, {
      action: 'access_private_proofs_by_wallet',
      walletAddress: alice.address.toLowerCase(),
    })
    for (const given of [{}, headers])
      expect((await app.get(list, given)).body.data).toMatchObject({ proofs: [], totalCount: 0, hasMore: false })
  })

  test('counts start anew with the next proof', async () => {
    const app = await startApp()
    await app.prove(alice, { privacyLevel: 'public', publicDisplay: true })
    await app.post(path, await bodyOf(app, alice))
    await app.prove(alice, { privacyLevel: 'public', publicDisplay: true })
    expect((await app.get(`/api/v1/proofs/by-wallet/${alice.address}`)).body.data.totalCount).toBe(1)
  })

  test('all claims that come together after it are stored', async () => {
    const app = await startApp()
    await app.prove(alice, {}, { content: 'before' })
    expect((await app.post(path, await bodyOf(app, alice))).status).toBe(200)
    const made = await Promise.all([1, 2, 3, 4, 5].map((at) => app.prove(alice, {}, { content: `after, ${at}` })))
    expect(new Set(made).size).toBe(5)
    for (const qHash of made) expect(qHash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('with no data left it says so', async () => {
    const app = await startApp()
    expect((await app.post(path, await bodyOf(app, mallory))).body).toMatchObject({
      success: true,
      erasedCount: 0,
      alreadyRevoked: true,
    })
  })

  test('a wallet without data leaves the mark of its signature only, without a temporary one', async () => {
    const app = await startApp()
    await app.prove(bob)
    const { db } = app.parts
    await db.write([
      { sql: 'CREATE TABLE seen (id INTEGER)', params: [] },
      ...['accounts', 'erasures', 'audit_events'].flatMap((table) =>
        makeTrigger({ name: `seen_${table}`, at: `AFTER INSERT ON ${table}`, does: 'INSERT INTO seen VALUES (1)' }),
      ),
    ])
    const count = (await rows(app, 'spent_signatures')).length
    const body = await bodyOf(app, mallory)
    for (let time = 0; time < 2; time++) expect((await app.post(path, body)).body.alreadyRevoked).toBe(true)
    expect([(await rows(app, 'seen')).length, (await rows(app, 'spent_signatures')).length]).toEqual([0, count + 1])
  })

  test('sent again, in any spelling of its signature, it spares newer proofs', async () => {
    const app = await startApp()
    await app.prove(alice)
    const body = await bodyOf(app, alice)
    await app.post(path, body)
    const later = await app.prove(alice)

    const last = Number.parseInt(body.signature.slice(-2), 16) - 27
    for (const signature of [
      body.signature,
      body.signature.toUpperCase().replace('0X', '0x'),
      `${body.signature.slice(0, -2)}0${last}`,
    ])
      expect((await app.post(path, { ...body, signature })).body).toMatchObject({
        erasedCount: 0,
        alreadyRevoked: true,
      })
    expect((await app.get(`/api/v1/proofs/${later}`)).status).toBe(200)
  })

  test('is remembered until its signature is too old, and then forgotten by the sweep', async () => {
    const app = await startApp()
    await app.prove(alice)
    const body = await bodyOf(app, alice)
    await app.post(path, body)
    const later = await app.prove(alice)
    app.wait(5 * 60_000 - 1)
    await app.sweep()
    expect((await app.post(path, body)).body.erasedCount).toBe(0)
    app.wait(2)
    expect((await app.post(path, body)).status).toBe(401)
    // The mark stays a day beyond its validity, to the end of its hour: the clock may go back.
    app.wait(3_600_000)
    await app.sweep()
    expect(await rows(app, 'erased_proofs')).toHaveLength(1)
    app.wait(25 * 3_600_000)
    await app.sweep()
    expect([await rows(app, 'spent_signatures'), await rows(app, 'erased_proofs')]).toEqual([[], []])
    expect((await app.get(`/api/v1/proofs/${later}`)).status).toBe(200)
  })

  test('frees the names the wallet held', async () => {
    const app = await startApp()
    const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'handle' } }
    await app.submit(alice, claim)
    expect((await app.submit(bob, claim)).status).toBe(409)
    await app.post(path, await bodyOf(app, alice))
    expect((await app.submit(bob, claim)).status).toBe(200)
  })

  test.each([
    [
      'the signature of another action',
      { action: 'access_private_proofs_by_wallet', walletAddress: alice.address.toLowerCase() },
    ],
  ])('refused: %s', async (_, action) => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    expect((await app.post(path, await app.ownerBody(alice, action))).status).toBe(401)
    expect((await app.get(`/api/v1/proofs/${qHash}`)).status).toBe(200)
  })

  test('one wallet cannot erase another', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const body = { ...(await bodyOf(app, mallory)), walletAddress: alice.address }
    expect((await app.post(path, body)).status).toBe(401)
    expect((await app.get(`/api/v1/proofs/${qHash}`)).status).toBe(200)
  })
})
