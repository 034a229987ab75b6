import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { CanonicalJsonError, compareCodePoints, writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import published from '../vectors/canonical-json.json'

const composed = '\u00e9'
const decomposed = 'e\u0301'

/** The rules of src/guides/wire.md, "Canonical JSON" once more, slowly and without looking at the code under test. */
function oracle(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC'))
  if (typeof value === 'number') return JSON.stringify(value === 0 ? 0 : value)
  if (value === null || typeof value === 'boolean') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(oracle).join(',')}]`
  const members = Object.entries(value as object).map(
    ([key, member]) => [key.normalize('NFC'), oracle(member)] as const,
  )
  members.sort(([a], [b]) => byCodePoint([...a], [...b]))
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
}

function byCodePoint(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [a[0], b[0]]
  if (left === undefined || right === undefined) return a.length - b.length
  const difference = left.codePointAt(0)! - right.codePointAt(0)!
  return difference === 0 ? byCodePoint(a.slice(1), b.slice(1)) : difference
}

/** The value as a reader of the canonical form sees it. */
function normalized(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC')
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(normalized)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.normalize('NFC'), normalized(member)]))
}

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}

/** Texts around every border of the rules: plane 0 above the surrogates, other planes, marks, controls, digits. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{1f600}',
      '\u{10ffff}',
      'e',
      '\u0301',
      '\u0327',
    ),
  }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '10', '9', '', '\u212b', '\u1e9b\u0323'),
)
const hasCollision = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const keys = Array.isArray(value) ? [] : Object.keys(value).map((key) => key.normalize('NFC'))
  return new Set(keys).size !== keys.length || Object.values(value).some(hasCollision)
}
const anyJson = fc
  .letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(
        anyText,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('value'), { maxLength: 5 }),
      fc
        .array(fc.tuple(anyText, tie('value')), { maxLength: 6 })
        .map((members) => Object.fromEntries(members) as Record<string, unknown>),
    ),
  }))
  .value.filter((value) => !hasCollision(value))

const holdsForAll = (law: (value: unknown) => void) => fc.assert(fc.property(anyJson, law), { numRuns: 1000 })

describe('canonical JSON (src/guides/wire.md, "Canonical JSON")', () => {
  test.each(published.map((vector, index) => [index, vector] as const))('gives published vector %i', (_, vector) => {
    expect(writeCanonicalJson(vector.value)).toBe(vector.canonical)
  })

  test.each([
    [
      'keys are sorted and strings composed',
      { z: null, nested: { b: 2, a: decomposed } },
      `{"nested":{"a":"${composed}","b":2},"z":null}`,
    ],
    [
      'numbers have the shortest form that reads back',
      [1.0, -0, 1e21, 1e-7, 0.1, 123456789012345680000],
      '[1,0,1e+21,1e-7,0.1,123456789012345680000]',
    ],
    ['keys that look like numbers are texts', { 9: 2, 10: 1 }, '{"10":1,"9":2}'],
    ['the smallest and the largest double', [5e-324, 1.7976931348623157e308], '[5e-324,1.7976931348623157e+308]'],
    [
      'controls below U+0020 are escaped, U+007F and U+2028 are not',
      '\u0001\u001f\u007f\u2028/',
      '"\\u0001\\u001f\u007f\u2028/"',
    ],
    ['half of a surrogate pair is escaped in lower case', '\udc00', '"\\udc00"'],
    ['a composed key sorts by its composed form', { [`${decomposed}`]: 1, f: 2 }, `{"f":2,"${composed}":1}`],
  ])('%s', (_, value, canonical) => {
    expect(writeCanonicalJson(value)).toBe(canonical)
  })

  test('agrees with a slow reading of the rules', () => {
    holdsForAll((value) => expect(writeCanonicalJson(value)).toBe(oracle(value)))
  })

  test('does not depend on the order in which members were written', () => {
    holdsForAll((value) => expect(writeCanonicalJson(reversed(value))).toBe(writeCanonicalJson(value)))
  })

  test('reads back as the value with its strings composed', () => {
    holdsForAll((value) => expect(JSON.parse(writeCanonicalJson(value))).toEqual(normalized(value)))
  })

  test('is its own canonical form', () => {
    holdsForAll((value) =>
      expect(writeCanonicalJson(JSON.parse(writeCanonicalJson(value)))).toBe(writeCanonicalJson(value)),
    )
  })

  test('is the same for both spellings of composed characters', () => {
    fc.assert(
      fc.property(anyText, anyText, (key, text) => {
        const spelled = (form: 'NFC' | 'NFD') => writeCanonicalJson({ [key.normalize(form)]: [text.normalize(form)] })
        expect(spelled('NFD')).toBe(spelled('NFC'))
      }),
      { numRuns: 1000 },
    )
  })

  test('orders texts as their code points, not as UTF-16 does', () => {
    expect(compareCodePoints('\ue000', '\u{1f600}')).toBeLessThan(0)
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(byCodePoint([...a], [...b])))
      }),
      { numRuns: 1000 },
    )
  })

  test('refuses two keys that are one text after NFC, and says where', () => {
    for (const deep of [{ [composed]: 1, [decomposed]: 2 }, { a: [{ [decomposed]: 2, [composed]: 1 }] }])
      expect(refusalOf(deep)).toMatchObject({ reason: 'KEY_COLLISION' })
    expect(refusalOf({ a: [0, { [composed]: 1, [decomposed]: 2 }] }).path).toBe('/a/1')
  })

  test('keeps a member named __proto__, which is a name like any other', () => {
    const value = JSON.parse('{"b":1,"__proto__":{"x":1},"constructor":2}')
    expect(writeCanonicalJson(value)).toBe('{"__proto__":{"x":1},"b":1,"constructor":2}')
  })

  test.each([
    ['Infinity', { a: Number.POSITIVE_INFINITY }, 'NOT_FINITE', '/a'],
    ['NaN', [Number.NaN], 'NOT_FINITE', '/0'],
    ['a number that JSON text can spell and a double cannot hold', JSON.parse('[1e999]'), 'NOT_FINITE', '/0'],
    ['undefined', { a: undefined }, 'NOT_JSON', '/a'],
    ['an array hole', new Array(1), 'NOT_JSON', '/0'],
    ['a bigint', { a: 1n }, 'NOT_JSON', '/a'],
  ])('refuses %s', (_, value, reason, path) => {
    expect(refusalOf(value)).toMatchObject({ reason, path })
  })

  test('refuses deeper nesting than allowed, and nothing shallower', () => {
    expect(writeCanonicalJson([[[]]], 3)).toBe('[[[]]]')
    expect(refusalOf([[[]]], 2)).toMatchObject({ reason: 'TOO_DEEP' })
  })
})

function refusalOf(value: unknown, maxDepth?: number): CanonicalJsonError {
  try {
    writeCanonicalJson(value, maxDepth)
  } catch (error) {
    if (error instanceof CanonicalJsonError) return error
    throw error
  }
  throw new Error('was not refused')
}
