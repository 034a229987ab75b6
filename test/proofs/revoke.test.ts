import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { alice, mallory, sol, type TestWallet } from '../wallets.ts'

const minute = 60_000
const revoke = async (app: TestApp, qHash: string, wallet: TestWallet = alice, signedId = qHash) =>
  app.post(
    `/api/v1/proofs/revoke-self/${qHash}`,
    await app.ownerBody(wallet, { action: 'revoke_proof', qHash: signedId }),
  )

describe('POST /api/v1/proofs/revoke-self/{qHash}', () => {
  test('the owner revokes a proof; the record stays readable, and says since when it is revoked', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice, { privacyLevel: 'public' })
    app.wait(minute)

    const answer = await revoke(app, qHash)

    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ success: true, alreadyRevoked: false, timestamp: new Date(app.now()).toISOString() })
    const { body } = await app.get(`/api/v1/proofs/${qHash}`)
    expect(body).toMatchObject({ status: 'revoked', data: { revokedAt: app.now(), lastUpdated: app.now() } })
    expect(body.data.createdAt).toBe(app.now() - minute)
  })

  test('revoking again succeeds, says that it was done before, and does not move the time', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice, { privacyLevel: 'public' })
    await revoke(app, qHash)
    const { revokedAt } = (await app.get(`/api/v1/proofs/${qHash}`)).body.data
    app.wait(minute)

    expect(await revoke(app, qHash)).toMatchObject({ status: 200, body: { success: true, alreadyRevoked: true } })
    expect((await app.get(`/api/v1/proofs/${qHash}`)).body.data.revokedAt).toBe(revokedAt)
  })

  test('one of ten simultaneous revocations is the first', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const body = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.post(`/api/v1/proofs/revoke-self/${qHash}`, body)),
    )
    expect(answers.filter(({ body }) => body.alreadyRevoked === false)).toHaveLength(1)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })

  test('a Solana owner names its chain in the body', async () => {
    const app = await startApp()
    const qHash = await app.prove(sol)
    expect(await revoke(app, qHash, sol)).toMatchObject({ status: 200, body: { alreadyRevoked: false } })
  })

  test('an id in upper case is signed as the caller spelled it, or in lower case', async () => {
    const app = await startApp()
    const [first, second] = [await app.prove(alice), await app.prove(alice)]
    const upper = (qHash: string) => `0x${qHash.slice(2).toUpperCase()}`
    expect((await revoke(app, upper(first), alice, upper(first))).body.alreadyRevoked).toBe(false)
    expect((await revoke(app, upper(second), alice, second)).body.alreadyRevoked).toBe(false)
    expect((await revoke(app, first, alice, upper(first))).status).toBe(401)
  })

  test('the older path does the same', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const body = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
    expect(await app.post(`/api/v1/proofs/${qHash}/revoke-self`, body)).toMatchObject({
      status: 200,
      body: { success: true, alreadyRevoked: false },
    })
    expect((await app.get(`/api/v1/proofs/${qHash}`)).body.status).toBe('revoked')
  })

  test.each([
    ['another wallet', mallory, 'it', 403, 'FORBIDDEN'],
    ['a proof that does not exist', alice, 'another', 404, 'NOT_FOUND'],
  ])('refused: %s', async (_, wallet, which, status, code) => {
    const app = await startApp()
    const proven = await app.prove(alice)
    const qHash = which === 'it' ? proven : `0x${'cd'.repeat(32)}`
    expect(await revoke(app, qHash, wallet)).toMatchObject({ status, body: { success: false, error: { code } } })
    expect((await app.get(`/api/v1/proofs/${proven}`)).body.status).toBe('verified')
  })

  test.each<[string, object, number, string]>([
    ['the signature of another action', { action: 'access_private_proof' }, 0, 'SIGNATURE_INVALID'],
    ['the signature for another proof', { qHash: `0x${'cd'.repeat(32)}` }, 0, 'SIGNATURE_INVALID'],
    ['a signature older than 5 minutes', {}, 5 * minute + 1, 'EXPIRED_SIGNATURE'],
  ])('refused with 401: %s', async (_, change, waitMs, code) => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const body = await app.ownerBody(alice, { action: 'revoke_proof', qHash, ...change })
    app.wait(waitMs)
    expect(await app.post(`/api/v1/proofs/revoke-self/${qHash}`, body)).toMatchObject({
      status: 401,
      body: { error: { code } },
    })
    expect((await app.get(`/api/v1/proofs/${qHash}`)).body.status).toBe('verified')
  })

  test.each([
    ['no signature', { signature: undefined }, 401, 'WALLET_AUTH_REQUIRED'],
    ['no timestamp', { signedTimestamp: undefined }, 401, 'WALLET_AUTH_REQUIRED'],
    ['a placeholder', { signature: '0x00' }, 401, 'WALLET_AUTH_REQUIRED'],
  ])('refused: %s', async (_, change, status, code) => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const body = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
    expect(await app.post(`/api/v1/proofs/revoke-self/${qHash}`, { ...body, ...change })).toMatchObject({
      status,
      body: { error: { code } },
    })
  })
})
