/** Payments of x402 after the grant: what a reorganization does to them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { BoundPayment } from '../../src/payments/payment.ts'
import { x402 } from '../../src/payments/x402/method.ts'
import { startApp, type TestApp } from '../app.ts'
import { lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { makeFinal, mine } from './coin-stage.ts'
import { cancel, openX402Stage, payer, quoteFor, sendPast, signedBy, toRealTime, type X402Stage } from './x402-stage.ts'

let stage: X402Stage
let app: TestApp

beforeAll(async () => {
  stage = await openX402Stage()
})
afterAll(() => stage.stop())
beforeEach(async () => {
  app = await startApp(stage.env)
  toRealTime(app)
})

async function claimed(): Promise<{ readonly evidence: string; readonly payment: BoundPayment }> {
  const evidence = await signedBy(payer, quoteFor(payer), app.parts)
  const verdict = await x402.confirm({ ...quoteFor(payer), evidence }, app.parts)
  if (!verdict.paid) throw new Error(verdict.reason)
  const { identity, amount, paidAt, details } = verdict
  return { evidence, payment: { identity, amount, paidAt, details, payer: verdict.payer } }
}

const reorganise = async (): Promise<void> => {
  await stage.anvil.rpc('anvil_reorg', [1, []])
  await mine(stage.anvil)
}

describe('a settled payment', () => {
  test('is looked at until its block is final, and is final then', async () => {
    const { payment } = await claimed()
    expect((await x402.review(payment, app.parts)).state).toBe('waiting')
    const snapshot = await stage.anvil.rpc('evm_snapshot')
    await makeFinal(stage.anvil)
    expect((await x402.review(payment, app.parts)).state).toBe('final')
    await stage.anvil.rpc('evm_revert', [snapshot])
  })

  test('is reversed when a reorganization took it back for good', async () => {
    const { payment } = await claimed()
    await reorganise()
    expect((await x402.review(payment, app.parts)).state).toBe('suspended')
    app.wait(11 * 60_000)
    expect(await x402.review(payment, app.parts)).toMatchObject({ state: 'reversed', reason: 'REORGANISED' })
  })

  test('stays one when its authorization goes through in another transaction', async () => {
    const { evidence, payment } = await claimed()
    await reorganise()
    await sendPast(evidence, stage)
    app.wait(11 * 60_000)
    expect((await x402.review(payment, app.parts)).state).toBe('waiting')
    // It is the same payment, whoever offers it.
    const again = await x402.confirm({ ...quoteFor(payer), evidence }, app.parts)
    expect(again.paid && again.identity).toBe(payment.identity)
  })

  test('is awaited while its new transaction is unknown, and reversed when that was canceled', async () => {
    const { evidence, payment } = await claimed()
    await reorganise()
    app.wait(11 * 60_000)
    const snapshot = await stage.anvil.rpc('evm_snapshot')
    await sendPast(evidence, stage)
    const rpc = startLyingRpc(stage.anvil.url)
    const seeing = await startApp({ ...stage.env, PROOFGATE_CHAINS_BASE_RPC: rpc.url })
    const review = () => x402.review(payment, { ...seeing.parts, now: app.now, readSure: app.parts.readSure })
    for (const logs of [[], [{ transactionHash: `0x${'cd'.repeat(32)}` }]]) {
      rpc.lie(lies.result('eth_getLogs', () => logs))
      expect((await review()).state).toBe('waiting')
    }
    rpc.tellTheTruth()
    expect((await review()).state).toBe('waiting')

    await stage.anvil.rpc('evm_revert', [snapshot])
    await cancel(evidence, stage)
    expect(await review()).toMatchObject({ state: 'reversed', reason: 'REORGANISED' })
    await rpc.stop()
  })
})
