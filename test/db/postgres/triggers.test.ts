/** The triggers of both engines do the same: the same statements leave the same rows. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import type { SqlValue } from '../../../src/db/db.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { fillNulls, translate } from '../../../src/db/postgres/dialect.ts'
import { startPostgres } from '../../parts/postgres.ts'

const image = (() => {
  const db = new Database(':memory:', { strict: true })
  migrate(db)
  return db.serialize()
})()
let sqlite: Database
let postgres: SQL
const opened: SQL[] = []

beforeEach(async () => {
  sqlite = Database.deserialize(image, { strict: true })
  sqlite.run('PRAGMA foreign_keys = ON')
  const server = await startPostgres({ version: 15 })
  postgres = new SQL({ url: await server.createDatabase(), max: 1, bigint: true })
  opened.push(postgres)
  await postgres.unsafe('SET search_path = proofgate, pg_catalog')
})
afterAll(() => Promise.all(opened.map((client) => client.close())))

/** Both change the same number of rows. */
async function change(sql: string, ...params: SqlValue[]): Promise<number> {
  const changed = sqlite.query(sql).run(...params).changes
  const filled = fillNulls(translate(sql), params)
  const { count } = await postgres.unsafe(filled.sql, filled.params)
  expect(count).toBe(changed)
  return count
}

const tables = (): string[] =>
  sqlite
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations'")
    .all()
    .map(({ name }) => name)

/** Rows as texts, with hashes as digits, in no order. */
const writeRow = (row: unknown): string =>
  JSON.stringify(row, (_, value) => {
    if (typeof value === 'bigint') return Number(value)
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
    return value?.type === 'Buffer' ? Buffer.from(value.data).toString('hex') : value
  })

/** Triggers of one event run in another order, so that two notes of one write may have each other's id. */
const comparedColumns: Readonly<Record<string, string>> = {
  taken_away: 'at, kind, thing, detail',
  totals: 'sum(accounts) AS accounts, sum(proofs) AS proofs',
}

async function expectSame(): Promise<void> {
  for (const table of tables()) {
    const columns = comparedColumns[table] ?? '*'
    const inSqlite = sqlite.query(`SELECT ${columns} FROM ${table}`).all().map(writeRow).sort()
    const inPostgres = [...(await postgres.unsafe(`SELECT ${columns} FROM ${table}`))].map(writeRow).sort()
    expect([table, inPostgres]).toEqual([table, inSqlite])
  }
}

const hash = (number: number): string => number.toString(16).padStart(64, '0')
const at = 1_767_225_600_000
const insertProof = `
  INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, signed_timestamp, created_at, updated_at, record)
  VALUES (?1, unhex(?2), ?3, ?4, 'verified', ?5, ?6, ?6, ?6, ?7)`
const writeLink = (primary: string, secondary: string, verified = true): string =>
  JSON.stringify({
    rows: [
      {
        verifierId: 'wallet-link',
        verified,
        data: {
          primaryWalletAddress: primary,
          primaryAccountId: `eip155:1:${primary}`,
          secondaryWalletAddress: secondary,
          secondaryAccountId: `eip155:8453:${secondary}`,
        },
      },
    ],
  })

/** Text that JSON must escape, for names that are in the key of a row of the journal. */
const awkward = `a"b\\c/d'e\n\t\b\f\r\u0001\u001f\u007f\u2028é😀`

describe('accounts and proofs', () => {
  beforeEach(async () => {
    await change('INSERT INTO clock (id, steady_at, wall_at) VALUES (1, 5, 7)')
    for (const address of ['a', 'b']) await change('INSERT INTO accounts (address) VALUES (?1)', address)
  })

  test.each([1, 2, 3, 4, 5, 6])('counters, current runs and the journal, in the random order %p', async (seed) => {
    let state = seed
    const draw = (end: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * end)
    }
    let made = 0
    for (let step = 0; step < 60; step++) {
      const id = 1 + draw(made + 1)
      const now = at + step
      const kind = draw(9)
      if (kind < 4) {
        made++
        const record = draw(3) === 0 ? writeLink('a', `w${draw(2)}`) : '{"rows":[]}'
        await change(insertProof, made, hash(made), 1 + draw(2), 1 + draw(2), draw(3), now, record)
      } else if (kind === 4) await change('UPDATE proofs SET visibility = ?2 WHERE id = ?1', id, draw(3))
      else if (kind === 5)
        await change('UPDATE proofs SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL', id, now)
      else if (kind === 6) await change("UPDATE proofs SET status = 'expired' WHERE id = ?1", id)
      else if (kind === 7) await change("UPDATE proofs SET status = 'verified' WHERE id = ?1", id)
      // The newest keeps its place: SQLite would give its id again.
      else if (id < made) await change('DELETE FROM proofs WHERE id = ?1', id)
    }
    await expectSame()
  })

  test('a link of two wallets is listed from both, once, and not where it was not verified', async () => {
    await change(insertProof, 1, hash(1), 1, 1, 2, at, writeLink('0xaa', '0xbb'))
    await change(insertProof, 2, hash(2), 1, 2, 2, at, writeLink('0xcc', '0xdd', false))
    await change(insertProof, 3, hash(3), 1, 3, 2, at, writeLink('0xee', '0xee'))
    await change(insertProof, 4, hash(4), 1, 4, 2, at, '{"title":"\\u0000","rows":[],"x":"\\"wallet-link\\""}')
    await expectSame()
    expect((await postgres.unsafe('SELECT * FROM wallet_links')).length).toBe(4)
  })

  test.each([
    ['half of a pair', '"\\ud83d"', '\ufffd'],
    ['the other half', '"\\udc00"', '\ufffd'],
    ['both halves', '"\\ud83d\\ude00"', '\u{1f600}'],
    ['half of a pair before a backslash', '"\\ud83d\\\\ude00"', '\ufffd\\ude00'],
    ['the other half after a backslash', '"\\\\ud83d\\ude00"', '\\ud83d\ufffd'],
    ['the other half after two backslashes', '"\\\\\\\\ud83d\\ude00"', '\\\\ud83d\ufffd'],
    ['two halves of one kind', '"\\ud83d\\ud83d\\ude00\\ude00"', '\ufffd\u{1f600}\ufffd'],
    ['U+0000', '"a\\u0000b"', 'a\ufffdb'],
    ['a backslash before u0000', '"a\\\\u0000b"', 'a\\u0000b'],
    ['a backslash and U+0000', '"a\\\\\\u0000b"', 'a\\\ufffdb'],
    ['a quote after a backslash', '"\\u0041\\\\\\"\\\\"', 'A\\"\\'],
  ])('JSON with %s can be read', async (_, spelled, read) => {
    const [row] = await postgres.unsafe("SELECT json_extract($1, '$.a') AS a", [`{"a":${spelled}}`])
    expect(row.a).toBe(read)
  })

  test('a revoked link ends what was made with it and with the runs before it', async () => {
    for (const id of [1, 2]) await change(insertProof, id, hash(id), 1, 9, 2, at, writeLink('0xaa', '0xbb'))
    await change(insertProof, 3, hash(3), 1, 3, 0, at, '{"rows":[]}')
    await change(insertProof, 4, hash(4), 1, 4, 0, at, '{"rows":[]}')
    await change(
      `INSERT INTO proof_sources (proof_id, verifier, kind, source_id, link_proof)
       VALUES (3, 'agent-identity', 'session', 's1', 1), (4, 'agent-identity', 'access-key', 'k1', 2)`,
    )
    for (const [proof, viewer, link] of [
      [3, 'v1', 1],
      [4, 'v2', 2],
      [4, 'v3', null],
    ] as const)
      await change(
        `INSERT INTO access_grants (proof_id, viewer, created_at, source_kind, source_id, link_proof)
         VALUES (?1, ?2, 5, 'session', ?3, ?4)`,
        proof,
        viewer,
        awkward,
        link,
      )
    await change("INSERT INTO profiles (subject, account, did, created_at) VALUES (?1, 'p', 'd', 1)", awkward)
    await change(
      `INSERT INTO oauth_consents (profile, client, redirect_host, scope, created_at, link_proof)
       VALUES (1, ?1, 'host', 'read', 5, 2)`,
      awkward,
    )
    await change(
      "INSERT INTO publications (proof_id, chain_id, action, state, asked_at) VALUES (3, 1, 'timestamp', 'waiting', 5)",
    )
    await change(
      `INSERT INTO publications (proof_id, chain_id, action, state, asked_at, finished_at)
       VALUES (4, 2, 'timestamp', 'confirmed', 5, 6)`,
    )
    await change("INSERT INTO reserved_names (name, proof_id, account_id) VALUES ('n', 3, 1)")
    await change('UPDATE proofs SET revoked_at = ?1 WHERE id = 2', at)
    await expectSame()
    // Given back, each is marked as such in its own row.
    for (const viewer of ['v1', 'v2'])
      await change(
        `INSERT INTO access_grants (proof_id, viewer, created_at, source_kind, source_id)
         VALUES (4, ?1, 6, 'session', ?2)`,
        viewer,
        awkward,
      )
    await change(
      `INSERT INTO oauth_consents (profile, client, redirect_host, scope, created_at, link_proof)
       VALUES (1, ?1, 'host', 'read', 6, NULL)`,
      awkward,
    )
    await expectSame()
  })

  test('a revoked key and a revoked grant end what they made, and a viewer that is erased leaves no row', async () => {
    await change("INSERT INTO profiles (subject, account, did, created_at) VALUES ('s', 'p', 'd', 1)")
    await change(
      `INSERT INTO access_keys (key_id, hash, prefix, profile, name, scopes, created_at)
       VALUES ('k1', unhex(?1), 'p', 1, 'n', 'r', 1)`,
      hash(7),
    )
    for (const handle of ['f1', 'f2'])
      await change(
        `INSERT INTO oauth_families (handle, profile, client, account, scope, resource, signed_in_at, created_at,
           expires_at, generation, refresh_ends_at, access_ends_at)
         VALUES (?1, 1, 'c', 'a', 's', 'r', 1, 1, 1, 1, 1, 1)`,
        handle,
      )
    for (const [id, source] of [
      [1, 'k1'],
      [2, 'f1'],
      [3, 'f2'],
    ] as const) {
      await change(insertProof, id, hash(id), 1, id, 0, at, '{"rows":[]}')
      await change(
        `INSERT INTO proof_sources (proof_id, verifier, kind, source_id, link_proof, ended_at, end_reason)
         VALUES (?1, 'agent-identity', 'session', ?2, NULL, NULL, NULL)`,
        id,
        source,
      )
      for (const viewer of ['gone', 'here'])
        await change(
          `INSERT INTO access_grants (proof_id, viewer, created_at, expires_at, source_kind, source_id, link_proof)
           VALUES (?1, ?2, 5, NULL, 'oauth-grant', ?3, NULL)`,
          id,
          viewer,
          source,
        )
    }
    await change(
      `INSERT INTO erasures (handle, account_id, wallet, contract_on, proofs_up_to, fulfillments_up_to, erased_at, 
         accepted_since, forget_at, receipt)
       VALUES ('h', 9, 'gone', NULL, 1, 1, 1, 1, 1, NULL)`,
    )
    await change("UPDATE access_keys SET revoked_at = ?1 WHERE key_id = 'k1'", at)
    await change("UPDATE oauth_families SET revoked_at = ?1, reason = 'revoked' WHERE handle = 'f1'", at)
    await change("UPDATE oauth_families SET revoked_at = ?1, reason = 'signed out everywhere' WHERE handle = 'f2'", at)
    await expectSame()
    await change("UPDATE oauth_families SET reason = NULL WHERE handle = 'f2'")
    await expectSame()
    await change('DELETE FROM profiles WHERE id = 1')
    await expectSame()
  })

  test('a share link, an operator, a secret and a profile that are gone are in the journal', async () => {
    await change("INSERT INTO profiles (subject, account, did, created_at) VALUES ('s', 'p', 'd', 1)")
    await change(insertProof, 1, hash(1), 1, 1, 0, at, '{"rows":[]}')
    await change(
      'INSERT INTO share_links (digest, proof_id, created_at, expires_at) VALUES (unhex(?1), 1, 1, 2)',
      hash(171),
    )
    await change('DELETE FROM share_links')
    await change("INSERT INTO operators (account, created_at) VALUES ('o', 1)")
    await change("DELETE FROM operators WHERE account = 'o'")
    await change("INSERT INTO operators (account, created_at) VALUES ('o', 2), ('p', 2)")
    await change(
      `INSERT INTO secrets (q_hash, profile, wallet, alias, type, sealed, created_at)
       VALUES (unhex(?1), 1, 'w', 'a', 'single', 'x', 1)`,
      hash(188),
    )
    await change('UPDATE secrets SET revoked_at = ?1, sealed = NULL', at)
    await change("DELETE FROM profiles WHERE subject = 's'")
    await expectSame()
  })
})

describe('gates and payments', () => {
  beforeEach(async () => {
    await change(
      `INSERT INTO gates (gate_id, owner, status, version, created_at, updated_at) VALUES (?1, 'o', 'active', 1, 1, 1)`,
      awkward,
    )
  })

  test('a guest that is removed and added again, at a gate that is archived and deleted', async () => {
    await change(
      "INSERT INTO gate_guests (gate, wallet, chain, added_at) VALUES (1, ?1, '', 1), (1, 'x', 'eip155:1', 1)",
      awkward,
    )
    await change('DELETE FROM gate_guests WHERE gate = 1')
    await change(
      "INSERT INTO gate_guests (gate, wallet, chain, added_at) VALUES (1, ?1, '', 2), (1, 'new', '', 2)",
      awkward,
    )
    await change('UPDATE gates SET archived_at = ?1, updated_at = ?1 WHERE id = 1', at)
    await change('UPDATE gates SET archived_at = archived_at WHERE id = 1')
    await change("UPDATE gates SET status = 'deleted', archived_at = NULL, updated_at = ?1 WHERE id = 1", at + 1)
    await expectSame()
    await change('DELETE FROM gates WHERE id = 1')
    await expectSame()
  })

  test('payments, passes and payments that bought nothing are told with all their columns', async () => {
    await change(
      `INSERT INTO payments (identity, method, gate, q_hash, state, payer, amount, details, paid_at, claimed_at, updated_at)
       VALUES ('i1', 'x402', 1, unhex(?1), 'claimed', ?2, '900719925474099312', ?3, 1, 2, 3)`,
      hash(1),
      awkward,
      JSON.stringify({ note: awkward, quoteId: 'q' }),
    )
    await change("UPDATE payments SET state = 'final', updated_at = 4, watch_at = NULL")
    await change('UPDATE payments SET watch_at = 9')
    await change(
      `INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, payment, state, created_at, updated_at)
       VALUES (1, unhex(?1), ?2, 1, 'r1', 1, 'granted', 5, 6), (1, unhex(?3), 'w', 1, 'r2', NULL, 'granted', 5, 6)`,
      hash(1),
      awkward,
      hash(2),
    )
    await change("UPDATE fulfillments SET state = 'suspended', updated_at = 7 WHERE receipt_id = 'r1'")
    await change("DELETE FROM fulfillments WHERE receipt_id = 'r2'")
    await change(
      `INSERT INTO unmatched_payments (identity, method, gate, owner, reason, state, created_at, updated_at, details)
       VALUES ('u1', 'card', 1, 'o', ?1, 'owed', 1, 2, NULL)`,
      awkward,
    )
    await change("UPDATE unmatched_payments SET state = 'used', transaction_hash = '0x1', updated_at = 3")
    await expectSame()
  })

  test('functions of SQLite give the same texts', async () => {
    const details = JSON.stringify({ a: awkward, quoteId: 'q', n: [1, 2.5, null, { b: true }] })
    await change(
      `INSERT INTO payments (identity, method, gate, q_hash, state, details, claimed_at, updated_at)
       VALUES ('i1', 'x402', 1, zeroblob(32), 'claimed', ?1, 2, 3)`,
      details,
    )
    await change("UPDATE payments SET details = json_remove(details, '$.quoteId'), payer = details ->> '$.n[1]'")
    await change("UPDATE payments SET amount = json_extract(details, '$.a'), paid_at = max(1, min(claimed_at, 7))")
    await change('UPDATE payments SET refunded = lower(hex(q_hash)), watch_at = max(paid_at, NULL)')
    await change("UPDATE payments SET method = lower('ÄBC') WHERE instr(details, 'quoteId') = 0")
    await change("UPDATE payments SET identity = details -> 'n', watch_at = instr(details, 'b')")
    await change('UPDATE payments SET q_hash = unhex(?1)', hash(11).toUpperCase())
    await expectSame()
  })
})

describe('the ids of the journal', () => {
  const note = (id: number | null, thing: string) =>
    change(
      `INSERT INTO taken_away (id, at, kind, thing, detail) VALUES (?1, 1, 'k', ?2, '{}')
       ON CONFLICT (kind, thing) DO UPDATE SET id = excluded.id`,
      id,
      thing,
    )

  test('follow an id that is far behind, and rise where a note takes the place of an older one', async () => {
    await note(null, 'a')
    await note(1000, 'b')
    await note(null, 'c')
    await note(null, 'a')
    const rows = [...(await postgres.unsafe('SELECT id::integer AS id, thing FROM taken_away ORDER BY id'))]
    expect(rows.map(({ id, thing }) => [Number(id), thing])).toEqual([
      [1000, 'b'],
      [1001, 'c'],
      [1002, 'a'],
    ])
  })
})
