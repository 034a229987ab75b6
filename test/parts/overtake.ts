import type { Db } from '../../src/db/db.ts'
import { leaveScope } from '../../src/request-scope.ts'

/**
 * Lets another request come between the looks of one and its write. The next write with a statement that contains `sql`
 * waits until `other` is done.
 */
export function overtake(db: Db, sql: string, other: () => Promise<unknown>): void {
  const { write } = db
  db.write = async (statements, purpose) => {
    if (!statements.some((statement) => statement.sql.includes(sql))) return write(statements, purpose)
    db.write = write
    await leaveScope(other)
    return write(statements, purpose)
  }
}
