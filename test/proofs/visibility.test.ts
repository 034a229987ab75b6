import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'

const minute = 60_000
const listed = { privacyLevel: 'public', publicDisplay: true }
const text = 'A text that only its owner knows'

async function sign(app: TestApp, qHash: string, visibility: string, wallet: TestWallet = alice) {
  return { visibility, ...(await app.ownerBody(wallet, { action: 'set_proof_visibility', qHash, visibility })) }
}
const send = (app: TestApp, qHash: string, body: object, headers: Record<string, string> = {}) =>
  app.post(`/api/v1/proofs/${qHash}/visibility`, body, headers)
async function show(app: TestApp, qHash: string, visibility: string, wallet: TestWallet = alice) {
  app.wait(1)
  return send(app, qHash, await sign(app, qHash, visibility, wallet))
}
const read = async (app: TestApp, qHash: string) => (await app.get(`/api/v1/proofs/${qHash}`)).body.data
const listPublic = async (app: TestApp, query = ''): Promise<string[]> =>
  (await app.get(`/api/v1/proofs/by-wallet/${alice.address}?${query}`)).body.data.proofs.map(
    ({ qHash }: { qHash: string }) => qHash,
  )
const check = async (app: TestApp, query: string) =>
  (await app.get(`/api/v1/proofs/check?address=${alice.address}&${query}`)).body.data.eligible

describe('POST /api/v1/proofs/{qHash}/visibility', () => {
  test('a private proof becomes public: strangers read it, list it and find it at checks', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice, { storeOriginalContent: true, meta: { tags: ['shown'] } }, { content: text })
    expect(await check(app, 'tag=shown')).toBe(false)
    app.wait(minute)

    expect(await show(app, qHash, 'listed')).toMatchObject({
      status: 200,
      body: { success: true, data: { qHash, visibility: 'listed', was: 'private', changed: true } },
    })
    expect(await read(app, qHash)).toMatchObject({
      privacyLevel: 'public',
      publicDisplay: true,
      lastUpdated: app.now(),
      publicContent: { content: text },
    })
    expect(await listPublic(app)).toEqual([qHash])
    expect(await listPublic(app, 'tag=shown')).toEqual([qHash])
    expect(await check(app, 'tag=shown')).toBe(true)
    expect(await check(app, 'verifierId=ownership-basic')).toBe(true)
  })

  test('a public proof becomes private: strangers get its status, and its content is sealed in the database', async () => {
    const app = await startApp()
    const options = { ...listed, storeOriginalContent: true, meta: { title: 'Known', tags: ['shown'] } }
    const qHash = await app.prove(alice, options, { content: text })
    const stored = async () =>
      (await select<{ content: string | null }>(app.parts.db, 'SELECT content FROM contents').all())[0]!.content
    expect(await stored()).toBe(text)

    await show(app, qHash, 'private')

    expect(JSON.stringify(await read(app, qHash))).not.toContain('Known')
    expect(await listPublic(app)).toEqual([])
    expect(await check(app, 'tag=shown')).toBe(false)
    expect(await check(app, 'verifierId=ownership-basic')).toBe(false)
    expect(await stored()).toBeNull()
    const own = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash })
    expect((await app.get(`/api/v1/proofs/${qHash}`, own)).body.data.publicContent.content).toBe(text)
    await show(app, qHash, 'unlisted')
    expect((await read(app, qHash)).publicContent.content).toBe(text)
    expect(await listPublic(app)).toEqual([])
  })

  test('what it replaces, and is replaced by, follows who sees it', async () => {
    const app = await startApp()
    const claim = { content: 'the same' }
    const old = await app.prove(alice, listed, claim)
    const hidden = await app.prove(alice, {}, claim)
    expect(await listPublic(app)).toEqual([old])
    // The newer run takes the place of the older one once as many people see it.
    await show(app, hidden, 'listed')
    expect(await listPublic(app)).toEqual([hidden])
    const newest = await app.prove(alice, {}, claim)
    await show(app, hidden, 'private')
    expect(await listPublic(app)).toEqual([])
    const own = await app.ownerHeaders(alice, {
      action: 'access_private_proofs_by_wallet',
      walletAddress: alice.address.toLowerCase(),
    })
    const { proofs } = (await app.get(`/api/v1/proofs/by-wallet/${alice.address}`, own)).body.data
    expect(proofs.map(({ qHash }: { qHash: string }) => qHash)).toEqual([newest])
  })

  test('the name of an agent is found only while its proof is listed', async () => {
    const app = await startApp()
    const { body } = await app.submit(alice, {
      verifierIds: ['agent-identity'],
      data: { agentId: 'helper', agentWallet: alice.address },
      options: listed,
    })
    const { qHash } = body.data
    const find = async () => (await app.get('/api/v1/agents/helper')).status
    const before = await find()
    await show(app, qHash, 'private')
    const { agentId } = (
      await select<{ agentId: string | null }>(app.parts.db, 'SELECT agent_id AS "agentId" FROM proofs').all()
    )[0]!
    expect(agentId).toBeNull()
    await show(app, qHash, 'listed')
    expect(await find()).toBe(before)
  })

  test('one signature acts once: sent again after another change, it does not publish the proof', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const publishing = await sign(app, qHash, 'listed')
    expect((await send(app, qHash, publishing)).status).toBe(200)
    // The same request again, while nothing else happened, is no error.
    expect((await send(app, qHash, publishing)).body.data).toMatchObject({ changed: false })
    await show(app, qHash, 'private')
    expect((await send(app, qHash, publishing)).body.error.code).toBe('CONFLICT')
    expect((await read(app, qHash)).privacyLevel).toBe('private')
  })

  test('a signature that changed nothing is spent as well', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice, listed)
    const publishing = await sign(app, qHash, 'listed')
    expect((await send(app, qHash, publishing)).body.data).toMatchObject({ changed: false, was: 'listed' })
    await show(app, qHash, 'private')
    expect((await send(app, qHash, publishing)).body.error.code).toBe('CONFLICT')
    expect((await read(app, qHash)).privacyLevel).toBe('private')
  })

  test('another wallet, another visibility, another proof and an old signature are refused', async () => {
    const app = await startApp()
    const [qHash, other] = [await app.prove(alice), await app.prove(alice)]
    expect((await send(app, qHash, await sign(app, qHash, 'listed', mallory))).body.error.code).toBe('FORBIDDEN')
    const signed = await sign(app, qHash, 'unlisted')
    expect((await send(app, qHash, { ...signed, visibility: 'listed' })).body.error.code).toBe('SIGNATURE_INVALID')
    expect((await send(app, other, signed)).body.error.code).toBe('SIGNATURE_INVALID')
    expect((await send(app, qHash, { ...signed, visibility: 'everybody' })).body.error.details.path).toBe('/visibility')
    app.wait(10 * minute)
    expect((await send(app, qHash, signed)).body.error.code).toBe('EXPIRED_SIGNATURE')
    const unknown = `0x${'ab'.repeat(32)}`
    expect((await send(app, unknown, await sign(app, unknown, 'listed'))).body.error.code).toBe('NOT_FOUND')
    expect((await read(app, qHash)).privacyLevel).toBe('private')
  })

  test('a session of its owner is refused, and told what to sign', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const { headers } = await app.signIn(alice)
    const { status, body } = await send(app, qHash, { visibility: 'listed' }, headers)
    expect([status, body.error.code]).toEqual([401, 'WALLET_AUTH_REQUIRED'])
    expect(body.error.details.signedData).toEqual({ action: 'set_proof_visibility', qHash, visibility: 'listed' })
    const unsigned = await send(app, qHash, { visibility: 'listed' })
    for (const { message } of [body.error, unsigned.body.error])
      expect(message).not.toMatch(/or sign in|send an access key/)
  })

  test('of changes at the same time each takes effect or is refused, and what is stored fits the last one', async () => {
    const app = await startApp()
    const options = { storeOriginalContent: true, meta: { tags: ['shown'] } }
    const qHash = await app.prove(alice, options, { content: text })
    const bodies = await Promise.all(
      ['listed', 'private', 'unlisted', 'private', 'listed'].map(async (visibility, at) => {
        const data = { action: 'set_proof_visibility', qHash, visibility }
        return { visibility, ...(await app.ownerBody(alice, data, app.now() - at)) }
      }),
    )
    const answers = await Promise.all(bodies.map((body) => send(app, qHash, body)))
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const isPublic = (await read(app, qHash)).privacyLevel === 'public'
    expect(await check(app, 'tag=shown')).toBe(isPublic)
  })

  test('wallets that it was shared with keep their access', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const grant = { qHash, viewerWallet: bob.address, expiresInSeconds: 3600 }
    const { walletAddress: ownerWallet, ...signed } = await app.ownerBody(alice, {
      action: 'grant_proof_access',
      ...grant,
    })
    await app.post('/api/v1/verification/access/grant', { ownerWallet, ...signed, ...grant })
    await show(app, qHash, 'listed')
    await show(app, qHash, 'private')
    const reader = await app.ownerHeaders(bob, { action: 'access_private_proof', qHash })
    expect((await app.get(`/api/v1/proofs/${qHash}`, reader)).body.data.walletAddress).toBe(alice.address.toLowerCase())
  })
})
