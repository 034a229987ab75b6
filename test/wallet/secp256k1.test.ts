import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import { hashKeccak256Bytes } from '../../src/wallet/keccak.ts'
import { openSecp256k1 } from '../../src/wallet/secp256k1.ts'
import { isMissing } from '../parts/optional.ts'

const runsGlibc = existsSync('/proc/self/maps') && !readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-')
const hasPrebuild =
  (process.platform === 'linux' && process.arch === 'x64' && runsGlibc) ||
  (process.platform === 'darwin' && process.arch === 'arm64') ||
  (process.platform === 'win32' && process.arch === 'x64')

describe('the backend', () => {
  test.skipIf(isMissing(hasPrebuild, 'the native addon: run on Linux x64 with glibc, macOS arm64 or Windows x64'))(
    'is native on a machine that has a prebuilt addon: no silent loss of a factor',
    async () => {
      const secp256k1 = await openSecp256k1()
      expect(secp256k1.fallbackReason).toBeUndefined()
      expect(secp256k1.backend).toBe('native')
      expect((await openSecp256k1('native')).backend).toBe('native')
    },
  )

  test.skipIf(
    isMissing(!hasPrebuild, 'the fallback to WASM: run on a machine without a prebuilt addon, such as Alpine'),
  )('is WASM with a reason on a machine that has none, and native cannot be forced', async () => {
    expect(await openSecp256k1()).toMatchObject({ backend: 'wasm', fallbackReason: expect.any(String) })
    expect(openSecp256k1('native')).rejects.toThrow('could not be loaded')
  })

  test('can be forced to WASM, which is then no fall-back', async () => {
    const secp256k1 = await openSecp256k1('wasm')
    expect(secp256k1.backend).toBe('wasm')
    expect('fallbackReason' in secp256k1).toBe(false)
  })

  test('is opened once for each choice', async () => {
    expect(await openSecp256k1('wasm')).toBe(await openSecp256k1('wasm'))
  })
})

describe.each(hasPrebuild ? (['native', 'wasm'] as const) : (['wasm'] as const))('recovery by %s', (choice) => {
  const digest = new Uint8Array(32).fill(7)
  const rs = new Uint8Array(64).fill(1)

  test.each<[string, Uint8Array, Uint8Array, number]>([
    ['a digest that is too short', new Uint8Array(31), rs, 0],
    ['a digest that is too long', new Uint8Array(33), rs, 0],
    ['no digest at all', new Uint8Array(0), rs, 0],
    ['a signature with its v', digest, new Uint8Array(65), 0],
    ['a truncated signature', digest, new Uint8Array(63), 0],
    ['recovery id 2, which Ethereum has not', digest, rs, 2],
    ['a negative recovery id', digest, rs, -1],
    ['a recovery id that is no number', digest, rs, Number.NaN],
  ])('refuses %s before native code reads it', async (_, someDigest, someRs, recovery) => {
    const secp256k1 = await openSecp256k1(choice)
    expect(() => secp256k1.recoverAddress(someDigest, someRs, recovery)).toThrow(RangeError)
  })

  test.each<[string, Uint8Array]>([
    ['r = s = 0', new Uint8Array(64)],
    ['r and s above the order', new Uint8Array(64).fill(0xff)],
    [
      'r = 5, which is no x of the curve',
      Uint8Array.from({ length: 64 }, (_, at) => (at === 31 ? 5 : at === 63 ? 1 : 0)),
    ],
  ])('finds nobody for %s', async (_, someRs) => {
    const secp256k1 = await openSecp256k1(choice)
    expect(secp256k1.recoverAddress(digest, someRs, 0)).toBeUndefined()
    expect(secp256k1.recoverAddress(digest, someRs, 1)).toBeUndefined()
  })

  test('gives the address of the key that signed, whichever buffer the bytes sit in', async () => {
    const secp256k1 = await openSecp256k1(choice)
    for (let seed = 1; seed <= 50; seed++) {
      const secret = hashKeccak256Bytes(`secret ${seed}`)
      const signed = noble.sign(digest, secret, { prehash: false, format: 'recovered' })
      const address =
        `0x${hashKeccak256Bytes(noble.getPublicKey(secret, false).subarray(1)).subarray(12).toHex()}` as const

      const padded = Buffer.concat([Buffer.alloc(seed, 0xee), signed.subarray(1), Buffer.alloc(5, 0xee)])
      expect(secp256k1.recoverAddress(digest, padded.subarray(seed, seed + 64), signed[0]!)).toBe(address)
    }
  })
})
