import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'

const withdrawPath = '/api/v1/verification/access/withdraw'
const minute = 60_000

const listPath = (qHash: string) => `/api/v1/verification/access/${qHash}`

async function world() {
  const app = await startApp()
  const qHash = await app.prove(alice)
  const browser = await app.signIn(alice)
  const share = (viewerWallet: string, expiresInSeconds: number | null = 900) =>
    app.post(
      '/api/v1/verification/access/grant',
      { qHash, ownerWallet: alice.address, viewerWallet, expiresInSeconds },
      browser.headers,
    )
  const list = async () => (await app.get(listPath(qHash), browser.headers)).body.data
  const withdraw = (viewerWallet: string, headers: Record<string, string> = browser.headers) =>
    app.post(withdrawPath, { qHash, ownerWallet: alice.address, viewerWallet }, headers)
  return { app, qHash, browser, share, list, withdraw }
}

const readsAll = async (app: TestApp, wallet: TestWallet, qHash: string): Promise<boolean> => {
  const headers = await app.ownerHeaders(wallet, { action: 'access_private_proof', qHash })
  return 'verifiedVerifiers' in (await app.get(`/api/v1/proofs/${qHash}`, headers)).body.data
}

describe('GET /api/v1/verification/access/{qHash}', () => {
  test('tells the owner which wallets may read the proof, the newest first, and for how long', async () => {
    const { app, qHash, share, list } = await world()
    expect(await list()).toEqual({ qHash, grants: [], hasMore: false })
    const first = app.now()
    await share(bob.address)
    app.wait(minute)
    await share(mallory.address, null)
    expect((await list()).grants).toEqual([
      { viewerWallet: mallory.address.toLowerCase(), createdAt: first + minute, expiresAt: null, source: 'session' },
      { viewerWallet: bob.address.toLowerCase(), createdAt: first, expiresAt: first + 900_000, source: 'session' },
    ])
  })

  test('leaves out grants that have ended', async () => {
    const { app, share, list } = await world()
    await share(bob.address, 60)
    app.wait(minute)
    expect((await list()).grants).toEqual([])
  })

  test('is answered to a signature of the owner as well, in either spelling of the id', async () => {
    const { app, qHash, share } = await world()
    await share(bob.address)
    const spelled = `0x${qHash.slice(2).toUpperCase()}`
    const headers = await app.ownerHeaders(alice, { action: 'list_proof_access', qHash: spelled })
    expect((await app.get(listPath(spelled), headers)).body.data.grants).toHaveLength(1)
  })

  test('is refused to everybody but the owner: a stranger, another person and a viewer', async () => {
    const { app, qHash, share } = await world()
    await share(bob.address)
    expect((await app.get(listPath(qHash))).status).toBe(401)
    const other = await app.signIn(bob)
    expect(await app.get(listPath(qHash), other.headers)).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    })
    const signed = await app.ownerHeaders(bob, { action: 'list_proof_access', qHash })
    expect((await app.get(listPath(qHash), signed)).status).toBe(403)
    expect((await app.get(listPath(`0x${'ab'.repeat(32)}`), other.headers)).status).toBe(404)
  })
})

describe('POST /api/v1/verification/access/withdraw', () => {
  test('ends the read access at once, and may be repeated', async () => {
    const { app, qHash, share, list, withdraw } = await world()
    await share(bob.address, null)
    expect(await readsAll(app, bob, qHash)).toBe(true)

    const { status, body } = await withdraw(bob.address)

    expect(status).toBe(200)
    expect(body.data).toEqual({ qHash, viewerWallet: bob.address.toLowerCase(), wasShared: true })
    expect(await readsAll(app, bob, qHash)).toBe(false)
    expect((await list()).grants).toEqual([])
    expect((await withdraw(bob.address)).body.data.wasShared).toBe(false)
  })

  test('leaves the access of other viewers', async () => {
    const { app, qHash, share, withdraw } = await world()
    await share(bob.address, null)
    await share(mallory.address, null)
    await withdraw(bob.address)
    expect(await readsAll(app, mallory, qHash)).toBe(true)
  })

  test('may be signed by the owner', async () => {
    const { app, qHash, share } = await world()
    await share(bob.address, null)
    const terms = { qHash, viewerWallet: bob.address }
    const { walletAddress: ownerWallet, ...signature } = await app.ownerBody(alice, {
      action: 'withdraw_proof_access',
      ...terms,
    })
    const answer = await app.post(withdrawPath, { ...terms, ownerWallet, ...signature })
    expect(answer.body.data.wasShared).toBe(true)
    const other = await app.post(withdrawPath, { ...terms, viewerWallet: mallory.address, ownerWallet, ...signature })
    expect(other.status).toBe(401)
  })

  test('changes no grant by cookie without the token, for a stranger or for another person', async () => {
    const { app, qHash, browser, share, withdraw } = await world()
    await share(bob.address, null)
    expect((await withdraw(bob.address, { cookie: browser.cookie })).status).toBe(403)
    expect((await withdraw(bob.address, {})).status).toBe(401)
    expect((await withdraw(bob.address, (await app.signIn(mallory)).headers)).status).toBe(403)
    expect((await withdraw(bob.address, (await app.signIn(bob)).headers)).status).toBe(403)
    expect(await readsAll(app, bob, qHash)).toBe(true)
  })

  test('refuses a viewer that is no wallet', async () => {
    const { withdraw } = await world()
    expect(await withdraw('no wallet!')).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_WALLET_ADDRESS', details: { path: '/viewerWallet' } } },
    })
  })
})
