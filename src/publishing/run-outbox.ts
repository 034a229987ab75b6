/** Runs the outbox for as long as the server runs. */
import type { Parts } from '../parts.ts'
import { type Repeated, repeat } from '../repeat.ts'
import type { Outbox } from './outbox.ts'

const everyMs = 2_000

export const runOutbox = (outbox: Outbox, { config, log }: Pick<Parts, 'config' | 'log'>): Repeated =>
  repeat({
    everyMs,
    patienceMs: config.server.shutdownSeconds * 1000,
    look: () =>
      outbox.runOnce().catch((error) =>
        log.count({
          level: 'error',
          message: 'the outbox failed: nothing is published until it works again',
          error,
          fields: { mend: 'look at the disk of the data folder' },
        }),
      ),
  })
