/**
 * Checks a portable proof of a Solana wallet with node:crypto, and nothing of Proofgate:
 *
 *   node test/independent/verify-solana.mjs proof.json
 */
import { createPublicKey, verify } from 'node:crypto'
import { judge } from './rules.mjs'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base58 to `length` bytes; undefined when the text is none, or of another length. */
function bytesOf(base58, length) {
  let number = 0n
  for (const character of base58) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  const hex = number.toString(16)
  return hex.length <= 2 * length ? Buffer.from(hex.padStart(2 * length, '0'), 'hex') : undefined
}

judge((proof, text) => {
  const key = bytesOf(proof.walletAddress, 32)
  const signature = bytesOf(proof.signature, 64)
  if (!proof.chain?.startsWith('solana:') || proof.signatureMethod !== 'ed25519' || !key || !signature) return false
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') },
    format: 'jwk',
  })
  return verify(null, Buffer.from(text, 'utf8'), publicKey, signature)
})
