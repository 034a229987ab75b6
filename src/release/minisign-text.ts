/**
 * Public keys and signatures in the form of minisign (https://jedisct1.github.io/minisign/, "Signature format"): lines of
 * comments, and base64 of an algorithm, the id of the key and its bytes.
 *
 * This reads and writes. It verifies nothing.
 */

/** A key or signature that cannot be used, or that does not verify. The message is a sentence for people. */
export class MinisignError extends Error {
  override readonly name = 'MinisignError'
}

export interface PublicKey {
  /** 8 bytes. */
  readonly keyId: Uint8Array
  /** 32 bytes. */
  readonly bytes: Uint8Array
}

export interface Signature {
  /** `ED` signs the BLAKE2b-512 of the content; `Ed`, of older versions, the content itself. */
  readonly algorithm: 'ED' | 'Ed'
  readonly keyId: Uint8Array
  /** 64 bytes. */
  readonly bytes: Uint8Array
  readonly untrustedComment: string
  readonly trustedComment: string
  /** 64 bytes, over the signature and the trusted comment. */
  readonly globalBytes: Uint8Array
}

export const keyIdBytes = 8
export const algorithmBytes = 2
const untrustedPrefix = 'untrusted comment: '
const trustedPrefix = 'trusted comment: '
/** minisign reads no longer ones. */
const longestTrustedComment = 8192 - trustedPrefix.length - 2

/** As minisign prints it: the bytes in reverse. */
export const writeKeyId = (keyId: Uint8Array): string => Buffer.from(keyId).reverse().toString('hex').toUpperCase()

/** Takes the file of a key, or its line of base64 alone. Errors: MinisignError. */
export function parsePublicKey(text: string): PublicKey {
  const lines = splitLines(text)
  const line = lines.length === 1 ? lines[0]! : lines[1]
  if (line === undefined || (lines.length > 1 && !lines[0]!.startsWith(untrustedPrefix)))
    throw new MinisignError('this is no minisign public key: it has a line of comment and a line of base64')
  const bytes = decodeBase64(line, 'the public key')
  if (bytes.length !== algorithmBytes + keyIdBytes + 32)
    throw new MinisignError(`the public key is truncated or no minisign key: it has ${bytes.length} bytes, not 42`)
  requireAlgorithm(bytes, ['Ed'], 'the public key')
  return { keyId: bytes.subarray(2, 10), bytes: bytes.subarray(10) }
}

/** The one line that `minisign -P` takes. */
export const writePublicKeyLine = ({ keyId, bytes }: PublicKey): string => encodeBase64('Ed', keyId, bytes)

/** The file that `minisign -p` takes. */
export const writePublicKey = (key: PublicKey): string =>
  `${untrustedPrefix}minisign public key ${writeKeyId(key.keyId)}\n${writePublicKeyLine(key)}\n`

/** Errors: MinisignError. */
export function parseSignature(text: string): Signature {
  const [untrusted, first, trusted, second, ...more] = splitLines(text)
  if (untrusted === undefined || !untrusted.startsWith(untrustedPrefix))
    throw new MinisignError(`this is no minisign signature: it does not begin with "${untrustedPrefix.trim()}"`)
  if (first === undefined || trusted === undefined || second === undefined)
    throw new MinisignError('the signature is truncated: it has four lines')
  if (more.length > 0) throw new MinisignError('the signature has more than four lines')
  if (!trusted.startsWith(trustedPrefix))
    throw new MinisignError(`the third line of the signature does not begin with "${trustedPrefix.trim()}"`)
  const bytes = decodeBase64(first, 'the signature')
  const algorithm = requireAlgorithm(bytes, ['ED', 'Ed'], 'the signature')
  if (bytes.length !== algorithmBytes + keyIdBytes + 64)
    throw new MinisignError(`the signature is truncated: it has ${bytes.length} bytes, not 74`)
  const globalBytes = decodeBase64(second, 'the signature of the trusted comment')
  if (globalBytes.length !== 64)
    throw new MinisignError(
      `the signature of the trusted comment is truncated: it has ${globalBytes.length} bytes, not 64`,
    )
  return {
    algorithm,
    keyId: bytes.subarray(2, 10),
    bytes: bytes.subarray(10),
    untrustedComment: untrusted.slice(untrustedPrefix.length),
    trustedComment: trusted.slice(trustedPrefix.length),
    globalBytes,
  }
}

export const writeSignature = (signature: Signature): string =>
  [
    `${untrustedPrefix}${signature.untrustedComment}`,
    encodeBase64(signature.algorithm, signature.keyId, signature.bytes),
    `${trustedPrefix}${signature.trustedComment}`,
    Buffer.from(signature.globalBytes).toString('base64'),
    '',
  ].join('\n')

/** A comment is one line. Errors: MinisignError. */
export function requireComment(comment: string): string {
  if (/[\r\n\0]/.test(comment)) throw new MinisignError('a comment of a signature is one line')
  if (Buffer.byteLength(comment) > longestTrustedComment)
    throw new MinisignError(`a comment of a signature has at most ${longestTrustedComment} bytes`)
  return comment
}

/** The lines of a text, without the empty one at its end. */
export const splitLines = (text: string): readonly string[] => {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

const encodeBase64 = (algorithm: string, ...parts: readonly Uint8Array[]): string =>
  Buffer.concat([Buffer.from(algorithm, 'latin1'), ...parts]).toString('base64')

/** Errors: MinisignError. One spelling only: Buffer alone would skip foreign characters. */
export function decodeBase64(line: string, what: string): Uint8Array {
  const bytes = Buffer.from(line, 'base64')
  if (bytes.toString('base64') !== line) throw new MinisignError(`${what} is truncated or altered: it is no base64`)
  return bytes
}

/** Errors: MinisignError. */
export function requireAlgorithm<const Known extends string>(
  bytes: Uint8Array,
  known: readonly Known[],
  what: string,
): Known {
  const found = Buffer.from(bytes.subarray(0, algorithmBytes)).toString('latin1')
  const algorithm = known.find((one) => one === found)
  if (algorithm === undefined)
    throw new MinisignError(`${what} is of the algorithm ${JSON.stringify(found)}, and not of ${known.join(' or ')}`)
  return algorithm
}
