/** Rules of the store that do not hold: found by the slow check of a running server, which then only reads. */
import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { storeRules } from '../../src/backup/store-rules.ts'
import { openConditions } from '../../src/conditions.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import type { Query } from '../../src/db/query.ts'
import { watchDamage } from '../../src/db/watch-damage.ts'
import { makeLog } from '../../src/log.ts'
import { startApp } from '../app.ts'
import { plantPerson } from '../export/people.ts'
import { alice, bob, evmWallet, mallory, sol } from '../wallets.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

/** As a program that writes to the file beside the server. */
function change(folder: string, sql: string): void {
  const db = new Database(locateDatabaseFile(folder), { readwrite: true, create: false })
  db.run('PRAGMA busy_timeout = 5000')
  db.run(sql)
  db.close()
}

test('a counter that is wrong makes the server only read, with the row named, until it is right again', async () => {
  const folder = newFolder()
  const app = await startApp({}, folder)
  const qHash = await app.prove(alice, { privacyLevel: 'public' })
  const { damage, conditions } = app.parts
  damage.beginTelling()
  await damage.check()
  expect(conditions.list()).toEqual([])
  change(folder, 'UPDATE accounts SET current_count = 7')
  await damage.check()
  expect(conditions.list()).toMatchObject([
    {
      name: 'rule-broken',
      level: 'failing',
      says: expect.stringMatching(
        /contradicts itself \(proofs of an account: account \d+ counts 1 proofs, 7 of them current, and has 1 and 1\)/,
      ),
      mend: expect.stringContaining('stop the server'),
    },
  ])
  expect((await app.get('/api/v1/health/ready')).status).toBe(503)
  expect((await app.get(`/api/v1/proofs/${qHash}`)).status).toBe(200)
  const refused = await app.prove(alice, {}, { content: 'more' }).catch((error) => String(error))
  expect(refused).toContain('contradicts itself')

  change(folder, 'UPDATE accounts SET current_count = 1')
  await damage.check()
  expect(conditions.list()).toEqual([])
  expect((await app.get('/api/v1/health/ready')).status).toBe(200)
  await app.prove(alice, {}, { content: 'more' })
  await app.close()
})

test('a proof that is missing among the runs of its claim is named', async () => {
  const folder = newFolder()
  const app = await startApp({}, folder)
  await app.prove(alice, {}, { content: 'the same' })
  app.wait(1000)
  await app.prove(alice, {}, { content: 'the same' })
  const { damage, conditions } = app.parts
  damage.beginTelling()
  await damage.check()
  expect(conditions.list()).toEqual([])
  change(folder, 'DELETE FROM proof_facts WHERE fact52 < 0')
  await damage.check()
  expect(conditions.list()).toMatchObject([
    { name: 'rule-broken', says: expect.stringContaining('proof 1 is not among the runs of its claim') },
  ])
  await app.close()
})

test('every rule holds for a server that does its work, with gates, links and an erasure, at any moment', async () => {
  const folder = newFolder()
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' }, folder)
  const { damage, conditions } = app.parts
  damage.beginTelling()
  let isWorking = true
  const watching = (async () => {
    while (isWorking) await damage.check()
  })()
  const asAlice = await plantPerson(app, alice, { second: sol, viewer: mallory })
  await plantPerson(app, bob, { second: evmWallet(`0x${'7'.repeat(64)}`), viewer: mallory })
  for (let round = 0; round < 20; round++) await app.prove(alice, {}, { content: `${round % 7}` })
  const erased = await app.post('/api/v1/proofs/erase-all', { walletAddress: alice.address }, asAlice.browser.headers)
  expect(erased.status).toBe(200)
  isWorking = false
  await watching
  await damage.check()
  expect(conditions.list().filter(({ name }) => name === 'rule-broken')).toEqual([])
  const { db } = app.parts
  expect((await Promise.all(storeRules.map(({ sql }) => db.read(sql as Query<object, []>).all()))).flat()).toEqual([])
  expect(storeRules.length).toBeGreaterThan(4)
  await app.close()
})

function openWatch(confirmMs: number) {
  const file = join(newFolder(), 'some.sqlite')
  const db = new Database(file, { create: true })
  db.run('PRAGMA journal_mode = WAL')
  db.run('CREATE TABLE flags (name TEXT)')
  const log = makeLog({ level: 'error', format: 'json', now: () => 5, write: () => {} })
  const conditions = openConditions({ log, now: () => 5 })
  const rules = [{ name: 'flags', sql: "SELECT 'there is ' || name AS says FROM flags" }]
  const watch = watchDamage({
    file,
    conditions,
    now: () => 7,
    everyHours: 0,
    pauseMs: 0,
    rules,
    confirmMs,
    againMs: 100,
  })
  watch.beginTelling()
  return { db, conditions, ...watch }
}

test('a rule that holds again at the second look is not told', async () => {
  const { db, conditions, check, stop } = openWatch(2_000)
  db.run("INSERT INTO flags VALUES ('one')")
  const checking = check()
  setTimeout(() => db.run('DELETE FROM flags'), 500)
  await checking
  expect(conditions.list()).toEqual([])
  stop()
})

test('a rule that does not hold is looked at again and again, and the fault ends by itself', async () => {
  const { db, conditions, check, lossToPrevent, stop } = openWatch(0)
  db.run("INSERT INTO flags VALUES ('one')")
  await check()
  expect(conditions.list()).toMatchObject([
    { name: 'rule-broken', says: 'the database contradicts itself (flags: there is one)' },
  ])
  expect(lossToPrevent()).toContain('contradicts itself')
  db.run('DELETE FROM flags')
  while (lossToPrevent() !== undefined) await Bun.sleep(20)
  expect(conditions.list()).toEqual([])
  stop()
})
