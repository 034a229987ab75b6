/** Asks about assets on anvil, for the tests of verifiers that read a chain. */
import { expect } from 'bun:test'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { leavesNothing } from '../http/refused.ts'
import type { Anvil } from '../parts/anvil.ts'
import type { TestWallet } from '../wallets.ts'
import { asking } from './ask.ts'

/** The chain id that the anvil chains of these tests have. */
export const base = 8453

/** The settings of an app that asks this chain. */
export const asks = (rpc: string): Record<string, string> => ({
  PROOFGATE_CHAINS_BASE_CHAIN: `eip155:${base}`,
  PROOFGATE_CHAINS_BASE_RPC: rpc,
  PROOFGATE_LIMITS_ENABLED: 'false',
})

/** Asks, and demands that a refusal leaves no row behind. */
export const askingCarefully =
  (app: TestApp, verifierId: string) =>
  async (wallet: TestWallet, data: object, more: object = {}): Promise<Answer> =>
    leavesNothing(app.parts, () => asking(app, verifierId)(wallet, data, more))

/** Compares the evidence about the block that was read with the chain's own block. */
export async function expectBlock(
  anvil: Anvil,
  { onChainData, sources }: { onChainData: Record<string, unknown>; sources: string[] },
): Promise<void> {
  const { chain, blockNumber, blockHash, blockTime } = onChainData
  const block = await anvil.publicClient.getBlock({ blockNumber: BigInt(blockNumber as number) })
  expect({ chain, blockHash, blockTime }).toEqual({
    chain: `eip155:${base}`,
    blockHash: block.hash,
    blockTime: Number(block.timestamp) * 1000,
  })
  expect(sources).toEqual(['chains.base.rpc[0]'])
}

/** An address without a listener: the discard port. */
export const nobody = 'http://127.0.0.1:9'

/** An app whose one endpoint is down answers 503, with the time to try again, and keeps nothing. */
export async function expectUnavailable(verifierId: string, wallet: TestWallet, data: object): Promise<void> {
  const app = await startApp({ ...asks(nobody), PROOFGATE_VERIFIERS_ENABLED: verifierId })
  const { status, body, headers } = await askingCarefully(app, verifierId)(wallet, data)
  expect(status).toBe(503)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(body.error).toMatchObject({
    code: 'VERIFIER_UNAVAILABLE',
    message: expect.stringContaining('nothing was stored'),
    details: { verifierId, source: 'chains.base.rpc[0]' },
  })
  expect(JSON.stringify(body)).not.toContain(nobody)
}

/** A server without a chain does not offer the verifier, and names the setting that would. */
export async function expectAbsentWithoutChain(verifierId: string, wallet: TestWallet, data: object): Promise<void> {
  const app = await startApp({ PROOFGATE_VERIFIERS_ENABLED: `ownership-basic,${verifierId}` })
  expect((await app.get('/api/v1/verification/verifiers')).body.data).toEqual(['ownership-basic'])
  const { status, body } = await app.submit(wallet, { verifierIds: [verifierId], data })
  expect(status).toBe(400)
  expect(body.error).toMatchObject({
    code: 'VERIFIER_NOT_FOUND',
    message: expect.stringMatching(/add \[chains\.<name>\] with chain .*and rpc to the configuration/),
  })
}
