/**
 * Requests race to bind one payment, with the writer thread. One gets it, and the others get a reason, not a 5xx.
 * FULFILLMENTS=10000 runs the long form.
 */

import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { applyReview } from '../../src/gates/fulfill/apply-review.ts'
import { filterInOrder } from '../../src/in-order.ts'
import { findPayment } from '../../src/payments/store.ts'
import type { OpenedParts } from '../../src/start.ts'
import { openParts } from '../../src/start.ts'
import { faultsIn, temporaryFolders } from '../db/store.ts'
import { newTill, price, putGate, type StageGate } from '../gates/fulfill-stage.ts'
import { select } from '../parts/select.ts'
import { alice, evmWallet, type TestWallet } from '../wallets.ts'
import { listDue } from './due.ts'

setDefaultTimeout(600_000)

const wanted = Number(process.env.FULFILLMENTS ?? 300)
const rewards = [{ kind: 'reveal' as const, value: 'open sesame' }]
const newFolder = temporaryFolders()
const folder = newFolder()
const till = newTill()
const startedAt = Date.now()

let opened: OpenedParts
let app: ReturnType<typeof createApp>
beforeAll(async () => {
  const env = { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_STORAGE_WRITER: 'worker', PROOFGATE_LOG_LEVEL: 'error' }
  opened = await openParts(await loadConfig({ env, cwd: folder }), folder, () => startedAt)
  opened.setAddresses({ baseUrl: 'http://localhost', authUrl: 'http://localhost', mcpUrl: 'http://localhost' })
  opened = { ...opened, parts: { ...opened.parts, paymentMethods: [till.method] } }
  app = createApp(opened.parts)
})
interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await app.handle(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )
  return { status: response.status, body: await response.json() }
}

const gate = (gateId: string, more: StageGate = {}) => putGate(opened.parts, { gateId, rewards, ...more })
const count = async (table: string): Promise<number> =>
  (await select<{ n: number }>(opened.parts.db, `SELECT count(*) AS n FROM ${table}`).get())?.n ?? -1
const givenOut = async (): Promise<number> =>
  (await select<{ n: number }>(opened.parts.db, 'SELECT sum(fulfilled_count) AS n FROM gates').get())?.n ?? -1

let proofs = 0
/** A proof of the wallet, and the headers by which it is fulfilled at any gate. */
async function prove(wallet: TestWallet = alice) {
  const signedTimestamp = startedAt - proofs++
  const claim = {
    walletAddress: wallet.address,
    verifierIds: ['ownership-basic'],
    data: { owner: wallet.address, content: `Number ${proofs}` },
    signedTimestamp,
  }
  const prepared = await post('/api/v1/verification/standardize', claim)
  const signature = await wallet.sign(prepared.body.data.signerString)
  const { qHash } = (await post('/api/v1/verification', { ...claim, signature })).body.data
  const signed = await wallet.signAction({ action: 'access_private_proof', qHash }, startedAt)
  return {
    qHash: qHash as string,
    headers: {
      'x-wallet-address': wallet.address,
      'x-signature': signed.signature,
      'x-signed-timestamp': String(startedAt),
    },
  }
}
type Proof = Awaited<ReturnType<typeof prove>>
const proveMany = async (many: number, wallet?: TestWallet): Promise<Proof[]> => {
  const made: Proof[] = []
  for (let number = 0; number < many; number++) made.push(await prove(wallet))
  return made
}
const fulfill = (gateId: string, { qHash, headers }: Proof, paymentTxHash?: string): Promise<Answer> =>
  post(`/api/v1/profile/gates/${gateId}/fulfill`, { qHash, ...(paymentTxHash ? { paymentTxHash } : {}) }, headers)

/** How often each status and code came. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const key = status === 200 ? '200' : `${status} ${body.error.code}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)

test(`${wanted} fulfillments race for one payment, over many gates and proofs: one gets it, and can repeat`, async () => {
  const side = Math.ceil(Math.sqrt(wanted))
  const gates = Array.from({ length: side }, (_, number) => `race-${number}`)
  for (const gateId of gates) await gate(gateId, { price })
  const pairs = (await proveMany(side)).flatMap((proof) => gates.map((gateId) => ({ gateId, proof }))).slice(0, wanted)
  const before = {
    payments: await count('payments'),
    fulfillments: await count('fulfillments'),
    given: await givenOut(),
  }
  till.takes('0xone')

  const racing = shuffled(pairs)
  const answers = await Promise.all(racing.map(({ gateId, proof }) => fulfill(gateId, proof, '0xone')))

  expect(tally(answers)).toEqual({ '200': 1, '409 PAYMENT_ALREADY_USED': wanted - 1 })
  expect({
    payments: await count('payments'),
    fulfillments: await count('fulfillments'),
    given: await givenOut(),
  }).toEqual({
    payments: before.payments + 1,
    fulfillments: before.fulfillments + 1,
    given: before.given + 1,
  })
  const winner = answers.findIndex(({ status }) => status === 200)
  const { gateId, proof } = racing[winner]!
  const again = await Promise.all([fulfill(gateId, proof, '0xone'), fulfill(gateId, proof)])
  for (const { body } of again) expect(body.data).toEqual(answers[winner]!.body.data)
  console.log(`${wanted} fulfillments for one payment: 1 granted, ${wanted - 1} refused with 409`)
})

describe('one pair', () => {
  test('asked for 100 times at once with one payment: the same answer to all, and one claim', async () => {
    await gate('pair', { price, supply: 1 })
    const proof = await prove()
    till.takes('0xpair')
    const answers = await Promise.all(Array.from({ length: 100 }, () => fulfill('pair', proof, '0xpair')))
    expect(tally(answers)).toEqual({ '200': 100 })
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
  })

  test('paid by 30 payments at once: one is claimed, the others stay with their buyer', async () => {
    await gate('rich', { price })
    const [proof, other] = [await prove(), await prove()]
    const evidence = Array.from({ length: 30 }, (_, number) => `0xrich${number}`)
    for (const one of evidence) till.takes(one)
    const answers = await Promise.all(evidence.map((one) => fulfill('rich', proof, one)))
    expect(tally(answers)).toEqual({ '200': 30 })
    const used = await filterInOrder(
      evidence,
      async (one) => (await findPayment(opened.parts.db, `tx:${one}`)) !== undefined,
    )
    expect(used).toHaveLength(1)
    expect(
      (
        await fulfill(
          'rich',
          other,
          evidence.find((one) => one !== used[0]),
        )
      ).status,
    ).toBe(200)
  })
})

describe('limits', () => {
  test('50 buyers with a payment each want the last three: three get them, and no other payment is claimed', async () => {
    await gate('few', { price, supply: 3 })
    const buyers = await proveMany(50)
    for (const { qHash } of buyers) till.takes(qHash)
    const payments = await count('payments')
    const answers = await Promise.all(buyers.map((buyer) => fulfill('few', buyer, buyer.qHash)))
    expect(tally(answers)).toEqual({ '200': 3, '409 GATE_SOLD_OUT': 47 })
    expect(await count('payments')).toBe(payments + 3)
  })

  test('a wallet comes with 20 proofs at once where it may have two, beside another wallet', async () => {
    await gate('each', { perWallet: 2 })
    const bob = evmWallet(`0x${'5'.repeat(64)}`)
    const [ofAlice, ofBob] = [await proveMany(20), await proveMany(20, bob)]
    const [answersOfAlice, answersOfBob] = await Promise.all(
      [ofAlice, ofBob].map((theirs) => Promise.all(theirs.map((proof) => fulfill('each', proof)))),
    )
    for (const answers of [answersOfAlice!, answersOfBob!])
      expect(tally(answers)).toEqual({ '200': 2, '409 GATE_LIMIT_REACHED': 18 })
  })
})

describe('simultaneous changes', () => {
  test('a proof that is revoked at the same time is granted before it or not at all', async () => {
    await gate('revoking')
    const racing = await proveMany(30)
    const revocations = await Promise.all(
      racing.map(({ qHash }) => alice.signAction({ action: 'revoke_proof', qHash }, startedAt)),
    )
    const given = await givenOut()
    const answers = await Promise.all(
      racing.map(async (proof, number) => {
        const [first, second] = await Promise.all([
          fulfill('revoking', proof),
          post(`/api/v1/proofs/revoke-self/${proof.qHash}`, revocations[number]!),
        ])
        expect(second.status).toBe(200)
        return first
      }),
    )
    for (const { status, body } of answers) if (status !== 200) expect(body.error.code).toBe('PROOF_NOT_VERIFIED')
    expect(await givenOut()).toBe(given + answers.filter(({ status }) => status === 200).length)
    expect(tally(await Promise.all(racing.map((proof) => fulfill('revoking', proof))))).toEqual({
      '400 PROOF_NOT_VERIFIED': 30,
    })
  })

  test('a payment that 20 watchers see taken back suspends once', async () => {
    await gate('undone', { price, supply: 5 })
    till.takes('0xundone')
    await fulfill('undone', await prove(), '0xundone')
    const { db } = opened.parts
    const payment = (await findPayment(db, 'tx:0xundone'))!
    const given = await givenOut()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        applyReview(opened.parts, payment, { state: 'reversed', reason: 'REFUNDED', message: 'refunded' }),
      ),
    )
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await givenOut()).toBe(given - 1)
    expect(await findPayment(db, 'tx:0xundone')).toMatchObject({ state: 'reversed', watchAt: null })
  })
})

describe('a look at a payment', () => {
  const now = startedAt
  test('is repeated while the payment is pending, and ends when it is final', async () => {
    await gate('looked', { price })
    till.takes('0xlooked')
    await fulfill('looked', await prove(), '0xlooked')
    const { db } = opened.parts
    const due = async () => (await listDue(db, now + 3_600_000)).find(({ identity }) => identity === 'tx:0xlooked')
    expect((await listDue(db, now)).map(({ identity }) => identity)).not.toContain('tx:0xlooked')
    expect(await due()).toMatchObject({ watchAt: now + 15_000, details: { transaction: 'tx:0xlooked' } })

    expect(await applyReview(opened.parts, (await due())!, { state: 'waiting', nextLookMs: 60_000 })).toBe(true)
    expect(await due()).toMatchObject({ state: 'claimed', watchAt: now + 60_000 })
    expect(await applyReview(opened.parts, (await due())!, { state: 'final' })).toBe(true)
    expect(await due()).toBeUndefined()
    expect((await findPayment(db, 'tx:0xlooked'))?.state).toBe('final')
  })

  test('keeps a look that another request scheduled meanwhile', async () => {
    await gate('asked', { price })
    till.takes('0xasked')
    await fulfill('asked', await prove(), '0xasked')
    const { db } = opened.parts
    const seen = (await findPayment(db, 'tx:0xasked'))!
    await db.write([{ sql: 'UPDATE payments SET watch_at = ?1 WHERE id = ?2', params: [now, seen.id] }])
    expect(await applyReview(opened.parts, seen, { state: 'final' })).toBe(false)
    expect(await applyReview(opened.parts, seen, { state: 'waiting', nextLookMs: 60_000 })).toBe(false)
    expect(await findPayment(db, 'tx:0xasked')).toMatchObject({ state: 'claimed', watchAt: now })
  })

  test('finds a final payment taken back, as disputes do', async () => {
    await gate('disputed', { price })
    till.takes('0xdisputed', { isFinal: true })
    const proof = await prove()
    await fulfill('disputed', proof, '0xdisputed')
    const payment = (await findPayment(opened.parts.db, 'tx:0xdisputed'))!
    expect(await applyReview(opened.parts, payment, { state: 'reversed', reason: 'DISPUTED', message: '' })).toBe(true)
    expect(tally([await fulfill('disputed', proof)])).toEqual({ '409 FULFILLMENT_SUSPENDED': 1 })
  })
})

test('the database file is sound after all of these', async () => {
  await opened.close()
  expect(faultsIn(folder)).toEqual([])
})
