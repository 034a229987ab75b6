/**
 * When each transaction was committed that is not at the place yet, in a small file beside the database: so that a
 * moment before a crash is restored exactly, too. It is not synced. A power cut may lose it, and then those
 * transactions count as committed at the next start.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { LogPlace } from '../../db/log-frames.ts'

export interface CommitTime extends LogPlace {
  /** Unix milliseconds. */
  readonly at: number
}

export interface CommitTimes {
  /** Those that the last run left. */
  readonly former: readonly CommitTime[]
  note(time: CommitTime): void
  /** Everything until `at` is at the place. */
  forget(at: number): void
  close(): void
}

const recordBytes = 24
const rewrittenFromBytes = 262_144

export const nameTimesFile = (databaseFile: string): string => `${databaseFile}-times`

/** Errors: those of the file system. */
export function openCommitTimes(file: string): CommitTimes {
  const handle = openSync(file, 'a+', 0o600)
  const former = readRecords(readFileSync(file))
  let kept: CommitTime[] = [...former]
  let bytes = former.length * recordBytes
  const put = (times: readonly CommitTime[]): void => {
    bytes += writeSync(handle, Buffer.concat(times.map(writeRecord)))
  }
  return {
    former,
    note(time) {
      kept.push(time)
      put([time])
    },
    forget(until) {
      if (kept.length === 0) return
      kept = kept.filter(({ at }) => at > until)
      if (kept.length > 0 && bytes < rewrittenFromBytes) return
      ftruncateSync(handle)
      bytes = 0
      if (kept.length > 0) put(kept)
    },
    close: () => closeSync(handle),
  }
}

/** Those that wait, and some that do not: the file is shortened now and then. None where there is no such file. */
export const readCommitTimes = (file: string): readonly CommitTime[] =>
  existsSync(file) ? readRecords(readFileSync(file)) : []

function writeRecord({ salt, frames, at }: CommitTime): Buffer {
  const record = Buffer.alloc(recordBytes)
  record.write(salt, 'hex')
  record.writeDoubleBE(frames, 8)
  record.writeDoubleBE(at, 16)
  return record
}

/** One that was cut off is left out. */
function readRecords(bytes: Buffer): readonly CommitTime[] {
  return Array.from({ length: Math.floor(bytes.length / recordBytes) }, (_, index) => {
    const record = bytes.subarray(index * recordBytes)
    return { salt: record.toString('hex', 0, 8), frames: record.readDoubleBE(8), at: record.readDoubleBE(16) }
  })
}
