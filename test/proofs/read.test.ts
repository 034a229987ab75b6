import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { agent, alice, bob, sol, type TestWallet } from '../wallets.ts'

const readAs = async (app: TestApp, wallet: TestWallet, qHash: string, query = '') =>
  app.get(`/api/v1/proofs/${qHash}${query}`, await app.ownerHeaders(wallet, { action: 'access_private_proof', qHash }))

const minimal = ['createdAt', 'lastUpdated', 'privacyLevel', 'qHash', 'status']

describe('GET /api/v1/proofs/{qHash}', async () => {
  const app = await startApp()
  const secret = await app.prove(alice)

  test('the kept content of a public proof has every character that was signed, U+0000 too', async () => {
    const own = await startApp()
    const content = 'begin\0 \\u0000 \u{1f600} end'
    const options = { privacyLevel: 'public', publicDisplay: true, storeOriginalContent: true }
    const qHash = await own.prove(alice, options, { content })
    expect(JSON.stringify((await own.get(`/api/v1/proofs/${qHash}`)).body)).toContain(JSON.stringify(content))
  })

  test('a private proof shows a stranger its status and four members more, and nothing else', async () => {
    const { status, body } = await app.get(`/api/v1/proofs/${secret}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      status: 'verified',
      qHash: secret,
      cached: false,
      data: {
        qHash: secret,
        status: 'verified',
        privacyLevel: 'private',
        createdAt: app.now(),
        lastUpdated: app.now(),
      },
    })
  })

  test('does not say when it was cached, as it never is, on the older path neither', async () => {
    for (const path of [`/api/v1/proofs/${secret}`, `/api/v1/verification/status/${secret}`])
      expect((await app.get(path)).body).not.toHaveProperty('cachedAt')
  })

  test('its owner sees the record, with the five headers', async () => {
    const { status, body } = await readAs(app, alice, secret)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ walletAddress: alice.address.toLowerCase(), verifierIds: ['ownership-basic'] })
    expect(body.data).not.toHaveProperty('signature')
    expect(body.data).not.toHaveProperty('portableProof')
  })

  test('so does an owner on Solana', async () => {
    const qHash = await app.prove(sol)
    expect(Object.keys((await app.get(`/api/v1/proofs/${qHash}`)).body.data).sort()).toEqual(minimal)
    expect((await readAs(app, sol, qHash)).body.data.walletAddress).toBe(sol.address)
  })

  test('another wallet with a signature of its own sees what a stranger sees', async () => {
    const { status, body } = await readAs(app, bob, secret)
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(minimal)
  })

  test('a wrong signature is refused, for a private and for a public proof', async () => {
    const open = await app.prove(alice, { privacyLevel: 'public' })
    for (const qHash of [secret, open]) {
      const headers = await app.ownerHeaders(alice, {
        action: 'access_private_proof',
        qHash: secret.replace('0x', '0x0'),
      })
      expect(await app.get(`/api/v1/proofs/${qHash}`, headers)).toMatchObject({
        status: 401,
        body: { error: { code: 'SIGNATURE_INVALID' } },
      })
    }
  })

  test('the signature for one proof does not open another', async () => {
    const other = await app.prove(alice)
    const headers = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash: secret })
    expect((await app.get(`/api/v1/proofs/${other}`, headers)).status).toBe(401)
  })

  test('the id may be in upper case, and is signed as it is spelled or in lower case', async () => {
    const spelled = `0x${secret.slice(2).toUpperCase()}`
    expect((await readAs(app, alice, spelled)).body.data).toMatchObject({ qHash: secret, tags: [] })
    const headers = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash: secret })
    expect((await app.get(`/api/v1/proofs/${spelled}`, headers)).body.data).toMatchObject({ qHash: secret, tags: [] })
  })

  test('a public proof shows its record to everybody, listed or not', async () => {
    for (const publicDisplay of [false, true]) {
      const qHash = await app.prove(alice, { privacyLevel: 'public', publicDisplay })
      const { body } = await app.get(`/api/v1/proofs/${qHash}`)
      expect(body.data).toMatchObject({
        privacyLevel: 'public',
        publicDisplay,
        walletAddress: alice.address.toLowerCase(),
      })
    }
  })

  test('owner-only members of a public delegation are hidden from others', async () => {
    const { body } = await app.submit(alice, {
      verifierIds: ['agent-delegation'],
      data: {
        controllerWallet: alice.address,
        agentWallet: agent.address,
        permissions: ['read'],
        model: 'M-owner-only',
        allowedActions: ['A-owner-only'],
      },
      options: { privacyLevel: 'public', publicDisplay: true },
    })
    const { qHash } = body.data
    const strangers = [
      (await app.get(`/api/v1/proofs/${qHash}`)).body,
      (await readAs(app, bob, qHash)).body,
      (await app.get(`/api/v1/proofs/by-wallet/${alice.address}`)).body,
    ]
    for (const seen of strangers) {
      expect(JSON.stringify(seen)).toContain('"permissions":["read"]')
      expect(JSON.stringify(seen)).not.toContain('owner-only')
    }
    expect(JSON.stringify((await readAs(app, alice, qHash)).body)).toContain('M-owner-only')
  })

  test.each([
    ['an unknown id', `0x${'ab'.repeat(32)}`, 404, 'NOT_FOUND'],
    ['something that is no id', '0x12', 400, 'VALIDATION_ERROR'],
    ['an id with one digit too many', `0x${'a'.repeat(65)}`, 400, 'VALIDATION_ERROR'],
  ])('refused: %s', async (_, id, status, code) => {
    expect(await app.get(`/api/v1/proofs/${id}`)).toMatchObject({ status, body: { success: false, error: { code } } })
  })
})

describe('latestScope: the newest run of the same claim', async () => {
  const app = await startApp()
  const listed = { privacyLevel: 'public', publicDisplay: true }
  const run = (content: string, options: object = listed) => app.prove(alice, options, { content })
  const first = await run('Same')
  const newest = await run('Same')
  const other = await run('Other')

  test('is answered in place of an older one, and the answer says so', async () => {
    const { body } = await app.get(`/api/v1/proofs/${first}?latestScope=1`)
    expect(body.data).toMatchObject({ qHash: newest, requestedQHash: first, isLatest: false })
    expect(body.qHash).toBe(newest)
  })

  test('is the proof itself when no newer one exists', async () => {
    for (const qHash of [newest, other])
      expect((await app.get(`/api/v1/proofs/${qHash}?latestScope=yes`)).body.data).toMatchObject({
        qHash,
        isLatest: true,
      })
  })

  test('is not asked for: the older one is answered', async () => {
    for (const query of ['', '?latestScope=0', '?latestScope=no'])
      expect((await app.get(`/api/v1/proofs/${first}${query}`)).body.data.qHash).toBe(first)
  })

  test('may be looked for by wallet, verifier and scope', async () => {
    const { contentHash } = (await app.get(`/api/v1/proofs/${first}`)).body.data.verifiedVerifiers[0].data
    const scope = `walletAddress=${alice.address}&verifierId=ownership-basic&scopeKey=${contentHash}`
    expect((await app.get(`/api/v1/proofs/${other}?latestScope=1&${scope}`)).body.data.qHash).toBe(newest)
    expect((await app.get(`/api/v1/proofs/${other}?latestScope=1&scopeKey=${contentHash}`)).status).toBe(400)
  })

  test('does not count a revoked run', async () => {
    const [older, revoked] = [await run('Twice'), await run('Twice')]
    const body = await app.ownerBody(alice, { action: 'revoke_proof', qHash: revoked })
    await app.post(`/api/v1/proofs/revoke-self/${revoked}`, body)
    expect((await app.get(`/api/v1/proofs/${older}?latestScope=1`)).body.data).toMatchObject({
      qHash: older,
      isLatest: true,
    })
  })

  test('does not tell a stranger that a private run exists', async () => {
    const open = await run('Half hidden')
    const hidden = await run('Half hidden', {})
    const { contentHash } = (await app.get(`/api/v1/proofs/${open}`)).body.data.verifiedVerifiers[0].data
    const scope = `walletAddress=${alice.address}&verifierId=ownership-basic&scopeKey=${contentHash}`
    for (const path of [`${open}?latestScope=1`, `${other}?latestScope=1&${scope}`]) {
      const { body } = await app.get(`/api/v1/proofs/${path}`)
      expect(JSON.stringify(body)).not.toContain(hidden)
    }
    expect((await readAs(app, alice, open, '?latestScope=1')).body.data).toMatchObject({
      qHash: hidden,
      isLatest: false,
    })
  })
})
