/**
 * Notes the statements that stores send to PostgreSQL, so that the end of a run can look at their plans (test/plans.ts).
 * Those of tests themselves are left out.
 */
import { appendFileSync } from 'node:fs'
import type { Db, SqlValue, Write } from '../../src/db/db.ts'
import { fillNulls, translate } from '../../src/db/postgres/dialect.ts'
import type { Query } from '../../src/db/query.ts'

const file = process.env.RECORDED_STATEMENTS
const recorded = new Set<string>()

/** Changes the store itself, because parts of the app hold it already. */
export function recordStatements(db: Db): void {
  if (file === undefined) return
  const { read, write } = db
  Object.assign(db, {
    read: <Row, Params extends readonly SqlValue[]>(text: Query<Row, Params>) => {
      const reads = read(text)
      if (!isAskedBySource()) return reads
      const note = (params: Params): void => record(text, params)
      const { get, all, scan } = reads
      return {
        get: (...params: Params) => {
          note(params)
          return get(...params)
        },
        all: (...params: Params) => {
          note(params)
          return all(...params)
        },
        scan: (visit: (row: Row) => boolean, ...params: Params) => {
          note(params)
          return scan(visit, ...params)
        },
      }
    },
    write: (statements: Write, ...rest: never[]) => {
      if (isAskedBySource()) for (const { sql, params } of statements) record(sql, params)
      return write(statements, ...rest)
    },
  })
}

/** The function that called `read` or `write` stands in the sources. */
const isAskedBySource = (): boolean => /\/src\//.test(new Error().stack?.split('\n')[3] ?? '')

function record(sql: string, params: readonly SqlValue[]): void {
  const filled = fillNulls(translate(sql), params)
  if (recorded.has(filled.sql)) return
  recorded.add(filled.sql)
  // One line for each, which several processes may append at once.
  appendFileSync(file!, `${JSON.stringify(filled)}\n`)
}
