import { createPublicKey, verify } from 'node:crypto'
import { decodeBase58 } from './base58.ts'

/** At the first signature that needs it: its tables take a millisecond to make. */
const loadCurve = () => require('@noble/curves/ed25519.js') as typeof import('@noble/curves/ed25519.js')

/**
 * Signatures of Solana-like accounts: Ed25519 (RFC 8032) over the bare UTF-8 text, where the wallet address is the
 * public key. This does NOT know which chains use it; the caller has decided that from the chain.
 *
 * `wallet` is base58 of 32 bytes. `signature` is base58 of 64 bytes, or 128 hex digits with or without `0x`. Either may
 * carry the prefix `ed25519:`, as NEAR writes it.
 */
export function verifyEd25519(wallet: string, message: string, signature: string): boolean | MalformedEd25519 {
  const publicKey = parsePublicKey(wallet)
  if (!publicKey) return refusals.WALLET
  const signatureBytes = parseSignature(signature)
  if (!signatureBytes) return refusals.SIGNATURE
  return verifyEd25519Bytes(publicKey, Buffer.from(message), signatureBytes)
}

/** Whether an address is a public key at all, unlike a NEAR name such as `alice.near`. It may still be no point. */
export const isEd25519Account = (wallet: string): boolean => parsePublicKey(wallet) !== undefined

/** A malformed key or signature, which was not verified. `message` is a sentence for people. */
export type MalformedEd25519 = (typeof refusals)[keyof typeof refusals]

// Frozen, because every caller gets the same object.
const refuse = <const Tag extends string>(malformed: Tag, message: string) => Object.freeze({ malformed, message })

const refusals = {
  WALLET: refuse('WALLET', 'The wallet address must be an Ed25519 public key, 32 bytes in base58.'),
  SIGNATURE: refuse('SIGNATURE', 'The signature must be 64 bytes, in base58 or as 128 hex digits.'),
}

/**
 * The verdict of noble's strict mode, eight times as fast for a valid signature.
 *
 * BoringSSL's yes suffices because it implies noble's. Both refuse S >= L. Both decode keys alike except non-canonical
 * and small-order encodings, which BoringSSL accepts and `acceptsKey` refuses. BoringSSL compares R as bytes with the
 * encoding of [S]B - [k]A, so an accepted R is canonical. noble checks that equation, times 8.
 *
 * BoringSSL's no is not final: RFC 8032 §5.1.7 also allows the equation times 8, as noble checks it. Then a signature
 * is valid although its key or R has a small-order part. Only the key's owner can make one. So noble decides when
 * BoringSSL refuses. R itself may be of small order. noble allows it, and with S it is still the owner's.
 */
export function verifyEd25519Bytes(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false
  if (!acceptsKey(publicKey)) return false
  return (
    isAcceptedByBoring(publicKey, message, signature) ||
    loadCurve().ed25519.verify(signature, message, publicKey, { zip215: false })
  )
}

function isAcceptedByBoring(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  spki.set(publicKey, spki.length - 32)
  try {
    return verify(null, message, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature)
  } catch {
    return false // createPublicKey may throw for 32 bytes that are no point
  }
}

/** RFC 8410 §4: a SubjectPublicKeyInfo of Ed25519 is these twelve bytes and the key. Rewritten by every call. */
const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.alloc(32)])

/**
 * False for the encodings that BoringSSL accepts and strict verification must not. With a small-order key one signature
 * verifies any text. With y >= p a key has two spellings, hence one wallet two addresses.
 *
 * It reads only y, so the sign bit cannot hide a small-order point. This does NOT tell whether y is on the curve.
 */
function acceptsKey(publicKey: Uint8Array): boolean {
  const y = readLittleEndian(publicKey) & (2n ** 255n - 1n)
  return y < FIELD && !SMALL_ORDER_Y.has(y)
}

const readLittleEndian = (bytes: Uint8Array): bigint => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32)
  return (
    (view.getBigUint64(24, true) << 192n) |
    (view.getBigUint64(16, true) << 128n) |
    (view.getBigUint64(8, true) << 64n) |
    view.getBigUint64(0, true)
  )
}

const FIELD = 2n ** 255n - 19n

/**
 * y of the eight points whose order divides 8. These are order 1, order 2, order 4 (both x), and order 8 (both x of
 * each).
 */
const SMALL_ORDER_Y = new Set([
  1n,
  FIELD - 1n,
  0n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  FIELD - 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
])

const stripPrefix = (text: string): string => (text.startsWith('ed25519:') ? text.slice(8) : text)

const parsePublicKey = (wallet: string): Uint8Array | undefined => decodeBase58(stripPrefix(wallet), 32)

function parseSignature(signature: string): Uint8Array | undefined {
  const text = stripPrefix(signature)
  const hex = text.startsWith('0x') ? text.slice(2) : text
  // 64 bytes are at most 88 base58 digits, so 128 digits are never meant as base58.
  if (hex.length === 128) return /^[0-9a-f]+$/i.test(hex) ? Uint8Array.fromHex(hex) : undefined
  return decodeBase58(text, 64)
}
