/** The loss of the database server and of its replicas, as conditions. */
import type { Condition, Conditions } from '../conditions.ts'

interface ServerFaults {
  readonly conditions: Conditions
  readonly log: {
    info(
      message: string,
      fields: {
        readonly event: 'database-found' | 'database-newer'
        readonly [name: string]: string | number
      },
    ): void
  }
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

const replicaName = 'replica-unused'

/** Several replicas are one condition: its newest words name the one that was lost last. */
export function tellReplicaFaults({ conditions }: Pick<ServerFaults, 'conditions'>) {
  const lost = new Set<string>()
  return {
    lost: (server: string, why: string): void => {
      lost.add(server)
      conditions.begin({
        name: replicaName,
        level: 'warning',
        cause: server,
        says: 'a replica of the database answers nothing, so its reads go to the server that takes writes',
        mend: `Look at ${server} of database.replicas and at what it follows (${why}). It ends by itself when it follows again, which is tried every few seconds`,
      })
    },
    found: (server: string): void => {
      lost.delete(server)
      if (lost.size === 0) conditions.end(replicaName)
    },
  }
}

export const tellServerFaults = ({ conditions, log }: ServerFaults) => ({
  lost: (why: string): void => conditions.begin(makeUnreachable(why)),
  found: ({ host, port }: { readonly host: string; readonly port: number }, afterMs: number): void => {
    if (!conditions.list().some(({ name }) => name === unreachableName)) return
    conditions.end(unreachableName)
    log.info('the database takes writes', { event: 'database-found', host, port, afterMs: Math.round(afterMs) })
  },
  newer: (migrations: readonly string[]): void =>
    log.info('a newer version has changed the database, and lets this one go on', {
      event: 'database-newer',
      migrations: migrations.join(' '),
      mend: 'put the newer version in the place of this one soon',
    }),
})
