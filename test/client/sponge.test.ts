import { describe, expect, test } from 'bun:test'
import { keccak_256, shake256 as nobleShake } from '@noble/hashes/sha3.js'
import { hashKeccak256, hashShake256 } from '../../src/client/sponge.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

describe('the sponge of the client module', () => {
  test.each([
    // NIST, example values of FIPS 202: SHAKE256 of 0 and of 1600 bits.
    ['', '46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f'],
    ['\u00a3'.repeat(200), 'cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d'],
    ['abc', '483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739'],
  ])('gives the published SHAKE-256 (case %#)', (latin1, digest) => {
    const bytes = Uint8Array.from(latin1, (character) => character.charCodeAt(0))
    expect(hashShake256(bytes).toHex()).toBe(digest)
  })

  test.each([
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ])('gives the published Keccak-256 of "%s"', (text, digest) => {
    expect(hashKeccak256(utf8(text)).toHex()).toBe(digest)
  })

  test('agrees with noble at every length around its blocks of 136 bytes, and on 100 kB', () => {
    for (const length of [...Array.from({ length: 420 }, (_, at) => at), 100_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + length) & 0xff)
      expect(hashKeccak256(bytes).toHex()).toBe(keccak_256(bytes).toHex())
      expect(hashShake256(bytes).toHex()).toBe(nobleShake(bytes, { dkLen: 32 }).toHex())
    }
  })

  test('leaves its input unchanged, also where that is a part of a larger buffer', () => {
    const whole = Uint8Array.from({ length: 300 }, (_, at) => at & 0xff)
    expect(hashShake256(whole.subarray(10, 200))).toEqual(hashShake256(whole.slice(10, 200)))
    expect(whole[9]).toBe(9)
    expect(whole[200]).toBe(200)
  })
})
