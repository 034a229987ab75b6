import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { alice } from '../wallets.ts'

const nowhere = `0x${'ab'.repeat(32)}`

describe('GET /api/v1/verification/status/{qHash}, the older path', async () => {
  const app = await startApp()

  test('gives the same answer as proofs/{qHash}, to strangers and to the owner', async () => {
    const qHash = await app.prove(alice)
    const headers = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash })
    for (const given of [{}, headers]) {
      const older = await app.get(`/api/v1/verification/status/${qHash}`, given)
      expect(older.status).toBe(200)
      expect(older.body).toEqual((await app.get(`/api/v1/proofs/${qHash}`, given)).body)
    }
  })

  test('answers an unknown id as unknown', async () => {
    expect(await app.get(`/api/v1/verification/status/${nowhere}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND' } },
    })
  })
})

describe('POST /api/v1/verification/status-batch (src/guides/wire.md, "Status of many proofs")', async () => {
  const app = await startApp()
  const path = '/api/v1/verification/status-batch'
  const [secret, open, revoked] = [
    await app.prove(alice),
    await app.prove(alice, { privacyLevel: 'public' }),
    await app.prove(alice),
  ]
  const provedAt = new Date(app.now()).toISOString()
  app.wait(1000)
  await app.post(
    `/api/v1/proofs/revoke-self/${revoked}`,
    await app.ownerBody(alice, { action: 'revoke_proof', qHash: revoked }),
  )

  test('shows the status of each id, and only its public members', async () => {
    const { status, body } = await app.post(path, { qHashes: [secret, open, revoked, nowhere] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, ok: true })
    expect(Object.keys(body.results)).toEqual([secret, open, revoked, nowhere])
    expect(body.results[revoked]).toEqual({
      qHash: revoked,
      status: 'revoked',
      createdAt: provedAt,
      completedAt: provedAt,
      lastUpdated: app.now(),
      privacyLevel: 'private',
      cached: false,
      cachedAt: null,
    })
    expect(body.results[secret]).toMatchObject({ status: 'verified', privacyLevel: 'private' })
    expect(body.results[open]).toMatchObject({ status: 'verified', privacyLevel: 'public' })
    expect(body.results[nowhere]).toEqual({
      qHash: nowhere,
      status: 'not_found',
      createdAt: null,
      completedAt: null,
      lastUpdated: null,
      privacyLevel: 'unknown',
      cached: false,
      cachedAt: null,
    })
  })

  test('answers an id in upper case under its lower-case spelling', async () => {
    const { body } = await app.post(path, { qHashes: [`0x${secret.slice(2).toUpperCase()}`] })
    expect(Object.keys(body.results)).toEqual([secret])
  })

  test('answers an id that begins as that of a proof as unknown', async () => {
    const similar = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`
    const { body } = await app.post(path, { qHashes: [similar, secret, similar] })
    expect(Object.keys(body.results)).toEqual([similar, secret])
    expect(body.results[similar].status).toBe('not_found')
    expect(body.results[secret].status).toBe('verified')
  })

  test.each(['qHashes', 'qhashes', 'ids', 'proofIds'])('the ids may stand in %s', async (member) => {
    expect((await app.post(path, { [member]: [secret] })).body.results[secret].status).toBe('verified')
  })

  test('takes 100 ids at once', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `0x${index.toString(16).padStart(64, '0')}`)
    expect(Object.keys((await app.post(path, { qHashes: ids })).body.results)).toHaveLength(100)
  })

  test.each<[string, object]>([
    ['no ids', {}],
    ['an empty list', { qHashes: [] }],
    ['101 ids', { qHashes: Array.from({ length: 101 }, () => nowhere) }],
    ['something that is no id', { qHashes: ['0x12'] }],
  ])('refuses %s', async (_, body) => {
    expect(await app.post(path, body)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
  })
})
