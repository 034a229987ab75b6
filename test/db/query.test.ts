/** src/db/query.ts: the text of statements, and that their types follow the schema. */

import { describe, expect, test } from 'bun:test'
import {
  compose,
  label,
  labelLike,
  pick,
  pickDigits,
  pickHash,
  pickOptional,
  pickPresent,
  query,
  type RowOf,
} from '../../src/db/query.ts'
import { select } from '../parts/select.ts'
import { openStore } from './store.ts'

const selectGate = query<[gateId: string]>()`
  SELECT ${pick('gates g', 'id', { name: 'gateId' })}, ${pickOptional('profiles p', 'did')},
    count(*) AS ${label('count', 'number')}
  FROM gates g LEFT JOIN profiles p ON p.account = g.owner WHERE g.gate_id = ?1`

describe('the text of a statement', () => {
  test('names columns in snake case, and gives the row camel case in quotes', () => {
    expect(String(pick('gates g', 'id', 'gateId', { made: 'createdAt' }))).toBe(
      'g.id, g.gate_id AS "gateId", g.created_at AS "made"',
    )
  })

  test('uses the name of the table where it has no other', () => {
    expect(String(pick('gates', 'owner'))).toBe('gates.owner')
  })

  test('writes hashes as hexadecimal digits', () => {
    expect(String(pickDigits('sessions s', 'hash'))).toBe('lower(hex(s.hash)) AS "hash"')
    expect(String(pickHash('proofs p', 'qHash'))).toBe(`'0x' || lower(hex(p.q_hash)) AS "qHash"`)
  })

  test('hides the limit in an expression, or SQLite would plan the statement anew at every run', () => {
    const numbered = query<[owner: string, limit: number, offset: number]>()`
      SELECT ${pick('gates', 'id')} FROM gates WHERE owner = ?1 LIMIT ?2 OFFSET ?3`
    expect(String(numbered)).toContain('WHERE owner = ?1 LIMIT ?2 + 0 OFFSET ?3')
    const unnumbered = query<[limit: number]>()`SELECT ${pick('gates', 'id')} FROM gates LIMIT ?`
    expect(String(unnumbered)).toContain('FROM gates LIMIT ? + 0')
  })

  test('names computed values', () => {
    expect(String(compose`max(x) AS ${labelLike('gates', { newest: 'createdAt' })}`)).toBe('max(x) AS "newest"')
  })
})

test('the row of a statement has the names that its type says', async () => {
  const db = await openStore(undefined)
  const row = await select(db, selectGate).get('no such gate')
  expect(Object.keys(row ?? {})).toEqual(['id', 'name', 'did', 'count'])
  await db.close()
})

/** Checked by the compiler: each unused directive, and each line that it does not cover, is an error. */
export function checkTypes(row: RowOf<typeof selectGate>): void {
  const name: string = row.name
  const did: string | null = row.did
  const count: number = row.count
  // @ts-expect-error a column of a table that is joined LEFT may be null
  const sure: string = row.did
  // @ts-expect-error there is no such column in the row
  row.gateId
  // @ts-expect-error there is no such column in the table
  pick('gates', 'gate_id')
  // @ts-expect-error there is no such table
  pick('gate', 'id')
  // @ts-expect-error a hash is not read as it is stored
  pick('proofs', 'qHash')
  const ends: RowOf<ReturnType<typeof selectEnds>> = { expiresAt: 1 }
  void [name, did, count, sure, ends]
}

const selectEnds = () => compose`${pickPresent('proofs p', 'expiresAt')}`
