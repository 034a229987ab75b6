/**
 * Moves the rows of a data folder into an empty database. Each table is one transaction, so that an interrupted move goes
 * on with the next table. The folder is only read. Keys and indexes of a table are made when its rows are there, and
 * references when all tables are: keeping them up row by row takes four times as long.
 */
import { Database } from 'bun:sqlite'
import type { DatabaseUrl } from '../../config/database-url.ts'
import { migrate } from '../migrate.ts'
import type { Connection } from '../postgres/connection.ts'
import { schemaName } from '../postgres/connection.ts'
import { deriveMark, readMark } from '../postgres/key-mark.ts'
import { migratePostgres, unfinishedMove } from '../postgres/migrate.ts'
import { type Digest, digestFolderRows, digestFolderTable, digestServerTable, requireMovable } from './digest.ts'
import { MoveError } from './move-error.ts'
import type { MovedTable } from './moved-table.ts'
import { usePrimary } from './open-primary.ts'
import { addFrame } from './row-format.ts'
import { listShapes, type TableShape, writeColumns } from './shape.ts'

/** The references of all tables, while the move lasts. */
const takenReferences = `${unfinishedMove}_references`
/** For each index that is made. */
const indexMemory = '256MB'

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
    const shapes = listShapes(from)
    for (const shape of shapes) requireMovable(from, shape)
    await migratePostgres(connection, now, { isMove: true })
    const there = await beginMove(connection, mark, from, shapes)
    const moved: MovedTable[] = []
    const digests: (readonly [TableShape, Digest])[] = []
    for (const shape of shapes) {
      const startedAt = performance.now()
      const done = there.get(shape.name)
      const digest = done ?? (await copyTable(connection, from, shape))
      digests.push([shape, digest])
      const one = {
        table: shape.name,
        rows: digest.rows,
        seconds: Math.round(performance.now() - startedAt) / 1000,
        wasThere: done !== undefined,
      }
      moved.push(one)
      tell(one)
    }
    for (const [shape, digest] of digests) await requireSame(connection, shape, digest)
    await endMove(connection, shapes)
    return moved
  })

/** Before anything is changed in a database of others. Errors: MoveError. */
async function requireFree(connection: Connection, mark: string): Promise<void> {
  const found = await readMark(connection)
  const isUnfinished = await hasUnfinished(connection)
  if (!isUnfinished && found !== undefined) throw new MoveError(isNotEmpty)
  if (isUnfinished && found !== mark)
    throw new MoveError(
      'the database holds the beginning of a move of another folder, with another master key: end that move, or name an empty database',
    )
}

async function hasUnfinished(connection: Connection): Promise<boolean> {
  const { rows } = await connection.runPlain(
    `SELECT to_regclass('${schemaName}.${unfinishedMove}') IS NOT NULL AS unfinished`,
  )
  return (rows[0] as { readonly unfinished: boolean }).unfinished
}

const isNotEmpty = `the database is not empty: it holds the data of a server. Name an empty one (createdb), or take these away first: DROP SCHEMA ${schemaName} CASCADE`

/** The digests of the tables that are there already. Errors: MoveError. */
async function beginMove(
  connection: Connection,
  mark: string,
  from: Database,
  shapes: readonly TableShape[],
): Promise<ReadonlyMap<string, Digest>> {
  if (!(await hasUnfinished(connection))) {
    await requireEmpty(connection)
    await connection.runPlain(
      `BEGIN;
       CREATE TABLE ${unfinishedMove} ("table" TEXT COLLATE "C" PRIMARY KEY, sha256 TEXT NOT NULL);
       CREATE TABLE ${takenReferences} AS
         SELECT conrelid::regclass::text AS "table", conname::text AS name, pg_get_constraintdef(oid) AS definition
         FROM pg_constraint WHERE connamespace = '${schemaName}'::regnamespace AND contype = 'f';
       DO $$ DECLARE one record; BEGIN
         FOR one IN SELECT * FROM ${takenReferences} LOOP
           EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one."table", one.name);
         END LOOP;
       END $$;
       INSERT INTO master_key_mark (id, mark) VALUES (1, '${mark}');
       COMMIT`,
    )
    return new Map()
  }
  const found = await connection.runPlain(`SELECT "table", sha256 FROM ${unfinishedMove}`)
  const done = new Map(
    (found.rows as readonly { table: string; sha256: string }[]).map((one) => [one.table, one.sha256]),
  )
  const digests = new Map(
    shapes.filter(({ name }) => done.has(name)).map((shape) => [shape.name, digestFolderTable(from, shape)]),
  )
  if ([...done].every(([table, sha256]) => digests.get(table)?.sha256 === sha256)) return digests
  // The folder has changed since: what was copied of it is of two moments.
  await connection.runPlain(
    `BEGIN;
     TRUNCATE ${shapes.map(({ name }) => `"${name}"`).join(', ')};
     DELETE FROM ${unfinishedMove};
     COMMIT`,
  )
  return new Map()
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

interface Taken {
  readonly take: string
  readonly make: string
}

/** Of a table: its keys, and the indexes that belong to none. */
const writeListTaken = ({ name }: TableShape): string => `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS take,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
  FROM pg_constraint WHERE conrelid = '${schemaName}.${name}'::regclass AND contype IN ('p', 'u')
  UNION ALL
  SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
  FROM pg_index WHERE indrelid = '${schemaName}.${name}'::regclass
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))`

/**
 * Without triggers. The rows are marked as seen by all (FREEZE), which needs an empty table of the same transaction: else
 * their first reader would write each page again.
 */
async function copyTable(connection: Connection, from: Database, shape: TableShape): Promise<Digest> {
  const table = `"${shape.name}"`
  const taken = (await connection.runPlain(writeListTaken(shape))).rows as readonly Taken[]
  const { chunks, finish } = digestFolderRows(from, shape)
  await connection.runPlain('BEGIN')
  try {
    await connection.runPlain(
      [
        `SET LOCAL maintenance_work_mem = '${indexMemory}'`,
        `ALTER TABLE ${table} DISABLE TRIGGER USER`,
        `TRUNCATE ${table}`,
        ...taken.map(({ take }) => take),
      ].join('; '),
    )
    await connection.copyIn(`COPY ${writeColumns(shape)} FROM STDIN (FORMAT binary, FREEZE)`, addFrame(chunks))
    const digest = finish()
    await connection.runPlain(
      [
        ...taken.map(({ make }) => make),
        `ALTER TABLE ${table} ENABLE TRIGGER USER`,
        // Without it the check would sort the rows where an index has them in order.
        `ANALYZE ${table}`,
        `INSERT INTO ${unfinishedMove} VALUES ('${shape.name}', '${digest.sha256}')`,
        'COMMIT',
      ].join('; '),
    )
    return digest
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

/** Sequences go on behind the highest id. */
async function endMove(connection: Connection, shapes: readonly TableShape[]): Promise<void> {
  const numbered = shapes.filter(({ columns }) => columns.some(({ name, kind }) => name === 'id' && kind === 'INTEGER'))
  await connection.runPlain(
    [
      ...numbered.map(
        ({ name }) =>
          `SELECT setval(pg_get_serial_sequence('${schemaName}.${name}', 'id')::regclass, greatest(max(id), 1), max(id) IS NOT NULL) FROM "${name}"`,
      ),
      `DO $$ DECLARE one record; BEGIN
         FOR one IN SELECT * FROM ${takenReferences} LOOP
           EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', one."table", one.name, one.definition);
         END LOOP;
       END $$`,
      `DROP TABLE ${unfinishedMove}, ${takenReferences}`,
    ].join('; '),
  )
}
