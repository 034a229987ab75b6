/** The journal of what several processes take away at once: its reader passes over nothing. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { findSettledEntry, listJournal } from '../../../src/journal/store.ts'
import type { TestApp } from '../../app.ts'
import { alice, evmWallet, type TestWallet } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(60_000)

let all: SeveralApps
beforeAll(async () => {
  all = await startApps(3)
})
afterAll(() => all.close())
afterEach(async () => {
  expect(await countRows("accounts WHERE address LIKE 'erased:%'")).toBe(0)
})

const countRows = async (from: string): Promise<number> =>
  (await all.sql.unsafe(`SELECT count(*)::integer AS n FROM ${from}`))[0].n

async function revokeNew(app: TestApp, wallet: TestWallet): Promise<void> {
  const qHash = await app.prove(wallet)
  app.wait(1)
  const body = await app.ownerBody(wallet, { action: 'revoke_proof', qHash })
  expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, body)).status).toBe(200)
}

test('an entry that is committed after a later one is not passed over', async () => {
  const [app, other] = all.apps as [TestApp, TestApp]
  const { db } = app.parts
  await revokeNew(app, alice)
  const before = await findSettledEntry(db)
  // It has its id, and is not committed.
  const release = await all.hold("INSERT INTO taken_away (at, kind, thing, detail) VALUES (1, 'secret', 'early', '{}')")
  other.wait(2)
  await revokeNew(other, alice)
  const settling = findSettledEntry(db)
  await all.waitForWaiting(1)
  await release()
  expect(await settling).toBe(before + 2)
  expect((await listJournal(db, before, 10)).map(({ thing }) => thing)[0]).toBe('early')
})

test('accounts that are erased at once while others revoke are all in it, and each id is given once', async () => {
  const wallets = Array.from({ length: 12 }, (_, index) => evmWallet(`0x${(index + 160).toString(16).repeat(32)}`))
  for (const wallet of wallets) await all.apps[0]!.prove(wallet)
  for (const app of all.apps) app.wait(20)
  const before = await countRows("taken_away WHERE kind = 'erased account'")
  const answers = await all.race(async (app, index) => {
    const wallet = wallets[index]!
    if (index % 2) await revokeNew(app, evmWallet(`0x${(index + 176).toString(16).repeat(32)}`))
    const body = await app.ownerBody(wallet, {
      action: 'erase_all_proofs',
      walletAddress: wallet.address.toLowerCase(),
    })
    return app.post('/api/v1/proofs/erase-all', body)
  }, 4)
  expect(answers.map(({ status, body }) => [status, body.erasedCount])).toEqual(answers.map(() => [200, 1]))
  expect(await countRows("taken_away WHERE kind = 'erased account'")).toBe(before + wallets.length)
})
