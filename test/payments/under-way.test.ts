/** Refusals while a payment may be moving: the buyer is not told that it failed, and does not pay twice. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { ServerResponse } from 'node:http'
import { openConclusions } from '../../src/gates/fulfill/conclude-settlement.ts'
import { findGate, writeChanges } from '../../src/gates/store.ts'
import { openSettlementWatch } from '../../src/payments/x402/settlement-watch.ts'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import { putGate, type Stage } from '../gates/fulfill-stage.ts'
import { expectRefused } from '../http/refused.ts'
import { overtake } from '../parts/overtake.ts'
import { facilitatorLies } from '../parts/x402-facilitator.ts'
import { openTwo } from '../processes/share.ts'
import { offer, openX402Shop, sign } from './x402-shop.ts'
import {
  decoded,
  encoded,
  openX402Stage,
  other,
  type Payer,
  payer,
  price,
  sendPast,
  toRealTime,
  type X402Stage,
} from './x402-stage.ts'

setDefaultTimeout(60_000)

let chain: X402Stage
let shop: Stage
const newFolder = temporaryFolders()
const rewards = [{ kind: 'reveal' as const, value: 'the word is plugh' }]

beforeAll(async () => {
  chain = await openX402Stage()
})
afterAll(() => chain.stop())

let revert: () => Promise<void>
beforeEach(async () => {
  ;({ shop, revert } = await openX402Shop(chain))
})
afterEach(() => revert())

async function setStatus({ parts }: Pick<TestApp, 'parts'>, gateId: string, status: 'draft' | 'paused' | 'deleted') {
  const base = (await findGate(parts, gateId))!
  const change = { kind: 'status', base, status, author: base.owner } as const
  expect(await writeChanges(parts, [change], parts.now())).toBe('stored')
}

async function revoke(app: Stage | TestApp, by: Payer, qHash: string): Promise<void> {
  const signed = await app.ownerBody(by.wallet, { action: 'revoke_proof', qHash })
  expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, signed)).status).toBe(200)
}

const conclude = async (app: { readonly parts: Stage['parts']; wait(ms: number): void }) => {
  app.wait(31_000)
  await openSettlementWatch(app.parts, openConclusions(app.parts, 'x402')).runOnce()
}

/** Hands a payment to the facilitator without getting an answer. The money has not moved. */
async function startSettling(
  gateId: string,
  more: object = { supply: 1 },
): Promise<{ qHash: string; evidence: string }> {
  await shop.gate(gateId, { price, rewards, ...more })
  chain.facilitator.lie('/settle', facilitatorLies.dropsTheConnection)
  const qHash = await shop.prove(payer.wallet)
  const evidence = await sign(shop, payer, gateId, qHash)
  expectRefused(await offer(shop, payer, gateId, qHash, evidence), 'SERVICE_UNAVAILABLE')
  return { qHash, evidence }
}

function expectUnderWay(answer: Answer, code: 'PAYMENT_REQUIRED' | 'PROOF_NOT_VERIFIED' = 'PAYMENT_REQUIRED'): void {
  expectRefused(answer, code, /whether it moved money is not known yet/)
  expect(answer.body.error.message).not.toMatch(/no money moved|not used/)
  expect(answer.body.error.details.reason).toBe('PAYMENT_UNDER_WAY')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.headers.get('payment-required')).toBeNull()
}

describe('a signed payment that was handed over', () => {
  test.each(['deleted', 'draft'] as const)('is reported as under way where the gate is %s by then', async (status) => {
    const { qHash, evidence } = await startSettling('gone')
    await shop.setStatus('gone', status)
    for (const answer of [await offer(shop, payer, 'gone', qHash, evidence), await offer(shop, payer, 'gone', qHash)])
      expectUnderWay(answer)
    // Other callers are not told of it, nor the buyer without a signature.
    expectRefused(await offer(shop, other, 'gone', qHash), 'GATE_NOT_FOUND')
    expectRefused(await shop.post(shop.pathOf('gone'), { qHash }), 'GATE_NOT_FOUND')
    await sendPast(evidence, chain)
    await conclude(shop)
    expectRefused(
      await offer(shop, payer, 'gone', qHash),
      'GATE_NOT_FOUND',
      status === 'draft' ? /./ : /owes it to you/,
    )
    expect(await shop.rows('SELECT state, reason FROM unmatched_payments')).toEqual([
      { state: 'owed', reason: 'GATE_NOT_FOUND' },
    ])
  })

  test('is reported as under way in parallel, while the facilitator works', async () => {
    await shop.gate('slow', { price, rewards, supply: 1 })
    const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    chain.facilitator.lie('/settle', async (response: ServerResponse, honest) => {
      asked.resolve()
      await go.promise
      const said = await honest()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    })
    const qHash = await shop.prove(payer.wallet)
    const evidence = await sign(shop, payer, 'slow', qHash)
    const first = offer(shop, payer, 'slow', qHash, evidence)
    await asked.promise
    await shop.setStatus('slow', 'deleted')
    const parallel = await Promise.all([
      offer(shop, payer, 'slow', qHash, evidence),
      offer(shop, payer, 'slow', qHash),
      offer(shop, payer, 'slow', qHash, evidence),
    ])
    for (const answer of parallel) expectUnderWay(answer)
    go.resolve()
    expectRefused(await first, 'GATE_NOT_FOUND', /owes it to you/)
  })

  test('is not refused by one of two processes while the other one hands it over again', async () => {
    await shop.gate('twice', { price, rewards, supply: 1 })
    const [one, second] = await openTwo(shop)
    const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const qHash = await shop.prove(payer.wallet)
    const evidence = await sign(shop, payer, 'twice', qHash)
    chain.facilitator.lie('/settle', facilitatorLies.says({ success: false, errorReason: 'insufficient_funds' }))
    let again: Promise<Answer> | undefined
    overtake(one.parts.db, 'SET refused_at = ?', async () => {
      chain.facilitator.lie('/settle', async (response: ServerResponse, honest) => {
        asked.resolve()
        await go.promise
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await honest()))
      })
      again = offer({ ...shop, ...second }, payer, 'twice', qHash, evidence)
      await asked.promise
    })
    const answer = await offer({ ...shop, ...one }, payer, 'twice', qHash, evidence)
    expectRefused(answer, 'PAYMENT_REQUIRED', /sign no other/)
    expect(answer.headers.get('payment-required')).toBeNull()
    go.resolve()
    expect((await again!).status).toBe(200)
  })

  test('is handed over by one of two processes, and the other one says that it is under way', async () => {
    await shop.gate('shared', { price, rewards, supply: 1 })
    const [one, second] = await openTwo(shop)
    const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    chain.facilitator.lie('/settle', async (response: ServerResponse, honest) => {
      asked.resolve()
      await go.promise
      const said = await honest()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    })
    const qHash = await shop.prove(payer.wallet)
    const evidence = await sign(shop, payer, 'shared', qHash)
    const countSettled = () => chain.facilitator.asked.filter((path) => path === '/settle').length
    const before = countSettled()
    const first = offer({ ...shop, ...one }, payer, 'shared', qHash, evidence)
    await asked.promise
    const answer = await offer({ ...shop, ...second }, payer, 'shared', qHash, evidence)
    expectRefused(answer, 'PAYMENT_REQUIRED', /has submitted the signed payment/)
    expect(answer.headers.get('payment-required')).toBeNull()
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    go.resolve()
    expect((await first).status).toBe(200)
    expect(countSettled() - before).toBe(1)
    expect((await offer({ ...shop, ...second }, payer, 'shared', qHash, evidence)).status).toBe(200)
  })

  test('is handed over again by another process, once the one that waited has ended', async () => {
    await shop.gate('left', { price, rewards, supply: 1 })
    const [one, second] = await openTwo(shop)
    const asked = Promise.withResolvers<void>()
    chain.facilitator.lie('/settle', () => asked.resolve())
    const qHash = await shop.prove(payer.wallet)
    const evidence = await sign(shop, payer, 'left', qHash)
    const first = offer({ ...shop, ...one }, payer, 'left', qHash, evidence)
    await asked.promise
    await one.processes.leave()
    chain.facilitator.tellTheTruth()
    expect((await offer({ ...shop, ...second }, payer, 'left', qHash, evidence)).status).toBe(200)
    await first
  })

  test('is reported as under way after a crash, and no payment beside it is requested', async () => {
    const folder = newFolder()
    const env = { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_MASTER_KEY: 'a1'.repeat(32), ...chain.env }
    let app = await startApp(env, folder)
    toRealTime(app)
    await putGate(app.parts, { gateId: 'crash', price, rewards, supply: 1 })
    const qHash = await app.prove(payer.wallet)
    const evidence = await sign(app, payer, 'crash', qHash)
    const asked = Promise.withResolvers<ServerResponse>()
    chain.facilitator.lie('/settle', (response) => asked.resolve(response))
    const cutSettlement = offer(app, payer, 'crash', qHash, evidence).catch(() => undefined)
    const unanswered = await asked.promise
    await app.close()
    unanswered.destroy()
    await cutSettlement

    app = await startApp(env, folder)
    toRealTime(app)
    await setStatus(app, 'crash', 'deleted')
    for (const with_ of [evidence, undefined]) expectUnderWay(await offer(app, payer, 'crash', qHash, with_))
    await sendPast(evidence, chain)
    const owed = await offer(app, payer, 'crash', qHash, evidence)
    expectRefused(owed, 'GATE_NOT_FOUND', /owes it to you/)
    await app.close()
  })

  test('is reported with the refusal of a revoked proof, so that the buyer does not pay for a new one', async () => {
    const { qHash, evidence } = await startSettling('revoked')
    await revoke(shop, payer, qHash)
    for (const with_ of [evidence, undefined]) {
      const answer = await offer(shop, payer, 'revoked', qHash, with_)
      expectUnderWay(answer, 'PROOF_NOT_VERIFIED')
      expect(answer.body.error.details).toMatchObject({ status: 'revoked', paymentUnderWay: { method: 'x402' } })
    }
  })

  test('is reported as under way where its place is over and another buyer has it', async () => {
    const { qHash, evidence } = await startSettling('last')
    await shop.parts.db.write([{ sql: 'DELETE FROM reservations', params: [] }])
    chain.facilitator.tellTheTruth()
    const faster = await shop.prove(other.wallet)
    const bought = await offer(shop, other, 'last', faster, await sign(shop, other, 'last', faster))
    expect(bought.status).toBe(200)
    for (const with_ of [evidence, undefined]) expectUnderWay(await offer(shop, payer, 'last', qHash, with_))
  })

  test('is reported as under way at another gate, where it is offered as well', async () => {
    const { evidence } = await startSettling('here')
    await shop.gate('there', { price, rewards, supply: 1 })
    const qHash = await shop.prove(payer.wallet)
    await shop.setStatus('there', 'deleted')
    // The signature does not name the gate.
    const { resource: _, ...bare } = decoded(evidence)
    const answer = await offer(shop, payer, 'there', qHash, encoded(bare))
    expectRefused(answer, 'GATE_NOT_FOUND', /whether it moved money is not known yet/)
    expect(answer.body.error.message).not.toContain('no money moved')
  })

  test('is not told as expired, or as refused by the facilitator, while it is not known whether it moved', async () => {
    const { qHash, evidence } = await startSettling('open')
    chain.facilitator.lie('/verify', facilitatorLies.says({ isValid: false, invalidReason: 'nonce_in_use' }))
    expectRefused(
      await offer(shop, payer, 'open', qHash, evidence),
      'PAYMENT_REQUIRED',
      /whether it moved money is not known yet/,
    )
    shop.wait(3_600_000)
    const late = await offer(shop, payer, 'open', qHash, evidence)
    expectRefused(late, 'PAYMENT_REQUIRED', /whether it moved money is not known yet/)
    expect(late.headers.get('payment-required')).toBeNull()
  })
})

describe('a payment that was claimed', () => {
  test.each([
    ['paused', {}],
    ['draft', {}],
    ['deleted', {}],
    ['active', { policy: { visibility: 'private' as const } }],
  ] as const)('by the server itself is fulfilled, though the gate is %s %p', async (status, policy) => {
    const { qHash, evidence } = await startSettling('done')
    await sendPast(evidence, chain)
    await conclude(shop)
    // Its owner changes the reward before they close it.
    await shop.gate('done', { price, rewards: [], supply: 1, ...policy })
    if (status !== 'active') await shop.setStatus('done', status)
    const answers = [await offer(shop, payer, 'done', qHash, evidence), await offer(shop, payer, 'done', qHash)]
    for (const { status: code, body } of answers) {
      expect([code, body.data?.fulfillment.value]).toEqual([200, 'the word is plugh'])
      expect(body.data.rewardProof.gateVersion).toBe(1)
    }
    expect(answers[0]!.body.data).toEqual(answers[1]!.body.data)
    // No other wallet can use it, whatever it signs.
    const stranger = await shop.prove(other.wallet)
    const code = status === 'paused' ? 'GATE_PAUSED' : 'GATE_NOT_FOUND'
    expectRefused(await offer(shop, other, 'done', stranger), code)
    expectRefused(await offer(shop, other, 'done', qHash), code)
    expectRefused(await shop.post(shop.pathOf('done'), { qHash }), code)
  })
})
