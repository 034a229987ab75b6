/** Counts the rows of every table: what a restored database is compared with. */
import type { Database } from 'bun:sqlite'

export function countRows(db: Database): Record<string, number> {
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .all()
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM "${name.replaceAll('"', '""')}"`).get()!.rows,
    ]),
  )
}
