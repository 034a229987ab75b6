/** libfaketime, of Debian's package `faketime`: a clock for another process that a test sets while that runs. */
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
const library = [`/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`].find((file) => existsSync(file))

/** The library that a test needs to set the clock of a process, if this machine lacks it. */
export const missingFaketime: readonly string[] = library ? [] : ['libfaketime.so.1']

export interface FakeClock {
  /** Environment of the process: this wall clock, and the machine's monotonic clock. */
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds ahead of the real time. */
  set(aheadMs: number): void
  now(): number
}

export function openFakeClock(folder: string): FakeClock {
  const file = join(folder, 'faketime')
  let ahead = 0
  const set = (aheadMs: number): void => {
    ahead = aheadMs
    const seconds = Math.round(aheadMs / 1000)
    // The file is renamed into its place, so that no process reads half of it.
    writeFileSync(`${file}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`)
    renameSync(`${file}.new`, file)
  }
  set(0)
  return {
    env: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    now: () => Date.now() + ahead,
  }
}
