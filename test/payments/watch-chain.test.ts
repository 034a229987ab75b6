/** The second look at a transaction, on a chain with reorganizations, and in a server that runs. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { loadConfig } from '../../src/config/load.ts'
import { OutsideError } from '../../src/outside/failure.ts'
import type { BoundPayment, Review } from '../../src/payments/payment.ts'
import { stablecoin } from '../../src/payments/stablecoin/method.ts'
import { bindStatement, findPayment } from '../../src/payments/store.ts'
import { openParts, startServer } from '../../src/start.ts'
import { startApp, type TestApp } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import type { Anvil } from '../parts/anvil.ts'
import { contractAt } from '../parts/contracts/contracts.ts'
import { type LyingRpc, lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { alice, bob } from '../wallets.ts'
import { catchUp, coinEnv, confirm, lower, makeFinal, mine, mined, openCoinStage, paid, usdc } from './coin-stage.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

const minute = 60_000
let anvil: Anvil
let rpc: LyingRpc
let app: TestApp

beforeAll(async () => {
  anvil = await openCoinStage()
  rpc = startLyingRpc(anvil.url)
  app = await startApp(coinEnv(rpc.url, { PROOFGATE_PAYMENTS_STABLECOIN_USDC_CONFIRMATIONS: '2' }))
})
afterAll(() => Promise.all([anvil.stop(), rpc.stop()]))

/** The payment as it stands in the database after the claim. */
async function claimOf(hash: string, on: TestApp = app): Promise<BoundPayment> {
  const verdict = await confirm(on, hash)
  if (!verdict.paid) throw new Error(`not paid: ${verdict.reason}`)
  const { identity, amount, payer, paidAt, details } = verdict
  return { identity, amount, payer, paidAt, details: JSON.parse(JSON.stringify(details)) }
}

async function claimed(): Promise<{ readonly hash: string; readonly claim: BoundPayment }> {
  const { timestamp } = await anvil.publicClient.getBlock()
  // Tests before may have moved the clock of the app.
  await anvil.rpc('evm_increaseTime', [Math.max(0, Math.floor(app.now() / 1000) - Number(timestamp))])
  await mine(anvil)
  const hash = await paid(anvil)
  await mine(anvil)
  await catchUp(app, anvil)
  return { hash, claim: await claimOf(hash) }
}

const look = (payment: BoundPayment): Promise<Review> => stablecoin.review(payment, app.parts)
const wordOf = async (payment: BoundPayment): Promise<string> => {
  const review = await look(payment)
  return review.state === 'reversed' ? review.reason : review.state
}

async function settle(): Promise<void> {
  await makeFinal(anvil)
  await catchUp(app, anvil)
}

describe('a payment', () => {
  test('waits until its block is final', async () => {
    const { claim } = await claimed()
    expect(await look(claim)).toEqual({ state: 'waiting', nextLookMs: 15_000 })
    await settle()
    expect(await look(claim)).toEqual({ state: 'final' })
  })

  test('is suspended at once after a reorganization took it back, and gone only after ten minutes', async () => {
    const { claim } = await claimed()
    await anvil.rpc('anvil_reorg', [3, []])
    expect(await look(claim)).toMatchObject({ state: 'suspended', reason: 'reorganized', nextLookMs: 15_000 })
    app.wait(10 * minute)
    expect(await look(claim)).toMatchObject({ state: 'reversed', reason: 'REORGANISED' })
  })

  test('stays paid when it is mined again in another block', async () => {
    const { hash, claim } = await claimed()
    const raw = await anvil.rpc('eth_getTransactionByHash', [hash])
    const { from, to, input, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = raw as Record<string, string>
    await anvil.rpc('anvil_reorg', [3, []])
    await mine(anvil, 5)
    const again = { from, to, data: input, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }
    // The coins came with a block that is gone as well.
    await contractAt(anvil, 'Erc20', usdc).write('mint', [alice.address, 4_990_000n])
    expect(await anvil.rpc('eth_sendTransaction', [again])).toBe(hash)
    const { blockNumber } = await mined(anvil, hash as `0x${string}`)
    expect(Number(blockNumber)).toBeGreaterThan(claim.details.blockNumber as number)
    await mine(anvil)
    await catchUp(app, anvil)
    app.wait(10 * minute)
    expect(await wordOf(claim)).toBe('waiting')
    await settle()
    expect(await wordOf(claim)).toBe('final')
    expect((await claimOf(hash)).identity).toBe(claim.identity)
  })

  test('is taken back when it is mined again and fails', async () => {
    const { hash, claim } = await claimed()
    const raw = await anvil.rpc('eth_getTransactionByHash', [hash])
    const { from, to, input, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = raw as Record<string, string>
    await anvil.rpc('anvil_reorg', [4, []])
    // This time the token refuses.
    const code = await anvil.publicClient.getCode({ address: usdc })
    await anvil.rpc('anvil_setCode', [usdc, '0x5f5ffd'])
    const again = { from, to, data: input, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }
    expect(await anvil.rpc('eth_sendTransaction', [again])).toBe(hash)
    expect((await mined(anvil, hash as `0x${string}`)).status).toBe('reverted')
    await anvil.rpc('anvil_setCode', [usdc, code])
    // One block says nothing yet.
    expect(await wordOf(claim)).toBe('waiting')
    await mine(anvil)
    expect(await wordOf(claim)).toBe('TX_FAILED')
  })

  test('is taken back when it is mined again with the money of another wallet', async () => {
    const { claim } = await claimed()
    const other = await mined(anvil, await paid(anvil, { from: bob.address }))
    await mine(anvil)
    await catchUp(app, anvil)
    rpc.lie(
      lies.result('eth_getTransactionReceipt', (receipt) => ({
        ...receipt,
        logs: other.logs.map(({ address, topics, data }) => ({ address, topics, data })),
      })),
    )
    expect(await wordOf(claim)).toBe('NO_TRANSFER')
    rpc.tellTheTruth()
    expect(await wordOf(claim)).toBe('waiting')
  })

  test.each([
    ['pays less', (log: { data: string }) => ({ ...log, data: `0x${(4_989_999).toString(16).padStart(64, '0')}` })],
    ['is no transfer', (log: { topics: string[] }) => ({ ...log, topics: log.topics.slice(0, 2) })],
    ['moves another token', (log: object) => ({ ...log, address: lower(bob.address) })],
  ])('that is mined again and %s is taken back', async (_, change) => {
    const { claim } = await claimed()
    rpc.lie(lies.result('eth_getTransactionReceipt', (receipt) => ({ ...receipt, logs: receipt.logs.map(change) })))
    expect(await wordOf(claim)).toBe('NO_TRANSFER')
    rpc.tellTheTruth()
    expect(await wordOf(claim)).toBe('waiting')
  })

  test('stays when an endpoint knows its block and not the transaction', async () => {
    const { claim } = await claimed()
    rpc.lie(lies.result('eth_getTransactionReceipt', () => null))
    app.wait(60 * minute)
    expect(await wordOf(claim)).toBe('waiting')
    rpc.lie(
      lies.result('eth_getTransactionReceipt', () => null),
      lies.behind(1),
    )
    expect(await wordOf(claim)).toBe('waiting')
    rpc.tellTheTruth()
  })

  test('on a chain that does not answer, or is no longer configured, is not decided', async () => {
    const { claim } = await claimed()
    rpc.lie(lies.status(500, 'eth_getTransactionReceipt'))
    expect(await look(claim).catch((error) => error)).toBeInstanceOf(OutsideError)
    rpc.tellTheTruth()
    const bare = await startApp({})
    const error = await stablecoin.review(claim, bare.parts).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(OutsideError)
    expect((error as OutsideError).mend).toContain('chain = "eip155:8453"')
  })
})

test('A server that starts goes on with the pending payments of the last one', async () => {
  const folder = newFolder()
  const env = { ...coinEnv(anvil.url), PROOFGATE_DATA: folder, PROOFGATE_PORT: '0' }
  const { claim } = await claimed()
  await settle()
  const config = await loadConfig({ env, cwd: '/nonexistent' })
  const before = await openParts(config, folder, app.now)
  const { identity, amount, payer, paidAt, details } = claim
  await before.parts.db.write([
    bindStatement({
      method: 'stablecoin',
      gate: 1,
      qHash: `0x${'ab'.repeat(32)}`,
      paid: { paid: true, identity, amount: amount!, payer, paidAt: paidAt!, details, isFinal: false },
      claimedAt: app.now() - minute,
    }),
  ])
  await before.close()

  const server = await startServer(config, { folder, now: app.now })
  try {
    const stateNow = async () => (await findPayment(server.parts.db, identity))?.state
    for (let look = 0; look < 500 && (await stateNow()) !== 'final'; look++) await Bun.sleep(10)
    expect(await stateNow()).toBe('final')
  } finally {
    await server.stop()
  }
})
