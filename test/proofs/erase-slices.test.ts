/** An erasure of thousands of proofs: everybody else goes on meanwhile, and a crash does not stop it. */

import type { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { stopErasing } from '../../src/erasure/slices.ts'
import { beginErasure } from '../../src/erasure/store.ts'
import { startApp, type TestApp } from '../app.ts'
import { inspect, temporaryFolders } from '../db/store.ts'
import { startServer } from '../durability/server.ts'
import { writeManyRows } from '../parts/many-rows.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { dropTrigger, makeTrigger } from '../parts/triggers.ts'
import { link } from '../payments/linking.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const api = '/api/v1'
const low = alice.address.toLowerCase()
const open = { privacyLevel: 'public', publicDisplay: true }

/** For a store in a folder, which is SQLite on every run. */
const inFile = 'randomblob(32)'

/** Copies the newest proof of the wallet, with its facts and a share. */
const copies = (count: number, hash = randomHash): readonly string[] => [
  `${countTo(count)}
   INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, chain_id, chain, signature_method,
     signed_timestamp, created_at, updated_at, record)
   SELECT p.q52 + i, ${hash}, account_id, scope52 + i, status, visibility, chain_id, chain, signature_method,
     signed_timestamp, created_at, updated_at, record
   FROM n, (SELECT * FROM proofs WHERE account_id = (SELECT id FROM accounts WHERE address = '${low}')
            ORDER BY id DESC LIMIT 1) p`,
  `INSERT INTO proof_facts (account_id, fact52, proof_id)
   SELECT p.account_id, f.fact52, p.id FROM proofs p, (
     SELECT DISTINCT account_id, fact52 FROM proof_facts WHERE abs(fact52) NOT IN (SELECT scope52 FROM proofs)) f
   WHERE f.account_id = p.account_id ON CONFLICT DO NOTHING`,
  `INSERT INTO access_grants (proof_id, viewer, created_at, source_kind, source_id)
   SELECT id, '${bob.address.toLowerCase()}', 1, 'signature', '' FROM proofs
   WHERE account_id = (SELECT id FROM accounts WHERE address = '${low}') ON CONFLICT DO NOTHING`,
]

/** Earlier runs of the newest proof of the wallet, which is a link. */
const runsOfLink = (count: number): readonly string[] => [
  `${countTo(count)}
   INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, chain_id, chain, signature_method,
     signed_timestamp, created_at, updated_at, record)
   SELECT p.q52 + i, ${randomHash}, account_id, scope52, status, visibility, chain_id, chain, signature_method,
     signed_timestamp, created_at, updated_at, record
   FROM n, (SELECT * FROM proofs ORDER BY id DESC LIMIT 1) p`,
]

const writeMany = (app: TestApp, texts: readonly string[]): Promise<void> =>
  writeManyRows(
    app.parts.db,
    texts.map((sql) => ({ sql, params: [] })),
  )

const eraseBody = (app: TestApp, at = app.now()) =>
  app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: low }, at)

const count = async (app: TestApp, table: string): Promise<number> =>
  (await select<{ n: number }>(app.parts.db, `SELECT count(*) AS n FROM ${table}`).get())!.n

test('other requests are answered between its slices, and find no data of the wallet any more', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const first = await app.prove(alice, open)
  const ofBob = await app.prove(bob, open)
  await app.submit(alice, { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })
  await writeMany(app, copies(3_000))
  const all = (await count(app, 'proofs')) - 1
  app.wait(1)

  let isDone = false
  const erasing = app.post(`${api}/proofs/erase-all`, await eraseBody(app)).finally(() => {
    isDone = true
  })
  while ((await count(app, 'erasures')) === 0) await Bun.sleep(0)
  const left = new Set<number>()
  let made: string | undefined
  while (!isDone) {
    // These requests never leave the process: without a timer the erasure would not get a turn.
    await Bun.sleep(1)
    left.add(await count(app, 'proofs'))
    expect((await app.get(`${api}/proofs/${first}`)).status).toBe(404)
    expect((await app.get(`${api}/proofs/${ofBob}`)).status).toBe(200)
    const status = await app.post(`${api}/verification/status-batch`, { qHashes: [first] })
    expect(JSON.stringify(status.body)).not.toContain('verified')
    const byId = await app.get(`${api}/proofs/check?verifierId=ownership-basic&qHash=${first}`)
    expect(byId.body.data.eligible).toBe(false)
    const list = await app.get(`${api}/proofs/by-wallet/${alice.address}`)
    expect(list.body.data.proofs.map(({ qHash }: { qHash: string }) => qHash)).toEqual(made ? [made] : [])
    if (!made) {
      const checked = await app.get(`${api}/proofs/check?verifierId=ownership-basic&address=${alice.address}`)
      expect(checked.body.data.eligible).toBe(false)
      // The name is free at once, and proofs made now are not part of the erasure.
      const named = await app.submit(alice, {
        verifierIds: ['ownership-pseudonym'],
        data: { pseudonymId: 'alice' },
        options: open,
      })
      expect(named.status).toBe(200)
      made = named.body.data.qHash as string
    }
  }
  expect(left.size).toBeGreaterThan(5)
  expect((await erasing).body).toMatchObject({ success: true, erasedCount: all, alreadyRevoked: false })
  expect((await app.get(`${api}/proofs/${made}`)).status).toBe(200)
  expect(await count(app, 'proofs')).toBe(2)
  expect(await count(app, 'access_grants')).toBe(0)
  expect(await count(app, 'erasures')).toBe(0)
  expect(await count(app, 'accounts')).toBe(2)
})

test('a request that was erased does not come back while the erasure runs, nor after it', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'again' } }
  const signed = await app.signed(alice, claim)
  expect((await app.post(`${api}/verification`, signed)).status).toBe(200)
  await writeMany(app, copies(1_000))
  const erasing = app.post(`${api}/proofs/erase-all`, await eraseBody(app))
  while ((await count(app, 'erasures')) === 0) await Bun.sleep(0)
  expect((await app.post(`${api}/verification`, signed)).status).toBe(409)
  await erasing
  expect((await app.post(`${api}/verification`, signed)).status).toBe(409)
})

test('an erasure that a crash interrupts is finished by the next start, and the rest stays hidden meanwhile', async () => {
  const folder = newFolder()
  const before = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' }, folder)
  const ofAlice = await before.prove(alice, open)
  const ofBob = await before.prove(bob, open)
  await before.close()
  inspect(folder, (db) => {
    for (const text of copies(20_000, inFile)) db.run(text)
  })
  const counted = (db: Database, table: string): number =>
    db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n
  const look = (table: string): number => inspect(folder, (db) => counted(db, table))

  let server = await startServer(folder)
  const action = { action: 'erase_all_proofs', audience: new URL(server.url).host, walletAddress: low }
  const body = await alice.signAction(action, Date.now())
  const erasing = fetch(`${server.url}${api}/proofs/erase-all`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined)
  const isOver = { value: false }
  erasing.finally(() => {
    isOver.value = true
  })
  while (look('proofs') === 20_002 && !isOver.value) await Bun.sleep(1)
  await server.kill()
  await erasing
  expect(look('erasures')).toBe(1)
  expect(look('proofs')).toBeGreaterThan(2)

  server = await startServer(folder)
  const receipt = inspect(folder, (db) =>
    db.query<{ handle: string }, []>('SELECT handle FROM erasure_receipts').get(),
  )!.handle
  const state = async (): Promise<string> => {
    const answer = await fetch(`${server.url}${api}/proofs/erasures/${receipt}`)
    return ((await answer.json()) as { erasure: { state: string } }).erasure.state
  }
  try {
    expect(await state()).toBe('erasing')
    expect((await fetch(`${server.url}${api}/proofs/${ofAlice}`)).status).toBe(404)
    expect((await fetch(`${server.url}${api}/proofs/${ofBob}`)).status).toBe(200)
    while (look('erasures') > 0) await Bun.sleep(20)
    expect({ proofs: look('proofs'), facts: look('access_grants'), accounts: look('accounts') }).toEqual({
      proofs: 1,
      facts: 0,
      accounts: 1,
    })
    expect((await fetch(`${server.url}${api}/proofs/${ofBob}`)).status).toBe(200)
    while ((await state()) !== 'done') await Bun.sleep(20)
  } finally {
    await server.stop()
  }
})

test('the sweep finishes an erasure that has begun and that no request works on', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  await app.prove(alice, open)
  await writeMany(app, copies(500))
  const times = { erasedAt: app.now(), acceptedSince: 0, forgetAt: app.now() + 600_000 }
  await beginErasure(app.parts, { wallet: low, contractOn: undefined }, undefined, times)
  expect(await count(app, 'proofs')).toBe(501)
  expect((await app.get(`${api}/proofs/by-wallet/${alice.address}`)).body.data.proofs).toEqual([])
  expect((await app.sweep()).erased).toBe(501)
  expect([await count(app, 'proofs'), await count(app, 'erasures'), await count(app, 'accounts')]).toEqual([0, 0, 0])
})

test('thousands of runs of one link are erased in slices, and the effects of the link end once', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  await link(app, alice, bob)
  await writeMany(app, runsOfLink(2_000))
  await link(app, alice, bob)
  await link(app, alice, mallory)
  app.wait(1)
  const { headers } = await app.signIn(bob)
  const made = await app.post(
    `${api}/verification`,
    {
      walletAddress: mallory.address,
      verifierIds: ['agent-delegation'],
      data: { controllerWallet: mallory.address, agentWallet: sol.address, agentId: 'helper' },
      options: { privacyLevel: 'public' },
    },
    headers,
  )
  const { qHash } = made.body.data
  // Counts how often the trigger that ends things runs, and how much is revoked in one write.
  await app.parts.db.write([
    { sql: 'CREATE TABLE seen (id INTEGER)', params: [] },
    ...makeTrigger({
      name: 'seen_revoked',
      at: 'AFTER UPDATE OF revoked_at ON proofs',
      when: 'NEW.revoked_at IS NOT NULL AND EXISTS (SELECT 1 FROM wallet_links WHERE proof_id = NEW.id)',
      does: 'INSERT INTO seen VALUES (NEW.id)',
    }),
  ])
  app.wait(1)
  expect((await app.post(`${api}/proofs/erase-all`, await eraseBody(app))).body.erasedCount).toBe(2_003)
  expect((await app.get(`${api}/proofs/${qHash}`)).body.data.status).toBe('revoked')
  expect(await count(app, 'seen')).toBe(2)
  expect(await count(app, 'wallet_links')).toBe(0)
})

test('access grants of a wallet are hidden from proof owners during its erasure', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const qHash = await app.prove(bob, { privacyLevel: 'private' })
  const { headers } = await app.signIn(bob)
  await app.post(
    `${api}/verification/access/grant`,
    { qHash, ownerWallet: bob.address, viewerWallet: alice.address },
    headers,
  )
  const viewers = async () => (await app.get(`${api}/verification/access/${qHash}`, headers)).body.data.grants.length
  expect(await viewers()).toBe(1)
  await app.prove(alice)
  const times = { erasedAt: app.now(), acceptedSince: 0, forgetAt: app.now() + 600_000 }
  await beginErasure(app.parts, { wallet: low, contractOn: undefined }, undefined, times)
  expect(await viewers()).toBe(0)
})

test('an answer without waiting says what is left and where to ask, and the same question says when it is done', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const first = await app.prove(alice, open)
  await writeMany(app, copies(2_000))
  app.wait(1)
  const body = await eraseBody(app)
  const begun = await app.post(`${api}/proofs/erase-all`, body, { prefer: 'respond-async, wait=0' })
  expect(begun.status).toBe(200)
  expect(begun.body).toMatchObject({
    success: true,
    alreadyRevoked: false,
    erasure: { state: 'erasing', total: 2_001 },
    traces: { pending: true },
  })
  const { id, status, left } = begun.body.erasure
  expect(status).toBe(`${api}/proofs/erasures/${id}`)
  expect(left).toBeGreaterThan(0)
  expect(begun.body.erasedCount).toBe(2_001 - left)
  expect((await app.get(`${api}/proofs/${first}`)).status).toBe(404)
  // A client that gave up sends the same request again, and the wallet sends another one.
  app.wait(1)
  for (const again of [body, await eraseBody(app)]) {
    const { body: told } = await app.post(`${api}/proofs/erase-all`, again)
    expect(told).toMatchObject({ alreadyRevoked: false, erasure: { id, state: 'erasing', total: 2_001 } })
    expect(told.erasedCount).toBe(2_001 - told.erasure.left)
  }
  const seen: number[] = []
  for (;;) {
    const { erasure, traces } = (await app.get(status)).body
    if (erasure.state === 'done') {
      expect({ left: erasure.left, traces }).toEqual({ left: 0, traces: { pending: false } })
      break
    }
    seen.push(erasure.left)
    await Bun.sleep(1)
  }
  expect(new Set(seen).size).toBeGreaterThan(3)
  expect(seen.toSorted((one, other) => other - one)).toEqual(seen)
  expect((await app.post(`${api}/proofs/erase-all`, body)).body).toMatchObject({
    erasedCount: 0,
    alreadyRevoked: true,
    erasure: { id, state: 'done', total: 2_001 },
  })
})

test('the status of an erasure holds no wallet, is found by its id alone, and is deleted after seven days', async () => {
  const app = await startApp()
  await app.prove(alice, open)
  const { body } = await app.post(`${api}/proofs/erase-all`, await eraseBody(app))
  const { status } = body.erasure
  const rows = JSON.stringify(await select<object>(app.parts.db, 'SELECT * FROM erasure_receipts').all())
  expect(rows.toLowerCase()).not.toContain(low)
  expect((await app.get(`${api}/proofs/erasures/${'0'.repeat(32)}`)).status).toBe(404)
  expect((await app.get(`${api}/proofs/erasures/one`)).status).toBe(400)
  app.wait(7 * 86_400_000 - 1)
  await app.sweep()
  expect((await app.get(status)).status).toBe(200)
  app.wait(1)
  await app.sweep()
  expect((await app.get(status)).status).toBe(404)
  expect(await count(app, 'erasure_receipts')).toBe(0)
})

test('a stop ends an erasure between slices, waiting requests hear so, and the next start goes on', async () => {
  const folder = newFolder()
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' }, folder)
  await app.prove(alice, open)
  await app.parts.db.write(copies(3_000, inFile).map((text) => ({ sql: text, params: [] })))
  app.wait(1)
  const erasing = app.post(`${api}/proofs/erase-all`, await eraseBody(app))
  while ((await count(app, 'erasures')) === 0 || (await count(app, 'proofs')) === 3_001) await Bun.sleep(1)
  await stopErasing(app.parts)
  const { body } = await erasing
  expect(body).toMatchObject({ alreadyRevoked: false, erasure: { state: 'erasing', total: 3_001 } })
  expect(body.erasedCount + body.erasure.left).toBe(3_001)
  await app.close()
  const server = await startServer(folder)
  try {
    const read = async () => (await (await fetch(`${server.url}${body.erasure.status}`)).json()) as typeof body
    while ((await read()).erasure.state !== 'done') await Bun.sleep(20)
  } finally {
    await server.stop()
  }
})

test('an erasure whose rows cannot be deleted yet reports that it has begun and goes on', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const proof = await app.prove(alice, open)
  app.wait(1)
  await app.parts.db.write(makeTrigger({ name: 'refusing', at: 'BEFORE DELETE ON proofs' }))
  const body = await eraseBody(app)
  const { status, body: told } = await app.post(`${api}/proofs/erase-all`, body)
  expect({ status, told }).toMatchObject({
    status: 200,
    told: { alreadyRevoked: false, erasedCount: 0, erasure: { state: 'erasing', total: 1, left: 1 } },
  })
  expect((await app.get(`${api}/proofs/${proof}`)).status).toBe(404)
  expect((await app.get(told.erasure.status)).body.erasure).toMatchObject({ state: 'erasing', left: 1 })

  await app.parts.db.write(dropTrigger('refusing'))
  await app.sweep()
  expect((await app.post(`${api}/proofs/erase-all`, body)).body).toMatchObject({ erasure: { total: 1, left: 0 } })
  await app.close()
})
