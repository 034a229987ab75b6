/** The loss of the database server, as a condition. */
import type { Condition, Conditions } from '../conditions.ts'

interface ServerFaults {
  readonly conditions: Conditions
  readonly log: Record<
    'info',
    (
      message: string,
      fields: {
        readonly event: 'database-found'
        readonly host: string
        readonly port: number
        readonly afterMs: number
      },
    ) => void
  >
}

const unreachableName = 'database-unreachable'

const makeUnreachable = (why: string): Condition => ({
  name: unreachableName,
  level: 'failing',
  // Each try to reach it may fail in its own words: that is one fault.
  cause: unreachableName,
  // Strangers read it: without the names of servers.
  says: 'no server of the database takes writes, so nothing can be read or stored',
  mend: `Look at the database servers in database.url and at the network to them (${why}). It ends by itself when one of them takes writes, which is tried at least once a second`,
})

export const tellServerFaults = ({ conditions, log }: ServerFaults) => ({
  lost: (why: string): void => conditions.begin(makeUnreachable(why)),
  found: ({ host, port }: { readonly host: string; readonly port: number }, afterMs: number): void => {
    if (!conditions.list().some(({ name }) => name === unreachableName)) return
    conditions.end(unreachableName)
    log.info('the database takes writes', { event: 'database-found', host, port, afterMs: Math.round(afterMs) })
  },
})
