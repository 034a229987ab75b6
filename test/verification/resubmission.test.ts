import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'

const minute = 60_000
const path = '/api/v1/verification'
const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'Hello' } }

describe('a signed request that comes again', () => {
  test('answers 200 with the proof it made, whatever the options say now', async () => {
    const app = await startApp()
    const request = await app.signed(alice, claim)
    const first = await app.post(path, request)
    app.wait(minute)

    const again = await app.post(path, { ...request, options: { privacyLevel: 'public' } })

    expect(again.status).toBe(200)
    expect(again.body.data).toEqual(first.body.data)
    expect(again.body.message).toContain('accepted before')
    expect((await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM proofs').get())?.n).toBe(1)
  })

  test('answers 200 although the claim no longer holds', async () => {
    const app = await startApp()
    const request = await app.signed(alice, {
      verifierIds: ['agent-delegation'],
      data: { controllerWallet: alice.address, agentWallet: bob.address, expiresAt: app.now() + minute },
    })
    const first = await app.post(path, request)
    app.wait(2 * minute)

    const again = await app.post(path, request)

    expect(again.status).toBe(200)
    expect(again.body.data.qHash).toBe(first.body.data.qHash)
    expect(again.body.status).toBe('expired')
  })

  test('is refused with 401 once its signature is too old', async () => {
    const app = await startApp()
    const request = await app.signed(alice, claim)
    await app.post(path, request)
    app.wait(5 * minute + 1)
    expect(await app.post(path, request)).toMatchObject({ status: 401, body: { error: { code: 'EXPIRED_SIGNATURE' } } })
  })

  test('answers 409 after the proof was revoked, and says what to do', async () => {
    const app = await startApp()
    const request = await app.signed(alice, claim)
    const { qHash } = (await app.post(path, request)).body.data
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(alice, { action: 'revoke_proof', qHash }))

    const again = await app.post(path, request)

    expect(again.status).toBe(409)
    expect(again.body.error).toMatchObject({
      code: 'CONFLICT',
      details: { qHash },
      message: expect.stringContaining('revoked'),
    })
  })

  test('answers 409 after the proof was erased, for as long as the signature would be accepted', async () => {
    const app = await startApp()
    const request = await app.signed(alice, { ...claim, signedTimestamp: app.now() + minute })
    await app.post(path, request)
    const wallet = alice.address.toLowerCase()
    await app.post(
      '/api/v1/proofs/erase-all',
      await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: wallet }),
    )

    for (let passed = 0; passed <= 6; passed++) {
      const again = await app.post(path, request)
      expect([passed, again.status, again.body.error.code]).toEqual([passed, 409, 'CONFLICT'])
      expect(again.body.error.message).toContain('erased')
      await app.sweep()
      app.wait(minute)
    }
    expect((await app.post(path, request)).body.error.code).toBe('EXPIRED_SIGNATURE')
  })

  test('a new timestamp makes a new proof of the same claim after either', async () => {
    const app = await startApp()
    const { qHash } = (await app.submit(alice, claim)).body.data
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(alice, { action: 'revoke_proof', qHash }))
    app.wait(1)
    expect((await app.submit(alice, claim)).status).toBe(200)
  })
})
