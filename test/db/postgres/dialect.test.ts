/** From the text of a store to the text of PostgreSQL. */
import { describe, expect, test } from 'bun:test'
import { fillNulls, translate } from '../../../src/db/postgres/dialect.ts'

describe('translate', () => {
  test.each([
    ['numbered parameters', 'WHERE a = ?1 AND b = ?12 OR c = ?1', 'WHERE a = $1 AND b = $12 OR c = $1'],
    ['parameters without a number, counted', 'VALUES (?, ?, ?)', 'VALUES ($1, $2, $3)'],
    ['one without a number behind numbered ones', 'WHERE a = ?3 AND b = ?', 'WHERE a = $3 AND b = $4'],
    ['a hint for an index', 'FROM gates INDEXED BY gates_by_owner WHERE a', 'FROM gates  WHERE a'],
    ['a hint against indexes', 'FROM gates g NOT INDEXED WHERE a', 'FROM gates g  WHERE a'],
    ['an order of joins', 'f CROSS JOIN proofs p ON p.id = f.id', 'f JOIN proofs p ON p.id = f.id'],
    ['two orders of joins', 'a CROSS JOIN b ON x CROSS JOIN c AS d ON y', 'a JOIN b ON x JOIN c AS d ON y'],
    ['a join without a condition', 'FROM a CROSS JOIN (SELECT 1) b WHERE x', 'FROM a CROSS JOIN (SELECT 1) b WHERE x'],
    ['a limit that keeps a plan', 'LIMIT ?2 + 0 OFFSET ?3', 'LIMIT $2 OFFSET $3'],
    ['two limits', 'LIMIT ? + 0) r LIMIT ? + 0', 'LIMIT $1) r LIMIT $2'],
  ])('%s', (_, sql, text) => {
    expect(translate(sql)).toBe(text)
  })

  test.each([
    ['a text', "SELECT 'is it ?1, or INDEXED BY x', 'it''s ?'"],
    ['a name', 'SELECT a AS "why?"'],
    ['a comment', 'SELECT 1 -- or ?1, CROSS JOIN a ON b\n'],
    ['a long comment', "SELECT 1 /* ?2 isn't\n'used' */"],
  ])('leaves %s as it is', (_, sql) => {
    expect(translate(sql)).toBe(sql)
    expect(translate(`${sql}, ?1`)).toBe(`${sql}, $1`)
  })
})

describe('fillNulls', () => {
  test('gives every value as a text', () => {
    expect(fillNulls('VALUES ($1, $2, $3)', ['a', 5, 1.5])).toEqual({
      sql: 'VALUES ($1, $2, $3)',
      params: ['a', '5', '1.5'],
    })
  })

  test('gives a text that PostgreSQL can hold in place of one with U+0000', () => {
    expect(fillNulls('VALUES ($1)', ['a\0b\0']).params).toEqual(['a\ufffdb\ufffd'])
  })

  test('writes a null into the text, and numbers the others anew', () => {
    expect(fillNulls('VALUES ($1, $2, $3, $2)', [null, 'b', 'c'])).toEqual({
      sql: 'VALUES (NULL, $1, $2, $1)',
      params: ['b', 'c'],
    })
  })

  test('gives the text of its own for each set of nulls', () => {
    const sql = 'SET a = $1 WHERE b = $2'
    expect(fillNulls(sql, [null, 'b']).sql).toBe('SET a = NULL WHERE b = $1')
    expect(fillNulls(sql, ['a', 'b']).sql).toBe(sql)
    expect(fillNulls(sql, ['a', null]).sql).toBe('SET a = $1 WHERE b = NULL')
    expect(fillNulls(sql, [null, 'c'])).toEqual({ sql: 'SET a = NULL WHERE b = $1', params: ['c'] })
  })

  test('leaves out a parameter that the text does not use', () => {
    expect(fillNulls('SELECT $1, $3', ['a', 'b', 'c'])).toEqual({ sql: 'SELECT $1, $2', params: ['a', 'c'] })
  })

  test('finds the tenth parameter beside the first', () => {
    const params = ['a', null, 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
    expect(fillNulls('SELECT $1, $2, $10', params)).toEqual({ sql: 'SELECT $1, NULL, $2', params: ['a', 'j'] })
  })

  test('leaves texts, names and comments as they are', () => {
    const sql = `SELECT '$1', "$1", $2 -- $1\n/* $1 */`
    expect(fillNulls(sql, [null, 'b'])).toEqual({ sql: `SELECT '$1', "$1", $1 -- $1\n/* $1 */`, params: ['b'] })
  })
})
