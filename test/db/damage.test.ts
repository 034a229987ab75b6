/** Unreadable pages are found by a slow check or by a statement, and reported with their table. */
import { Database } from 'bun:sqlite'
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openConditions } from '../../src/conditions.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { checkRest, checkSlices, type Damage } from '../../src/db/page-check.ts'
import { watchDamage } from '../../src/db/watch-damage.ts'
import { makeLog } from '../../src/log.ts'
import { startOnFiles } from '../journeys/server.ts'
import { alice } from '../wallets.ts'
import { inspect, openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

/** Small tables, and large ones of both kinds with indexes and values of several pages. */
function makeFile(): string {
  const file = join(newFolder(), 'some.sqlite')
  const db = new Database(file, { create: true })
  db.run('PRAGMA journal_mode = WAL')
  db.run(`CREATE TABLE small (id INTEGER PRIMARY KEY, name TEXT) STRICT;
    CREATE INDEX small_by_name ON small (name);
    CREATE TABLE large (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, text TEXT) STRICT;
    CREATE INDEX large_by_name ON large (name, size);
    CREATE INDEX large_sized ON large (size) WHERE size > 5;
    CREATE TABLE keyed (one TEXT, two INTEGER, more TEXT, PRIMARY KEY (one, two)) STRICT, WITHOUT ROWID;`)
  const count = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < '
  db.run(`${count} 500) INSERT INTO small SELECT i, 'name ' || i FROM n`)
  db.run(`${count} 3000) INSERT INTO large SELECT i * 7, iif(i % 3, 'name ' || i, NULL), iif(i % 2, i, NULL),
    iif(i % 100, 'x', hex(zeroblob(5000))) FROM n`)
  db.run(`${count} 3000) INSERT INTO keyed SELECT 'k' || (i % 50), i, hex(zeroblob(20)) FROM n`)
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  return file
}

/** Overwrites a page of this table or index, as a disk does that loses one. */
function losePage(file: string, name: string, type: 'leaf' | 'overflow' = 'leaf'): void {
  const db = new Database(file, { readwrite: true, create: false })
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const page = db
    .query<{ start: number; size: number }, [string, string]>(
      'SELECT pgoffset AS start, pgsize AS size FROM dbstat WHERE name = ?1 AND pagetype = ?2 ORDER BY pageno DESC LIMIT 1',
    )
    .get(name, type)!
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(page.size, 0xff), 0, page.size, page.start)
  closeSync(handle)
}

function readAll(file: string): Damage[] {
  const db = new Database(file, { readwrite: true, create: false, strict: true, safeIntegers: true })
  try {
    return [...checkSlices(db)].flatMap((damage) => damage ?? [])
  } finally {
    db.close()
  }
}

function openWatch(file: string, againMs?: number) {
  const watch = openStartingWatch(file, againMs)
  watch.beginTelling()
  return watch
}

function openStartingWatch(file: string, againMs = 3_600_000) {
  const lines: string[] = []
  const log = makeLog({ level: 'info', format: 'json', now: () => 5, write: (line) => void lines.push(line) })
  const conditions = openConditions({ log, now: () => 5 })
  return { lines, conditions, ...watchDamage({ file, conditions, now: () => 77, everyHours: 0, pauseMs: 0, againMs }) }
}

test('damage that the start meets is reported after the start, and not by a failed one', async () => {
  const file = makeFile()
  const failing = openStartingWatch(file)
  failing.note()
  failing.stop()
  expect(failing.lines).toEqual([])
  const starting = openStartingWatch(file)
  starting.note()
  expect(starting.conditions.list()).toEqual([])
  starting.beginTelling()
  expect(starting.conditions.list()).toMatchObject([{ name: 'database-damaged', level: 'failing' }])
  await starting.check()
  starting.stop()
})

describe('a check of the whole database', () => {
  test('finds no damage in a whole one, and reads large tables in slices', () => {
    const file = makeFile()
    expect(readAll(file)).toEqual([])
    const db = new Database(file, { readwrite: true, create: false, safeIntegers: true })
    expect([...checkSlices(db)].length).toBeGreaterThan(2 * Math.floor(3000 / 64))
    db.close()
  })

  test('finds no damage in a database of this server', async () => {
    const folder = newFolder()
    await (await openStore(folder)).close()
    expect(readAll(locateDatabaseFile(folder))).toEqual([])
  })

  test.each([
    ['a small table', 'small', 'leaf', 'small'],
    ['an index of a small table', 'small_by_name', 'leaf', 'small'],
    ['a large table', 'large', 'leaf', 'large'],
    ['an index of a large table', 'large_by_name', 'leaf', 'large'],
    ['a large table without row numbers', 'keyed', 'leaf', 'keyed'],
  ] as const)('finds a lost page of %s, and names the table alone', (_, name, type, table) => {
    const file = makeFile()
    losePage(file, name, type)
    const found = new Set(readAll(file).map((damage) => damage.table))
    expect([...found]).toEqual([table])
  })

  test('holds no read between two slices, which would keep the log from being emptied', () => {
    const file = makeFile()
    const db = new Database(file, { readwrite: true, create: false, safeIntegers: true })
    const writing = new Database(file, { readwrite: true, create: false })
    for (const _ of checkSlices(db)) {
      writing.run("UPDATE small SET name = 'other' WHERE id = 1")
      expect(writing.query('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 })
    }
    db.close()
    writing.close()
  })
})

describe('damage that no slice of a check reads', () => {
  test('is found in one long read, and the table is named', () => {
    const file = makeFile()
    losePage(file, 'large_sized')
    expect(readAll(file)).toEqual([])
    const db = new Database(file, { readwrite: true, create: false, strict: true, safeIntegers: true })
    expect(new Set(checkRest(db).map(({ table }) => table))).toEqual(new Set(['large']))
    db.close()
    const whole = new Database(makeFile(), { readwrite: true, create: false, strict: true, safeIntegers: true })
    expect(checkRest(whole)).toEqual([])
    whole.close()
  })
})

describe('the watch for damage', () => {
  test('suspects damage that a statement met, and clears it with a line when everything can be read', async () => {
    const watch = openWatch(makeFile())
    watch.note()
    expect(watch.conditions.list()).toMatchObject([{ name: 'database-damaged', level: 'failing' }])
    expect(watch.conditions.list()[0]).toMatchObject({
      says: expect.stringContaining('is being checked'),
      mend: expect.not.stringContaining('restore a backup'),
    })
    await watch.check()
    expect(watch.conditions.list()).toEqual([])
    watch.conditions.silence()
    expect(watch.lines).toHaveLength(2)
    expect(watch.lines[1]).toContain('this has ended: a read met damage of the database')
  })

  test('checks once more the pages that were met while a check was under way', async () => {
    const watch = openWatch(makeFile())
    const checked = watch.check()
    watch.note()
    await checked
    expect(watch.conditions.list()).toEqual([])
  })

  test('keeps a suspicion until the parts outside all slices are checked too', async () => {
    const file = makeFile()
    losePage(file, 'large_sized')
    const watch = openWatch(file)
    watch.note()
    await watch.check()
    expect(watch.conditions.list()).toMatchObject([
      { name: 'database-damaged', says: 'the database is damaged (table large)' },
    ])
    watch.stop()
  })

  test('checks again after one that met damage, and ends the condition when the page can be read again', async () => {
    const file = makeFile()
    const whole = readFileSync(file)
    losePage(file, 'large')
    const watch = openWatch(file, 50)
    await watch.check()
    expect(watch.conditions.list()).toMatchObject([{ says: 'the database is damaged (table large)' }])
    writeFileSync(file, whole)
    for (let turn = 0; turn < 300 && watch.conditions.list().length > 0; turn++) await Bun.sleep(100)
    expect(watch.conditions.list()).toEqual([])
    watch.stop()
  })

  test('reads on a thread of its own, and says when it has read everything', async () => {
    const watch = openWatch(makeFile())
    expect(watch.lastWholeCheck()).toBeUndefined()
    await watch.check()
    expect(watch.lastWholeCheck()).toBe(77)
    expect(watch.conditions.list()).toEqual([])
  })

  test('begins a condition that names the table and says to restore, logged once', async () => {
    const file = makeFile()
    losePage(file, 'large')
    losePage(file, 'small')
    const watch = openWatch(file)
    await watch.check()
    const [condition, ...more] = watch.conditions.list()
    expect(more).toEqual([])
    expect(condition).toMatchObject({ name: 'database-damaged', level: 'failing' })
    expect(condition!.says).toMatch(/^the database is damaged \(table (small, large|large, small)\)$/)
    expect(condition!.mend).toContain('restore a backup')
    expect(watch.lines).toHaveLength(1)
  })

  test('an unfinished check is reported, until one finishes', async () => {
    const watch = openWatch(join(newFolder(), 'none.sqlite'))
    await watch.check()
    expect(watch.lastWholeCheck()).toBeUndefined()
    expect(watch.conditions.list()).toMatchObject([{ name: 'database-unchecked', level: 'warning' }])
  })

  test('a request that meets damage makes the server not ready, and the table is named', async () => {
    const folder = newFolder()
    const before = await startOnFiles(folder)
    const { body } = await before.submit(alice, {
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: 'words that stay' },
      options: { privacyLevel: 'public', publicDisplay: true, storeOriginalContent: true },
    })
    await before.stop()
    losePage(locateDatabaseFile(folder), 'contents')
    const server = await startOnFiles(folder)
    try {
      expect((await server.get('/api/v1/health/ready')).status).toBe(200)
      expect((await server.get(`/api/v1/proofs/${body.data.qHash}`)).status).toBe(500)
      await server.parts.damage.check()
      const ready = await server.get('/api/v1/health/ready')
      expect(ready.status).toBe(503)
      expect(ready.body.error.message).toContain('the database is damaged (table contents)')
      // What is written now would be lost with it. What can be read is.
      const refused = await server.submit(alice, {
        verifierIds: ['ownership-basic'],
        data: { owner: alice.address, content: 'words that come too late' },
      })
      expect(refused).toMatchObject({
        status: 503,
        body: { error: { message: expect.stringContaining('damaged, so that it only reads until it is restored') } },
      })
      expect((await server.get(`/api/v1/verification/status/0x${'ab'.repeat(32)}`)).status).toBe(404)
    } finally {
      await server.stop()
    }
    expect(inspect(folder, (db) => db.query('SELECT count(*) AS count FROM proofs').get())).toEqual({ count: 1 })
  })
})
