/** Databases as they were made with files of migrations/ that were edited later. */
import { Database } from 'bun:sqlite'
import { migrate } from '../../../src/db/migrate.ts'
import { type Migration, migrations } from '../../../src/db/migrations.ts'
import edits from './edits.json'

export const findPosition = (wanted: string): number => migrations.findIndex(({ name }) => name === wanted)

/** The file as it stood: lines of today's, with the edits taken back. */
function formerText({ name, edits: undone }: (typeof edits)[number]): string {
  const lines = migrations[findPosition(name)]!.sql.split(/(?<=\n)/)
  for (const { from, lines: count, was } of undone.toReversed()) lines.splice(from, count, was)
  return lines.join('')
}

export const formers = edits.map((edit) => ({ name: edit.name, sql: formerText(edit) }))

/** A database whose newest migration is `last`, with `former` in the place of the file of today. */
export function databaseMade(former: Migration, last = former.name): Database {
  const db = new Database(':memory:', { strict: true })
  db.run('PRAGMA foreign_keys = ON')
  const then = migrations.slice(0, findPosition(last) + 1).map((one) => (one.name === former.name ? former : one))
  migrate(db, then, 5)
  return db
}
