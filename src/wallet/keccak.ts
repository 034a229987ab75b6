import { createKeccak } from 'hash-wasm'

/**
 * Keccak-256 as Ethereum uses it: the original padding, not the one NIST standardised as SHA3-256.
 * A string is hashed as its UTF-8 bytes.
 *
 * WebAssembly, because neither Bun's `node:crypto` nor its `CryptoHasher` knows Keccak and the JavaScript
 * implementation takes 5 to 6 times as long: 7 µs instead of 1.3 µs for 300 bytes, 0.8 ms instead of 0.14 ms
 * for 50 KB. The module is inlined in the package as text, so nothing has to be found on disk at run time.
 */

// One hasher for the whole thread. That is safe because no function here gives way to other code between
// `init` and `digest`, and `init` discards whatever an earlier throw left behind.
const hasher = await createKeccak(256)

export const hashKeccak256 = (data: string | Uint8Array): `0x${string}` =>
  `0x${hasher.init().update(data).digest('hex')}`

/** The same 32 bytes, for callers that go on computing with them. */
export const hashKeccak256Bytes = (data: string | Uint8Array): Uint8Array => hasher.init().update(data).digest('binary')
