/** Machines whose clocks differ, and a database whose clock is set: all servers go by that one. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { TestApp } from '../../app.ts'
import { alice, bob } from '../../wallets.ts'
import { type SeveralApps, startAppsOn } from './several-apps.ts'

setDefaultTimeout(120_000)
const minute = 60_000
const api = '/api/v1'

const listConditions = (app: TestApp): string[] => app.parts.conditions.list().map(({ name }) => name)
const lookAll = (apps: readonly TestApp[]): Promise<unknown> => Promise.all(apps.map(({ clock }) => clock.look()))

/** Sets the clock of the database, as its servers see it. */
const setDatabaseClock = ({ sql }: SeveralApps, ms: number): Promise<unknown> =>
  sql.unsafe(`CREATE OR REPLACE FUNCTION proofgate.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS $$ SELECT pg_catalog.clock_timestamp() + interval '${ms} milliseconds' $$`)

describe('on machines whose clocks differ by minutes', () => {
  let several: SeveralApps
  let right: TestApp
  let fast: TestApp
  let slow: TestApp

  beforeAll(async () => {
    several = await startAppsOn([0, 20 * minute, -20 * minute])
    ;[right, fast, slow] = several.apps as [TestApp, TestApp, TestApp]
  })
  afterAll(() => several.close())

  test('each accepts a text that was signed by the right time, and none one of its own machine', async () => {
    for (const app of [right, fast, slow])
      for (const [at, status] of [
        [Date.now(), 200],
        [Date.now() + 20 * minute, 401],
        [Date.now() - 20 * minute, 401],
      ] as const) {
        const claim = { verifierIds: ['ownership-basic'], data: { owner: bob.address, content: `${at} ${app.now()}` } }
        const body = { walletAddress: bob.address, signedTimestamp: at, ...claim }
        const prepared = await app.post(`${api}/verification/standardize`, body)
        const signature = await bob.sign(prepared.body.data.signerString)
        expect((await app.post(`${api}/verification`, { ...body, signature })).status).toBe(status)
      }
  })

  test('a sign-in that one begins is ended by another, and stands for all of them', async () => {
    for (const [begins, ends] of [
      [right, fast],
      [fast, slow],
      [slow, right],
    ] as const) {
      const prepared = await begins.post(`${api}/auth/nonce`, { walletAddress: alice.address })
      const { message } = prepared.body.data
      const signature = await alice.sign(message)
      const answer = await ends.post(`${api}/auth/verify`, { message, signature })
      expect(answer.status).toBe(200)
      const cookie = answer.headers.get('set-cookie')!.split(';', 1)[0]!
      for (const app of several.apps)
        expect((await app.get(`${api}/auth/me`, { cookie })).body.data.authenticated).toBe(true)
    }
  })

  test('each with a wrong clock says so until it is set right', async () => {
    await lookAll(several.apps)
    expect(several.apps.map(listConditions)).toEqual([[], ['clock-differs'], ['clock-differs']])
    expect(fast.parts.conditions.list()[0]!.says).toMatch(
      /^the clock of this machine is (19 min 5\d s|20 min) ahead of that of the database$/,
    )
    expect(slow.parts.conditions.list()[0]!.says).toContain('behind that of the database')
    fast.setClock(Date.now() - fast.now())
    slow.setClock(Date.now() - slow.now())
    await lookAll(several.apps)
    expect(several.apps.map(listConditions)).toEqual([[], [], []])
  })

  test('one that starts later reads the same steady clock as those that have been running', async () => {
    await right.clock.store()
    // The last of them stored it some time ago.
    await several.sql.unsafe('UPDATE clock SET steady_at = steady_at - 90000, wall_at = wall_at - 90000')
    const later = await several.startAnother()
    expect(Math.abs(later.parts.readSteadyClock() - right.parts.readSteadyClock())).toBeLessThan(minute)
  })

  test('a machine whose own clock is set moves no time that others stored', async () => {
    fast.setClock(-60 * minute)
    await lookAll(several.apps)
    expect(await several.sql`SELECT * FROM clock_jumps`).toHaveLength(0)
    expect(Math.abs(fast.parts.now() - Date.now())).toBeLessThan(minute)
  })
})

describe('when the clock of the database is set', () => {
  async function readHeld({ sql }: SeveralApps): Promise<number> {
    const [row] = await sql`SELECT created_at FROM unpaid_places`
    return Number(row.created_at)
  }
  /** A place that was held in the last minute. */
  async function holdPlace({ sql }: SeveralApps, at: number): Promise<void> {
    await sql.begin(async (tx) => {
      await tx.unsafe('SET LOCAL session_replication_role = replica')
      await tx.unsafe(`INSERT INTO unpaid_places (gate, wallet, holds, created_at, ends_at)
        VALUES (1, '0xa', 1, ${at}, ${at + 10 * minute})`)
    })
  }
  const countJumps = async ({ sql }: SeveralApps): Promise<number> => (await sql`SELECT * FROM clock_jumps`).length

  test('all servers find it, and what is promised is moved once', async () => {
    const several = await startAppsOn([0, 0, 0])
    await lookAll(several.apps)
    await setDatabaseClock(several, 60 * minute)
    await lookAll(several.apps)
    const at = several.apps[0]!.parts.now() + minute
    await holdPlace(several, at)
    await setDatabaseClock(several, 0)
    await lookAll(several.apps)
    await lookAll(several.apps)
    for (const app of several.apps) {
      expect(listConditions(app)).toContain('clock-jumped')
      expect(app.parts.conditions.list().find(({ name }) => name === 'clock-jumped')?.says).toMatch(
        /^the clock of the database was set back by (1 h|59 min 5\d s)/,
      )
      expect(Math.abs(app.parts.now() - Date.now())).toBeLessThan(minute)
    }
    expect(await countJumps(several)).toBe(2)
    const movedMs = at - (await readHeld(several))
    expect(Math.round(movedMs / minute)).toBe(60)
    await several.close()
  })

  test('a server that starts before the others have seen it moves nothing a second time', async () => {
    const several = await startAppsOn([0])
    const first = several.apps[0]!
    await first.clock.look()
    await first.clock.store()
    await holdPlace(several, first.parts.now() + minute)
    const before = await readHeld(several)
    await setDatabaseClock(several, -60 * minute)
    const second = await several.startAnother()
    await second.clock.look()
    const moved = await readHeld(several)
    expect(moved).toBeLessThan(before)
    await first.clock.look()
    expect(await readHeld(several)).toBe(moved)
    expect(await countJumps(several)).toBe(1)
    await several.close()
  })

  test('two changes one after another both count', async () => {
    const several = await startAppsOn([0, 0])
    await lookAll(several.apps)
    await setDatabaseClock(several, -60 * minute)
    await lookAll(several.apps)
    await setDatabaseClock(several, -120 * minute)
    await lookAll(several.apps)
    expect(await countJumps(several)).toBe(2)
    await several.close()
  })
})
