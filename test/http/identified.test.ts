/** Owner actions without a signature: with a session or an access key, everywhere that a signature is accepted. */
import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { openStage } from '../gates/fulfill-stage.ts'
import { linkWallets } from '../wallet-link.ts'
import { alice, bob, mallory } from '../wallets.ts'
import { expectRefused, leavesNothing } from './refused.ts'

const api = '/api/v1'

describe('the owner of proofs, signed in,', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const { headers } = await app.signIn(alice)
  const made = await app.post(`${api}/auth/profile-keys`, { name: 'ci' }, headers)
  const key = { authorization: `Bearer ${made.body.data.key}` }
  const qHash = await app.prove(alice)
  const ofBob = await app.prove(bob)

  test.each([
    ['the browser', headers],
    ['an access key', key],
  ])('reads and lists private proofs: %s', async (_, credentials) => {
    expect((await app.get(`${api}/proofs/${qHash}`, credentials)).body.data.walletAddress).toBe(
      alice.address.toLowerCase(),
    )
    const list = await app.get(`${api}/proofs/by-wallet/${alice.address}`, credentials)
    expect(list.body.data.proofs.map((proof: { qHash: string }) => proof.qHash)).toContain(qHash)
    expect(list.body.data.pageInfo.limit).toBe(1000)
  })

  test('sees the public data of others', async () => {
    expect((await app.get(`${api}/proofs/${ofBob}`, headers)).body.data.walletAddress).toBeUndefined()
    const list = await app.get(`${api}/proofs/by-wallet/${bob.address}`, headers)
    expect(list.body.data).toMatchObject({ proofs: [], pageInfo: { limit: 50 } })
  })

  test('a signature in the headers comes before the session', async () => {
    const action = { action: 'access_private_proof', qHash: ofBob }
    const signed = await app.ownerHeaders(bob, action)
    const both = await app.get(`${api}/proofs/${ofBob}`, { ...headers, ...signed })
    expect(both.body.data.walletAddress).toBe(bob.address.toLowerCase())
  })

  test('shares a proof, again and again', async () => {
    const grant = { qHash, ownerWallet: alice.address, viewerWallet: bob.address }
    for (const _ of [1, 2])
      expect((await app.post(`${api}/verification/access/grant`, grant, headers)).status).toBe(200)
    const ofAnother = { ...grant, qHash: ofBob }
    expectRefused(await app.post(`${api}/verification/access/grant`, ofAnother, headers), 'FORBIDDEN')
  })

  test('passes on a proof that was shared with a linked wallet to its person', async () => {
    await linkWallets(app, bob, mallory)
    const { headers: ofBobs } = await app.signIn(bob)
    const action = { action: 'grant_proof_access', qHash, viewerWallet: mallory.address }
    const body = { qHash, ownerWallet: alice.address, viewerWallet: mallory.address }
    await app.post(`${api}/verification/access/grant`, { ...body, ...(await app.ownerBody(alice, action)) })
    expect((await app.get(`${api}/proofs/${qHash}`, ofBobs)).body.data.walletAddress).toBe(alice.address.toLowerCase())
  })

  test('revokes its own, and no other', async () => {
    const own = await app.prove(alice)
    expect((await app.post(`${api}/proofs/revoke-self/${own}`, {}, key)).body.alreadyRevoked).toBe(false)
    expectRefused(
      await leavesNothing(app.parts, () => app.post(`${api}/proofs/revoke-self/${ofBob}`, {}, headers)),
      'FORBIDDEN',
    )
    const unsure = await leavesNothing(app.parts, () =>
      app.post(`${api}/proofs/revoke-self/${qHash}`, {}, { cookie: headers.cookie }),
    )
    expectRefused(unsure, 'FORBIDDEN', /X-CSRF-Token/)
  })

  test('is checked with private proofs, and may ask about others', async () => {
    const check = (query: string, credentials: Record<string, string>) =>
      app.get(`${api}/proofs/check?verifierId=ownership-basic&${query}`, credentials)
    const eligible = async (...args: Parameters<typeof check>) => (await check(...args)).body.data.eligible
    expect(await eligible(`address=${alice.address}&includePrivate=true`, key)).toBe(true)
    expect(await eligible('subject=me&includePrivate=true', headers)).toBe(true)
    expect(await eligible(`address=${bob.address}&includePrivate=true`, key)).toBe(false)
    const core = await app.post(`${api}/auth/profile-keys`, { name: 'core', scopes: ['core'] }, headers)
    const narrow = { authorization: `Bearer ${core.body.data.key}` }
    expectRefused(await check(`address=${alice.address}&includePrivate=true`, narrow), 'FORBIDDEN', /profile/)
    expect(await eligible(`address=${bob.address}&includePrivate=true`, narrow)).toBe(false)
  })

  test('erases everything of a wallet it names, in the browser alone', async () => {
    const path = `${api}/proofs/erase-all`
    const named = { walletAddress: alice.address }
    expectRefused(await leavesNothing(app.parts, () => app.post(path, named, key)), 'FORBIDDEN', /access key/)
    expectRefused(
      await leavesNothing(app.parts, () => app.post(path, {}, headers)),
      'VALIDATION_ERROR',
      /is missing in the body/,
    )
    const other = { walletAddress: mallory.address }
    expectRefused(
      await leavesNothing(app.parts, () => app.post(path, other, headers)),
      'FORBIDDEN',
      /one of your wallets/,
    )
    expect((await app.post(path, named, headers)).body.erasedCount).toBeGreaterThan(0)
    expect((await app.get(`${api}/proofs/by-wallet/${alice.address}`, headers)).body.data.proofs).toEqual([])
  })
})

describe('the owner of gates, signed in,', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const { headers } = await app.signIn(alice)
  const definition = {
    gateId: 'mine',
    name: 'Mine',
    requirements: [{ id: 'words', verifierId: 'ownership-basic' }],
  }

  test('makes, lists, changes and deletes its gates', async () => {
    expect((await app.post(`${api}/profile/gates`, { definition }, headers)).status).toBe(200)
    const list = await app.get(`${api}/profile/gates`, headers)
    expect(list.body.data.gates.map((gate: { gateId: string }) => gate.gateId)).toEqual(['mine'])
    expect((await app.post(`${api}/profile/gates/mine/status`, { status: 'active' }, headers)).status).toBe(200)
    expect((await app.get(`${api}/profile/gates/mine/versions`, headers)).body.data.versions).toHaveLength(1)
    const deleted = await app.request(`${api}/profile/gates/mine`, { method: 'DELETE', headers })
    expect(deleted.body.data.status).toBe('deleted')
  })

  test('touches no gate of others', async () => {
    const { headers: ofBob } = await app.signIn(bob)
    await app.post(`${api}/profile/gates`, { definition: { ...definition, gateId: 'his' } }, ofBob)
    const status = { status: 'paused' }
    const answer = await leavesNothing(app.parts, () => app.post(`${api}/profile/gates/his/status`, status, headers))
    expect([403, 404]).toContain(answer.status)
    expect((await app.get(`${api}/profile/gates`, headers)).body.data.gates).toEqual([])
  })

  test('cannot test its own drafts with another credential', async () => {
    await app.post(`${api}/profile/gates`, { definition: { ...definition, gateId: 'draft', status: 'draft' } }, headers)
    expect((await app.get(`${api}/profile/gates/draft`, headers)).status).toBe(200)
    expect((await app.get(`${api}/profile/gates/draft`)).status).toBe(404)
  })
})

describe('a buyer who is signed in', () => {
  test('fulfills with a proof of its own, and gets the same again', async () => {
    const stage = await openStage()
    await stage.gate('free', {
      rewards: [{ kind: 'reveal', label: 'The word', value: 'sesame' }],
    })
    const qHash = await stage.prove(alice)
    const ofBob = await stage.prove(bob)
    const { headers } = await stage.signIn(alice)
    const first = await stage.post(stage.pathOf('free'), { qHash }, headers)
    expect(first.status).toBe(200)
    expect((await stage.post(stage.pathOf('free'), { qHash }, headers)).body.data.receiptId).toBe(
      first.body.data.receiptId,
    )
    expectRefused(await stage.post(stage.pathOf('free'), { qHash: ofBob }, headers), 'FORBIDDEN')
    expectRefused(
      await stage.post(stage.pathOf('free'), { qHash }, { cookie: headers.cookie }),
      'FORBIDDEN',
      /X-CSRF-Token/,
    )
  })
})
