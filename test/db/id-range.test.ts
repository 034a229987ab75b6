/** Spans of time as ranges of ids. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { findIdRange, writeIdSearch } from '../../src/db/id-range-store.ts'
import type { Query } from '../../src/db/query.ts'

const hour = 3_600_000

const search = writeIdSearch({
  newest: 'SELECT max(id) FROM proofs',
  timeAt: 'SELECT created_at FROM proofs WHERE id >= (low + high) / 2 ORDER BY id LIMIT 1',
})

function openTable(times: readonly (readonly [id: number, at: number])[], jumps: readonly number[] = []) {
  const db = new Database(':memory:', { strict: true })
  db.run('CREATE TABLE proofs (id INTEGER PRIMARY KEY, created_at INTEGER NOT NULL)')
  db.run('CREATE TABLE clock_jumps (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, size_ms INTEGER NOT NULL)')
  for (const [id, at] of times) db.run('INSERT INTO proofs VALUES (?, ?)', [id, at])
  for (const size of jumps) db.run('INSERT INTO clock_jumps (at, size_ms) VALUES (0, ?)', [size])
  const read = (text: Query<unknown, []>) => {
    const statement = db.query(text)
    return { get: async (...params: number[]) => statement.get(...params) }
  }
  return { read } as unknown as Parameters<typeof findIdRange>[0]
}

describe('the ids of a span of time', () => {
  // Ids have gaps, as after an erasure.
  const times = Array.from({ length: 1000 }, (_, index) => [1 + index * 7, 100 * hour + index * hour] as const)

  test('hold every row of the span, and no more than an hour besides', async () => {
    const db = openTable(times)
    for (const [from, before] of [
      [0, 1],
      [150 * hour, 151 * hour],
      [150 * hour + 1, 400 * hour],
      [100 * hour, 5000 * hour],
      [4000 * hour, 5000 * hour],
    ] as const) {
      const { first, end } = (await findIdRange(db, search, { from, before }))!
      const inRange = times.filter(([id]) => id >= first && id < end)
      for (const [id, at] of times) if (at >= from && at < before) expect(inRange.map(([one]) => one)).toContain(id)
      for (const [, at] of inRange) expect(at >= from - hour && at < before + hour).toBe(true)
    }
  })

  test('hold rows that a wrong clock dated early or late', async () => {
    // The clock stood 300 hours behind for ten rows, and was then put right.
    const wrong = times.map(([id, at], index) => [id, index >= 500 && index < 510 ? at - 300 * hour : at] as const)
    const db = openTable(wrong, [-300 * hour, 300 * hour])
    for (let from = 90 * hour; from < 1200 * hour; from += 13 * hour) {
      const span = { from, before: from + 24 * hour }
      const { first, end } = (await findIdRange(db, search, span))!
      for (const [id, at] of wrong)
        if (at >= span.from && at < span.before) expect([from, id >= first && id < end]).toEqual([from, true])
    }
  })

  test('are empty for an empty table, and unbounded without a span', async () => {
    expect(await findIdRange(openTable([]), search, { from: 5 })).toEqual({ first: 1, end: Number.MAX_SAFE_INTEGER })
    expect(await findIdRange(openTable(times), search, {})).toBeUndefined()
  })
})
