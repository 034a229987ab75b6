/**
 * Moves the rows of a data folder into an empty database. Each table is one transaction, so that an interrupted move goes
 * on with the next table. The folder is only read.
 */
import { Database } from 'bun:sqlite'
import type { DatabaseUrl } from '../../config/database-url.ts'
import { migrate } from '../migrate.ts'
import type { Connection } from '../postgres/connection.ts'
import { schemaName } from '../postgres/connection.ts'
import { deriveMark } from '../postgres/engine.ts'
import { migratePostgres, unfinishedMove } from '../postgres/migrate.ts'
import { type Digest, digestFolderTable, digestServerTable, iterateRows } from './digest.ts'
import { MoveError } from './move-error.ts'
import type { MovedTable } from './moved-table.ts'
import { usePrimary } from './open-primary.ts'
import { addFrame, packRows } from './row-format.ts'
import { listShapes, type TableShape, writeColumns } from './shape.ts'

export interface MoveToPostgres {
  /** Of the folder, in a transaction of its own. */
  readonly from: Database
  readonly to: DatabaseUrl
  /** The key that the folder uses. */
  readonly masterKey: Uint8Array
  /** Unix milliseconds. */
  readonly now: number
  readonly tell: (moved: MovedTable) => void
}

/** Errors: MoveError, MigrationError, UnreachableError, DatabaseUrlError, SQLiteError. */
export const moveToPostgres = ({ from, to, masterKey, now, tell }: MoveToPostgres): Promise<readonly MovedTable[]> =>
  usePrimary(to, async (connection) => {
    const mark = deriveMark(masterKey)
    await requireFree(connection, mark)
    const digests = listShapes(from).map((shape) => [shape, digestFolderTable(from, shape)] as const)
    await migratePostgres(connection, now, { isMove: true })
    const there = await beginMove(connection, mark, digests)
    const moved: MovedTable[] = []
    for (const [shape, digest] of digests) {
      const startedAt = performance.now()
      const wasThere = there.has(shape.name)
      if (!wasThere) await copyTable(connection, from, shape, digest)
      const one = {
        table: shape.name,
        rows: digest.rows,
        seconds: Math.round(performance.now() - startedAt) / 1000,
        wasThere,
      }
      moved.push(one)
      tell(one)
    }
    for (const [shape, digest] of digests) await requireSame(connection, shape, digest)
    await endMove(connection, digests)
    return moved
  })

interface Standing {
  readonly unfinished: boolean
  readonly marked: boolean
}

/** Before anything is changed in a database of others. Errors: MoveError. */
async function requireFree(connection: Connection, mark: string): Promise<void> {
  const { rows } = await connection.runPlain(
    `SELECT to_regclass('${schemaName}.${unfinishedMove}') IS NOT NULL AS unfinished,
       to_regclass('${schemaName}.master_key_mark') IS NOT NULL AS marked`,
  )
  const { unfinished, marked } = rows[0] as Standing
  if (!marked) return
  const marks = await connection.runPlain('SELECT mark FROM master_key_mark')
  const [found] = marks.rows as readonly { readonly mark: string }[]
  if (!unfinished && found) throw new MoveError(isNotEmpty)
  if (unfinished && found?.mark !== mark)
    throw new MoveError(
      'the database holds the beginning of a move of another folder, with another master key: end that move, or name an empty database',
    )
}

const isNotEmpty = `the database is not empty: it holds the data of a server. Name an empty one (createdb), or take these away first: DROP SCHEMA ${schemaName} CASCADE`

type Digests = readonly (readonly [TableShape, Digest])[]

/** Returns the tables that are there already. Errors: MoveError. */
async function beginMove(connection: Connection, mark: string, digests: Digests): Promise<ReadonlySet<string>> {
  const { rows } = await connection.runPlain(
    `SELECT to_regclass('${schemaName}.${unfinishedMove}') IS NOT NULL AS unfinished`,
  )
  if (!(rows[0] as { unfinished: boolean }).unfinished) {
    await requireEmpty(connection)
    await connection.runPlain(
      `BEGIN;
       CREATE TABLE ${unfinishedMove} ("table" TEXT COLLATE "C" PRIMARY KEY, sha256 TEXT NOT NULL);
       INSERT INTO master_key_mark (id, mark) VALUES (1, '${mark}');
       COMMIT`,
    )
    return new Set()
  }
  const found = await connection.runPlain(`SELECT "table", sha256 FROM ${unfinishedMove}`)
  const done = found.rows as readonly { readonly table: string; readonly sha256: string }[]
  const wanted = new Map(digests.map(([{ name }, { sha256 }]) => [name, sha256]))
  if (done.length > 0 && done.every(({ table, sha256 }) => wanted.get(table) === sha256))
    return new Set(done.map(({ table }) => table))
  // The folder has changed since: what was copied of it is of two moments.
  await connection.runPlain(
    `BEGIN;
     TRUNCATE ${digests.map(([{ name }]) => `"${name}"`).join(', ')};
     DELETE FROM ${unfinishedMove};
     COMMIT`,
  )
  return new Set()
}

/** A new database has some rows of its own. Errors: MoveError. */
async function requireEmpty(connection: Connection): Promise<void> {
  const fresh = new Database(':memory:')
  migrate(fresh)
  const empty = listShapes(fresh).filter((shape) => digestFolderTable(fresh, shape).rows === 0)
  fresh.close()
  const { rows } = await connection.runPlain(
    `SELECT ${empty.map(({ name }) => `EXISTS (SELECT 1 FROM "${name}")`).join(' OR ')} AS used`,
  )
  if ((rows[0] as { used: boolean }).used) throw new MoveError(isNotEmpty)
}

/** Without triggers, and with the references made again at the end: each row for itself would cost several times more. */
async function copyTable(connection: Connection, from: Database, shape: TableShape, { rows, sha256 }: Digest) {
  const table = `"${shape.name}"`
  const found = await connection.runPlain(
    `SELECT quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = '${schemaName}.${shape.name}'::regclass AND contype = 'f'`,
  )
  const references = found.rows as readonly { readonly name: string; readonly definition: string }[]
  await connection.runPlain('BEGIN')
  try {
    await connection.runPlain(
      [
        `ALTER TABLE ${table} DISABLE TRIGGER USER`,
        ...references.map(({ name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
        `DELETE FROM ${table}`,
      ].join('; '),
    )
    if (rows > 0)
      await connection.copyIn(
        `COPY ${writeColumns(shape)} FROM STDIN (FORMAT binary)`,
        addFrame(packRows(shape, iterateRows(from, shape))),
      )
    await connection.runPlain(
      [
        ...references.map(({ name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
        `ALTER TABLE ${table} ENABLE TRIGGER USER`,
        `INSERT INTO ${unfinishedMove} VALUES ('${shape.name}', '${sha256}')`,
        'COMMIT',
      ].join('; '),
    )
  } catch (error) {
    if (!connection.isLost()) await connection.runPlain('ROLLBACK').catch(() => connection.lose('a table did not end'))
    throw error
  }
}

/** Errors: MoveError. The next run begins anew then. */
async function requireSame(connection: Connection, shape: TableShape, expected: Digest): Promise<void> {
  const found = await digestServerTable(connection, shape)
  if (found.rows === expected.rows && found.sha256 === expected.sha256) return
  await connection.runPlain(`UPDATE ${unfinishedMove} SET sha256 = ''`)
  throw new MoveError(
    `the table ${shape.name} is not the same on both sides: the folder has ${expected.rows} rows with the SHA-256 ${expected.sha256}, the database ${found.rows} with ${found.sha256}. Run this again: it begins anew`,
  )
}

/** Sequences go on behind the highest id, and the planner learns the sizes of the tables. */
async function endMove(connection: Connection, digests: Digests): Promise<void> {
  const numbered = digests.filter(([{ columns }]) =>
    columns.some(({ name, kind }) => name === 'id' && kind === 'INTEGER'),
  )
  await connection.runPlain(
    [
      ...numbered.map(
        ([{ name }]) =>
          `SELECT setval(pg_get_serial_sequence('${schemaName}.${name}', 'id')::regclass, greatest(max(id), 1), max(id) IS NOT NULL) FROM "${name}"`,
      ),
      `ANALYZE ${digests.map(([{ name }]) => `"${name}"`).join(', ')}`,
      `DROP TABLE ${unfinishedMove}`,
    ].join('; '),
  )
}
