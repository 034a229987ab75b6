/** Tasks with a stored due time do not wait longer because the clock was wrong for a while. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { listJumps } from '../../src/db/clock-store.ts'
import type { Statement } from '../../src/db/db.ts'
import { mapInOrder } from '../../src/in-order.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { inspect, temporaryFolders } from '../db/store.ts'
import { select } from '../parts/select.ts'
import { startStripe } from '../parts/stripe-server.ts'
import { openShop } from '../payments/card-shop.ts'
import { alice } from '../wallets.ts'
import { hash, promises, type TimedRow } from './timed-rows.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const pause = 15_000

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

/** A row of each table, with the time at which it is looked at. */
const looks: readonly TimedRow[] = [
  [
    'payments',
    'watch_at',
    `INSERT INTO payments (identity, method, gate, q_hash, state, claimed_at, updated_at, watch_at)
     VALUES ('x', 'stablecoin', 1, ${hash}, 'claimed', ?1, ?1, ?2)`,
  ],
  [
    'settlements',
    'watch_at',
    `INSERT INTO settlements (identity, gate, q_hash, wallet, version, usd_micros, details, created_at, ends_at, watch_at)
     VALUES ('x', 1, ${hash}, '0xa', 1, 1, '{}', ?1, ?2, ?2)`,
  ],
  [
    'checkouts',
    'watch_at',
    `INSERT INTO checkouts (session_id, gate, q_hash, amount_cents, currency, created_at, expires_at, watch_at)
     VALUES ('x', 1, ${hash}, 1, 'usd', ?1, ?2, ?2)`,
  ],
  [
    'unmatched_payments',
    'next_at',
    `INSERT INTO unmatched_payments (identity, method, gate, owner, reason, state, created_at, updated_at, next_at)
     VALUES ('x', 'card', 1, '0xa', 'late', 'refunding', ?1, ?1, ?2)`,
  ],
  [
    'followed_blocks',
    'look_at',
    `INSERT INTO followed_blocks (proof_id, place, chain, block_number, block_hash, state, followed_since, look_at)
     VALUES ((SELECT max(id) FROM proofs), 0, 'eip155:8453', 1, ${hash}, 'holds', ?1, ?2)`,
  ],
]
/** Stores each row as it is stored at this moment, to be over or looked at after so long. */
async function storeAll(app: TestApp, rows: readonly TimedRow[], forMs: number): Promise<void> {
  await app.prove(alice)
  const statements: Statement[] = rows.map(([, , sql]) => ({ sql, params: [app.now(), app.now() + forMs] }))
  await app.parts.db.write(statements)
}

/** How long each waits from now on. */
const waits = async (app: TestApp, rows: readonly TimedRow[]): Promise<Record<string, number>> =>
  Object.fromEntries(
    await mapInOrder(rows, async ([table, column]) => [
      table,
      (await select<{ at: number }>(app.parts.db, `SELECT ${column} AS at FROM ${table}`).get())!.at - app.now(),
    ]),
  )
const each = (rows: readonly TimedRow[], ms: number) => Object.fromEntries(rows.map(([table]) => [table, ms]))

describe('after the clock was a day ahead and is put right', () => {
  test('a repeated look keeps the usual pause', async () => {
    const app = await start()
    await setClock(app, day)
    await storeAll(app, looks, pause)
    await setClock(app, -day)
    expect(await waits(app, looks)).toEqual(each(looks, pause - 1000))
  })

  test('a repeated look keeps it too where the server was stopped meanwhile', async () => {
    const folder = newFolder()
    let app = await start(folder)
    await setClock(app, day)
    await storeAll(app, looks, pause)
    await app.clock.store()
    const at = app.now() - day + 5_000
    await app.close()
    app = await start(folder, at)
    for (const waited of Object.values(await waits(app, looks))) expect(waited).toBeLessThanOrEqual(pause)
    await app.close()
  })

  test('a look that was due before is due at once', async () => {
    const app = await start()
    await storeAll(app, looks, pause)
    await setClock(app, day)
    await setClock(app, -day)
    for (const waited of Object.values(await waits(app, looks))) expect(waited).toBeLessThanOrEqual(pause)
  })

  test('places and prices that were promised meanwhile end when they would have ended', async () => {
    const app = await start()
    await setClock(app, day)
    await storeAll(app, promises, 15 * minute)
    await setClock(app, -day)
    expect(await waits(app, promises)).toEqual(each(promises, 15 * minute - 1000))
  })
})

describe('after the clock was an hour behind and is put right', () => {
  test('looks keep their pause, and earlier promises keep their announced time', async () => {
    const app = await start()
    await storeAll(app, [...looks, ...promises], 15 * minute)
    await setClock(app, -hour)
    expect(await waits(app, looks)).toEqual(each(looks, 15 * minute - 1000))
    await setClock(app, hour)
    for (const waited of Object.values(await waits(app, looks))) expect(waited).toBeLessThanOrEqual(15 * minute)
    expect(await waits(app, promises)).toEqual(each(promises, 15 * minute - 2000))
  })
})

test('a jump whose write fails is recorded by a later look, with its effects', async () => {
  const folder = newFolder()
  const app = await start(folder)
  await setClock(app, day)
  await storeAll(app, looks, pause)
  inspect(folder, (db) =>
    db.run("CREATE TRIGGER refusing BEFORE INSERT ON clock_jumps BEGIN SELECT RAISE(ABORT, 'refused'); END"),
  )
  expect(await setClock(app, -day).catch(String)).toContain('refused')
  expect(app.parts.conditions.list()).toMatchObject([{ says: expect.stringContaining('was set back by 1 d') }])
  inspect(folder, (db) => db.run('DROP TRIGGER refusing'))
  await app.clock.look()
  expect((await listJumps(app.parts.db)).map(({ sizeMs }) => sizeMs)).toEqual([-day, day])
  expect(await waits(app, looks)).toEqual(each(looks, pause - 1000))
  await app.close()
})

const stepsOfSignIn = ['oauth_requests', 'oauth_codes', 'social_sign_ins']

/** A step of each kind, begun at this moment. */
async function beginSteps(app: TestApp): Promise<void> {
  const ends = [app.now() + 10 * minute]
  await app.parts.db.write([
    {
      sql: `INSERT INTO oauth_requests (hash, session_hash, params, expires_at) SELECT ${hash}, hash, '', ?1 FROM sessions`,
      params: ends,
    },
    {
      sql: `INSERT INTO oauth_codes (hash, profile, client, account, redirect_uri, challenge, scope, resource, signed_in_at, expires_at)
            VALUES (${hash}, 1, '', '', '', '', '', '', 1, ?1)`,
      params: ends,
    },
    { sql: `INSERT INTO social_sign_ins (hash, stage, expires_at) VALUES (${hash}, 'started', ?1)`, params: ends },
  ])
}

async function expectSteps(app: TestApp, leftMs: number): Promise<void> {
  for (const table of stepsOfSignIn) {
    const { at } = (await select<{ at: number }>(app.parts.db, `SELECT expires_at AS at FROM ${table}`).get())!
    expect([table, at - app.now()]).toEqual([table, leftMs])
  }
}

test.each([
  ['a day ahead and put right', day, -day],
  ['set back by an hour', 0, -hour],
])('steps of a sign-in end after ten minutes, with a clock that was %s', async (_, ahead, back) => {
  const app = await start()
  await app.signIn(alice)
  if (ahead > 0) await setClock(app, ahead)
  await beginSteps(app)
  await setClock(app, back)
  await expectSteps(app, 10 * minute)
})

test('steps of a sign-in are not over after a clock was set back for a moment', async () => {
  const app = await start()
  await app.signIn(alice)
  await beginSteps(app)
  await setClock(app, -11 * minute)
  await setClock(app, 11 * minute)
  await expectSteps(app, 10 * minute - 1000)
})

test('steps of a sign-in that were over are not good again after a clock was set back for a moment', async () => {
  const app = await start()
  await app.signIn(alice)
  await beginSteps(app)
  app.wait(30 * minute)
  await setClock(app, -11 * minute)
  await setClock(app, 11 * minute)
  await expectSteps(app, -20 * minute - 2000)
})

test('a person with the maximum number of sessions still signs in after the clock was set back', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  await app.clock.look()
  for (let signIns = 0; signIns < 100; signIns++) await app.signIn(alice)
  await setClock(app, -hour)
  app.wait(1000)
  const { cookie } = await app.signIn(alice)
  await app.signIn(alice)
  expect((await app.get('/api/v1/auth/me', { cookie })).body.data.authenticated).toBe(true)
})

test('a page of payment that is open is not taken for one that ended a day ago', async () => {
  let aheadMs = 0
  let readClock = () => startOfTime
  const stripe = startStripe(() => readClock() - aheadMs)
  const shop = await openShop({}, { before: { stripe, now: () => startOfTime } })
  readClock = shop.now
  await shop.clock.look()
  const set = async (ms: number): Promise<void> => {
    aheadMs += ms
    shop.setClock(ms)
    await shop.clock.look()
  }
  await shop.session(await shop.gate(), await shop.prove())
  shop.wait(minute)
  await set(day)
  await shop.watch()
  await set(-day)
  const { at } = (await select<{ at: number }>(shop.parts.db, 'SELECT watch_at AS at FROM checkouts').get())!
  expect(at - shop.now()).toBeLessThan(minute)
})
