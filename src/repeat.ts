/** Work that is done again and again for as long as the server runs: the outbox, the watch of payments. */

export interface Repeated {
  /** Waits for what is under way as long as requests are waited for. It may be cut off anywhere: the next start goes on. */
  stop(): Promise<void>
}

export interface Repetition {
  readonly everyMs: number
  /** How long a stop waits. */
  readonly patienceMs: number
  /** One look. The signal says that the server stops. Must not throw. */
  look(signal: AbortSignal): Promise<void>
}

/** The first look is made at once. */
export function repeat({ everyMs, patienceMs, look }: Repetition): Repeated {
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
      const force = setTimeout(resolve, patienceMs)
      await Promise.race([running, patience])
      clearTimeout(force)
    },
  }
}
