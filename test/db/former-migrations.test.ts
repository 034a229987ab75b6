/** Databases whose migrations were edited or renumbered later reach the same data model. */

import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { formerMigrations, formerNames } from '../../src/db/former-migrations.ts'
import { isMigrated, MigrationError, migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { select } from '../parts/select.ts'
import { databaseMade, findPosition, formers } from './former/made.ts'
import { openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
const digest = (text: string): string => Bun.SHA256.hash(text, 'hex')
/** Tables, indexes and triggers without comments, and without how their lines break. */
const readSchema = (db: Database): unknown[] =>
  db
    .query<{ type: string; name: string; sql: string | null }, []>(
      'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name',
    )
    .all()
    .map(({ sql, ...rest }) => ({
      ...rest,
      sql: sql
        ?.replace(/--.*$/gm, '')
        .replace(/\s+/g, ' ')
        .replace(/ ?([(),]) ?/g, '$1'),
    }))

const fresh = new Database(':memory:', { strict: true })
migrate(fresh)
const noted = (db: Database) => db.query('SELECT name, sha256 FROM migrations ORDER BY name').all()

test('the former texts of the tests are those that the build knows', () => {
  expect(formers.map(({ name, sql }) => [name, digest(sql)])).toEqual(
    formerMigrations.map(({ name, sha256 }) => [name, sha256]),
  )
})

describe.each(formers.map((former) => [`${former.name} ${digest(former.sql).slice(0, 8)}`, former] as const))(
  'a database made with %s',
  (_, former) => {
    test('is brought to the same data model as a new one, and is known from then on', () => {
      const db = databaseMade(former)
      expect(isMigrated(db)).toBe(false)
      migrate(db)
      expect(readSchema(db)).toEqual(readSchema(fresh))
      expect(noted(db)).toEqual(noted(fresh))
      expect(isMigrated(db)).toBe(true)
      expect(migrate(db)).toEqual([])
      expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
      expect(db.query('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' })
    })
  },
)

test.each(
  formers.filter(({ name }) => name === '0011_erasures').map((former) => [digest(former.sql), former] as const),
)('those that were built on 0011 %s before it was edited go on as well', (_, former) => {
  const db = databaseMade(former, '0013_gate_summaries')
  migrate(db)
  expect(readSchema(db)).toEqual(readSchema(fresh))
})

test('migrations that were renumbered are known under their former numbers', () => {
  const last = findPosition('0013_gate_summaries')
  const db = databaseMade(formers.find(({ name }) => name === '0011_erasures')!, '0013_gate_summaries')
  for (const [was, is] of Object.entries(formerNames).toReversed())
    db.run('UPDATE migrations SET name = ? WHERE name = ?', [was, is])
  expect(migrate(db)).toEqual(migrations.slice(last + 1).map(({ name }) => name))
  expect(readSchema(db)).toEqual(readSchema(fresh))
  expect(noted(db)).toEqual(noted(fresh))
})

const insertProof = `INSERT INTO proofs (id, q52, q_hash, account_id, scope52, status, visibility, chain_id, signed_timestamp,
  created_at, updated_at, record) VALUES (?1, ?1, zeroblob(32), 1, ?1, 'verified', 0, 1, 1, ?2, 1, '{}')`

test('proofs from before 0006 are counted by day, once', () => {
  const db = new Database(':memory:', { strict: true })
  migrate(db, migrations.slice(0, findPosition('0006_operator')))
  db.run("INSERT INTO accounts (id, address) VALUES (1, '0xa')")
  for (const [id, day] of [
    [1, 20_000],
    [2, 20_000],
    [3, 20_001],
  ] as const)
    db.run(insertProof, [id, day * 86_400_000])
  const former = formers.find(({ name }) => name === '0006_operator')!
  migrate(
    db,
    migrations.slice(0, findPosition('0006_operator') + 1).map((one) => (one.name === former.name ? former : one)),
  )
  db.run("INSERT INTO daily_numbers VALUES ('proofs', 20001, '', 4)")
  migrate(db)
  expect(db.query("SELECT day, count FROM daily_numbers WHERE kind = 'proofs' ORDER BY day").all()).toEqual([
    { day: 20_000, count: 2 },
    { day: 20_001, count: 4 },
  ])
})

test('names and payments that a former database holds are there afterwards', () => {
  const named = databaseMade(formers[0]!)
  named.run("INSERT INTO accounts (id, address) VALUES (1, '0xa')")
  named.run(insertProof, [1, 5])
  named.run("INSERT INTO reserved_names (name, proof_id, account_id, expires_at) VALUES ('alice', 1, 1, 9)")
  migrate(named)
  expect(named.query('SELECT name, proof_id, expires_at FROM reserved_names').all()).toEqual([
    { name: 'alice', proof_id: 1, expires_at: 9 },
  ])
  const owed = databaseMade(formers.find(({ name }) => name === '0014_reservations')!)
  owed.run(`INSERT INTO unmatched_payments (identity, method, gate, owner, reason, state, created_at, updated_at)
    VALUES ('x', 'card', 1, '0xa', 'late', 'owed', 5, 6)`)
  migrate(owed)
  expect(owed.query('SELECT identity, transaction_hash, reason, updated_at FROM unmatched_payments').all()).toEqual([
    { identity: 'x', transaction_hash: null, reason: 'late', updated_at: 6 },
  ])
})

test('a change that fails leaves the former database as it was', () => {
  const db = databaseMade(formers.find(({ name }) => name === '0006_operator')!)
  const before = [readSchema(db), noted(db)]
  const failing = migrations.map((one) => (one.name === '0019_unpaid_places' ? { ...one, sql: 'nonsense' } : one))
  expect(() => migrate(db, failing)).toThrow(/nonsense/)
  expect([readSchema(db), noted(db)]).toEqual(before)
})

test('an unknown form is refused with file, both hashes and the remedy, and stays unchanged', () => {
  const db = databaseMade({ name: '0006_operator', sql: `${migrations[findPosition('0006_operator')]!.sql}-- mine\n` })
  const before = noted(db)
  expect(() => migrate(db)).toThrow(MigrationError)
  expect(() => migrate(db)).toThrow(
    /"0006_operator" is not the one .* :memory:.* [0-9a-f]{64}, this build has [0-9a-f]{64}.*restore a backup.*report both hashes/,
  )
  expect(noted(db)).toEqual(before)
})

test('the store of a former database opens', async () => {
  const folder = newFolder()
  const made = databaseMade(formers.find(({ name }) => name === '0006_operator')!)
  made.run(`VACUUM INTO '${folder}/proofgate.sqlite'`)
  const store = await openStore(folder)
  expect(await select(store, 'SELECT count(*) AS count FROM unpaid_places').get()).toEqual({ count: 0 })
  await store.close()
})
