/** Where the database is written when the operator leaves it open: measured, not guessed. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

export type WriterPlace = 'worker' | 'inline'

/** A flush that takes longer is worth a thread even without a second core: the thread waits, it does not compute. */
const slowFlushMs = 1

/**
 * A thread of its own keeps the flushes of the disk away from requests: on two cores 13 to 24 % more proofs per second. On
 * a single core with a fast disk the two threads only take turns, and inline costs 3 to 9 % less CPU per proof.
 */
export function chooseWriter(
  folder: string | undefined,
  cores: number = availableParallelism(),
  flushMsIn: (folder: string) => number = flushMs,
): WriterPlace {
  if (folder === undefined) return 'inline'
  return cores > 1 || flushMsIn(folder) > slowFlushMs ? 'worker' : 'inline'
}

/** Median of a few flushes of one page into the folder, in milliseconds. */
function flushMs(folder: string): number {
  const file = join(folder, `.flush-${crypto.randomUUID()}`)
  const handle = openSync(file, 'wx', 0o600)
  try {
    const page = Buffer.alloc(4096)
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      writeSync(handle, page)
      fsyncSync(handle)
      return performance.now() - start
    })
    return times.sort((a, b) => a - b)[2]!
  } finally {
    closeSync(handle)
    rmSync(file)
  }
}
