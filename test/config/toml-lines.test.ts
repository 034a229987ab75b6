import { describe, expect, test } from 'bun:test'
import type { Path } from '../../src/config/outline.ts'
import { readTomlLines } from '../../src/config/toml-lines.ts'
import { parseToml } from '../../src/config/toml-syntax.ts'

const document = `# a comment with [brackets] and "quotes"
top = 1
"quoted.key" = 2 # top = 1
'literal' = 3

[table]
a = "no [table] here"
b.c.d = 1
long = """
a = 2
\\""" = 3
""""
after = '''
x = '''
[table.inner]
e = { f = 1, "g h" = { i = 2 },
  j = [1,
    2, # two
    { k = 1 } ] }

[[list]]
id = 1
[list.part]
x = 1
[[list]]
id = 2
[list.part]
x = 2
[[list.deep]]
y = 1
[[list.deep]]
y = 2
[ spaced . "out" ]
z = 1979-05-27 07:32:00
`

describe('the line of', () => {
  test.each([
    [['top'], 2],
    [['quoted.key'], 3],
    [['literal'], 4],
    [['table'], 6],
    [['table', 'a'], 7],
    [['table', 'b'], 8],
    [['table', 'b', 'c', 'd'], 8],
    [['table', 'long'], 9],
    [['table', 'after'], 13],
    [['table', 'inner'], 15],
    [['table', 'inner', 'e', 'f'], 16],
    [['table', 'inner', 'e', 'g h', 'i'], 16],
    [['table', 'inner', 'e', 'j', 0], 17],
    [['table', 'inner', 'e', 'j', 1], 18],
    [['table', 'inner', 'e', 'j', 2, 'k'], 19],
    [['list'], 21],
    [['list', 0], 21],
    [['list', 0, 'id'], 22],
    [['list', 0, 'part', 'x'], 24],
    [['list', 1], 25],
    [['list', 1, 'part'], 27],
    [['list', 1, 'part', 'x'], 28],
    [['list', 1, 'deep', 1, 'y'], 32],
    [['spaced', 'out', 'z'], 34],
    [['table', 'absent'], 6],
    [['list', 1, 'absent'], 25],
    [['absent'], undefined],
  ] as [Path, number | undefined][])('%j is %p', (path, line) => {
    expect(readTomlLines(document).findLine(path)).toBe(line)
  })

  test('every key is the same with CRLF', () => {
    const unix = readTomlLines(document).statements
    const windows = readTomlLines(document.replaceAll('\n', '\r\n')).statements
    expect(windows.map(({ path, line }) => [path, line])).toEqual(unix.map(({ path, line }) => [path, line]))
  })

  test('the document above is one that the parser takes', () => {
    expect(parseToml(document)).toHaveProperty('values.table.inner.e.j')
  })
})

test.each([
  ['at once', '= 1', 1],
  ['in a later line', 'a = 1\nb = 2\nc ! 3\nd = 4', 3],
  ['in a list over several lines', 'a = [\n  1,\n  2\n  3,\n]\nb = 1', 4],
  ['in a list that is never closed', 'a = 1\nb = [\n  1,\n  2\n[c]\nd = 1', 5],
  ['in text that is never closed', 'a = """x"""\nb = """\nc = 1\nd = 2', 2],
  ['after text that holds what looks like one', 'a = """\nb = \n"""\nc = "\nd = 1', 4],
  ['for a key that is there twice', 'a = 1\n[b]\nc = 1\nd = 2\nc = 3', 5],
  ['in an inline table', 'a = { b = 1,\n  b = 2 }', 2],
  ['for a date that is none', 'a = 1\nb = 2026-02-30', 2],
  ['for a control character in a comment', 'a = 1\n# \u0001\nb = 1', 2],
])('an error is found %s', (_, text, line) => {
  expect(parseToml(text)).toHaveProperty('error.line', line)
})

test('an error put before any statement of a document is found in its line', () => {
  const { statements } = readTomlLines(document)
  for (const { start, line } of statements)
    expect(parseToml(`${document.slice(0, start)}= oops\n${document.slice(start)}`)).toHaveProperty('error.line', line)
})
