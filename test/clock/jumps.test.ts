/** The clock is set back and ahead under the app: nobody is locked out, no token is used twice. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { listJumps } from '../../src/db/clock-store.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { select } from '../parts/select.ts'
import { alice, bob, mallory as carol } from '../wallets.ts'
import { promises } from './timed-rows.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const api = '/api/v1'

/** Stops the server, sets the clock, and starts another one on the same folder a second later. */
async function restart(app: TestApp, folder: string, set = 0): Promise<TestApp> {
  await app.clock.store()
  const at = app.now() + 1000 + set
  await app.close()
  return start(folder, at)
}

async function start(folder: string, at = startOfTime): Promise<TestApp> {
  const app = await startApp({}, folder, at)
  await app.clock.look()
  return app
}

async function setClock(app: TestApp, ms: number): Promise<void> {
  app.setClock(ms)
  app.wait(1000)
  await app.clock.look()
}

const namesOf = (app: TestApp): string[] => app.parts.conditions.list().map(({ name }) => name)

/** Uses up one of each kind that works only once. Returns a function that sends all of it again. */
async function useUp(app: TestApp) {
  const { message } = (await app.post(`${api}/auth/nonce`, { walletAddress: alice.address })).body.data
  const signIn = { message, signature: await alice.sign(message) }
  expect((await app.post(`${api}/auth/verify`, signIn)).status).toBe(200)

  const qHash = await app.prove(alice)
  const terms = { qHash, viewerWallet: bob.address }
  const { walletAddress, ...signed } = await app.ownerBody(alice, { action: 'grant_proof_access', ...terms })
  const grant = { ...terms, ownerWallet: walletAddress, ...signed }
  const grantPath = `${api}/verification/access/grant`
  const granted = await app.post(grantPath, grant)
  expect(granted.status).toBe(200)

  const claim = { verifierIds: ['ownership-basic'], data: { owner: bob.address, content: 'Gone soon' } }
  const body = await app.signed(bob, claim)
  const made = await app.post(`${api}/verification`, body)
  expect(made.status).toBe(200)
  const erasing = await app.ownerBody(bob, { action: 'erase_all_proofs', walletAddress: bob.address.toLowerCase() })
  expect((await app.post(`${api}/proofs/erase-all`, erasing)).body.erasedCount).toBe(1)

  return async (on: TestApp) => {
    const [signedIn, shared, proved] = [
      await on.post(`${api}/auth/verify`, signIn),
      await on.post(grantPath, grant),
      await on.post(`${api}/verification`, body),
    ]
    const left = await on.get(`${api}/proofs/${made.body.data.qHash}`)
    return {
      statuses: [signedIn.status, shared.status, proved.status],
      bodies: [signedIn.body, shared.body, proved.body],
      left: left.status,
    }
  }
}

/** A stranger to all that happened before works as on any day. */
async function expectOpen(app: TestApp): Promise<void> {
  expect((await app.get(`${api}/health`)).status).toBe(200)
  await app.prove(carol)
  await app.signIn(carol)
}

describe('two looks at once find a jump', () => {
  const lookTwice = (app: TestApp) => Promise.all([app.clock.look(), app.clock.look()])
  const findTold = (app: TestApp) => app.parts.conditions.list().find(({ name }) => name === 'clock-jumped')?.says

  test.each([-hour, hour])('by %d ms only once in one run', async (set) => {
    const app = await start(newFolder())
    app.setClock(set)
    app.wait(1000)
    await lookTwice(app)
    expect((await listJumps(app.parts.db)).map(({ sizeMs }) => sizeMs)).toEqual([set])
    expect(findTold(app)).toEndWith(set < 0 ? 'was set back by 1 h' : 'was set ahead by 1 h')
    await app.close()
  })

  test('over a restart only once', async () => {
    const folder = newFolder()
    const before = await start(folder)
    before.wait(day)
    await before.clock.store()
    await before.close()
    const app = await startApp({}, folder, startOfTime)
    await lookTwice(app)
    expect((await listJumps(app.parts.db)).map(({ sizeMs }) => sizeMs)).toEqual([-day])
    expect(findTold(app)).toEndWith('was set back by 1 d')
    await app.close()
  })
})

test('times of a slow clock that was put right during a stop move once, however often the clock is stored', async () => {
  const folder = newFolder()
  const before = await start(folder)
  await setClock(before, -2 * hour)
  const [, , insert] = promises.find(([table]) => table === 'quotes')!
  const endsAt = before.now() + 15 * minute
  await before.parts.db.write([{ sql: insert, params: [before.now(), endsAt] }])
  // The slow time is so long that a time which was moved still lies in it.
  before.wait(6 * hour)
  await before.clock.look()
  await before.close()
  const app = await startApp({}, folder, before.now() + 1000 + 2 * hour)
  const stored = [app.clock.look()]
  for (let microtask = 0; microtask < 100; microtask++) {
    stored.push(app.clock.store())
    await Promise.resolve()
  }
  await Promise.all(stored)
  const quote = await select<{ endsAt: number }>(app.parts.db, 'SELECT expires_at AS "endsAt" FROM quotes').get()
  expect(quote?.endsAt).toBe(endsAt + 2 * hour)
  await app.close()
})

describe.each([
  ['in one run', false],
  ['with a restart in between', true],
])('%s', (_, isRestarted) => {
  const after = async (app: TestApp, folder: string, set: number): Promise<TestApp> => {
    if (isRestarted) return restart(app, folder, set)
    await setClock(app, set)
    return app
  }

  test('a clock that is set back an hour locks no one out, and revives no used token', async () => {
    const folder = newFolder()
    let app = await start(folder)
    const sendAgain = await useUp(app)
    for (let asked = 0; asked < 250; asked++) await app.get(`${api}/health`)
    app.wait(62 * minute)
    await app.sweep()
    app = await after(app, folder, -hour)
    expect(await sendAgain(app)).toMatchObject({ statuses: [409, 409, 409], left: 404 })
    await app.sweep()
    expect(await sendAgain(app)).toMatchObject({ statuses: [409, 409, 409], left: 404 })
    await expectOpen(app)
    expect(namesOf(app)).toEqual(['clock-jumped', 'clock-behind'])
    await app.close()
  })

  test('a clock that is set weeks ahead, swept and put right makes nothing good twice, and ends nothing', async () => {
    const folder = newFolder()
    let app = await start(folder)
    const browser = await app.signIn(carol)
    const sendAgain = await useUp(app)
    app = await after(app, folder, 40 * day)
    await app.sweep()
    await expectOpen(app)
    app = await after(app, folder, -40 * day)
    await app.sweep()
    expect(await sendAgain(app)).toMatchObject({ statuses: [409, 409, 409], left: 404 })
    expect((await app.get(`${api}/auth/me`, { cookie: browser.cookie })).body.data.authenticated).toBe(true)
    await expectOpen(app)
    await app.close()
  })

  test('a first start a year ahead leaves no refusals when the clock is put right', async () => {
    const folder = newFolder()
    let app = await start(folder, startOfTime + 365 * day)
    const sendAgain = await useUp(app)
    app.wait(2 * day)
    await app.sweep()
    app = await after(app, folder, -367 * day)
    await expectOpen(app)
    await app.sweep()
    expect((await sendAgain(app)).statuses).toEqual([401, 401, 401])
    expect(namesOf(app)).toContain('clock-behind')
    // The trusted time equals the clock of the machine, so that a second jump deletes nothing either.
    expect(app.parts.readSure()).toBe(app.now())
    await app.close()
  })

  test('set back by days refuses only forgotten hours, with the clock as the reason', async () => {
    const folder = newFolder()
    let app = await start(folder)
    const sendAgain = await useUp(app)
    app.wait(2 * day)
    await app.sweep()
    app = await after(app, folder, -2 * day)
    const again = await sendAgain(app)
    expect(again).toMatchObject({ statuses: [503, 503, 503], left: 404 })
    for (const { error } of again.bodies)
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'CLOCK_SET_BACK' } })
    // Hours in which nothing was used up are open.
    await setClock(app, -3 * hour)
    await expectOpen(app)
    await app.close()
  })
})

test('where something ended and nothing is kept of it, the time that has passed for sure decides', async () => {
  const app = await start(newFolder())
  const delegated = await app.submit(alice, {
    verifierIds: ['agent-delegation'],
    data: { controllerWallet: alice.address, agentWallet: bob.address, expiresAt: app.now() + hour },
  })
  expect(delegated.status).toBe(200)
  const count = async (sql: string) =>
    (await select<{ n: number }>(app.parts.db, `SELECT count(*) AS n FROM ${sql}`).get())!.n
  await setClock(app, day)
  await app.sweep()
  expect(await count("proofs WHERE status = 'expired'")).toBe(0)
  await setClock(app, -day)
  app.wait(2 * hour)
  await app.sweep()
  expect(await count("proofs WHERE status = 'expired'")).toBe(1)
})

describe('the steady clock', () => {
  test('catches up slowly with a clock that is ahead, and not past it', async () => {
    const app = await start(newFolder())
    await setClock(app, hour)
    const lag = () => app.now() - app.parts.readSure()
    app.wait(5 * hour)
    expect(lag()).toBeGreaterThan(29 * minute)
    expect(lag()).toBeLessThan(31 * minute)
    app.wait(20 * hour)
    expect(lag()).toBe(0)
  })

  test('gives whole milliseconds, as columns store', async () => {
    const app = await start(newFolder())
    app.wait(0.25)
    await setClock(app, -hour)
    for (const at of [app.parts.readSure(), app.parts.readLatest()]) expect(Number.isInteger(at)).toBe(true)
  })

  test('goes on after a restart where it was, and is not set by a clock that jumped meanwhile', async () => {
    const folder = newFolder()
    let app = await start(folder)
    app.wait(10 * minute)
    const before = app.parts.readSure()
    app = await restart(app, folder, day)
    expect(app.parts.readSure()).toBe(before)
    await app.close()
  })

  test('gives way to a clock that went evenly for a day behind it', async () => {
    const folder = newFolder()
    let app = await start(folder)
    await setClock(app, -3 * day)
    expect(namesOf(app)).toEqual(['clock-jumped', 'clock-behind'])
    app.wait(hour)
    await app.clock.look()
    expect(namesOf(app)).toEqual(['clock-behind'])
    app.wait(day)
    await app.clock.look()
    expect(namesOf(app)).toEqual([])
    app = await restart(app, folder, 10 * day)
    expect(app.now() - app.parts.readSure()).toBeGreaterThan(9 * day)
    await app.close()
  })

  test('does not begin before any server ran: a machine without a battery is set first', async () => {
    const app = await startApp({}, newFolder(), 1000)
    await app.clock.look()
    expect(app.parts.readSure()).toBe(app.now())
    await setClock(app, startOfTime)
    expect(app.parts.readSure()).toBe(app.now())
    await app.close()
  })
})

describe('jumps', () => {
  test('are logged once, with size and direction, for an hour; small steps are not', async () => {
    const app = await start(newFolder())
    await setClock(app, 4000)
    expect(namesOf(app)).toEqual([])
    await setClock(app, 90 * minute)
    const [told] = app.parts.conditions.list()
    expect(told).toMatchObject({ name: 'clock-jumped', level: 'warning', count: 1 })
    expect(told!.says).toBe('the clock of this machine was set ahead by 1 h 30 min')
    const health = await app.get(`${api}/health`)
    expect(health.body.data.issues).toContain(told!.says)
    expect((await app.get(`${api}/health/ready`)).status).toBe(200)
    app.wait(hour)
    await app.clock.look()
    expect(namesOf(app)).toEqual([])
  })

  test('are logged again after a restart, for the rest of the hour, and counted once', async () => {
    const folder = newFolder()
    let app = await start(folder)
    await setClock(app, -90 * minute)
    const at = app.now()
    app.wait(20 * minute)
    app = await restart(app, folder)
    expect(app.parts.conditions.list()).toMatchObject([
      { name: 'clock-jumped', says: 'the clock of this machine was set back by 1 h 30 min', since: at },
      { name: 'clock-behind' },
    ])
    expect(await listJumps(app.parts.db)).toEqual([{ at, sizeMs: -90 * minute }])
    app.wait(38 * minute)
    await app.clock.look()
    expect(namesOf(app)).toContain('clock-jumped')
    app.wait(2 * minute)
    await app.clock.look()
    expect(namesOf(app)).toEqual(['clock-behind'])
    app = await restart(app, folder)
    expect(namesOf(app)).toEqual(['clock-behind'])
    await app.close()
  })

  test('the last twenty are kept', async () => {
    const app = await start(newFolder())
    for (let jump = 0; jump < 25; jump++) await setClock(app, jump % 2 ? -hour - jump * 1000 : hour + jump * 1000)
    const sizes = (
      await select<{ size: number }>(app.parts.db, 'SELECT size_ms AS size FROM clock_jumps ORDER BY id').all()
    ).map(({ size }) => size)
    expect(sizes).toHaveLength(20)
    expect(sizes.at(-1)).toBe(hour + 24_000)
  })

  test('the uptime in health does not jump', async () => {
    const app = await start(newFolder())
    app.wait(10_000)
    await setClock(app, day)
    expect((await app.get(`${api}/health`)).body.data.uptime).toBe(11)
    await setClock(app, -2 * day)
    expect((await app.get(`${api}/health`)).body.data.uptime).toBe(12)
  })
})

test('an erasure reaches rows from before the clock was set back', async () => {
  const app = await start(newFolder())
  app.wait(2 * hour)
  await app.prove(bob)
  await app.parts.db.write([
    {
      sql: `INSERT INTO reservations (gate, wallet, q_hash, version, method, created_at, expires_at)
            VALUES (1, ?1, zeroblob(32), 1, 'card', ?2, ?3)`,
      params: [bob.address.toLowerCase(), app.now(), app.now() + hour],
    },
  ])
  await setClock(app, -hour)
  const body = await app.ownerBody(bob, { action: 'erase_all_proofs', walletAddress: bob.address.toLowerCase() })
  expect((await app.post(`${api}/proofs/erase-all`, body)).body.erasedCount).toBe(1)
  expect(await select<object>(app.parts.db, 'SELECT 1 FROM reservations').all()).toEqual([])
})
