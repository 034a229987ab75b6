/** A file of JSON lines that only its owner may read, written with bounded memory. */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

export interface LineFile {
  add(line: object): void
  /** Returns once everything is on disk. */
  finish(): { readonly lines: number; readonly bytes: number; readonly sha256: string }
  close(): void
}

const chunkLength = 262_144

/** Errors: those of the file system, also where the file is there. */
export function openLineFile(path: string): LineFile {
  const handle = openSync(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let waiting = ''
  let lines = 0
  let bytes = 0
  const flush = (): void => {
    const chunk = Buffer.from(waiting)
    waiting = ''
    hash.update(chunk)
    bytes += chunk.length
    for (let written = 0; written < chunk.length; ) written += writeSync(handle, chunk, written)
  }
  return {
    add(line) {
      waiting += `${JSON.stringify(line)}\n`
      lines++
      if (waiting.length >= chunkLength) flush()
    },
    finish() {
      flush()
      fsyncSync(handle)
      return { lines, bytes, sha256: hash.digest('hex') }
    },
    close: () => closeSync(handle),
  }
}
