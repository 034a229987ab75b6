/** Rows from before the clock was put right are not deleted early. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mapInOrder } from '../../src/in-order.ts'
import { rememberOffered } from '../../src/payments/offered-transfers-store.ts'
import { bindStatement } from '../../src/payments/store.ts'
import { recordUnmatched } from '../../src/payments/unmatched-store.ts'
import { insertFollowed } from '../../src/proofs/follow-store.ts'
import { type ProofRow, readFirst52Bits } from '../../src/proofs/proof.ts'
import { orderPublications } from '../../src/publishing/store.ts'
import { writeAccount } from '../../src/wallet/account.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import { promises, watched } from './timed-rows.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

async function start(folder?: string, at = startOfTime): Promise<TestApp> {
  const app = await startApp({}, folder, at)
  await app.clock.look()
  return app
}

async function setClock(app: TestApp, ms: number): Promise<void> {
  app.setClock(ms)
  app.wait(1000)
  await app.clock.look()
}

const count = async (app: TestApp, from: string): Promise<number> =>
  (await select<{ n: number }>(app.parts.db, `SELECT count(*) AS n FROM ${from}`).get())!.n

const register = (app: TestApp) =>
  app.post('/oauth/register', { client_name: 'Mine', redirect_uris: ['https://app.example/back'] })

describe.each([
  ['a day', day],
  ['a year', 365 * day],
])('after the clock was %s behind and is put right', (_, behindMs) => {
  test('a client that registered meanwhile is kept as long as any other', async () => {
    const app = await start()
    await setClock(app, -behindMs)
    expect((await register(app)).status).toBe(201)
    await setClock(app, behindMs)
    await app.sweep()
    expect(await count(app, 'oauth_clients')).toBe(1)
    app.wait(2 * day)
    await app.sweep()
    expect(await count(app, 'oauth_clients')).toBe(0)
  })

  test('a client that registered again meanwhile is kept for that', async () => {
    const app = await start()
    await register(app)
    app.wait(20 * hour)
    await setClock(app, -behindMs)
    await register(app)
    await setClock(app, behindMs)
    app.wait(20 * hour)
    await app.sweep()
    expect(await count(app, 'oauth_clients')).toBe(1)
  })

  test('a line of the audit log carries the time that has passed, whatever the clock said', async () => {
    const app = await start()
    await setClock(app, -behindMs)
    await app.signIn(alice)
    await setClock(app, behindMs)
    const { at } = (await select<{ at: number }>(
      app.parts.db,
      "SELECT at FROM audit_events WHERE event = 'signed_in'",
    ).get())!
    expect(Math.abs(app.now() - at)).toBeLessThan(2 * minute)
  })

  test('the receipt of an erasure is kept for its week', async () => {
    const app = await start()
    await app.prove(alice)
    await setClock(app, -behindMs)
    const body = await app.ownerBody(alice, {
      action: 'erase_all_proofs',
      walletAddress: alice.address.toLowerCase(),
    })
    expect((await app.post('/api/v1/proofs/erase-all', body)).status).toBe(200)
    await setClock(app, behindMs)
    const { endedAt } = (await select<{ endedAt: number }>(
      app.parts.db,
      'SELECT ended_at AS "endedAt" FROM erasure_receipts',
    ).get())!
    expect(Math.abs(app.now() - endedAt)).toBeLessThan(2 * minute)
  })
})

test('a watch until a fixed age follows the time that has passed', async () => {
  const app = await start()
  const qHash = await app.prove(alice)
  const { db } = app.parts
  await setClock(app, -30 * day)
  const now = app.now()
  const buyer = writeAccount({ wallet: alice.address.toLowerCase(), contractOn: undefined })
  const makePaid = (identity: string) => ({
    paid: true as const,
    identity,
    payer: null,
    amount: '1',
    paidAt: now,
    isFinal: false,
    details: {},
  })
  await db.write([
    bindStatement({ method: 'stablecoin', gate: 1, qHash, paid: makePaid('one'), claimedAt: now }),
    recordUnmatched({
      method: 'stablecoin',
      gate: 1,
      owner: buyer,
      qHash: null,
      buyer,
      usdMicros: 1,
      paid: makePaid('two'),
      reason: 'late',
      state: 'owed',
      now,
    }),
    insertFollowed({ qHash, createdAt: now } as ProofRow, {
      isFinal: false,
      place: 0,
      chain: 'eip155:8453',
      blockNumber: 1,
      blockHash: qHash,
    }),
    ...orderPublications({ hubChainId: 8453, targetChains: [] }, readFirst52Bits(qHash), qHash, now),
  ])
  await rememberOffered(db, { transactionHash: '0xab', buyer, quoteId: undefined, now })
  await setClock(app, 30 * day)
  for (const [table, column] of [
    ['payments', 'claimed_at'],
    ['unmatched_payments', 'created_at'],
    ['followed_blocks', 'followed_since'],
    ['publications', 'asked_at'],
    ['offered_transfers', 'first_at'],
  ]) {
    const row = await select<{ at: number }>(db, `SELECT ${column} AS at FROM ${table}`).get()
    expect([table, app.now() - row!.at < 2 * minute]).toEqual([table, true])
  }
})

const bought = [...promises, ...watched]
const promise = (app: TestApp) =>
  app.parts.db.write(bought.map(([, , sql]) => ({ sql, params: [app.now(), app.now() + 15 * minute] })))

/** How long each lasts from now on. */
const left = async (app: TestApp): Promise<Record<string, number>> =>
  Object.fromEntries(
    await mapInOrder(bought, async ([table, end]) => [
      table,
      (await select<{ at: number }>(app.parts.db, `SELECT ${end} AS at FROM ${table}`).get())!.at - app.now(),
    ]),
  )
const each = (ms: number) => Object.fromEntries(bought.map(([table]) => [table, ms]))

describe('a payment promise from before the clock was put right lasts as long as promised', () => {
  test('after it is put right in one step', async () => {
    const app = await start()
    await setClock(app, -day)
    await promise(app)
    await setClock(app, day)
    expect(await left(app)).toEqual(each(15 * minute - 1000))
  })

  test('after it is put right in two steps', async () => {
    const app = await start()
    await setClock(app, -day)
    await promise(app)
    await setClock(app, hour)
    await setClock(app, day - hour)
    expect(await left(app)).toEqual(each(15 * minute - 2000))
  })

  test('after it is put right while the server is stopped', async () => {
    const folder = newFolder()
    let app = await start(folder)
    await setClock(app, -day)
    await promise(app)
    await app.clock.store()
    const at = app.now() + day + 1000
    await app.close()
    app = await start(folder, at)
    for (const ms of Object.values(await left(app))) expect(ms).toBe(15 * minute - 1000)
    await app.clock.look()
    await app.close()
    app = await start(folder, at)
    for (const ms of Object.values(await left(app))) expect(ms).toBe(15 * minute - 1000)
    await app.close()
  })

  test('ends no later where the right clock is set ahead', async () => {
    const app = await start()
    await setClock(app, -day)
    await setClock(app, day)
    await promise(app)
    await setClock(app, day)
    expect(await left(app)).toEqual(each(15 * minute - 1000 - day))
  })
})
