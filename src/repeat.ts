/** Work that is done again and again for as long as the server runs: the outbox, the watch of payments. */
import type { LogEvent } from './log-events.ts'

export interface Repeated {
  /** Waits for what is under way as long as requests are waited for. It may be cut off anywhere: the next start goes on. */
  stop(): Promise<void>
}

export interface Repetition {
  readonly everyMs: number
  /** How long a stop waits. */
  readonly waitMs: number
  /** One look. The signal says that the server stops. Must not throw. */
  look(signal: AbortSignal): Promise<void>
}

/** The first look is made at once. */
export function repeat({ everyMs, waitMs, look }: Repetition): Repeated {
  const stopping = new AbortController()
  let running = look(stopping.signal)
  const timer = setInterval(() => {
    running = look(stopping.signal)
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      const { promise: patience, resolve } = Promise.withResolvers<void>()
      const force = setTimeout(resolve, waitMs)
      await Promise.race([running, patience])
      clearTimeout(force)
    },
  }
}

export interface StorageWork extends Pick<Repetition, 'everyMs'> {
  /** The log entry of a look that fails: the work, and what stops meanwhile. */
  readonly failure: string
  /** The name of that entry. */
  readonly failureEvent: LogEvent
  look(signal: AbortSignal): Promise<void>
}

interface StorageTools {
  readonly config: { readonly server: { readonly shutdownSeconds: number } }
  readonly log: {
    count(event: {
      readonly level: 'error'
      readonly event: LogEvent
      readonly message: string
      readonly error: unknown
      readonly fields: Readonly<Record<string, string>>
    }): void
  }
}

/** Repeats work that fails only with the storage, and logs it when it does. */
export const repeatStorageWork = (
  { everyMs, failure, failureEvent, look }: StorageWork,
  { config, log }: StorageTools,
): Repeated =>
  repeat({
    everyMs,
    waitMs: config.server.shutdownSeconds * 1000,
    look: (signal) =>
      look(signal).catch((error) =>
        log.count({
          level: 'error',
          event: failureEvent,
          message: failure,
          error,
          fields: { mend: 'look at the disk of the data folder' },
        }),
      ),
  })
