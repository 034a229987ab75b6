/** The tables of migrations/. */
import { Glob } from 'bun'

/** The tables that are left after all migrations. */
export async function readTables(): Promise<string[]> {
  const folder = new URL('../../migrations/', import.meta.url).pathname
  const tables = new Set(['migrations'])
  for (const file of [...new Glob('*.sql').scanSync(folder)].sort()) {
    const statement =
      /\b(?:CREATE TABLE (?<made>\w+)|DROP TABLE (?<gone>\w+)|ALTER TABLE (?<old>\w+) RENAME TO (?<renamed>\w+))/g
    for (const { groups } of (await Bun.file(folder + file).text()).matchAll(statement)) {
      for (const gone of [groups?.gone, groups?.old]) if (gone) tables.delete(gone)
      for (const made of [groups?.made, groups?.renamed]) if (made) tables.add(made)
    }
  }
  return [...tables].sort()
}
