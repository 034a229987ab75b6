/** Addresses of the networks of wallet-risk: which network each may be of, and that each wallet has one key. */
import { describe, expect, test } from 'bun:test'
import {
  findChainId,
  findChainName,
  isChainAddress,
  makeWalletKey,
  riskAddressMaxLength,
  riskAddressPattern,
  riskChainNames,
} from '../../../src/outside/risk/chains.ts'

const evm = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const sol = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const hash = 'b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
/** The example of TEP-2: one account, to be bounced, not to be bounced, and on a test network. */
const ton = {
  raw: '-1:fcb91a3a3816d0f7b8c2c76108b8a9bc5a6b7a55bd79f8ab101c52db29232260',
  bounceable: 'Ef_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYIny',
  notBounceable: 'Uf_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYNQ3',
}
const sei = 'sei1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5fm3ekv'
const sui = `0x${hash}`
const btc = { legacy: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', segwit: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }
const stellar = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'

describe('an address', () => {
  test.each<[string, string, string]>([
    ...['eth', 'base', 'bsc', 'pol', 'opt', 'arb', 'sei', 'eip155:84532'].map((chain): [string, string, string] => [
      'EVM',
      chain,
      evm,
    ]),
    ['base58', 'sol', sol],
    ['TON, raw', 'ton', ton.raw],
    ['TON, user-friendly', 'ton', ton.bounceable],
    ['Sei, bech32', 'sei', sei],
    ['Sui', 'sui', sui],
    ['Bitcoin, base58', 'btc', btc.legacy],
    ['Bitcoin, bech32', 'btc', btc.segwit],
    ['Stellar', 'stellar', stellar],
  ])('%s is one of %s', (_, chain, address) => {
    expect(address).toMatch(new RegExp(riskAddressPattern))
    expect(address.length).toBeLessThanOrEqual(riskAddressMaxLength)
    expect(isChainAddress(chain, address)).toBe(true)
  })

  test.each<[string, string, string]>([
    ...['sol', 'ton', 'sui', 'btc', 'stellar'].map((chain): [string, string, string] => ['EVM', chain, evm]),
    ['Sui', 'eth', sui],
    ['Solana', 'eth', sol],
    ['Solana', 'eip155:84532', sol],
    ['Bitcoin', 'sol', btc.legacy],
    ['Stellar', 'sol', stellar],
    ['base58 of 31 bytes', 'sol', '1111111111111111111111111111111'],
    ['bech32 in capitals', 'btc', btc.segwit.toUpperCase()],
    ['EVM cut short', 'eth', evm.slice(0, -1)],
    ['any', '__proto__', evm],
    ['any', 'constructor', sol],
  ])('%s is none of %s', (_, chain, address) => {
    expect(isChainAddress(chain, address)).toBe(false)
  })

  test.each([
    '',
    'alice.near',
    `${evm} `,
    `${evm}\n`,
    `${evm}0`,
    '0x',
    'bc1',
    `${sol}${sol}`,
    '../admin',
    'a?chain=eth',
  ])('is not %p', (text) => {
    expect(text).not.toMatch(new RegExp(riskAddressPattern))
  })
})

describe('a short name', () => {
  test('has the id of its chain, and the id its name', () => {
    const ids = riskChainNames.map((name) => findChainId(name))
    expect(ids).toEqual([1, 8453, 56, 137, 10, 42_161, undefined, undefined, 1329, undefined, undefined, undefined])
    for (const [position, id] of ids.entries())
      if (id !== undefined) expect(findChainName(id)).toBe(riskChainNames[position]!)
  })

  test('is the CAIP-2 id where an EVM chain has none', () => {
    expect(findChainName(84_532)).toBe('eip155:84532')
  })

  test('is not read from inherited members', () => {
    expect(findChainId('constructor')).toBeUndefined()
  })
})

describe('the key of a wallet', () => {
  test.each<[string, string, string]>([
    ['EVM in checksum case', evm, evm.toLowerCase()],
    ['EVM in capitals', evm.toUpperCase(), evm.toLowerCase()],
    ['Sui in capitals', `0x${hash.toUpperCase()}`, sui],
    ['TON, raw in capitals', ton.raw.toUpperCase(), ton.raw],
    ['TON that bounces', ton.bounceable, ton.raw],
    ['TON that does not', ton.notBounceable, ton.raw],
    ['TON in the other base64', ton.bounceable.replaceAll('-', '+').replaceAll('_', '/'), ton.raw],
    ['bech32 in capitals', btc.segwit.toUpperCase(), btc.segwit],
  ])('is the same for %s', (_, spelling, key) => {
    expect(makeWalletKey(spelling)).toBe(key)
  })

  test.each([sol, btc.legacy, stellar, sei])('keeps the case of %s, which means something', (address) => {
    expect(makeWalletKey(address)).toBe(address)
  })
})
