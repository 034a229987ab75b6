/** Runs the outbox for as long as the server runs. */
import type { Parts } from '../parts.ts'
import type { Outbox } from './outbox.ts'

const everyMs = 2_000

export interface RunningOutbox {
  /** What is under way is waited for as long as requests are. It may be cut off anywhere: the next start goes on. */
  stop(): Promise<void>
}

export function runOutbox(outbox: Outbox, { config, log }: Pick<Parts, 'config' | 'log'>): RunningOutbox {
  const look = (): Promise<void> =>
    outbox.runOnce().catch((error) => log.error('the outbox failed', { error: String(error) }))
  let running = look()
  const timer = setInterval(() => {
    running = look()
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      const { promise: patience, resolve } = Promise.withResolvers<void>()
      const force = setTimeout(resolve, config.server.shutdownSeconds * 1000)
      await Promise.race([running, patience])
      clearTimeout(force)
    },
  }
}
