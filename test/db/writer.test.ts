import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Write } from '../../src/db/commit-group.ts'
import { openInlineWriter } from '../../src/db/inline-writer.ts'
import { openThreadWriter } from '../../src/db/threaded-writer.ts'
import { StorageError, type Writer } from '../../src/db/writer.ts'
import { oneMiB, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

const put = (id: number, more: object = {}) => ({
  sql: 'INSERT INTO notes (id, text) VALUES (?, ?)',
  params: [id, `note ${id}`],
  ...more,
})
const insist = (sql: string, ...params: (string | number)[]) => ({ sql, params, must: true })

let file: string
let writer: Writer

const rows = (): number[] => {
  const db = new Database(file)
  try {
    return db
      .query<{ id: number }, []>('SELECT id FROM notes ORDER BY rowid')
      .all()
      .map(({ id }) => id)
  } finally {
    db.close()
  }
}
const open = (kind: string) => {
  const options = { file, cacheBytes: oneMiB, walLimitBytes: oneMiB }
  return kind === 'thread' ? openThreadWriter(options) : Promise.resolve(openInlineWriter(options))
}

function newFile(): string {
  const path = join(newFolder(), 'notes.sqlite')
  const db = new Database(path)
  db.run('CREATE TABLE notes (id INTEGER NOT NULL UNIQUE CHECK (id > 0), text TEXT) STRICT')
  db.close()
  return path
}

describe.each(['inline', 'thread'])('the %s writer', (kind) => {
  beforeEach(async () => {
    file = newFile()
    writer = await open(kind)
  })
  afterEach(() => writer.close())

  test('says how many rows each statement of a write changed', async () => {
    expect(await writer.write([put(1)])).toEqual({ changes: [1] })
    expect(await writer.write([put(2), { sql: 'UPDATE notes SET text = ?', params: ['x'] }])).toEqual({
      changes: [1, 2],
    })
    expect(await writer.write([{ sql: 'DELETE FROM notes WHERE id > ?', params: [9] }])).toEqual({ changes: [0] })
  })

  test('answers queries of a write as of their place in it', async () => {
    const count = { sql: 'SELECT count(*) AS n FROM notes', params: [], isAsked: true }
    const none = { sql: 'SELECT id FROM notes WHERE id = ?', params: [9], isAsked: true }
    expect(await writer.write([count, put(1), count, none])).toEqual({
      changes: [0, 1, 0, 0],
      rows: [{ n: 0 }, { n: 1 }, null],
    })
    const [, counted] = await Promise.all([writer.write([put(2)]), writer.write([count])])
    expect(counted).toEqual({ changes: [0], rows: [{ n: 2 }] })
  })

  test('shows a write to readers as soon as it has answered', async () => {
    await writer.write([put(1)])
    expect(rows()).toEqual([1])
  })

  test('keeps the order in which writes were handed in', async () => {
    const ids = Array.from({ length: 1500 }, (_, index) => index + 1)
    await Promise.all(ids.map((id) => writer.write([put(id)])))
    expect(rows()).toEqual(ids)
  })

  test('a write that fails leaves the others intact, and all of itself undone', async () => {
    const results = await Promise.allSettled([
      writer.write([put(1), put(2)]),
      writer.write([put(3), put(1)]),
      writer.write([put(1)]),
      writer.write([put(-1)]),
      writer.write([{ sql: 'INSERT INTO nowhere VALUES (1)', params: [] }]),
      writer.write([{ sql: 'not SQL at all', params: [] }]),
      writer.write([put(4), { sql: 'INSERT INTO notes VALUES (?, ?)', params: [5, 6, 7] as never }]),
      writer.write([put(8)]),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ])
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StorageError)
    expect(rows()).toEqual([1, 2, 8])
  })

  test('a statement that must change a row and does not refuses its write, and says which one it was', async () => {
    await writer.write([put(1)])
    const results = await Promise.all([
      writer.write([put(2), insist('UPDATE notes SET text = ? WHERE id = ?', 'x', 99), put(3)]),
      writer.write([insist('DELETE FROM notes WHERE id = ?', 99)]),
      writer.write([insist('UPDATE notes SET text = ? WHERE id = ?', 'y', 1), put(4)]),
    ])
    expect(results).toEqual([{ refusedAt: 1 }, { refusedAt: 0 }, { changes: [1, 1] }])
    expect(rows()).toEqual([1, 4])
  })

  test('lets exactly one of a thousand claims to one name succeed', async () => {
    const claim = (id: number): Write => [
      insist(
        'INSERT INTO notes (id, text) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM notes WHERE text = ?2)',
        id,
        'x',
      ),
    ]
    const results = await Promise.all(Array.from({ length: 1000 }, (_, index) => writer.write(claim(index + 1))))
    expect(results.filter((result) => 'changes' in result)).toHaveLength(1)
    expect(rows()).toEqual([1])
  })

  test('goes on after a failed group', async () => {
    await expect(writer.write([put(-1)])).rejects.toThrow(StorageError)
    expect(await writer.write([put(1)])).toEqual({ changes: [1] })
  })

  test('text of every kind arrives as it was', async () => {
    const texts = ['', '\0', 'e\u0301 é', '\u{1f600}', '"\\\n\u2028', 'x'.repeat(100_000)]
    for (const [index, text] of texts.entries())
      await writer.write([{ sql: 'INSERT INTO notes VALUES (?, ?)', params: [index + 1, text] }])
    const db = new Database(file)
    const stored = db.query<{ text: string }, []>('SELECT text FROM notes ORDER BY id').all()
    db.close()
    expect(stored.map(({ text }) => text)).toEqual(texts)
  })

  test('integers up to 2^53 and null arrive as they were', async () => {
    await writer.write([{ sql: 'INSERT INTO notes VALUES (?, ?)', params: [Number.MAX_SAFE_INTEGER, null] }])
    expect(rows()).toEqual([Number.MAX_SAFE_INTEGER])
  })
})

describe('closing', () => {
  test.each(['inline', 'thread'])('the %s writer waits for accepted writes, and takes no more', async (kind) => {
    file = newFile()
    const closing = await open(kind)
    const writes = Array.from({ length: 600 }, (_, index) => closing.write([put(index + 1)]))
    const closed = closing.close()
    await expect(closing.write([put(9999)])).rejects.toThrow(/shutting down/)
    await closed
    expect(await Promise.all(writes)).toHaveLength(600)
    expect(rows()).toHaveLength(600)
  })

  test('leaves one file behind, with everything in it', async () => {
    file = newFile()
    const closing = await open('thread')
    await closing.write([put(1)])
    await closing.close()
    expect([...new Bun.Glob('*').scanSync(join(file, '..'))]).toEqual(['notes.sqlite'])
  })
})

test('the thread and the inline writer do the same to any sequence of writes', async () => {
  const statement = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }).map((id) => put(id)) },
    fc.integer({ min: 1, max: 12 }).map((id) => insist('DELETE FROM notes WHERE id = ?', id)),
    fc.integer({ min: 1, max: 12 }).map((id) => ({ sql: 'UPDATE notes SET text = ? WHERE id < ?', params: ['z', id] })),
    fc.constant(put(-1)),
    fc.constant({ sql: 'INSERT INTO nowhere VALUES (1)', params: [] }),
  )
  const sequence = fc.array(fc.array(statement, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(sequence, async (writes) => {
      const outcomes: unknown[] = []
      for (const kind of ['inline', 'thread']) {
        file = newFile()
        const one = await open(kind)
        const results = await Promise.allSettled(writes.map((write) => one.write(write)))
        await one.close()
        outcomes.push({
          results: results.map((result) => (result.status === 'fulfilled' ? result.value : 'error')),
          rows: rows(),
        })
      }
      expect(outcomes[0]).toEqual(outcomes[1])
    }),
    { numRuns: 25 },
  )
})
