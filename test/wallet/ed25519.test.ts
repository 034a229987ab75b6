import { describe, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { isSignedByEd25519 } from '../../src/client/curves.ts'
import { isEd25519Account, verifyEd25519, verifyEd25519Bytes } from '../../src/wallet/ed25519.ts'
import envelopes from '../vectors/envelopes.json'
import { challenge, concat, fromLe, L, P, Point, signOddly, smallOrderEncodings, toLe, torsion } from './odd-ed25519.ts'

const utf8 = new TextEncoder()

/** Asks BoringSSL without the checks of ed25519.ts. */
function bareBoring(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = concat(Uint8Array.fromHex('302a300506032b6570032100'), publicKey)
  try {
    return verify(null, message, createPublicKey({ key: Buffer.from(key), format: 'der', type: 'spki' }), signature)
  } catch {
    return false
  }
}

/** The questions asked so far, for the client module, which answers later. */
const asked: { publicKey: Uint8Array; message: Uint8Array; signature: Uint8Array; verdict: boolean }[] = []

/** Our verdict; a test that reads it has also shown that noble's strict mode gives the same. */
function ours(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const verdict = verifyEd25519Bytes(publicKey, message, signature)
  asked.push({ publicKey, message, signature, verdict })
  expect(verdict).toBe(ed25519.verify(signature, message, publicKey, { zip215: false }))
  return verdict
}

const secret = Uint8Array.from({ length: 32 }, (_, at) => at + 1)
const publicKey = ed25519.getPublicKey(secret)
const wallet = base58.encode(publicKey)
const text = 'I agree.'
const message = utf8.encode(text)
const signature = ed25519.sign(message, secret)

describe('RFC 8032 §7.1', () => {
  test.each([
    [
      'test 1, the empty message',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      'test 2, one byte',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'test 3, two bytes',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
    [
      'test SHA(abc)',
      'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
      'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
    ],
  ])('%s', (_, key, bytes, signed) => {
    expect(ours(Uint8Array.fromHex(key), Uint8Array.fromHex(bytes), Uint8Array.fromHex(signed))).toBe(true)
  })
})

describe('the published signatures', () => {
  const signed = envelopes.flatMap(({ name, request, signerString, signature, signatureMethod }) =>
    signatureMethod === 'ed25519' && signature ? [[name, request.walletAddress, signerString, signature] as const] : [],
  )

  test('exist', () => expect(signed.length).toBeGreaterThanOrEqual(1))

  test.each(signed)('hold: %s', (_, walletAddress, signerString, published) => {
    expect(verifyEd25519(walletAddress, signerString, published)).toBe(true)
    expect(verifyEd25519(walletAddress, `${signerString} `, published)).toBe(false)
  })
})

describe('spellings', () => {
  test.each([
    ['base58', base58.encode(signature)],
    ['hex', signature.toHex()],
    ['hex in upper case', signature.toHex().toUpperCase()],
    ['0x and hex', `0x${signature.toHex()}`],
    ['ed25519: and base58', `ed25519:${base58.encode(signature)}`],
    ['ed25519: and hex', `ed25519:${signature.toHex()}`],
    ['ed25519:, 0x and hex', `ed25519:0x${signature.toHex()}`],
  ])('of the signature, %s', (_, spelled) => {
    expect(verifyEd25519(wallet, text, spelled)).toBe(true)
    expect(verifyEd25519(`ed25519:${wallet}`, text, spelled)).toBe(true)
    expect(verifyEd25519(wallet, 'I do not agree.', spelled)).toBe(false)
  })

  const base58Signature = base58.encode(signature)
  test.each([
    ['nothing', ''],
    ['the prefix alone', 'ed25519:'],
    ['0x alone', '0x'],
    ['63 bytes in base58', base58.encode(signature.subarray(1))],
    ['65 bytes in base58', base58.encode(concat(signature, signature.subarray(0, 1)))],
    ['126 hex digits', signature.toHex().slice(2)],
    ['130 hex digits, an EVM signature', `0x${signature.toHex()}1b`],
    ['a letter that is no hex digit', `${signature.toHex().slice(0, -1)}g`],
    ['0X', `0X${signature.toHex()}`],
    ['0x before base58', `0x${base58Signature}`],
    ['a character that base58 leaves out', `${base58Signature.slice(0, -1)}0`],
    ['a blank at the end', `${base58Signature} `],
    ['base64', Buffer.from(signature).toString('base64')],
    ['the prefix twice', `ed25519:ed25519:${base58Signature}`],
    ['the prefix in capitals', `ED25519:${base58Signature}`],
    ['a hundred thousand digits', '1'.repeat(100_000)],
  ])('that are no signature: %s', (_, spelled) => {
    expect(verifyEd25519(wallet, text, spelled)).toHaveProperty('malformed', 'SIGNATURE')
  })

  test.each([
    ['nothing', ''],
    ['31 bytes', base58.encode(publicKey.subarray(1))],
    ['33 bytes', base58.encode(concat(publicKey, publicKey.subarray(0, 1)))],
    ['the key in hex', publicKey.toHex()],
    ['an EVM address', '0x2682f1afa9e879dcea444d8d93895c4bcbf55076'],
    ['a NEAR name', 'alice.near'],
    ['a lower-cased address with a letter that base58 leaves out', `${wallet.slice(0, -1)}l`],
    ['a hundred thousand digits', '1'.repeat(100_000)],
  ])('that are no wallet: %s', (_, spelled) => {
    expect(isEd25519Account(spelled)).toBe(false)
    expect(verifyEd25519(spelled, text, base58Signature)).toHaveProperty('malformed', 'WALLET')
  })

  test('lead to one account: base58 of 32 bytes, with and without the prefix, also with leading zero bytes', () => {
    expect(isEd25519Account(wallet)).toBe(true)
    expect(isEd25519Account(`ed25519:${wallet}`)).toBe(true)
    expect(isEd25519Account('11111111111111111111111111111111')).toBe(true)
    expect(isEd25519Account(base58.encode(new Uint8Array(32).fill(255)))).toBe(true)
  })
})

describe('odd signatures, on which noble and we agree', () => {
  test('an ordinary one holds, also for BoringSSL alone', () => {
    expect(ours(publicKey, message, signature)).toBe(true)
    expect(bareBoring(publicKey, message, signature)).toBe(true)
  })

  test('each flipped bit refuses it', () => {
    for (let bit = 0; bit < 512; bit += 7) {
      const flipped = Uint8Array.from(signature)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      expect(ours(publicKey, message, flipped)).toBe(false)
    }
  })

  test('S + L, and any other S that is not below L, is refused: it would be a second signature', () => {
    const s = fromLe(signature.subarray(32))
    for (let other = s + L; other < 2n ** 256n; other += L)
      expect(ours(publicKey, message, concat(signature.subarray(0, 32), toLe(other)))).toBe(false)
    for (const other of [L, L + 1n, 2n ** 253n, 2n ** 255n, 2n ** 256n - 1n])
      expect(ours(publicKey, message, concat(signature.subarray(0, 32), toLe(other)))).toBe(false)
  })

  test('14 encodings of small-order points are accepted by some decoder', () => {
    expect(new Set(smallOrderEncodings.map(([name]) => name)).size).toBe(smallOrderEncodings.length)
    expect(smallOrderEncodings.length).toBe(14)
  })

  test.each(smallOrderEncodings)('a small-order key is refused with any R and S: %s', (_, key) => {
    for (const [, R] of smallOrderEncodings)
      for (const S of [0n, 1n, L - 1n])
        for (let attempt = 0; attempt < 4; attempt++)
          expect(ours(key, utf8.encode(`any text ${attempt}`), concat(R, toLe(S)))).toBe(false)
  })

  test('such a key would let BoringSSL alone take one signature for every text', () => {
    const identity = Point.ZERO.toBytes()
    const forAnything = concat(identity, toLe(0n))
    expect(bareBoring(identity, message, forAnything)).toBe(true)
    expect(bareBoring(identity, utf8.encode('anything'), forAnything)).toBe(true)
    expect(verifyEd25519Bytes(identity, message, forAnything)).toBe(false)
  })

  test('a key with y not below p is refused, for all 19 such y and both signs', () => {
    for (let y = P; y < 2n ** 255n; y++)
      for (const sign of [0n, 1n << 255n]) {
        const key = toLe(y | sign)
        expect(ours(key, message, signature)).toBe(false)
        // Signed by someone who knows the point, if there is one, over the odd encoding.
        const R = Point.BASE.multiply(5n).toBytes()
        const S = (5n + challenge(R, key, message)) % L
        expect(ours(key, message, concat(R, toLe(S)))).toBe(false)
      }
  })

  test('32 bytes that are no point are refused', () => {
    expect(ours(toLe(2n), message, signature)).toBe(false)
    expect(ours(new Uint8Array(32).fill(255), message, signature)).toBe(false)
  })

  test.each(smallOrderEncodings)('R of small order, made by the owner (S = k a): %s', (name, R) => {
    const a = 77n
    const A = Point.BASE.multiply(a).toBytes()
    const k = challenge(R, A, message)
    const verdict = ours(A, message, concat(R, toLe((k * a) % L)))
    // Canonical ones hold in noble, by the equation times 8; the others are no encoding of anything.
    const isCanonical = torsion.some((point) => point.toHex() === name)
    expect(verdict).toBe(isCanonical)
  })

  test('R with a non-canonical y is refused although it stands for the same point', () => {
    // y = 1 + p is the identity spelled differently; it needs S = k a over that spelling.
    const R = toLe(1n + P)
    const a = 77n
    const A = Point.BASE.multiply(a).toBytes()
    expect(ours(A, message, concat(R, toLe((challenge(R, A, message) * a) % L)))).toBe(false)
  })

  test('small-order parts in key and R: every combination, for several texts', () => {
    const held = { byEquation: 0, onlyTimes8: 0 }
    torsion.forEach((keyPart) => {
      torsion.forEach((rPart) => {
        for (const bytes of [message, utf8.encode('another'), utf8.encode('a third'), utf8.encode('')]) {
          const odd = signOddly(bytes, keyPart, rPart)
          expect(ours(odd.A, bytes, odd.signature)).toBe(true)
          if (bareBoring(odd.A, bytes, odd.signature)) held.byEquation++
          else held.onlyTimes8++
        }
      })
    })
    // Both kinds must have occurred, or the test has not reached what it is about.
    expect(held.byEquation).toBeGreaterThan(10)
    expect(held.onlyTimes8).toBeGreaterThan(100)
  })

  test('a key of small order with R mixed, and the other way round, in every combination', () => {
    torsion.forEach((keyPart) => {
      torsion.forEach((rPart) => {
        const smallKey = signOddly(message, keyPart, rPart, { a: 0n, r: 99n })
        expect(ours(smallKey.A, message, smallKey.signature)).toBe(false)
        const smallR = signOddly(message, keyPart, rPart, { a: 77n, r: 0n })
        expect(ours(smallR.A, message, smallR.signature)).toBe(true)
        const bothSmall = signOddly(message, keyPart, rPart, { a: 0n, r: 0n })
        expect(ours(bothSmall.A, message, bothSmall.signature)).toBe(false)
      })
    })
  })

  test('whatever BoringSSL takes and the key checks let through, noble takes: random keys, R and S', () => {
    const point = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom(...smallOrderEncodings.map(([, bytes]) => bytes)),
      fc.constantFrom(...torsion.map((part) => Point.BASE.multiply(77n).add(part).toBytes())),
    )
    const scalar = fc.oneof(fc.constantFrom(0n, 1n, L - 1n, L), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })).map(toLe)
    fc.assert(
      fc.property(point, point, scalar, fc.string(), (key, R, S, anyText) => {
        ours(key, utf8.encode(anyText), concat(R, S))
      }),
      { numRuns: 500, seed: 8032 },
    )
  })

  test.each([
    ['a key of 31 bytes', publicKey.subarray(1), signature],
    ['a key of 33 bytes', concat(publicKey, publicKey.subarray(0, 1)), signature],
    ['a signature of 63 bytes', publicKey, signature.subarray(1)],
    ['a signature of 65 bytes', publicKey, concat(signature, signature.subarray(0, 1))],
  ])('%s is refused', (_, key, signed) => {
    expect(verifyEd25519Bytes(key, message, signed)).toBe(false)
  })
})

describe('any text', () => {
  test('signed by any key holds for that key and for no other text', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 300 })),
        (anySecret, anyText) => {
          const signed = base58.encode(ed25519.sign(utf8.encode(anyText), anySecret))
          const anyWallet = base58.encode(ed25519.getPublicKey(anySecret))
          expect(verifyEd25519(anyWallet, anyText, signed)).toBe(true)
          expect(verifyEd25519(anyWallet, `${anyText}.`, signed)).toBe(false)
        },
      ),
      { numRuns: 300, seed: 25519 },
    )
  })

  test.each([
    ['the empty text', ''],
    ['a lone surrogate', 'x\ud800y'],
    ['50 KB', 'é'.repeat(25_000)],
  ])('%s', (_, anyText) => {
    expect(verifyEd25519(wallet, anyText, base58.encode(ed25519.sign(utf8.encode(anyText), secret)))).toBe(true)
  })
})

describe('the client module', () => {
  test('says the same of every one of these signatures', async () => {
    expect(asked.length).toBeGreaterThan(1000)
    for (const { publicKey, message, signature, verdict } of asked)
      expect(await isSignedByEd25519(publicKey, message, signature)).toBe(verdict)
  })
})
