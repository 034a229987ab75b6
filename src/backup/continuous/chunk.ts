/**
 * A chunk: some frames of the write-ahead log as SQLite wrote them, and when each of their transactions was committed.
 * Each names the chunk before it by its hash, so that none can be left out, exchanged or put elsewhere unnoticed.
 */
import { createHash } from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type Static, Type } from '@sinclair/typebox'
import { findOffset, type LogPlace } from '../../db/log-frames.ts'
import { BrokenChainError } from '../fault.ts'
import { readJson } from '../format.ts'
import type { BackupSealer } from '../sealing.ts'
import { addVersions, subtractVersions } from './page-differences.ts'

const Salt = Type.String({ pattern: '^[0-9a-f]{16}$' })
const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Hash = Type.String({ pattern: '^([0-9a-f]{64})?$' })

export const ChunkHead = Type.Object({
  chain: Type.String({ pattern: '^\\d{15}-[0-9a-f]{8}$' }),
  /** From 0, without a gap. */
  index: Whole,
  /** SHA-256 of the chunk before it, packed and not sealed. Empty for the first. */
  before: Hash,
  /** Where the log before ended, if this chunk is the first of another log. */
  endOfLast: Type.Union([Type.Object({ salt: Salt, frames: Whole }), Type.Null()]),
  salt: Salt,
  pageBytes: Type.Integer({ minimum: 512, maximum: 65_536 }),
  /** Frames of the log before this chunk. 0: its bytes begin with the header of the log. */
  from: Whole,
  to: Whole,
  /** Transactions that end in it: frames of the log up to the end of each, and Unix milliseconds. */
  commits: Type.Array(Type.Tuple([Whole, Whole])),
})
export type ChunkHead = Static<typeof ChunkHead>

export interface Chunk {
  readonly head: ChunkHead
  readonly bytes: Uint8Array
  readonly hash: string
}

/** Frames of more are divided. */
export const mostChunkBytes = 16 * 1_048_576
const mostUnpackedBytes = 2 * mostChunkBytes
/** The levels below zero pack hashes and signatures, of which the pages are full, in half the time. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: -7 } }
const lengthBytes = 4
const hashBytes = 32

/** Changes the `bytes`. */
export function packChunk(
  head: ChunkHead,
  bytes: Uint8Array,
  sealer: BackupSealer | undefined,
): { readonly packed: readonly Uint8Array[]; readonly hash: string } {
  const headText = Buffer.from(JSON.stringify(head))
  subtractVersions(bytes, head)
  // Hashed as it is packed: that is a fifth of the work.
  const plain = [writeLength(headText.length), headText, zstdCompressSync(bytes, compression)]
  const hashing = createHash('sha256')
  for (const part of plain) hashing.update(part)
  const digest = hashing.digest()
  const content = sealer?.sealParts(plain, nameContext(head)) ?? plain
  return { packed: [writeLength(countBytes(content)), digest, ...content], hash: digest.toString('hex') }
}

export const countBytes = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)

/** The chunks of a file, from its `offset`. Errors: BackupError that names the file. */
export function* unpackChunks(
  file: Uint8Array,
  offset: number,
  name: string,
  {
    sealer,
    chain,
    first,
  }: { readonly sealer: BackupSealer | undefined; readonly chain: string; readonly first: number },
): Generator<Chunk> {
  let at = offset
  for (let index = first; at < file.length; index++) {
    const content = at + lengthBytes + hashBytes
    const length = content <= file.length ? readLength(file, at) : 0
    if (length === 0 || content + length > file.length) throw makeDamaged(name, 'it ends in the middle')
    yield unpackChunk(file.subarray(content, content + length), {
      hash: Buffer.from(file.subarray(at + lengthBytes, content)).toString('hex'),
      name,
      sealer,
      chain,
      index,
    })
    at = content + length
  }
}

interface Wanted {
  readonly hash: string
  readonly name: string
  readonly sealer: BackupSealer | undefined
  readonly chain: string
  readonly index: number
}

function unpackChunk(content: Uint8Array, { hash, name, sealer, chain, index }: Wanted): Chunk {
  let packed: Buffer
  try {
    packed = Buffer.from(sealer ? sealer.open(content, nameContext({ chain, index })) : content)
  } catch {
    throw makeDamaged(name, 'its content was changed')
  }
  if (createHash('sha256').update(packed).digest('hex') !== hash) throw makeDamaged(name, 'its hash is not right')
  const headEnd = lengthBytes + readLength(packed, 0)
  const head = readJson(ChunkHead, packed.toString('utf8', lengthBytes, headEnd), name)
  if (head.chain !== chain || head.index !== index) throw makeDamaged(name, 'it holds what belongs elsewhere')
  return { head, bytes: unpackFrames(packed.subarray(headEnd), head, name), hash }
}

function unpackFrames(packed: Uint8Array, head: ChunkHead, name: string): Uint8Array {
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(zstdDecompressSync(packed, { maxOutputLength: mostUnpackedBytes }))
  } catch {
    throw makeDamaged(name, 'its content was changed')
  }
  const length = findOffset(head, head.to) - (head.from === 0 ? 0 : findOffset(head, head.from))
  if (bytes.length !== length) throw makeDamaged(name, 'it does not hold the frames that it names')
  addVersions(bytes, head)
  return bytes
}

export const makeDamaged = (name: string, why: string): BrokenChainError =>
  new BrokenChainError(
    `${name} of the continuous backup is damaged (${why})`,
    'restore to a moment before it with --at, or the backup alone by the name of its file',
  )

export const isSamePlace = (one: LogPlace, other: LogPlace): boolean =>
  one.salt === other.salt && one.frames === other.frames

const nameContext = ({ chain, index }: Pick<ChunkHead, 'chain' | 'index'>): string => `log ${chain}/${index}`

function writeLength(length: number): Buffer {
  const bytes = Buffer.alloc(lengthBytes)
  bytes.writeUInt32BE(length)
  return bytes
}

const readLength = (bytes: Uint8Array, at: number): number =>
  at + lengthBytes <= bytes.length ? Buffer.from(bytes.buffer, bytes.byteOffset + at, lengthBytes).readUInt32BE() : 0
