/**
 * Secret keys in the form of minisign, plain (`minisign -G -W`) or under a passphrase (scrypt).
 *
 * The costs of scrypt stand in the file as libsodium counts them: a limit of operations and one of memory. A key that
 * minisign made takes 1 GiB of memory and some seconds to open.
 */
import { randomBytes, scryptSync } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { decodeBase64, MinisignError, type PublicKey, requireAlgorithm, splitLines } from './minisign-text.ts'

export interface SecretKey {
  /** 8 bytes. */
  readonly keyId: Uint8Array
  /** 32 bytes. */
  readonly seed: Uint8Array
}

export function generateSecretKey(): SecretKey {
  return { keyId: randomBytes(8), seed: ed25519.utils.randomSecretKey() }
}

export const derivePublicKey = ({ keyId, seed }: SecretKey): PublicKey => ({ keyId, bytes: ed25519.getPublicKey(seed) })

/** Where the parts stand: algorithm, key derivation, checksum, salt, two limits of 8 bytes each, key id, key, checksum. */
const at = { derivation: 2, checksum: 4, salt: 6, operations: 38, memory: 46, sealed: 54, end: 158 } as const
const keyIdBytes = 8
const checksumBytes = 32
const plain = Buffer.from([0, 0])

/** Errors: MinisignError; a key under a passphrase needs the passphrase. */
export function parseSecretKey(text: string, passphrase?: string): SecretKey {
  const line = splitLines(text)[1]
  if (line === undefined) throw new MinisignError('this is no minisign secret key: it has two lines')
  const bytes = Buffer.from(decodeBase64(line, 'the secret key'))
  if (bytes.length !== at.end)
    throw new MinisignError(
      `the secret key is truncated or no minisign key: it has ${bytes.length} bytes, not ${at.end}`,
    )
  requireAlgorithm(bytes, ['Ed'], 'the secret key')
  const isPlain = bytes.subarray(at.derivation, at.checksum).equals(plain)
  if (!isPlain) requireAlgorithm(bytes.subarray(at.derivation), ['Sc'], 'the passphrase of the secret key')
  if (!isPlain && passphrase === undefined) throw new MinisignError('the secret key needs its passphrase')
  const opened = isPlain ? bytes.subarray(at.sealed) : openSealed(bytes, passphrase ?? '')
  const keyId = opened.subarray(0, keyIdBytes)
  const pair = opened.subarray(keyIdBytes, opened.length - checksumBytes)
  const seed = pair.subarray(0, 32)
  // minisign leaves the checksum of a plain key empty. The public half of the pair always tells whether it is whole.
  const isWhole = isPlain
    ? pair.subarray(32).equals(ed25519.getPublicKey(seed))
    : opened.subarray(-checksumBytes).equals(computeChecksum(keyId, pair))
  if (!isWhole)
    throw new MinisignError(isPlain ? 'the secret key was altered' : 'the passphrase of the secret key is wrong')
  return { keyId, seed }
}

/** The limits that minisign itself writes. */
const usualCosts = { operations: 2 ** 25, memory: 2 ** 30 } as const

export interface Sealing {
  readonly passphrase: string
  readonly costs?: { readonly operations: number; readonly memory: number }
}

/** The text of a secret key file, plain unless a passphrase is given. */
export function writeSecretKey({ keyId, seed }: SecretKey, sealing?: Sealing): string {
  const pair = Buffer.concat([seed, ed25519.getPublicKey(seed)])
  const bytes = Buffer.alloc(at.end)
  bytes.write('Ed', 'latin1')
  bytes.write('B2', at.checksum, 'latin1')
  bytes.set(keyId, at.sealed)
  bytes.set(pair, at.sealed + keyIdBytes)
  if (sealing) {
    const { operations, memory } = sealing.costs ?? usualCosts
    bytes.write('Sc', at.derivation, 'latin1')
    bytes.set(randomBytes(32), at.salt)
    bytes.writeBigUInt64LE(BigInt(operations), at.operations)
    bytes.writeBigUInt64LE(BigInt(memory), at.memory)
    bytes.set(computeChecksum(keyId, pair), at.end - checksumBytes)
    bytes.set(openSealed(bytes, sealing.passphrase), at.sealed)
  }
  return `untrusted comment: minisign encrypted secret key\n${bytes.toString('base64')}\n`
}

const computeChecksum = (keyId: Uint8Array, pair: Uint8Array): Uint8Array =>
  blake2b(Buffer.concat([Buffer.from('Ed'), keyId, pair]), { dkLen: checksumBytes })

/** The same way in both directions: the key is combined by XOR with what scrypt makes of the passphrase. */
function openSealed(bytes: Buffer, passphrase: string): Buffer {
  const sealed = bytes.subarray(at.sealed)
  const { cost, parallelization } = chooseCosts(bytes.readBigUInt64LE(at.operations), bytes.readBigUInt64LE(at.memory))
  const stream = scryptSync(passphrase, bytes.subarray(at.salt, at.operations), sealed.length, {
    N: cost,
    r: blockSize,
    p: parallelization,
    maxmem: mostMemory,
  })
  return Buffer.from(sealed.map((byte, index) => byte ^ stream[index]!))
}

const blockSize = 8
const mostMemory = 2 ** 31 - 1

/** As pickparams() of libsodium does. Errors: MinisignError for costs that this machine would not survive. */
function chooseCosts(operationsLimit: bigint, memoryLimit: bigint) {
  const operations = Math.max(Number(operationsLimit), 32_768)
  const memory = Number(memoryLimit)
  const isLean = operations < memory / 32
  const most = isLean ? operations / (blockSize * 4) : memory / (blockSize * 128)
  let exponent = 1
  while (exponent < 63 && 2 ** exponent <= most / 2) exponent++
  const cost = 2 ** exponent
  if (128 * blockSize * cost >= mostMemory)
    throw new MinisignError('the secret key asks for more memory to open it than minisign itself ever does')
  const parallelization = isLean ? 1 : Math.max(1, Math.floor(Math.min(operations / 4 / cost, 2 ** 30 - 1) / blockSize))
  return { cost, parallelization }
}
