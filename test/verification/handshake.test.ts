import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { alice, mallory, sol } from '../wallets.ts'

const claimOf = (owner: string) => ({ verifierIds: ['ownership-basic'], data: { owner, content: 'Hello' } })

describe('POST /api/v1/verification', () => {
  test('a signed claim becomes a verified proof with a receipt and a portable form', async () => {
    const app = await startApp()

    const { status, body } = await app.submit(alice, claimOf(alice.address))

    expect(status).toBe(200)
    expect(body.success).toBe(true)
    expect(body.status).toBe('verified')
    expect(body.data.qHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(body.data.receipt).toEqual({ format: 'caip-380-envelope', portable: true })
    expect(Object.keys(body.data.portableProof).sort()).toEqual([
      'chainId',
      'data',
      'did',
      'qHash',
      'signature',
      'signatureMethod',
      'signedTimestamp',
      'verifierIds',
      'walletAddress',
    ])
    expect(body.data.verifiedVerifiers[0]).toMatchObject({
      verifierId: 'ownership-basic',
      verified: true,
      status: 'origin-authenticated',
    })
  })

  test('a Solana wallet signs the plain bytes, and its proof names its chain', async () => {
    const app = await startApp()

    const { status, body } = await app.submit(sol, claimOf(sol.address))

    expect(status).toBe(200)
    expect(body.data.portableProof).toMatchObject({ chain: 'solana:mainnet', signatureMethod: 'ed25519' })
    expect(body.data.did).toBe(`did:pkh:solana:mainnet:${sol.address}`)
  })

  test('gives the same proof for the same signed request', async () => {
    const app = await startApp()
    const first = await app.submit(alice, claimOf(alice.address))
    const again = await app.submit(alice, claimOf(alice.address))
    expect(again.status).toBe(200)
    expect(again.body.data.qHash).toBe(first.body.data.qHash)
    expect(again.body.data.createdAt).toBe(first.body.data.createdAt)
  })

  test('a signature by another wallet is refused and leaves no data behind', async () => {
    const app = await startApp()
    const body = { walletAddress: alice.address, signedTimestamp: app.now(), ...claimOf(alice.address) }
    const { body: prepared } = await app.post('/api/v1/verification/standardize', body)

    const answer = await app.post('/api/v1/verification', {
      ...body,
      signature: await mallory.sign(prepared.data.signerString),
    })

    expect(answer.status).toBe(401)
    expect(answer.body.error.code).toBe('SIGNATURE_INVALID')
    expect((await app.get(`/api/v1/proofs/${prepared.data.bodyPreview.qHash}`)).status).toBe(404)
  })
})
