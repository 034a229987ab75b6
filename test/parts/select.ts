import type { Reader, SqlValue } from '../../src/db/db.ts'
import type { Query } from '../../src/db/query.ts'

/** A statement of a test, whose rows have the type that the test states. */
export const select = <Row = unknown>(db: Reader, sql: string) =>
  db.read(sql as unknown as Query<Row, readonly SqlValue[]>)
