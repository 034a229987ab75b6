/** Reports every failed read, because its caller may have caught the error: the sweep, a watch, a page. */
import type { Database, Statement } from 'bun:sqlite'

export type NoticeFault = (error: Error) => void

const reading = ['get', 'all', 'values', 'run'] as const

/** Changes the connection itself, so that no query is missed. */
export function noticeFaults(connection: Database, notice: NoticeFault): Database {
  const known = new WeakSet<Statement>()
  const tell = (error: unknown): never => {
    if (error instanceof Error) notice(error)
    throw error
  }
  const watchStatement = <Made extends Statement>(statement: Made): Made => {
    if (known.has(statement)) return statement
    known.add(statement)
    for (const name of reading) {
      const read = (statement[name] as (...params: unknown[]) => unknown).bind(statement)
      const readTelling = (...params: unknown[]): unknown => {
        try {
          return read(...params)
        } catch (error) {
          return tell(error)
        }
      }
      Object.assign(statement, { [name]: readTelling })
    }
    const iterate = statement.iterate.bind(statement)
    Object.assign(statement, {
      *iterate(...params: never[]) {
        try {
          yield* iterate(...params)
        } catch (error) {
          tell(error)
        }
      },
    })
    return statement
  }
  const watchMaking =
    (make: (sql: string) => Statement) =>
    (sql: string): Statement => {
      try {
        return watchStatement(make(sql))
      } catch (error) {
        return tell(error)
      }
    }
  const [query, prepare] = [connection.query.bind(connection), connection.prepare.bind(connection)]
  return Object.assign(connection, { query: watchMaking(query), prepare: watchMaking(prepare) })
}
