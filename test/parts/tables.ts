/** The names of the data model. */
import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import * as schema from '../../src/db/schema.ts'

const tables = Object.values<unknown>(schema).filter((one): one is Table => is(one, Table))

export const tableNames: readonly string[] = tables.map(getTableName)

export const listColumns = (table: string): readonly string[] =>
  Object.values(getTableColumns(tables.find((one) => getTableName(one) === table)!)).map(({ name }) => name)
