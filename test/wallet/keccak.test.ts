import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { createKeccak } from 'hash-wasm'
import { hashKeccak256, hashKeccak256Bytes } from '../../src/wallet/keccak.ts'

const utf8 = new TextEncoder()

// Until then JavaScript hashes.
beforeAll(async () => void (await createKeccak(256)))

describe('keccak-256', () => {
  test.each([
    ['the empty text', '', '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', 'abc', '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ])('is the padding of Ethereum, not that of SHA-3: %s', (_, text, digest) => {
    expect(hashKeccak256(text)).toBe(digest as `0x${string}`)
  })

  test('agrees with noble at every length around the 136-byte block and the 16 KB chunks of the WASM heap', () => {
    const blocks = Array.from({ length: 300 }, (_, length) => length)
    for (const length of [...blocks, 16_383, 16_384, 16_385, 32_768, 50_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + length) & 0xff)
      expect(hashKeccak256(bytes)).toBe(`0x${keccak_256(bytes).toHex()}`)
    }
  })

  test.each([['é'], ['😀 and the rest'], ['\u0000'], ['a lone \ud800 surrogate'], ['Ω'.repeat(25_000)]])(
    'hashes the UTF-8 bytes of a text (case %#)',
    (text) => {
      expect(hashKeccak256Bytes(text)).toEqual(keccak_256(utf8.encode(text)))
    },
  )

  test('gives the same digests before WebAssembly is compiled as after', async () => {
    const source = JSON.stringify(join(import.meta.dir, '../../src/wallet/keccak.ts'))
    const script = `
      const { hashKeccak256, hashKeccak256Bytes } = await import(${source})
      const texts = ['', 'abc', '😀 a lone \\ud800 surrogate', 'x'.repeat(50_000)]
      const hash = () => texts.flatMap((text) => [hashKeccak256(text), hashKeccak256Bytes(text).toHex()])
      console.log(JSON.stringify(hash()))
      await (await import('hash-wasm')).createKeccak(256)
      console.log(JSON.stringify(hash()))`
    const child = Bun.spawn([process.execPath, '-e', script], { cwd: import.meta.dir, stderr: 'inherit' })
    const [before, after] = (await new Response(child.stdout).text()).trim().split('\n')
    expect(after).toContain(hashKeccak256('abc'))
    expect(before).toBe(after!)
  })

  test('hashes a view of a larger buffer, not the buffer', () => {
    const buffer = Uint8Array.from({ length: 100 }, (_, at) => at)
    expect(hashKeccak256(buffer.subarray(10, 42))).toBe(hashKeccak256(buffer.slice(10, 42)))
  })

  test('a digest once returned is not overwritten by the next, and a throw leaves nothing behind', () => {
    const first = hashKeccak256Bytes('first')
    expect(() => hashKeccak256(undefined as unknown as string)).toThrow()
    hashKeccak256Bytes('second')

    expect(first).toEqual(keccak_256(utf8.encode('first')))
    expect(hashKeccak256('first')).toBe(`0x${first.toHex()}`)
  })
})
