/** SQL is text that SQLite and PostgreSQL both prepare, so forms that only one accepts are refused. */
import { describe, expect, test } from 'bun:test'
import { readSources, removeComments } from './sources.ts'

/** For each form: a pattern that finds it, and the form that both engines accept instead. */
const forms: Readonly<Record<string, { readonly found: RegExp; readonly instead: string; readonly example: string }>> =
  {
    'a parameter without a type': {
      found: /(?<!CAST\()\?\d+ IS (NOT )?NULL/,
      instead: 'CAST(?1 AS BIGINT) IS NULL, or AS TEXT',
      example: 'WHERE ?1 IS NULL OR a.event = ?1',
    },
    'IS between two values': {
      found: /\b[a-z_.]+ IS (\?\d+|excluded\.|[a-z]+\.[a-z_]+)/,
      instead: 'IS NOT DISTINCT FROM',
      example: 'AND watch_at IS ?2',
    },
    'INSERT OR': {
      found: /INSERT OR (IGNORE|REPLACE)/,
      instead: 'ON CONFLICT DO NOTHING',
      example: 'INSERT OR IGNORE INTO proof_facts',
    },
    'the id of the row before': {
      found: /last_insert_rowid/,
      instead: 'a query by another key of that row',
      example: 'SET family = last_insert_rowid()',
    },
    'a limit of all rows': { found: /LIMIT -1/, instead: 'a large number', example: 'LIMIT -1 OFFSET 3' },
    'a character by its code': {
      found: /\bchar\(\d+\)/,
      instead: 'the character',
      example: 'group_concat(a, char(10))',
    },
    'iif()': { found: /\biif\(/, instead: 'CASE', example: 'iif(a, b, c)' },
    'a plus before a text': {
      found: /[ (]\+[a-z]+\.(event|wallet|address|status|state)\b/,
      instead: "column || ''",
      example: 'AND (+a.event = ?1)',
    },
    'a column of the row in conflict without its table': {
      found: /DO UPDATE SET (\w+) = \1 |\b(WHERE|AND|WHEN) [a-z_]+ (=|>|<|<=|>=|IS NOT DISTINCT FROM) excluded\./,
      instead: 'table.column',
      example: 'WHERE gate = excluded.gate AND q_hash = excluded.q_hash',
    },
    'a parameter beside a small number': {
      found: /\?\d+ [-+*/%] (\d|\$\{)|(?<![?\d])\d+ [-+*/%] \?\d/,
      instead: 'CAST(?1 AS BIGINT): PostgreSQL would take a number of 32 bits',
      example: 'BETWEEN ?2 - 9999 AND ?2',
    },
    'group_concat()': { found: /\bgroup_concat\(/, instead: 'string_agg()', example: "group_concat(scope, ' ')" },
    'printf()': { found: /\bprintf\(/, instead: "a || ' ' || b", example: "printf('%d %d', a, b)" },
    'a fraction of 32 bits': { found: /\bAS REAL\b/, instead: 'DOUBLE PRECISION', example: 'CAST(share AS REAL)' },
    'a part from the end of a text': {
      found: /\bsubstr\([^()]*, (-|\$\{-)/,
      instead: 'substr() with a start from 1',
      example: 'substr(padded, -14, 14)',
    },
    'a value of JSON as a number': {
      found: /= asked\.value/,
      instead: 'CAST(asked.value AS BIGINT)',
      example: 'ON p.id = asked.value',
    },
    'a value of JSON as a condition': {
      found: /->> 'verified'(?! *=)/,
      instead: "value -> 'verified' = 'true'",
      example: "AND value ->> 'verified')",
    },
    'a condition as a number': {
      found: /\b(max|min|sum|coalesce)\([a-z_.]+ (=|<>|>) |\+ \(\?\d+ IS/,
      instead: 'CASE WHEN … THEN 1 ELSE 0 END',
      example: "max(state <> 'waiting')",
    },
  }

const folders = /^(db|[a-z-]+\/(.*\/)?[a-z0-9-]*(store|erasing|slices|stages))/
const isOfEngine = (file: string): boolean =>
  /^db\/(former|migrat|commit-group|rewrite|page-check|compact|moved|move\/|postgres\/)/.test(file)

const sources = await readSources()
const texts = [...sources]
  .filter(([file, text]) => file.endsWith('.ts') && !isOfEngine(file) && (folders.test(file) || text.includes('sql:')))
  .map(([file, text]) => [file, removeComments(text)] as const)

test('stores are found', () => {
  expect(texts.length).toBeGreaterThan(40)
})

describe.each(Object.entries(forms))('%s', (_, { found, instead, example }) => {
  test('is recognized', () => {
    expect(example).toMatch(found)
  })

  test(`is in no store: both engines take ${instead}`, () => {
    const lines = texts.flatMap(([file, text]) =>
      text.split('\n').flatMap((line) => (found.test(line) ? [`${file}: ${line.trim()}`] : [])),
    )
    expect(lines).toEqual([])
  })
})
