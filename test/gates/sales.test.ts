/** Lists of fulfillments and payments, for owners of gates and for buyers. */

import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { migrations } from '../../src/db/migrations.ts'
import type { Query } from '../../src/db/query.ts'
import { beginErasure } from '../../src/erasure/store.ts'
import { applyReview } from '../../src/gates/fulfill/apply-review.ts'
import { listSales, readTotal } from '../../src/gates/manage/sales-store.ts'
import { findPayment } from '../../src/payments/store.ts'
import { expectRefused } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import { openStage, price, type Stage } from './fulfill-stage.ts'

const secret = 'xyzzy-plugh-4711'
const rewards = [{ kind: 'reveal' as const, value: secret }]
const gatePath = (gateId: string): string => `/api/v1/profile/gates/${gateId}/fulfillments`
const minePath = '/api/v1/profile/fulfillments'
const paymentsPath = '/api/v1/profile/payments'

async function reader(stage: Stage, wallet: TestWallet) {
  const { cookie } = await stage.signIn(wallet)
  return (path: string) => stage.request(path, { headers: { cookie } })
}

/** Alice passes the gate with a proof of her own; with a payment where it has a price. */
async function pass(stage: Stage, gateId: string, payment?: string, wallet = alice) {
  const qHash = await stage.prove(wallet)
  if (payment) stage.till.takes(payment)
  const answer = await stage.fulfill(gateId, qHash, payment ? { paymentTxHash: payment } : {}, { wallet })
  expect(answer.status).toBe(200)
  return { qHash, receiptId: answer.body.data.rewardProof.receiptId as string }
}

describe('GET /api/v1/profile/gates/{gateId}/fulfillments', () => {
  test('shows the owner of the gate each wallet, its version and its proof, and never the reward', async () => {
    const stage = await openStage()
    await stage.gate('paid', { name: 'Paid', price, rewards })
    const { qHash, receiptId } = await pass(stage, 'paid', '0xa')
    await stage.gate('paid', { name: 'Paid twice', price: { ...price, amountUsd: '10' }, rewards })
    await pass(stage, 'paid', '0xb')
    const { status, body } = await (await reader(stage, bob))(gatePath('paid'))
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ totalCount: 2, nextCursor: null })
    expect(body.data.fulfillments.map((one: { gateName: string }) => one.gateName)).toEqual(['Paid twice', 'Paid'])
    expect(body.data.fulfillments[1]).toEqual({
      gateId: 'paid',
      gateName: 'Paid',
      version: 1,
      walletAddress: alice.address.toLowerCase(),
      state: 'granted',
      fulfilledAt: expect.any(Number),
      updatedAt: expect.any(Number),
      payment: {
        method: 'usdc',
        reference: 'tx:0xa',
        amount: '4990000',
        amountUsd: '4.99',
        state: 'claimed',
        refundedAmount: null,
        disputed: false,
        payer: alice.address.toLowerCase(),
        paidAt: expect.any(Number),
      },
      receiptNumber: receiptId.slice(0, 11),
    })
    const text = JSON.stringify(body)
    for (const hidden of [secret, qHash, receiptId]) expect(text).not.toContain(hidden)
  })

  test('is for its owner: others are refused, and hear nothing of hidden gates', async () => {
    const stage = await openStage()
    await stage.gate('seen')
    await stage.gate('draft', { status: 'draft' })
    const asMallory = await reader(stage, mallory)
    expectRefused(await asMallory(gatePath('seen')), 'FORBIDDEN')
    expectRefused(await asMallory(gatePath('draft')), 'GATE_NOT_FOUND')
    for (const path of [gatePath('seen'), minePath, paymentsPath])
      expectRefused(await stage.request(path), 'WALLET_AUTH_REQUIRED')
  })

  test('every page goes on where the last one ended, whatever is handed out meanwhile', async () => {
    const stage = await openStage()
    await stage.gate('free')
    for (let at = 0; at < 5; at++) await pass(stage, 'free')
    const read = await reader(stage, bob)
    const times: number[] = []
    let cursor = ''
    for (let pages = 0; pages < 5 && cursor !== null; pages++) {
      const { body } = await read(`${gatePath('free')}?limit=2${cursor && `&cursor=${cursor}`}`)
      times.push(...body.data.fulfillments.map((one: { fulfilledAt: number }) => one.fulfilledAt))
      if (pages === 0) await pass(stage, 'free')
      cursor = body.data.nextCursor
    }
    expect(times).toHaveLength(5)
    expect(times).toEqual([...times].sort((one, other) => other - one))
    await stage.gate('other')
    const { body } = await read(`${gatePath('free')}?limit=2`)
    expectRefused(
      await read(`${gatePath('other')}?cursor=${body.data.nextCursor}`),
      'VALIDATION_ERROR',
      /another query/,
    )
    expectRefused(await read(`${gatePath('free')}?cursor=__proto__`), 'VALIDATION_ERROR')
    expectRefused(await read(`${gatePath('free')}?limit=201`), 'VALIDATION_ERROR')
  })
})

describe('GET /api/v1/profile/fulfillments', () => {
  test('shows buyers their grants at all gates, with the receipt, which gives the reward again', async () => {
    const stage = await openStage()
    await stage.gate('one', { name: '👩‍👧 مرحبا <b>', rewards })
    await stage.gate('two', {}, mallory.address.toLowerCase())
    const { qHash, receiptId } = await pass(stage, 'one')
    await pass(stage, 'two')
    await pass(stage, 'one', undefined, mallory)
    const { body } = await (await reader(stage, alice))(minePath)
    expect(body.data.fulfillments.map((one: { gateId: string }) => one.gateId)).toEqual(['two', 'one'])
    expect(body.data.fulfillments[1]).toMatchObject({
      gateName: '👩‍👧 مرحبا <b>',
      receiptId,
      qHash,
      payment: null,
      walletAddress: alice.address.toLowerCase(),
    })
    expect(JSON.stringify(body)).not.toContain(secret)
    const { headers } = await stage.signIn(alice)
    const again = await stage.post(stage.pathOf('one'), { qHash }, headers)
    expect(again.body.data.fulfillment.value).toBe(secret)
  })
})

describe('GET /api/v1/profile/payments', () => {
  test('shows seller and buyer a payment, and leaves taken back payments out of the sums', async () => {
    const stage = await openStage()
    await stage.gate('cheap', { price })
    await stage.gate('dear', { price: { ...price, amountUsd: '0.000001' } })
    await stage.gate('free')
    await pass(stage, 'cheap', '0xa')
    await pass(stage, 'dear', '0xb')
    await pass(stage, 'free')
    const asBob = await reader(stage, bob)
    const received = (await asBob(`${paymentsPath}?side=received`)).body.data
    expect(received.totals).toEqual({ fulfilled: 3, paid: 2, amountUsd: '4.990001' })
    expect(received.payments.map((one: { gateId: string }) => one.gateId)).toEqual(['dear', 'cheap'])
    expect(received.payments[0].qHash).toBeUndefined()

    const paid = (await (await reader(stage, alice))(`${paymentsPath}?side=paid`)).body.data
    expect(paid.totals).toBeNull()
    expect(paid.payments.map((one: { payment: { reference: string } }) => one.payment.reference)).toEqual([
      'tx:0xb',
      'tx:0xa',
    ])

    const reversal = { state: 'reversed', reason: 'REFUNDED', message: 'refunded' } as const
    const payment = (await findPayment(stage.parts.db, 'tx:0xa'))!
    await applyReview(stage.parts, payment, reversal)
    await applyReview(stage.parts, payment, reversal)
    const after = (await asBob(paymentsPath)).body.data
    expect(after.totals).toEqual({ fulfilled: 2, paid: 1, amountUsd: '0.000001' })
    expect(after.payments[1]).toMatchObject({ state: 'suspended', payment: { state: 'reversed' } })
  })

  test('one of 20 simultaneous buyers gets the last place and is counted', async () => {
    const stage = await openStage()
    await stage.gate('last', { price, supply: 1 })
    const proofs: string[] = []
    for (let at = 0; at < 20; at++) proofs.push(await stage.prove(alice))
    const answers = await Promise.all(
      proofs.map((qHash, at) => {
        stage.till.takes(`0x${at}`)
        return stage.fulfill('last', qHash, { paymentTxHash: `0x${at}` })
      }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { data } = (await (await reader(stage, bob))(paymentsPath)).body
    expect(data.totals).toEqual({ fulfilled: 1, paid: 1, amountUsd: '4.99' })
    expect(data.payments).toHaveLength(1)
  })

  test('a person without sales and purchases has empty lists', async () => {
    const stage = await openStage()
    const read = await reader(stage, mallory)
    expect((await read(paymentsPath)).body.data).toEqual({
      side: 'received',
      totals: { fulfilled: 0, paid: 0, amountUsd: '0' },
      payments: [],
      nextCursor: null,
    })
    expect((await read(minePath)).body.data.fulfillments).toEqual([])
  })
})

test.skipIf(onlyOnSqlite('a query plan of this form'))(
  'lists are read from their index backwards: nothing is walked through and nothing is sorted',
  async () => {
    const stage = await openStage()
    const seen = new Set<string>()
    const { db } = stage.parts
    const spying = {
      ...db,
      read: ((text: Query<unknown, []>) => {
        seen.add(text)
        return db.read(text)
      }) as typeof db.read,
    }
    for (const list of ['ofGate', 'ofWallet', 'paidBy', 'paidTo'] as const)
      await listSales(spying, list, ['x'], { limit: 2, span: { from: 1, before: 2 } })
    await readTotal(spying, 'x')
    expect(seen.size).toBe(7)
    for (const text of seen) {
      const plan = (await select<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${text}`).all()).map(
        ({ detail }) => detail,
      )
      // `half` is the row of the search by halves.
      expect(plan.filter((step) => /^SCAN (?!half|CONSTANT)|TEMP B-TREE/.test(step))).toEqual([])
    }
  },
)

test('sales from before the totals existed are counted in them', () => {
  const db = new Database(':memory:', { strict: true })
  const at = migrations.findIndex(({ name }) => name === '0007_sales')
  for (const { sql: text } of migrations.slice(0, at)) db.run(text)
  const definition = JSON.stringify({ price: { amountUsd: '4.99', methods: ['card'] } })
  db.run(`INSERT INTO gates (id, gate_id, owner, status, version, fulfilled_count, created_at, updated_at)
    VALUES (1, 'g', '0xo', 'active', 1, 2, 0, 0)`)
  db.run("INSERT INTO gate_versions (gate, version, definition, author, created_at) VALUES (1, 1, ?, 'o', 0)", [
    definition,
  ])
  for (const [id, state] of [
    [1, 'granted'],
    [2, 'suspended'],
    [3, 'granted'],
  ] as const) {
    const payment = id === 3 ? null : id
    if (payment)
      db.run(
        `INSERT INTO payments (id, identity, method, gate, q_hash, state, claimed_at, updated_at)
         VALUES (?, ?, 'card', 1, zeroblob(32), 'final', 0, 0)`,
        [payment, `card:${payment}`],
      )
    db.run(
      `INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, payment, state, created_at, updated_at)
       VALUES (1, randomblob(32), '0xb', 1, ?, ?, ?, 0, 0)`,
      [`r${id}`, payment, state],
    )
  }
  db.run(migrations[at]!.sql)
  expect(db.query('SELECT paid_count, paid_usd_micros FROM gates').get()).toEqual({
    paid_count: 1,
    paid_usd_micros: 4_990_000,
  })
  expect(db.query('SELECT owner, usd_micros FROM fulfillments ORDER BY id').all()).toEqual([
    { owner: '0xo', usd_micros: 4_990_000 },
    { owner: '0xo', usd_micros: 4_990_000 },
    { owner: '0xo', usd_micros: null },
  ])
})

test('a buyer who is being erased is named in no list of the gate owner', async () => {
  const stage = await openStage()
  await stage.gate('paid', { name: 'Paid', price, rewards })
  await pass(stage, 'paid', '0xa')
  const asBob = await reader(stage, bob)
  const named = async (path: string) => JSON.stringify((await asBob(path)).body).includes(alice.address.toLowerCase())
  expect([await named(gatePath('paid')), await named(`${paymentsPath}?side=received`)]).toEqual([true, true])
  const wallet = alice.address.toLowerCase()
  const times = { erasedAt: stage.now(), acceptedSince: 0, forgetAt: stage.now() + 600_000 }
  await beginErasure(stage.parts, { wallet, contractOn: undefined }, undefined, times)
  expect([await named(gatePath('paid')), await named(`${paymentsPath}?side=received`)]).toEqual([false, false])
})

const unmatchedPath = `${paymentsPath}/unmatched`

/** Alice pays at a gate of Bob that has nothing left, each payment with a proof of its own. */
async function openSoldOutGate(payments: readonly string[]) {
  const stage = await openStage()
  await stage.gate('gone', { name: 'All gone', price, rewards, supply: 1 })
  await pass(stage, 'gone', '0xfirst')
  const proofs: string[] = []
  for (const payment of payments) {
    stage.till.takes(payment)
    const qHash = await stage.prove()
    proofs.push(qHash)
    expectRefused(await stage.fulfill('gone', qHash, { paymentTxHash: payment }), 'GATE_SOLD_OUT', /owes it to you/)
  }
  return { stage, proofs }
}

describe('GET /api/v1/profile/payments/unmatched', () => {
  test('tells seller and buyer of money that bought nothing, and the sums leave it out', async () => {
    const { stage, proofs } = await openSoldOutGate(['0xa'])
    const row = {
      gateId: 'gone',
      gateName: 'All gone',
      walletAddress: alice.address.toLowerCase(),
      identity: 'tx:0xa',
      method: 'usdc',
      state: 'owed',
      reason: 'GATE_SOLD_OUT',
      payer: alice.address.toLowerCase(),
      amount: '4990000',
      amountUsd: '4.99',
    }
    const seller = await reader(stage, bob)
    const received = (await seller(unmatchedPath)).body.data
    expect(received).toMatchObject({ side: 'received', payments: [row], nextCursor: null })
    expect(received.payments[0].qHash).toBeUndefined()
    expect((await seller(paymentsPath)).body.data.totals).toMatchObject({ paid: 1, amountUsd: '4.99' })
    const buyer = await reader(stage, alice)
    expect((await buyer(`${unmatchedPath}?side=paid`)).body.data.payments).toMatchObject([{ ...row, qHash: proofs[0] }])
    const stranger = await reader(stage, mallory)
    for (const path of [unmatchedPath, `${unmatchedPath}?side=paid`])
      expect((await stranger(path)).body.data.payments).toEqual([])
    expectRefused(await stage.request(unmatchedPath), 'WALLET_AUTH_REQUIRED')
    await stage.parts.metrics.flush()
    expect(
      await stage.rows("SELECT subject, count FROM daily_numbers WHERE kind = 'unmatched_payments' ORDER BY subject"),
    ).toEqual([
      { subject: '', count: 1 },
      { subject: 'stablecoin', count: 1 },
    ])
  })

  test('goes on by pages, and a cursor of another side does not fit', async () => {
    const { stage } = await openSoldOutGate(['0xa', '0xb', '0xc'])
    const seller = await reader(stage, bob)
    const first = (await seller(`${unmatchedPath}?limit=2`)).body.data
    expect(first.payments.map(({ identity }: { identity: string }) => identity)).toEqual(['tx:0xc', 'tx:0xb'])
    const second = (await seller(`${unmatchedPath}?limit=2&cursor=${first.nextCursor}`)).body.data
    expect(second.payments.map(({ identity }: { identity: string }) => identity)).toEqual(['tx:0xa'])
    expect(second.nextCursor).toBeNull()
    expectRefused(await seller(`${unmatchedPath}?side=paid&cursor=${first.nextCursor}`), 'VALIDATION_ERROR')
  })

  test('keeps the debt for the seller, and not the payer, once the buyer has erased everything', async () => {
    const { stage } = await openSoldOutGate(['0xa'])
    const erased = await stage.post(
      '/api/v1/proofs/erase-all',
      await stage.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }),
    )
    expect(erased.status).toBe(200)
    const [row] = (await (await reader(stage, bob))(unmatchedPath)).body.data.payments
    expect(row).toMatchObject({
      state: 'owed',
      identity: 'tx:0xa',
      amount: '4990000',
      walletAddress: null,
      payer: null,
      transactionHash: null,
    })
    expect(await stage.rows('SELECT wallet, q_hash AS "qHash", payer, details FROM unmatched_payments')).toEqual([
      { wallet: null, qHash: null, payer: null, details: null },
    ])
  })
})

describe('POST /api/v1/profile/payments/unmatched/returned', () => {
  const returnedPath = `${unmatchedPath}/returned`
  const back = `0x${'Be'.repeat(32)}`
  const returning = (stage: Stage, identity: string, wallet: TestWallet = bob) =>
    stage
      .ownerBody(wallet, { action: 'return_payment', identity })
      .then((signed) => stage.post(returnedPath, { identity, ...signed }))
  const listStates = async (stage: Stage) =>
    (await stage.rows<{ state: string }>('SELECT state FROM unmatched_payments ORDER BY id')).map(({ state }) => state)

  test('marks a debt as returned by the seller: the buyer sees it, and can no longer use the payment', async () => {
    const { stage, proofs } = await openSoldOutGate(['0xa'])
    await stage.gate('next', { price, rewards })
    const signed = await stage.ownerBody(bob, {
      action: 'return_payment',
      identity: 'tx:0xa',
      transactionHash: back,
    })
    const said = await stage.post(returnedPath, { identity: 'tx:0xa', transactionHash: back, ...signed })
    expect(said.status).toBe(200)
    const row = {
      identity: 'tx:0xa',
      state: 'refunded',
      givenBackBy: 'seller',
      returnTransactionHash: back.toLowerCase(),
    }
    expect(said.body.data.payment).toMatchObject(row)
    for (const [wallet, side] of [
      [bob, 'received'],
      [alice, 'paid'],
    ] as const) {
      const { body } = await (await reader(stage, wallet))(`${unmatchedPath}?side=${side}`)
      expect(body.data.payments).toMatchObject([row])
    }
    expect(await stage.rows('SELECT details FROM unmatched_payments')).toEqual([
      {
        details: JSON.stringify({ transaction: 'tx:0xa', returnedAt: stage.now(), returnedBy: back.toLowerCase() }),
      },
    ])

    const elsewhere = await stage.fulfill('next', await stage.prove(), { paymentTxHash: '0xa' })
    expectRefused(elsewhere, 'PAYMENT_ALREADY_USED', /was given back by the seller/)
    const again = await stage.fulfill('gone', proofs[0]!, { paymentTxHash: '0xa' })
    expectRefused(again, 'GATE_SOLD_OUT', /was given back by the seller/)
    expect(again.body.error.details.unmatched).toMatchObject(row)
    expect(await listStates(stage)).toEqual(['refunded'])
  })

  test('is refused where nothing is owed any more, and says why', async () => {
    const { stage } = await openSoldOutGate(['0xa', '0xb', '0xc'])
    await stage.gate('next', { price, rewards })
    expect((await stage.fulfill('next', await stage.prove(), { paymentTxHash: '0xa' })).status).toBe(200)
    const used = await returning(stage, 'tx:0xa')
    expectRefused(used, 'CONFLICT', /was used for another gate of yours meanwhile: do not send it back/)
    expect(used.body.error.details).toMatchObject({ state: 'used', unmatched: { identity: 'tx:0xa', state: 'used' } })

    expect((await returning(stage, 'tx:0xb')).status).toBe(200)
    const twice = await returning(stage, 'tx:0xb')
    expectRefused(twice, 'CONFLICT', /given back already/)
    expect(twice.body.error.details.state).toBe('refunded')

    await stage.parts.db.write([
      { sql: "UPDATE unmatched_payments SET state = 'refunding' WHERE identity = 'tx:0xc'", params: [] },
    ])
    expectRefused(await returning(stage, 'tx:0xc'), 'CONFLICT', /this server is giving this payment back itself/)
    expect(await listStates(stage)).toEqual(['used', 'refunded', 'refunding'])
  })

  test('is for the seller alone, who signs it or is signed in with the scope of gates', async () => {
    const { stage } = await openSoldOutGate(['0xa', '0xb'])
    for (const wallet of [alice, mallory])
      expectRefused(await returning(stage, 'tx:0xa', wallet), 'NOT_FOUND', /one of your gates/)
    expectRefused(await returning(stage, 'tx:0xnone'), 'NOT_FOUND')
    expectRefused(await stage.post(returnedPath, { identity: 'tx:0xa' }), 'WALLET_AUTH_REQUIRED')
    const otherRow = await stage.ownerBody(bob, { action: 'return_payment', identity: 'tx:0xb' })
    expectRefused(await stage.post(returnedPath, { identity: 'tx:0xa', ...otherRow }), 'SIGNATURE_INVALID')
    const withoutHash = await stage.ownerBody(bob, { action: 'return_payment', identity: 'tx:0xa' })
    const added = { identity: 'tx:0xa', transactionHash: back, ...withoutHash }
    expectRefused(await stage.post(returnedPath, added), 'SIGNATURE_INVALID')
    expect(await listStates(stage)).toEqual(['owed', 'owed'])

    const { headers } = await stage.signIn(bob)
    const makeKey = async (...scopes: string[]) => {
      const asked = { name: 'Till', scopes }
      const made = await stage.post('/api/v1/auth/profile-keys', asked, headers)
      return { authorization: `Bearer ${made.body.data.key}` }
    }
    const narrow = await stage.post(returnedPath, { identity: 'tx:0xa' }, await makeKey('core'))
    expectRefused(narrow, 'FORBIDDEN')
    expect(narrow.body.error.details.missingScope).toBe('profile')
    expect((await stage.post(returnedPath, { identity: 'tx:0xa' }, await makeKey('core', 'profile'))).status).toBe(200)
    expect((await stage.post(returnedPath, { identity: 'tx:0xb' }, headers)).status).toBe(200)
    expect(await listStates(stage)).toEqual(['refunded', 'refunded'])
  })

  test('accepts neither the payment itself as the transfer back, nor a malformed transaction', async () => {
    const { stage } = await openSoldOutGate([])
    const transactionHash = `0x${'ab'.repeat(32)}`
    stage.till.takes('0xa', { details: { transactionHash } })
    await stage.fulfill('gone', await stage.prove(), { paymentTxHash: '0xa' })
    const { headers } = await stage.signIn(bob)
    const send = (hash: string) => stage.post(returnedPath, { identity: 'tx:0xa', transactionHash: hash }, headers)
    expectRefused(await send(`0x${'AB'.repeat(32)}`), 'VALIDATION_ERROR', /of the payment itself/)
    expectRefused(await send('0x12'), 'VALIDATION_ERROR')
    expect(await listStates(stage)).toEqual(['owed'])
    expect((await send(back)).status).toBe(200)
  })

  test('names no transaction of a buyer who has erased everything', async () => {
    const { stage } = await openSoldOutGate(['0xa'])
    const erasing = { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }
    expect((await stage.post('/api/v1/proofs/erase-all', await stage.ownerBody(alice, erasing))).status).toBe(200)
    const { headers } = await stage.signIn(bob)
    const said = await stage.post(returnedPath, { identity: 'tx:0xa', transactionHash: back }, headers)
    expect(said.body.data.payment).toMatchObject({
      state: 'refunded',
      givenBackBy: 'seller',
      returnTransactionHash: null,
    })
    expect(await stage.rows('SELECT details FROM unmatched_payments')).toEqual([
      { details: JSON.stringify({ returnedAt: stage.now() }) },
    ])
  })

  test('a payment is either given back or used at another gate, when both happen at once', async () => {
    const hashes = Array.from({ length: 12 }, (_, at) => `0xrace${at}`)
    const { stage } = await openSoldOutGate(hashes)
    await stage.gate('next', { price, rewards })
    const { headers } = await stage.signIn(bob)
    const proofs: string[] = []
    for (const _ of hashes) proofs.push(await stage.prove())
    const outcomes = await Promise.all(
      hashes.map(async (hash, at) => {
        const give = () => stage.post(returnedPath, { identity: `tx:${hash}` }, headers)
        const use = () => stage.fulfill('next', proofs[at]!, { paymentTxHash: hash })
        // One payment is used first and one is returned first, however the race ends.
        if (at === 0) return [(await give()).status, (await use()).status]
        if (at === 1) {
          const used = await use()
          return [(await give()).status, used.status]
        }
        if (at % 2 === 0) await Bun.sleep(at * 4)
        const [given, used] = await Promise.all([give(), use()])
        return [given.status, used.status]
      }),
    )
    for (const statuses of outcomes) expect([...statuses].sort()).toEqual([200, 409])
    const states = outcomes.map(([given]) => (given === 200 ? 'refunded' : 'used'))
    expect(await listStates(stage)).toEqual(states)
    expect(new Set(states).size).toBe(2)
  })
})
