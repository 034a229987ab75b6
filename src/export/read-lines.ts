/** Reads a file of lines with bounded memory. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

export interface ReadLine {
  /** From 1. */
  readonly number: number
  readonly text: string
  /** False for what follows the last line break. */
  readonly isWhole: boolean
}

/** More than any row: a record is bounded by the size of a request. */
export const longestLineBytes = 32 * 1_048_576

const chunkBytes = 262_144
const lineFeed = 10

/** A line that is no text, or longer than any row. */
export class UnreadableLineError extends Error {
  override readonly name = 'UnreadableLineError'

  constructor(
    readonly number: number,
    says: string,
  ) {
    super(says)
  }
}

/** Errors: UnreadableLineError, those of the file system. */
export function* readLines(path: string): Generator<ReadLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let number = 0
  let waiting: Buffer[] = []
  let waitingBytes = 0
  const take = (isWhole: boolean): ReadLine => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    try {
      return { number, text: decoder.decode(bytes), isWhole }
    } catch {
      throw new UnreadableLineError(number, 'it is no text in UTF-8')
    }
  }
  for (const chunk of readChunks(path)) {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
      waiting.push(chunk.subarray(from, at))
      number++
      yield take(true)
      from = at + 1
    }
    // The chunk is written over by the next.
    waiting.push(Buffer.from(chunk.subarray(from)))
    waitingBytes += chunk.length - from
    if (waitingBytes > longestLineBytes)
      throw new UnreadableLineError(number + 1, `it is longer than ${longestLineBytes / 1_048_576} MiB`)
  }
  number++
  if (waitingBytes > 0) yield take(false)
}

function* readChunks(path: string): Generator<Buffer> {
  const handle = openSync(path, 'r')
  const buffer = Buffer.alloc(chunkBytes)
  try {
    for (;;) {
      const read = readSync(handle, buffer, 0, chunkBytes, null)
      if (read === 0) return
      yield buffer.subarray(0, read)
    }
  } finally {
    closeSync(handle)
  }
}

/** Bytes and SHA-256 of a file. */
export function hashFile(path: string): { readonly bytes: number; readonly sha256: string } {
  const hash = createHash('sha256')
  let bytes = 0
  for (const chunk of readChunks(path)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
