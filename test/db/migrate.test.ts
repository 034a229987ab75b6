import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { MigrationError, migrate } from '../../src/db/migrate.ts'
import { type Migration, migrations } from '../../src/db/migrations.ts'
import { faultsIn, inspect, openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
const folder = new URL('../../migrations/', import.meta.url)
const step = (name: string, sql: string): Migration => ({ name, sql })
const tables = (db: Database): string[] =>
  db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations' ORDER BY 1",
    )
    .all()
    .map(({ name }) => name)
const foreignKeys = (db: Database) => db.query('PRAGMA foreign_keys').get()

function freshDb(): Database {
  const db = new Database(':memory:', { strict: true })
  db.run('PRAGMA foreign_keys = ON')
  return db
}

test('every file of migrations/ is in the list, under its name, in order, with its text', () => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files)
  expect(migrations.map(({ sql }) => sql)).toEqual(files.map((name) => readFileSync(new URL(name, folder), 'utf8')))
})

describe('migrate', () => {
  test('brings a fresh database to the data model, and notes when', () => {
    const db = freshDb()
    expect(migrate(db, migrations, 5)).toEqual(migrations.map(({ name }) => name))
    expect(tables(db)).toContain('proofs')
    expect(db.query('SELECT name, length(sha256) AS length, applied_at AS at FROM migrations').all()).toEqual(
      migrations.map(({ name }) => ({ name, length: 64, at: 5 })),
    )
  })

  test('does nothing a second time', () => {
    const db = freshDb()
    migrate(db)
    expect(migrate(db)).toEqual([])
  })

  test('applies only new files', () => {
    const db = freshDb()
    const steps = [step('0001_a', 'CREATE TABLE a (x)'), step('0002_b', 'CREATE TABLE b (x)')]
    migrate(db, steps.slice(0, 1))
    expect(migrate(db, steps)).toEqual(['0002_b'])
    expect(tables(db)).toEqual(['a', 'b'])
  })

  test('refuses a file that was edited after it was applied', () => {
    const db = freshDb()
    migrate(db, [step('0001_a', 'CREATE TABLE a (x)')])
    expect(() => migrate(db, [step('0001_a', 'CREATE TABLE a (y)')])).toThrow(MigrationError)
    expect(() => migrate(db, [step('0001_a', 'CREATE TABLE a (y)')])).toThrow(/"0001_a" is not the one/)
  })

  test('takes other line ends for the same file', () => {
    const db = freshDb()
    migrate(db, [step('0001_a', 'CREATE TABLE a (\nx)')])
    expect(migrate(db, [step('0001_a', 'CREATE TABLE a (\r\nx)')])).toEqual([])
  })

  test.each([
    ['with a migration more', ['0001_a', '0002_b', '0003_c'], /"0003_c", which this build does not know/],
    ['that skipped one of ours', ['0001_a', '0003_c'], /"0003_c", which this build does not know/],
  ])('refuses the database of a newer build, %s', (_, applied, message) => {
    const db = freshDb()
    migrate(
      db,
      applied.map((name) => step(name, 'SELECT 1')),
    )
    const ours = ['0001_a', '0002_b'].map((name) => step(name, 'SELECT 1'))
    expect(() => migrate(db, ours)).toThrow(message)
    expect(() => migrate(db, ours)).toThrow(/start that version or restore a backup/)
  })

  test('a file that fails rolls everything back, the earlier ones included', () => {
    const db = freshDb()
    const steps = [
      step('0001_a', 'CREATE TABLE a (x); INSERT INTO a VALUES (1)'),
      step('0002_b', 'CREATE TABLE b (x); INSERT INTO nowhere VALUES (1)'),
    ]
    expect(() => migrate(db, steps)).toThrow(/nowhere/)
    expect(tables(db)).toEqual([])
    expect(db.inTransaction).toBe(false)
    expect(foreignKeys(db)).toEqual({ foreign_keys: 1 })
    expect(migrate(db, steps.slice(0, 1))).toEqual(['0001_a'])
  })

  test('access grants from before sources were recorded stay, and their source is unknown', () => {
    const db = freshDb()
    migrate(
      db,
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === '0010_sources'),
      ),
    )
    db.run("INSERT INTO accounts (id, address) VALUES (1, '0xa')")
    db.run(`INSERT INTO proofs (id, q52, q_hash, account_id, scope52, status, visibility, chain_id, signed_timestamp,
              created_at, updated_at, record) VALUES (1, 1, zeroblob(32), 1, 1, 'verified', 0, 1, 1, 1, 1, '{}')`)
    db.run("INSERT INTO access_grants VALUES (1, '0xb', 5, NULL), (1, '0xc', 6, 7)")
    migrate(db)
    expect(db.query('SELECT * FROM access_grants ORDER BY viewer').all()).toEqual([
      {
        proof_id: 1,
        viewer: '0xb',
        created_at: 5,
        expires_at: null,
        source_kind: 'unknown',
        source_id: '',
        link_proof: null,
      },
      {
        proof_id: 1,
        viewer: '0xc',
        created_at: 6,
        expires_at: 7,
        source_kind: 'unknown',
        source_id: '',
        link_proof: null,
      },
    ])
  })

  test('a rebuilt parent does not take its children with it', () => {
    const db = freshDb()
    const before = step(
      '0001',
      `CREATE TABLE parents (id INTEGER PRIMARY KEY);
       CREATE TABLE children (parent INTEGER REFERENCES parents (id) ON DELETE CASCADE);
       INSERT INTO parents VALUES (1); INSERT INTO children VALUES (1);`,
    )
    const rebuild = step(
      '0002',
      `CREATE TABLE new_parents (id INTEGER PRIMARY KEY, more TEXT);
       INSERT INTO new_parents (id) SELECT id FROM parents;
       DROP TABLE parents; ALTER TABLE new_parents RENAME TO parents;`,
    )
    migrate(db, [before, rebuild])
    expect(db.query('SELECT count(*) AS count FROM children').get()).toEqual({ count: 1 })
    expect(foreignKeys(db)).toEqual({ foreign_keys: 1 })
  })

  test('a file that leaves children without a parent is refused', () => {
    const db = freshDb()
    const broken = step(
      '0001',
      `CREATE TABLE parents (id INTEGER PRIMARY KEY);
       CREATE TABLE children (parent INTEGER REFERENCES parents (id)); INSERT INTO children VALUES (1);`,
    )
    expect(() => migrate(db, [broken])).toThrow(/1 rows of .* without their parent/)
    expect(tables(db)).toEqual([])
  })

  test('leaves foreign keys off where they were off', () => {
    const db = new Database(':memory:')
    db.run('PRAGMA foreign_keys = OFF')
    migrate(db)
    expect(foreignKeys(db)).toEqual({ foreign_keys: 0 })
  })
})

describe('a store on disk', () => {
  test('is migrated at its first opening, and opened again as it is', async () => {
    const own = newFolder()
    await (await openStore(own)).close()
    const noted = inspect(own, (db) => db.query('SELECT * FROM migrations').all())
    await (await openStore(own)).close()
    expect(inspect(own, (db) => db.query('SELECT * FROM migrations').all())).toEqual(noted)
    expect(faultsIn(own)).toEqual([])
  })

  test('from a newer build is refused, left as it was, and free for that build', async () => {
    const own = newFolder()
    await (await openStore(own)).close()
    inspect(own, (db) => db.run("INSERT INTO migrations VALUES ('9999_later', 'x', 0)"))
    await expect(openStore(own)).rejects.toThrow(/newer Proofgate/)
    inspect(own, (db) => db.run("DELETE FROM migrations WHERE name = '9999_later'"))
    await (await openStore(own)).close()
  })
})
