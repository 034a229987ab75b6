/**
 * A wallet for trying things out: a key that is made in the page and gone with it. It signs only texts that the server of
 * this page has written, and owns nothing.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { getPublicKey, hashes, sign } from '@noble/secp256k1'

// The browser's own digests are missing where a page did not come over TLS.
hashes.sha256 = sha256
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

export interface ThrowawayWallet {
  readonly address: string
  /** personal_sign of EIP-191. */
  sign(text: string): string
}

export function makeWallet(secret = crypto.getRandomValues(new Uint8Array(32))): ThrowawayWallet {
  const point = getPublicKey(secret, false)
  const address = addChecksum(bytesToHex(keccak_256(point.slice(1)).slice(-20)))
  return {
    address,
    sign(text) {
      const message = utf8ToBytes(text)
      const prefix = utf8ToBytes(`\u0019Ethereum Signed Message:\n${message.length}`)
      const digest = keccak_256(new Uint8Array([...prefix, ...message]))
      // The library puts the recovery id first, wallets put it last, and add 27.
      const [recovery, ...rs] = sign(digest, secret, { prehash: false, format: 'recovered' })
      return `0x${bytesToHex(new Uint8Array([...rs, 27 + recovery!]))}`
    },
  }
}

/** EIP-55: the capitals are a checksum. */
function addChecksum(hex: string): string {
  const digest = bytesToHex(keccak_256(utf8ToBytes(hex)))
  return `0x${[...hex].map((digit, index) => (digest[index]! >= '8' ? digit.toUpperCase() : digit)).join('')}`
}

export const hashSha256 = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))
