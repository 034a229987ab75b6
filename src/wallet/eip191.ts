import { hashKeccak256Bytes } from './keccak.ts'
import type { Secp256k1 } from './secp256k1.ts'

/**
 * Recovers the signer of an EIP-191 version 0x45 text (`personal_sign`).
 *
 * It accepts 65 bytes r, s, v with v one of 0, 1, 27, 28. It also accepts the 64 bytes of EIP-2098, where the top bit
 * of s carries the parity. This does NOT compare the signer, ask a contract wallet (erc1271.ts) or judge the age of the
 * text (freshness.ts).
 */
export function recoverPersonalSign(secp256k1: Secp256k1, message: string, signature: string): Recovered {
  if (signature.length !== LENGTH_65 && signature.length !== LENGTH_64) return refusals.LENGTH
  if (!/^0x[0-9a-fA-F]+$/.test(signature)) return refusals.NOT_HEX

  bytes.setFromHex(signature.slice(2))
  let recovery: number
  if (signature.length === LENGTH_65) {
    const v = bytes[64]!
    recovery = v >= 27 ? v - 27 : v
    if (recovery > 1) return refusals.RECOVERY_ID
  } else {
    recovery = s[0]! >> 7
    s[0]! &= 0x7f
  }

  if (!isBelow(ZERO, r) || !isBelow(ZERO, s)) return refusals.ZERO
  if (!isBelow(r, ORDER) || !isBelow(s, ORDER)) return refusals.OUT_OF_RANGE
  // EIP-2: with s, n - s signs too. Accepting both would give one consent two signatures.
  if (isBelow(HALF_ORDER, s)) return refusals.HIGH_S

  const address = secp256k1.recoverAddress(computePersonalDigest(message), rs, recovery)
  return address ? { address } : refusals.NO_POINT
}

export type Recovered = { readonly address: `0x${string}` } | MalformedSignature

/** No key can have made the signature, for any text. `message` is a sentence for people, without its full stop. */
export type MalformedSignature = (typeof refusals)[keyof typeof refusals]

/** Keccak-256 of 0x19, "Ethereum Signed Message:\n", the length in UTF-8 bytes in decimal, and the text. */
export const computePersonalDigest = (message: string): Uint8Array =>
  hashKeccak256Bytes(`\x19Ethereum Signed Message:\n${Buffer.byteLength(message)}${message}`)

/** `0x` and only zeros: a client's placeholder for a missing signature. */
export const isPlaceholder = (signature: string): boolean => /^0x0*$/.test(signature)

// Frozen, because every caller gets the same object.
const refuse = <const Tag extends string>(malformed: Tag, message: string) => Object.freeze({ malformed, message })

const refusals = {
  LENGTH: refuse('LENGTH', 'The signature must be 0x and 130 hex digits, or 128 in the compact form of EIP-2098'),
  NOT_HEX: refuse('NOT_HEX', 'The signature must be 0x and hex digits only'),
  RECOVERY_ID: refuse('RECOVERY_ID', 'The last byte of the signature must be 0, 1, 27 or 28'),
  ZERO: refuse('ZERO', 'The signature has a zero in place of r or s'),
  OUT_OF_RANGE: refuse('OUT_OF_RANGE', 'The signature has an r or s that is not below the order of the curve'),
  HIGH_S: refuse('HIGH_S', 'The signature has an s in the upper half of its range, which EIP-2 forbids'),
  NO_POINT: refuse('NO_POINT', 'The signature belongs to no public key'),
}

const LENGTH_65 = 132
const LENGTH_64 = 130

// Reused by every call: from the first write to the recovery nothing else can run on this thread.
const bytes = new Uint8Array(65)
const rs = bytes.subarray(0, 64)
const r = bytes.subarray(0, 32)
const s = bytes.subarray(32, 64)

const ZERO = new Uint8Array(32)
/** n, the order of secp256k1 (SEC 2 §2.4.1), and n / 2 rounded down: the highest s of EIP-2. */
const ORDER = Uint8Array.fromHex('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')
const HALF_ORDER = Uint8Array.fromHex('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0')

/** Big-endian, equal lengths. The first byte decides almost always, so this costs next to nothing. */
function isBelow(left: Uint8Array, right: Uint8Array): boolean {
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return left[at]! < right[at]!
  return false
}
