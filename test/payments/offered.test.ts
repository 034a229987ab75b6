import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'

const token = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const configured = {
  // No server listens at this address, and none is asked.
  PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
  PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:9',
  PROOFGATE_PAYMENTS_STABLECOIN_USDC_CHAIN: 'eip155:8453',
  PROOFGATE_PAYMENTS_STABLECOIN_USDC_TOKEN: token,
  PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY: 'sk_test_123',
  PROOFGATE_PAYMENTS_STRIPE_LIVE: 'false',
  PROOFGATE_PAYMENTS_X402_FACILITATOR_URL: 'http://127.0.0.1:9',
}

describe('GET /api/v1/payments/methods', () => {
  test('lists nothing where nothing is configured', async () => {
    const app = await startApp()
    expect((await app.get('/api/v1/payments/methods')).body).toEqual({
      success: true,
      data: { methods: [] },
      timestamp: '2026-01-01T00:00:00.000Z',
    })
  })

  test('lists the configured methods with what a buyer needs and without keys', async () => {
    const app = await startApp(configured)
    const { body } = await app.get('/api/v1/payments/methods')
    const methods: { id: string; type: string; enabled: boolean; network?: string; assetAddress?: string }[] =
      body.data.methods
    expect(methods.map(({ id, type, enabled }) => ({ id, type, enabled }))).toEqual([
      { id: 'usdc', type: 'onchain', enabled: true },
      { id: 'stripe', type: 'card', enabled: true },
      { id: 'x402', type: 'http402', enabled: true },
    ])
    expect(methods[0]).toMatchObject({ network: 'eip155:8453', decimals: 6 })
    expect(methods[0]?.assetAddress?.toLowerCase()).toBe(token)
    expect(JSON.stringify(body)).not.toMatch(/sk_test|127\.0\.0\.1/)
  })
})

test('GET /api/v1/payments/pricing says that nothing is charged, for every verifier that is offered', async () => {
  const app = await startApp()
  const { data } = (await app.get('/api/v1/payments/pricing')).body
  expect(data).toMatchObject({
    billing: 'off',
    currency: 'USD',
    creditPriceUsd: 0,
    plans: [],
    operations: { gateCheck: 0, proofWrite: 0, accessGrant: 0 },
    addOns: { ipfs: 0, extraChain: 0 },
  })
  expect(Object.keys(data.verifierWeights).sort()).toEqual([...app.parts.catalog.enabled.keys()].sort())
  expect(new Set(Object.values(data.verifierWeights))).toEqual(new Set([0]))
})
