/**
 * Detects from its own thread that the main thread is blocked, because the main thread cannot report that itself. A
 * read of the database on a hanging disk, or on a frozen file system, does not return. The other side is
 * watchdog-thread.ts.
 *
 * It begins when the server listens, because a start may wait long for a slow disk. It ends with the first stop
 * request.
 */
import { realpathSync } from 'node:fs'
import type { Config } from '../config/schema.ts'
import { isExecutable } from '../executable.ts'
import type { Log } from '../log.ts'

export interface WatchdogOrder {
  readonly beats: Int32Array
  /** The data folder as the system names it. The thread does not read it. */
  readonly folder: string
  readonly log: Config['log']
  readonly timeoutMs: number
  readonly tickMs: number
}

/** Replaces the number of beats when watching has ended. */
export const stopped = -1

/** As in db/threaded-writer.ts. */
const threadEntry = new URL(isExecutable ? './commands/watchdog-thread.ts' : './watchdog-thread.ts', import.meta.url)

export function startWatchdog(
  { data, storage, log: settings }: Pick<Config, 'data' | 'storage' | 'log'>,
  log: Log,
): { stop(): void } {
  const timeoutMs = storage.writeTimeoutSeconds * 1_000
  const tickMs = Math.min(500, timeoutMs / 10)
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const thread = new Worker(threadEntry, { ref: false, smol: true })
  thread.onerror = ({ message }) =>
    log.warn('nobody watches any more whether the main thread stands still', {
      event: 'watchdog-ended',
      error: message,
      mend: 'restart the server; until then a disk that hangs may keep it from saying so',
    })
  thread.postMessage({ beats, folder: realpathSync(data), log: settings, timeoutMs, tickMs } satisfies WatchdogOrder)
  const beating = setInterval(() => Atomics.add(beats, 0, 1), tickMs)
  beating.unref()
  return {
    stop() {
      clearInterval(beating)
      Atomics.store(beats, 0, stopped)
      thread.terminate()
    },
  }
}
