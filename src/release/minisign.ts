/**
 * Signs and verifies as minisign does (https://jedisct1.github.io/minisign/): Ed25519 (RFC 8032) over the BLAKE2b-512 of
 * the content, and a second signature over the first one and the trusted comment.
 *
 * It does not say which key to trust, nor whether a signature is old: callers put what they need to know into the trusted
 * comment.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  MinisignError,
  type PublicKey,
  parseSignature,
  requireComment,
  writeKeyId,
  writeSignature,
} from './minisign-text.ts'
import type { SecretKey } from './secret-key.ts'

/** A text or bytes, or the name of a file. */
export type Content = string | Uint8Array | { readonly file: string }

export interface Verified {
  readonly trustedComment: string
  readonly untrustedComment: string
}

/** `signatureText` is what stands in the `.minisig` file. Errors: MinisignError, those of the file system. */
export function verifySignature(signatureText: string, content: Content, publicKey: PublicKey): Verified {
  const signature = parseSignature(signatureText)
  const { algorithm, bytes, trustedComment, untrustedComment, globalBytes } = signature
  if (Buffer.compare(signature.keyId, publicKey.keyId) !== 0)
    throw new MinisignError(
      `the signature was made with the key ${writeKeyId(signature.keyId)}, and the trusted key is ${writeKeyId(publicKey.keyId)}`,
    )
  const message = algorithm === 'ED' ? hashContent(content) : readContent(content)
  if (!isSigned(bytes, message, publicKey))
    throw new MinisignError('the signature is not of this content: one of the two was altered')
  if (!isSigned(globalBytes, joinGlobal(bytes, trustedComment), publicKey))
    throw new MinisignError('the trusted comment of the signature was altered')
  return { trustedComment, untrustedComment }
}

export interface Comments {
  readonly trusted: string
  readonly untrusted?: string
}

/** The text of the `.minisig` file. Errors: MinisignError, those of the file system. */
export function signContent(content: Content, { keyId, seed }: SecretKey, comments: Comments): string {
  const trustedComment = requireComment(comments.trusted)
  const bytes = ed25519.sign(hashContent(content), seed)
  return writeSignature({
    algorithm: 'ED',
    keyId,
    bytes,
    untrustedComment: requireComment(comments.untrusted ?? `signature of the key ${writeKeyId(keyId)}`),
    trustedComment,
    globalBytes: ed25519.sign(joinGlobal(bytes, trustedComment), seed),
  })
}

const joinGlobal = (signature: Uint8Array, trustedComment: string): Uint8Array =>
  Buffer.concat([signature, Buffer.from(trustedComment)])

/** The strict rules of RFC 8032: by default the library accepts keys that verify every message. */
function isSigned(signature: Uint8Array, message: Uint8Array, { bytes }: PublicKey): boolean {
  try {
    return ed25519.verify(signature, message, bytes, { zip215: false })
  } catch {
    return false
  }
}

const chunkBytes = 1_048_576

/** BLAKE2b-512. In chunks, because an executable has more than a hundred megabytes. */
function hashContent(content: Content): Uint8Array {
  const hash = createHash('blake2b512')
  if (typeof content === 'string' || content instanceof Uint8Array) return hash.update(content).digest()
  const handle = openSync(content.file, 'r')
  try {
    const chunk = new Uint8Array(chunkBytes)
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk))
      hash.update(chunk.subarray(0, read))
    return hash.digest()
  } finally {
    closeSync(handle)
  }
}

function readContent(content: Content): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof Uint8Array ? content : readFileSync(content.file)
}
