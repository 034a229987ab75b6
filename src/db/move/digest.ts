/** Count and SHA-256 of all rows of a table, in one form for both engines (row-format.ts). */
import type { Database } from 'bun:sqlite'
import type { Connection } from '../postgres/connection.ts'
import { MoveError } from './move-error.ts'
import { nameRow, packRows, removeFrame, type Value } from './row-format.ts'
import { type TableShape, writeSelect } from './shape.ts'

export interface Digest {
  readonly rows: number
  readonly sha256: string
}

type Row = Readonly<Record<string, Value>>

export const iterateRows = (db: Database, shape: TableShape): Iterable<Row> =>
  db.query<Row, []>(writeSelect(shape)).iterate()

/** Errors: MoveError for a row that PostgreSQL cannot hold, SQLiteError. */
export function digestFolderTable(db: Database, shape: TableShape): Digest {
  const hasher = new Bun.CryptoHasher('sha256')
  let rows = 0
  const texts = shape.columns.filter(({ kind }) => kind === 'TEXT').map(({ name }) => name)
  function* look(): Generator<Row, void> {
    for (const row of iterateRows(db, shape)) {
      rows++
      for (const name of texts)
        if ((row[name] as string | null)?.includes('\0'))
          throw new MoveError(
            `${nameRow(shape, row)} holds the character U+0000 in ${name}, which PostgreSQL cannot store: change or delete that row. Nothing was moved`,
          )
      yield row
    }
  }
  for (const chunk of packRows(shape, look())) hasher.update(chunk)
  return { rows, sha256: hasher.digest('hex') }
}

/** `alsoTake` receives the rows as well. Errors: LostError, PostgresError. */
export async function digestServerTable(
  connection: Connection,
  shape: TableShape,
  alsoTake: (rows: Buffer) => void = () => {},
): Promise<Digest> {
  const hasher = new Bun.CryptoHasher('sha256')
  const take = removeFrame((rows) => {
    hasher.update(rows)
    alsoTake(rows)
  })
  const rows = await connection.copyOut(`COPY (${writeServerSelect(shape)}) TO STDOUT (FORMAT binary)`, take)
  return { rows, sha256: hasher.digest('hex') }
}

/** PostgreSQL counts the totals in several rows, which its readers add. */
const writeServerSelect = (shape: TableShape): string =>
  shape.name === 'totals'
    ? 'SELECT 1::bigint AS id, sum(accounts)::bigint AS accounts, sum(proofs)::bigint AS proofs FROM totals'
    : writeSelect(shape)
