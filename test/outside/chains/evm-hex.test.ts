/** Parses hexadecimal as EIP-1474 defines it, and refuses other forms. */
import { describe, expect, test } from 'bun:test'
import { parseData, parseNumber, parseQuantity } from '../../../src/outside/chains/evm/hex.ts'

const from = { setting: 'chains.base.rpc[0]', method: 'eth_call' }
const said = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}
const refusal = (what: string): string => `chains.base.rpc[0]: gave an answer to eth_call that ${what}`

describe('a quantity', () => {
  test.each([
    ['0x0', 0n],
    ['0x1', 1n],
    ['0x0400', 1024n],
    ['0xABCdef', 0xabcdefn],
    [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
  ])('%s is read', (text, value) => {
    expect(parseQuantity(text, from)).toBe(value)
  })

  test.each([
    '',
    '0x',
    '1',
    '10',
    'ff',
    '0xg',
    '-0x1',
    ' 0x1',
    '0x1 ',
    '0x1\n',
    `0x1${'0'.repeat(64)}`,
    1,
    null,
    {},
    // This value is itself a list: test.each takes the outer list as its row.
    [['0x1']],
  ])('%j is refused', (value) => {
    expect(said(() => parseQuantity(value, from))).toBe(refusal('is no quantity'))
  })

  test('is refused above a safe number where a number is required', () => {
    expect(parseNumber('0x1fffffffffffff', from)).toBe(Number.MAX_SAFE_INTEGER)
    expect(said(() => parseNumber('0x20000000000000', from))).toBe(refusal('has a number that is too large'))
  })
})

describe('data', () => {
  test('is whole bytes, and comes back in lower case', () => {
    expect(parseData('0x', from)).toBe('0x')
    expect(parseData('0xABcd', from)).toBe('0xabcd')
    expect(parseData('0xABcd', from, 2)).toBe('0xabcd')
  })

  test.each(['', '0', '0x1', '0xabc', '0xgg', 'abcd', '0xab ', '0xab\n', 12, null, {}])(
    'is refused when it is %j',
    (value) => {
      expect(said(() => parseData(value, from))).toBe(refusal('is no data'))
    },
  )

  test('is refused when its length differs from the required one', () => {
    for (const value of ['0x', '0xab', '0xababab'])
      expect(said(() => parseData(value, from, 2))).toBe(refusal('does not have 2 bytes'))
  })
})
