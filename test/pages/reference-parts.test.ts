import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { verifyMessage } from 'viem'
import { type Description, readDescription } from '../../src/pages/browser/reference/description.ts'
import { findJsonFault } from '../../src/pages/browser/reference/json-fault.ts'
import { describeType, listBounds } from '../../src/pages/browser/reference/schema-words.ts'
import { searchOver } from '../../src/pages/browser/reference/search.ts'
import { findSigned } from '../../src/pages/browser/reference/signing.ts'
import { makeWallet } from '../../src/pages/browser/reference/throwaway.ts'
import { publishedByDefault } from '../openapi/published.ts'

const description: Description = readDescription(await publishedByDefault())

describe('where a text stops being JSON', () => {
  test.each([
    ['', 1, 1, 'a value expected, the text ends'],
    ['{"a": 1,}', 1, 9, 'a name in double quotes expected, found }'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, '"," or "}" expected, found "'],
    ['[1, 2', 1, 6, '"," or "]" expected, the text ends'],
    ['{"a" 1}', 1, 6, '":" expected, found 1'],
    ["{'a': 1}", 1, 2, "a name in double quotes expected, found '"],
    ['{"a": "b\n"}', 1, 9, 'the string does not end'],
    ['{"a": "\\x"}', 1, 8, 'an escape that JSON does not know'],
    ['{"a": 01}', 1, 8, '"," or "}" expected, found 1'],
    ['{} {}', 1, 4, 'the end expected, found {'],
    ['[NaN]', 1, 2, 'a value expected, found N'],
  ])('%j: line %i, column %i: %s', (text, line, column, message) => {
    expect(findJsonFault(text)).toEqual({ line, column, message })
  })

  test('a fault is reported in exactly the texts that JSON.parse refuses', () => {
    const slip = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', ',', '{', '}', ']', '\\', '\n', '1', 'e', 'é'),
      fc.boolean(),
    )
    fc.assert(
      fc.property(slip, ([json, where, what, isPut]) => {
        const at = where % (json.length + 1)
        const text = `${json.slice(0, at)}${what}${json.slice(isPut ? at : at + 1)}`
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        expect({ text, isJson: findJsonFault(text) === undefined }).toEqual({ text, isJson })
      }),
      { numRuns: 3000 },
    )
  })

  test('nesting ends before the stack does', () => {
    expect(findJsonFault('['.repeat(100_000))?.message).toBe('nested deeper than 100 levels')
  })
})

describe('a schema in words', () => {
  test.each([
    [{ type: 'string', minLength: 1, maxLength: 160 }, 'string, 1 to 160 characters'],
    [{ type: 'string', maxLength: 1 }, 'string, at most 1 character'],
    [{ type: ['integer', 'null'], minimum: 60 }, 'integer or null, at least 60'],
    [{ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 }, 'array of strings, 1 to 100 items'],
    [{ type: 'array', items: { $ref: '#/components/schemas/X' } }, 'array of objects'],
    [{ const: true }, 'always true'],
    [{ enum: ['me'] }, 'always "me"'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer'],
    [{ type: 'string', format: 'date-time' }, 'string, date-time'],
    [{}, 'anything'],
  ])('%j is "%s"', (schema, words) => {
    expect([describeType(schema), ...listBounds(schema)].join(', ')).toBe(words)
  })
})

describe('the search', () => {
  const search = searchOver(description)
  const idsFor = (query: string): string[] => search(query).map(({ operation }) => operation.id)

  test('finds every operation by its id, its path and its summary, before all others', () => {
    for (const { id, isOlder } of description.operations) if (!isOlder) expect(idsFor(id)[0]).toBe(id)
    for (const { path, method, id, isOlder } of description.operations)
      if (!isOlder) expect(idsFor(`${method} ${path}`)).toContain(id)
    for (const { summary, id } of description.operations) expect(idsFor(summary)).toContain(id)
  })

  test('finds by each parameter, member and error code, and says which it was', () => {
    expect(search('includePrivate').find(({ operation }) => operation.id === 'checkProofs')?.because).toBe(
      'parameter includePrivate',
    )
    expect(search('expiresinseconds').map(({ operation, because }) => [operation.id, because])).toEqual([
      ['grantAccess', 'member expiresInSeconds'],
      ['createSponsorGrant', 'member expiresInSeconds'],
    ])
    const { operations } = description
    for (const { id, answers } of operations)
      for (const code of answers.flatMap(({ codes }) => codes)) expect(idsFor(code)).toContain(id)
  })

  test('needs every word, in any order and case, and has no matches for nonsense', () => {
    expect(idsFor('GATE fulfill')).toContain('fulfillGate')
    expect(idsFor('fulfill gate')).toContain('fulfillGate')
    expect(idsFor('fulfill zebra')).toEqual([])
    expect(idsFor('(.*)[')).toEqual([])
  })

  test('shows older paths after all others', () => {
    const isOlder = search('proof').map(({ operation }) => operation.isOlder)
    expect(isOlder.indexOf(true)).toBeGreaterThan(isOlder.lastIndexOf(false))
  })
})

describe('the throw-away wallet', () => {
  test('signs as wallets do, under an address with its checksum', async () => {
    const texts = ['', 'a text', 'Zeilen\nund Zeichen: שלום 😀', 'x'.repeat(10_000)]
    for (const message of texts) {
      const { address, sign } = makeWallet()
      expect(
        await verifyMessage({ address: address as `0x${string}`, message, signature: sign(message) as '0x' }),
      ).toBe(true)
    }
    // The first account of the well-known test mnemonic of development nodes.
    const key = Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex')
    expect(makeWallet(new Uint8Array(key)).address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  })

  test('is offered wherever a signature is taken and its text is described', () => {
    const offered = description.operations.filter((one) => findSigned(one) !== undefined).map(({ id }) => id)
    const signing = description.operations.filter(({ callers }) => callers.includes('signature')).map(({ id }) => id)
    expect(signing.filter((id) => !offered.includes(id))).toEqual([])
  })
})
