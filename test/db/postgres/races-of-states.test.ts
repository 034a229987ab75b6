/** The last parts of one thing that end at once at two processes: the thing ends with them. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { finishErasure } from '../../../src/erasure/slices.ts'
import { beginErasure } from '../../../src/erasure/store.ts'
import { listFollowed, settleFollowed } from '../../../src/proofs/follow-store.ts'
import { updateProofStatus } from '../../../src/proofs/status-store.ts'
import { findPublications, move } from '../../../src/publishing/store.ts'
import type { TestApp } from '../../app.ts'
import { alice, bob } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(60_000)

let all: SeveralApps
let apps: readonly [TestApp, TestApp]
beforeAll(async () => {
  all = await startApps(2)
  apps = all.apps as [TestApp, TestApp]
  all.delayCommit(apps[0], 'UPDATE publications SET state')
  all.delayCommit(apps[0], 'UPDATE followed_blocks SET state')
})
afterAll(() => all.close())

const ask = async <Row>(sql: string): Promise<Row> => (await all.sql.unsafe(sql))[0]
const idOf = async (qHash: string): Promise<number> =>
  Number((await ask<{ id: string }>(`SELECT id FROM proofs WHERE q_hash = decode('${qHash.slice(2)}', 'hex')`)).id)

test('of two publications that end at once, the second sees the first: the proof is published', async () => {
  const [first, second] = apps
  const id = await idOf(await first.prove(alice))
  await all.sql.unsafe(`INSERT INTO publications (proof_id, chain_id, action, state, asked_at, account, nonce, signed)
    SELECT ${id}, chain, 'timestamp', 'sent', 1, '0x1', 1, '0x2' FROM generate_series(1, 2) chain`)
  await all.sql.unsafe(`UPDATE proofs SET status = 'verified_crosschain_propagating' WHERE id = ${id}`)
  const [one, two] = (await findPublications(first.parts.db, [id])).get(id)!
  const step = { state: 'confirmed', finishedAt: 5 } as const
  const moving = move({ ...first.parts, updateProofStatus }, one!, step, 5)
  await all.waitForCommit()
  expect(await move({ ...second.parts, updateProofStatus }, two!, step, 5)).toMatchObject({ state: 'confirmed' })
  expect(await moving).toMatchObject({ state: 'confirmed' })
  expect(await ask(`SELECT status FROM proofs WHERE id = ${id}`)).toEqual({ status: 'verified_crosschain_propagated' })
})

test('of two blocks that become final at once, the second sees the first: the proof is final', async () => {
  const [first, second] = apps
  const id = await idOf(await first.prove(bob))
  await all.sql.unsafe(`UPDATE proofs SET finality = 0 WHERE id = ${id}`)
  await all.sql.unsafe(`INSERT INTO followed_blocks (proof_id, place, chain, block_number, block_hash, state, followed_since, look_at)
    SELECT ${id}, place, 'eip155:1', 7, decode(repeat('ab', 32), 'hex'), 'holds', 1, 1 FROM generate_series(0, 1) place`)
  const [one, two] = await listFollowed(first.parts.db, 'eip155:1', first.now(), 2)
  const settling = settleFollowed(first.parts.db, one!, 5)
  await all.waitForCommit()
  expect(await settleFollowed(second.parts.db, two!, 5)).toBe(true)
  expect(await settling).toBe(true)
  expect(await ask(`SELECT finality::integer AS finality FROM proofs WHERE id = ${id}`)).toEqual({ finality: 1 })
})

test('an erasure that two processes go on with leaves out no step of any row', async () => {
  const [first, second] = apps
  const wallet = bob.address.toLowerCase()
  for (let number = 0; number < 3; number++) await first.prove(bob)
  const many = 600
  await all.sql.unsafe(`
    INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, signed_timestamp, created_at, updated_at, record)
    SELECT i, decode(lpad(to_hex(i), 64, '0'), 'hex'), a.id, i, 'verified', 0, ${first.now()}, 1, 1, '{"rows":[]}'
    FROM generate_series(1, ${many}) i, accounts a WHERE a.address = '${wallet}'`)
  const { proofs } = await ask<{ proofs: number }>(
    `SELECT all_count::integer AS proofs FROM accounts WHERE address = '${wallet}'`,
  )
  const at = first.now()
  const account = { wallet, contractOn: undefined }
  const begun = await beginErasure(first.parts, account, undefined, {
    erasedAt: at,
    acceptedSince: 0,
    forgetAt: at + 1,
  })
  if (typeof begun === 'string') throw new Error(begun)
  await Promise.all(begun.flatMap((each) => [finishErasure(first.parts, each), finishErasure(second.parts, each)]))
  expect(await ask('SELECT count(*)::integer AS n FROM erased_proofs')).toEqual({ n: proofs })
  expect(await ask('SELECT count(*)::integer AS n FROM erasure_receipts WHERE ended_at IS NULL')).toEqual({ n: 0 })
  expect(await ask("SELECT count(*)::integer AS n FROM accounts WHERE address LIKE 'erased:%'")).toEqual({ n: 0 })
})
