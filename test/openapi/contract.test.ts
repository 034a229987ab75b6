import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../app.ts'
import { conforms } from '../contract.ts'
import { alice } from '../wallets.ts'

/** A test that guards the description must itself be able to fail. */
describe('an answer is held to the description of the API', () => {
  const health = async (): Promise<Answer> => (await startApp()).get('/api/v1/health')

  test('a true one passes', async () => {
    await conforms(await health(), 'GET', '/api/v1/health')
  })

  test('a member that is missing, of another type, or not described is named', async () => {
    const answer = await health()
    const withData = (change: object) => ({
      ...answer,
      body: { success: true, data: { ...answer.body.data, ...change } },
    })
    const told = (change: object) => conforms(withData(change), 'GET', '/api/v1/health')
    await expect(told({ uptime: undefined })).rejects.toThrow(
      "GET /api/v1/health → 200 is not what the API description says: /data must have required property 'uptime'",
    )
    await expect(told({ uptime: 'long' })).rejects.toThrow('/data/uptime must be integer')
    await expect(told({ timestamp: 'yesterday' })).rejects.toThrow('/data/timestamp must match format')
    await expect(told({ secret: 1 })).rejects.toThrow('("secret" is not described)')
  })

  test('a wrong member of a proof, deep inside a list, is named', async () => {
    const app = await startApp()
    await app.prove(alice, { privacyLevel: 'public', publicDisplay: true })
    const path = `/api/v1/proofs/by-wallet/${alice.address}`
    const answer = await app.get(path)
    expect(answer.body.data.proofs).toHaveLength(1)
    answer.body.data.proofs[0].rowId = 1
    await expect(conforms(answer, 'GET', path)).rejects.toThrow('/data/proofs/0 must NOT have additional properties')
  })

  test('a status the operation does not know, or a success where nothing is described, is named', async () => {
    const answer = await health()
    await expect(conforms({ ...answer, status: 201 }, 'GET', '/api/v1/health')).rejects.toThrow('no such status')
    await expect(conforms(answer, 'GET', '/api/v1/unknown')).rejects.toThrow('says nothing of this path')
    await expect(conforms(answer, 'PUT', '/api/v1/health')).rejects.toThrow('says nothing of this path')
  })

  test('an error code that the operation does not list is named', async () => {
    const path = `/api/v1/proofs/0x${'00'.repeat(32)}`
    const answer = await (await startApp()).get(path)
    expect(answer.body.error.code).toBe('NOT_FOUND')
    const other = { ...answer, body: { ...answer.body, error: { ...answer.body.error, code: 'GATE_NOT_FOUND' } } }
    await expect(conforms(other, 'GET', path)).rejects.toThrow('getProof does not list GATE_NOT_FOUND for 404')
  })

  test('a refusal without the envelope, a wrong content type, and a body of HEAD are named', async () => {
    const answer = await health()
    await expect(conforms({ ...answer, status: 404, body: 'no' }, 'GET', '/x')).rejects.toThrow('must be object')
    await expect(conforms({ ...answer, headers: new Headers() }, 'GET', '/api/v1/health')).rejects.toThrow(
      'type is none',
    )
    await expect(conforms(answer, 'HEAD', '/api/v1/health')).rejects.toThrow('a body where none is due')
  })
})
