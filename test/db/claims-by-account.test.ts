/** Runs of a claim in a database from before 0041, which found them by an index of their own. */
import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'
import { temporaryFolders } from './store.ts'
import { undoClaimsByAccount } from './undo-claims.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

const listSuperseded = async (app: TestApp): Promise<number[]> =>
  (await select<{ id: number }>(app.parts.db, 'SELECT id FROM proofs WHERE superseded = 1 ORDER BY id').all()).map(
    ({ id }) => id,
  )

const claim = { content: 'the same' }
const open = { privacyLevel: 'public', publicDisplay: true }

test('a run after the migration replaces those from before it, of its own account alone', async () => {
  const folder = newFolder()
  const before = await startApp({}, folder)
  await before.prove(alice, {}, claim)
  before.wait(1000)
  await before.prove(alice, {}, claim)
  await before.prove(bob, {}, claim)
  await before.prove(alice, open, { content: 'another' })
  expect(await listSuperseded(before)).toEqual([1])
  await before.close()
  const db = new Database(locateDatabaseFile(folder))
  undoClaimsByAccount(db)
  db.close()

  const app = await startApp({}, folder)
  app.wait(2000)
  const latest = await app.prove(alice, {}, claim)

  expect(await listSuperseded(app)).toEqual([1, 2])
  // A private run replaces no listed one.
  await app.prove(alice, {}, { content: 'another' })
  expect(await listSuperseded(app)).toEqual([1, 2])
  const oldest = (await select<{ q: string }>(
    app.parts.db,
    'SELECT lower(hex(q_hash)) AS q FROM proofs WHERE id = 1',
  ).get())!
  const headers = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash: `0x${oldest.q}` }, app.now())
  const found = await app.get(`/api/v1/proofs/0x${oldest.q}?latestScope=1`, headers)
  expect(found.body.data.qHash).toBe(latest)
  await app.close()
})
