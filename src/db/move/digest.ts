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

/** Errors: MoveError for a row that PostgreSQL cannot hold, SQLiteError. */
export function requireMovable(db: Database, shape: TableShape): void {
  const faults = shape.columns.flatMap(({ name, kind }) =>
    kind === 'BLOB'
      ? []
      : [kind === 'TEXT' ? `instr("${name}", char(0))` : `abs("${name}") > ${Number.MAX_SAFE_INTEGER}`],
  )
  if (faults.length === 0) return
  const row = db.query<Row, []>(`SELECT * FROM "${shape.name}" WHERE ${faults.join(' OR ')} LIMIT 1`).get()
  if (!row) return
  const [name, value] = Object.entries(row).find(
    ([, one]) =>
      (typeof one === 'string' && one.includes('\0')) || (typeof one === 'number' && !Number.isSafeInteger(one)),
  )!
  const fault = typeof value === 'string' ? 'the character U+0000' : 'a number beyond 2^53'
  throw new MoveError(
    `${nameRow(shape, row)} holds ${fault} in ${name}, which PostgreSQL cannot store: change or delete that row. Nothing was moved`,
  )
}

/** All rows in chunks. `finish` tells what they were, once they are read. Errors: MoveError, SQLiteError. */
export function digestFolderRows(
  db: Database,
  shape: TableShape,
): { readonly chunks: Iterable<Uint8Array>; finish(): Digest } {
  const hasher = new Bun.CryptoHasher('sha256')
  let rows = 0
  function* count(): Generator<Row, void> {
    for (const row of db.query<Row, []>(writeSelect(shape)).iterate()) {
      rows++
      yield row
    }
  }
  function* read(): Generator<Uint8Array, void> {
    for (const chunk of packRows(shape, count())) {
      hasher.update(chunk)
      yield chunk
    }
  }
  return { chunks: read(), finish: () => ({ rows, sha256: hasher.digest('hex') }) }
}

/** Errors: as digestFolderRows. */
export function digestFolderTable(db: Database, shape: TableShape): Digest {
  const { chunks, finish } = digestFolderRows(db, shape)
  for (const _ of chunks);
  return finish()
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
