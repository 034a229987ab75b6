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
    const data = { owner: alice.address, content: `New ${index}` }
    const claim = { verifierIds: ['ownership-basic'], data, options: { privacyLevel: 'public' } }
    expect((await app!.submit(alice, claim)).status).toBe(200)
  }
  expect((await countRead()) / proofs).toBeLessThan(mostReadEach)
  // Otherwise the test would say nothing about it.
  const [row] = await all.sql.unsafe(
    "SELECT count(*)::integer AS n FROM pg_stat_user_tables WHERE relname = 'proofs' AND analyze_count + autoanalyze_count > 0",
  )
  expect(row.n).toBe(0)
})

test('a check of a wallet with thousands of proofs reads some of them, also where all others have one', async () => {
  const [app] = all.apps
  const many = 5_000
  await all.sql.unsafe(`
    INSERT INTO accounts (address) SELECT 'eip155:0x' || lpad(to_hex(i), 40, '0') FROM generate_series(1, ${many}) i;
    CREATE TEMPORARY TABLE newest AS SELECT * FROM proofs ORDER BY id DESC LIMIT 1;
    CREATE TEMPORARY TABLE holders AS SELECT row_number() OVER () AS number, id FROM (
      SELECT id FROM accounts WHERE id <> (SELECT account_id FROM newest)
      UNION ALL SELECT account_id FROM newest, generate_series(1, ${many})) each;
    SET session_replication_role = replica;
    INSERT INTO proofs SELECT (jsonb_populate_record(p, jsonb_build_object(
      'id', p.id + number, 'account_id', holders.id, 'q_hash', sha256(int8send(number))))).*
      FROM proofs p JOIN newest USING (id), holders;
    INSERT INTO proof_facts SELECT p.account_id, f.fact52, p.id FROM proof_facts f, newest, proofs p
      WHERE f.proof_id = newest.id AND p.id > newest.id;
    SET session_replication_role = origin;
    ANALYZE;
    SELECT pg_stat_reset()`)
  const checks = 60
  for (let count = 0; count < checks; ) {
    const { status, body } = await app!.get(`/api/v1/proofs/check?address=${alice.address}&verifierIds=ownership-basic`)
    // It still finds its connections lost.
    if (status === 503) continue
    expect([status, body.data.eligible]).toEqual([200, true])
    count++
  }
  // It looks at 584 rows, which all are runs of one claim. By the account it would read 5,000 for each of them.
  expect((await countRead()) / checks).toBeLessThan(many)
})
