/** The database of a new folder is placed ready, in the form in which the migrations leave it. */
import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openConnection } from '../../src/db/connection.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { makeNewDatabase, packNewDatabase, placeNewDatabase, readNewDatabase } from '../../src/db/new-database.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
const image = makeNewDatabase()
const now = 1_700_000_000_000

const open = (file: string): Database => openConnection({ file, cacheBytes: 1_048_576, walLimitBytes: 1_048_576 })

/** All that SQLite keeps of it: form, rows, and the settings of the file. */
function describe(db: Database) {
  const schema = db
    .query<{ type: string; name: string }, []>('SELECT type, name, tbl_name, sql FROM sqlite_schema')
    .all()
  const rows = schema
    .filter(({ type }) => type === 'table')
    .map(({ name }) => [name, db.query(`SELECT * FROM "${name}"`).all()])
  const settings = ['auto_vacuum', 'page_size', 'encoding', 'journal_mode', 'user_version', 'application_id'].map(
    (name) => db.query(`PRAGMA ${name}`).get(),
  )
  return { schema, rows: Object.fromEntries(rows), settings }
}

test('a placed database is what the migrations make of a new file', () => {
  const folder = newFolder()
  const [placed, migrated] = [join(folder, 'placed.sqlite'), join(folder, 'migrated.sqlite')]
  placeNewDatabase(placed, now, image)
  const [one, other] = [open(placed), open(migrated)]
  migrate(other, undefined, now)
  expect(describe(one)).toEqual(describe(other))
  expect(migrate(one, undefined, now + 1)).toEqual([])
  expect(one.query('SELECT DISTINCT applied_at FROM migrations').all()).toEqual([{ applied_at: now }])
  expect(one.query('SELECT name FROM migrations').all()).toHaveLength(migrations.length)
  one.close()
  other.close()
})

test('the executable carries it packed, and unpacks it to the same bytes', () => {
  expect(readNewDatabase(packNewDatabase())).toEqual(image)
  expect(readNewDatabase()).toBeUndefined()
})

test('a database that is there is left alone', () => {
  const file = join(newFolder(), 'used.sqlite')
  writeFileSync(file, 'used')
  placeNewDatabase(file, now, image)
  expect(readFileSync(file, 'utf8')).toBe('used')
})

test('a link to a disk that is not mounted yet is left alone', () => {
  const folder = newFolder()
  const file = join(folder, 'linked.sqlite')
  symlinkSync(join(folder, 'not-mounted', 'x.sqlite'), file)
  placeNewDatabase(file, now, image)
  expect(readlinkSync(file)).toBe(join(folder, 'not-mounted', 'x.sqlite'))
  expect(readdirSync(folder)).toEqual(['linked.sqlite'])
})

test('a log without its database gets none: its pages belong to another one', () => {
  const file = join(newFolder(), 'lost.sqlite')
  writeFileSync(`${file}-wal`, 'log')
  placeNewDatabase(file, now, image)
  expect(existsSync(file)).toBe(false)
})

test('a start that was cut off in between does not stop the next one', () => {
  const folder = newFolder()
  const file = join(folder, 'cut.sqlite')
  writeFileSync(`${file}.new`, 'the beginning of it')
  placeNewDatabase(file, now, image)
  expect(readdirSync(folder)).toEqual(['cut.sqlite'])
  const db = open(file)
  expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  db.close()
})

test('where it cannot be written, nothing is left, and SQLite reports why', () => {
  const folder = newFolder()
  placeNewDatabase(join(folder, 'gone', 'x.sqlite'), now, image)
  expect(readdirSync(folder)).toEqual([])
})
