/** Limits of one account: other accounts at its address do not use them up. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTwoChains, type TwoChains } from './two-chains.ts'

let chains: TwoChains
beforeAll(async () => {
  chains = await startTwoChains({ PROOFGATE_LIMITS_ENABLED: 'true', PROOFGATE_LIMITS_RATES_CREATE: '1/1h' })
})
afterAll(() => chains?.close())

test('proofs are counted for each account at an address, and for all of its signatures', async () => {
  const { app, key, keyOnHub, keyOnOther } = chains
  const left = async (wallet: typeof key, content: string) => {
    app.wait(1)
    const claim = { verifierIds: ['ownership-basic'], data: { owner: wallet.address, content } }
    return (await app.submit(wallet, claim)).status
  }
  for (const wallet of [key, keyOnHub, keyOnOther]) expect(await left(wallet, 'one')).toBe(200)
  for (const wallet of [key, keyOnHub, keyOnOther]) expect(await left(wallet, 'two')).toBe(429)
  const elsewhere = { ...key, signing: { chain: 'eip155:10' } }
  expect(await left(elsewhere, 'three')).toBe(429)
})
