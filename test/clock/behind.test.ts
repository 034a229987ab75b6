/** A machine starts with its clock a day behind the last run: warnings, expiry and sign-in. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { doctor } from '../../src/commands/doctor.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { inspect, temporaryFolders } from '../db/store.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const api = '/api/v1'

async function start(folder: string, at = startOfTime): Promise<TestApp> {
  const app = await startApp({}, folder, at)
  await app.clock.look()
  return app
}

const issuesOf = async (app: TestApp): Promise<string[]> => (await app.get(`${api}/health`)).body.data.issues
const examine = async (folder: string, now: () => number) => {
  const { json } = await run(doctor, ['--json'], { env: { PROOFGATE_DATA: folder }, cwd: folder, now })
  return json.findings.map(({ says }: { says: string }) => says).join('\n')
}

test('a clock that came up a day behind is reported with its size at once, locks no one out, and revives no used token', async () => {
  const folder = newFolder()
  let app = await start(folder)
  const browser = await app.signIn(alice)
  const { message } = (await app.post(`${api}/auth/nonce`, { walletAddress: bob.address })).body.data
  const signIn = { message, signature: await bob.sign(message) }
  expect((await app.post(`${api}/auth/verify`, signIn)).status).toBe(200)
  const body = await app.signed(bob, {
    verifierIds: ['ownership-basic'],
    data: { owner: bob.address, content: 'Once' },
  })
  expect((await app.post(`${api}/verification`, body)).status).toBe(200)
  await app.clock.store()
  const stoppedAt = app.now()
  await app.close()

  app = await start(folder, stoppedAt + hour - day)
  expect(await issuesOf(app)).toEqual([
    'the clock of this machine was set back by 23 h',
    'the clock of this machine stands 23 h behind the time that has passed',
  ])
  const found = await examine(folder, app.now)
  expect(found).toContain('stands 23 h behind the time that has passed')
  expect(found).toContain('was set back by 23 h')
  // By this clock they are signed in the future.
  const sendAgain = async (): Promise<number[]> => [
    (await app.post(`${api}/auth/verify`, signIn)).status,
    (await app.post(`${api}/verification`, body)).status,
  ]
  expect(await sendAgain()).toEqual([401, 401])
  expect((await app.get(`${api}/auth/me`, { cookie: browser.cookie })).body.data.authenticated).toBe(true)
  await app.signIn(bob)
  await app.prove(bob)
  await app.sweep()

  const proofs = (await app.get(`${api}/proofs/by-wallet/${bob.address}`)).body.data.proofs.length
  app.setClock(23 * hour - 1000)
  await app.clock.look()
  // The second is answered with the proof that there is.
  expect(await sendAgain()).toEqual([409, 200])
  expect((await app.get(`${api}/proofs/by-wallet/${bob.address}`)).body.data.proofs).toHaveLength(proofs)
  expect(await issuesOf(app)).toEqual(['the clock of this machine was set ahead by 23 h (before that back by 23 h)'])
  await app.close()
})

test('a jump while the server runs is in health and doctor at once, and all of the hour still after a restart', async () => {
  const folder = newFolder()
  let app = await start(folder)
  const jumps = [2 * day, -2 * day, -hour]
  for (const ms of jumps) {
    app.setClock(ms)
    app.wait(2000)
    await app.clock.look()
  }
  const told = 'the clock of this machine was set back by 1 h (before that back by 2 d, ahead by 2 d)'
  expect((await issuesOf(app))[0]).toBe(told)
  const found = await examine(folder, app.now)
  for (const size of ['ahead by 2 d', 'back by 2 d', 'back by 1 h']) expect(found).toContain(`was set ${size}`)
  await app.clock.store()
  const at = app.now() + 5 * minute
  await app.close()
  app = await start(folder, at)
  expect((await issuesOf(app))[0]).toBe(told)
  expect(await examine(folder, app.now)).toContain('was set ahead by 2 d')
  await app.close()
})

test('a jump is still told when the server is killed right after it and starts with the clock put right', async () => {
  const folder = newFolder()
  const app = await start(folder)
  app.setClock(26 * hour)
  app.wait(1000)
  await app.clock.look()
  // A killed process leaves this value for the next one.
  const stored = inspect(folder, (db) => db.query('SELECT wall_at AS wallAt FROM clock').get()) as { wallAt: number }
  expect(stored.wallAt).toBe(app.now())
  await app.close()
  const next = await start(folder, app.now() - 26 * hour + 10_000)
  expect((await next.get('/api/v1/health')).body.data.issues).toEqual([
    'the clock of this machine was set back by 1 d 2 h (before that ahead by 1 d 2 h)',
  ])
  await next.close()
})
