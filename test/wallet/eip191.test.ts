import { describe, expect, test } from 'bun:test'
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { type Hex, recoverMessageAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { recoverSigner } from '../../src/client/offline.ts'
import { isPlaceholder, recoverPersonalSign } from '../../src/wallet/eip191.ts'
import { openSecp256k1 } from '../../src/wallet/secp256k1.ts'
import envelopes from '../vectors/envelopes.json'
import { compact, hex32, join, oddSignatures, signer } from './odd-evm.ts'

const native = await openSecp256k1('auto')
const wasm = await openSecp256k1('wasm')

const { n } = noble.Point.CURVE()

/** Returns the verdict of both backends. A test that reads it also shows that the client module agrees. */
function ours(message: string, signature: string): string {
  const [first, second] = [native, wasm].map((secp256k1) => {
    const recovered = recoverPersonalSign(secp256k1, message, signature)
    return 'address' in recovered ? recovered.address : recovered.malformed
  })
  expect(second).toBe(first!)
  expect(recoverSigner(message, signature)).toBe(first!.startsWith('0x') ? first : undefined)
  return first!
}

/** The address, or 'refused' when viem throws. */
const viems = (message: string, signature: string): Promise<string> =>
  recoverMessageAddress({ message, signature: signature as Hex }).then(
    (address) => address.toLowerCase(),
    () => 'refused',
  )

const alice = signer
const aliceAddress = alice.address.toLowerCase()
const text = 'I agree.'
const { signature, r, s, v, parity, agreed, strangers, stricter } = await oddSignatures(text)

describe('the published signatures', () => {
  const signed = envelopes.flatMap(({ name, request, signerString, signature, signatureMethod }) =>
    signatureMethod === 'eip191' && signature ? [[name, request.walletAddress, signerString, signature] as const] : [],
  )

  test('are many enough to mean something', () => expect(signed.length).toBeGreaterThanOrEqual(6))

  test.each(signed)('recover the wallet: %s', async (_, walletAddress, signerString, published) => {
    expect(ours(signerString, published)).toBe(walletAddress.toLowerCase())
    expect(await viems(signerString, published)).toBe(walletAddress.toLowerCase())
  })
})

describe('odd signatures on which we and viem agree', () => {
  test.each(agreed)('%s', async (_, odd, verdict) => {
    expect(ours(text, odd)).toBe(verdict)
    expect(await viems(text, odd)).toBe(verdict.startsWith('0x') ? verdict : 'refused')
  })

  test.each(strangers)('%s recovers the same stranger, or no wallet', async (_, odd) => {
    const verdict = ours(text, odd)
    expect(await viems(text, odd)).toBe(verdict === 'NO_POINT' ? 'refused' : verdict)
    expect(verdict).not.toBe(aliceAddress)
  })
})

describe('where we differ from viem, on purpose', () => {
  test.each(stricter)('%s', (_, odd, verdict) => {
    expect(ours(text, odd)).toBe(verdict)
  })

  test('stricter: a high s, the second signature that anyone can make of a first (EIP-2)', async () => {
    const malleated = join(r, n - s, 28 - parity)
    expect(ours(text, malleated)).toBe('HIGH_S')
    expect(await viems(text, malleated)).toBe(aliceAddress)

    const lowestHigh = join(r, n / 2n + 1n, v)
    expect(ours(text, lowestHigh)).toBe('HIGH_S')
    expect(await viems(text, lowestHigh)).toStartWith('0x')
  })

  test('stricter: an odd number of digits, of which viem reads the last one as v', async () => {
    const odd = `0x${hex32(r)}${hex32(s)}${parity}`
    expect(ours(text, odd)).toBe('LENGTH')
    expect(await viems(text, odd)).toBe(aliceAddress)
  })

  test('stricter: text that is not hex, whose 65 characters viem takes for the bytes', async () => {
    // Only half of all x are on the curve: take the first letter whose repetition is one.
    const asHex = (characters: string) => `0x${Buffer.from(characters).toHex()}`
    const characters = [...'ABCDEFGH']
      .map((letter) => `${letter.repeat(64)}\u0000`)
      .find((candidate) => ours(text, asHex(candidate)).startsWith('0x'))!
    expect(ours(text, characters)).toBe('LENGTH')
    expect(await viems(text, characters)).toBe(ours(text, asHex(characters)))
  })

  test('wider: the compact form of EIP-2098, which viem wants unpacked first', async () => {
    const packed = compact(r, s, parity)
    expect(ours(text, packed)).toBe(aliceAddress)
    expect(await viems(text, packed)).toBe('refused')
  })
})

describe('the compact form of EIP-2098', () => {
  /** The two examples of the document: one of each parity, same key. */
  const key = privateKeyToAccount('0x1234567890123456789012345678901234567890123456789012345678901234')
  test.each([
    [
      'Hello World',
      '0x68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b907e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064',
    ],
    [
      "It's a small(er) world",
      '0x9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793',
    ],
  ])('holds for the example of the document: %s', (message, packed) => {
    expect(ours(message, packed)).toBe(key.address.toLowerCase())
  })

  test.each([
    ['the wrong parity gives a stranger', compact(r, s, 1 - parity), /^0x/],
    ['s = 0 with the parity bit', compact(r, 0n, 1), /^ZERO$/],
    ['s = n / 2 + 1, still below the parity bit', compact(r, n / 2n + 1n, 0), /^HIGH_S$/],
    ['s = 2^255 - 1', compact(r, 2n ** 255n - 1n, 1), /^HIGH_S$/],
    ['r = n', compact(n, s, parity), /^OUT_OF_RANGE$/],
  ])('%s', (_, packed, verdict) => {
    expect(ours(text, packed)).toMatch(verdict)
    expect(ours(text, packed)).not.toBe(aliceAddress)
  })
})

describe('any text', () => {
  test('signed by any key recovers that key, as in viem', async () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'binary-ascii', maxLength: 300 }),
    )
    const anyKey = fc.bigInt({ min: 1n, max: n - 1n })
    await fc.assert(
      fc.asyncProperty(anyText, anyKey, async (message, secret) => {
        const wallet = privateKeyToAccount(`0x${hex32(secret)}`)
        const signed = await wallet.signMessage({ message })
        expect(ours(message, signed)).toBe(wallet.address.toLowerCase())
        expect(await viems(message, signed)).toBe(wallet.address.toLowerCase())
      }),
      { numRuns: 400, seed: 191 },
    )
  })

  test.each([
    ['the empty text', ''],
    ['a zero character', '\u0000'],
    ['characters outside the BMP', '😀🏴‍☠️𝔘'],
    ['a lone surrogate', 'x\ud800y'],
    ['a lone surrogate at the start, after the length', '\udc00'],
    ['text that starts with a digit', '12 monkeys'],
    ['50 KB of ASCII', 'x'.repeat(50_000)],
    ['50 KB of two-byte characters', 'é'.repeat(25_000)],
    ['just below the length with a fifth digit', 'x'.repeat(9_999)],
    ['just above it', 'x'.repeat(10_000)],
  ])('%s', async (_, message) => {
    const signed = await alice.signMessage({ message })
    expect(ours(message, signed)).toBe(aliceAddress)
    expect(await viems(message, signed)).toBe(aliceAddress)
  })

  test('with any 65 bytes gets the verdict of viem, except for a high s', async () => {
    const anyBytes = fc.tuple(
      fc.uint8Array({ minLength: 64, maxLength: 64 }),
      fc.oneof(fc.constantFrom(0, 1, 27, 28), fc.nat(255)),
    )
    await fc.assert(
      fc.asyncProperty(anyBytes, async ([rs, anyV]) => {
        const any = `0x${rs.toHex()}${anyV.toString(16).padStart(2, '0')}`
        const verdict = ours(text, any)
        if (verdict !== 'HIGH_S') expect(await viems(text, any)).toBe(verdict.startsWith('0x') ? verdict : 'refused')
      }),
      { numRuns: 400, seed: 65 },
    )
  })

  test('differing by one character recovers another wallet', () => {
    expect(ours('I agree!', signature)).not.toBe(aliceAddress)
  })
})

describe('a refusal', () => {
  test('is a tag and a sentence for people, without the signature in it', () => {
    const refusal = recoverPersonalSign(native, text, join(r, s, 35))
    expect(refusal).toEqual({
      malformed: 'RECOVERY_ID',
      message: 'The last byte of the signature must be 0, 1, 27 or 28',
    })
  })

  test('leaves nothing behind for the next signature', () => {
    for (const odd of [join(r, n - s, v), compact(r, s, 1), `0x${'ff'.repeat(65)}`, '0x']) ours(text, odd)
    expect(ours(text, signature)).toBe(aliceAddress)
  })
})

describe('a placeholder', () => {
  test.each([
    ['0x', true],
    ['0x0', true],
    [`0x${'00'.repeat(65)}`, true],
    [`0x${'0'.repeat(1_000)}`, true],
    ['', false],
    ['0', false],
    ['0x01', false],
    ['0X00', false],
    ['0x00\n', false],
    [signature, false],
  ])('case %#: %.12s…', (candidate, verdict) => {
    expect(isPlaceholder(candidate)).toBe(verdict)
  })
})
