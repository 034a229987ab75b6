/** A database that begins empty: plans that a session made for empty tables must be right when these are full. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { alice } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(60_000)

const proofs = 400
/** Of the tables of proofs, for one proof: what it changes itself, and some more. */
const mostReadEach = 20

let all: SeveralApps
beforeAll(async () => {
  all = await startApps(1, { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_DATABASE_CONNECTIONS: '4' })
})
afterAll(() => all.close())

/** Rows and entries of indexes that were read by all sessions but this one. They tell their numbers when they end. */
async function countRead(): Promise<number> {
  const pids: { pid: number }[] = await all.sql.unsafe(`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  const list = pids.map(({ pid }) => pid).join(',')
  await all.sql.unsafe(`SELECT pg_terminate_backend(pid) FROM unnest('{${list}}'::integer[]) pid`)
  while ((await all.sql.unsafe(`SELECT 1 FROM pg_stat_activity WHERE pid IN (${list})`)).length > 0) await Bun.sleep(10)
  const [row] = await all.sql.unsafe(
    `
    SELECT ((SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = ANY ($1))
      + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY ($1)))::float AS n`,
    ['{proofs,proof_facts,accounts,spent_signatures}'],
  )
  return row.n
}

test('what a proof costs does not grow with their number before the tables are analyzed', async () => {
  const [app] = all.apps
  for (let index = 0; index < proofs; index++) {
    app!.wait(1)
    const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: `New ${index}` } }
    expect((await app!.submit(alice, claim)).status).toBe(200)
  }
  expect((await countRead()) / proofs).toBeLessThan(mostReadEach)
  // Otherwise the test would say nothing about it.
  const [row] = await all.sql.unsafe(
    "SELECT count(*)::integer AS n FROM pg_stat_user_tables WHERE relname = 'proofs' AND analyze_count + autoanalyze_count > 0",
  )
  expect(row.n).toBe(0)
})
