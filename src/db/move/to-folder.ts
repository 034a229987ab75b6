/**
 * Moves the rows of a database into a new data folder. The file gets its name when it is whole, so that an interrupted
 * move leaves no data folder, and the next run begins anew. The database is only read.
 */
import type { Database } from 'bun:sqlite'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseUrl } from '../../config/database-url.ts'
import { openConnection } from '../connection.ts'
import { giveToOwner } from '../file-owner.ts'
import { movingName } from '../folder-state.ts'
import { deriveMark } from '../key-mark.ts'
import { nameLockFile, takeLock } from '../lock.ts'
import { MasterKeyError, placeMasterKey } from '../master-key.ts'
import { migrate } from '../migrate.ts'
import type { Connection } from '../postgres/connection.ts'
import { isSameMark, readMark } from '../postgres/key-mark.ts'
import { requireMigrated } from '../postgres/migrate.ts'
import { syncFile, syncFolder } from '../sync-file.ts'
import { digestFolderTable, digestServerTable } from './digest.ts'
import { MoveError } from './move-error.ts'
import type { MovedTable } from './moved-table.ts'
import { requireNoProcess } from './no-process.ts'
import { usePrimary } from './open-primary.ts'
import { unpackRows } from './row-format.ts'
import { listShapes, type TableShape, writeColumns } from './shape.ts'

export interface MoveToFolder {
  readonly from: DatabaseUrl
  /** Empty, or not there yet. */
  readonly folder: string
  /** The key that the servers use. */
  readonly masterKey: Uint8Array
  /** Unix milliseconds. */
  readonly now: number
  readonly tell: (moved: MovedTable) => void
}

const oneMiB = 1_048_576

/** Errors: MoveError, MigrationError, MasterKeyError, UnreachableError, LockedError, SQLiteError, those of files. */
export const moveToFolder = ({ from, folder, masterKey, now, tell }: MoveToFolder): Promise<readonly MovedTable[]> =>
  usePrimary(from, async (connection) => {
    requireEmptyFolder(folder)
    await requireUsed(connection, masterKey)
    const processes = await readProcesses(connection)
    await requireNoProcess(connection)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, 'proofgate.sqlite')
    const lock = takeLock(file)
    try {
      const aside = join(folder, movingName)
      removeAside(folder)
      const moved = await fillFile(connection, aside, { masterKey, now, tell, processes })
      placeMasterKey(folder, masterKey)
      chmodSync(aside, 0o600)
      syncFile(aside)
      renameSync(aside, file)
      syncFolder(folder)
      for (const name of readdirSync(folder)) giveToOwner(folder, join(folder, name))
      return moved
    } catch (error) {
      removeAside(folder)
      throw error
    } finally {
      lock.release()
    }
  })

const asideNames = ['', '-wal', '-shm', '-journal'].map((end) => movingName + end)

const removeAside = (folder: string): void => {
  for (const name of asideNames) rmSync(join(folder, name), { force: true })
}

/** Files of a move that was interrupted are no obstacle. Errors: MoveError. */
function requireEmptyFolder(folder: string): void {
  const lock = nameLockFile('proofgate.sqlite')
  const own = new Set([...asideNames, lock, `${lock}-journal`, 'master.key', 'lost+found'])
  const [other] = existsSync(folder) ? readdirSync(folder).filter((name) => !own.has(name)) : []
  if (other !== undefined)
    throw new MoveError(`the folder ${folder} is not empty: "${other}" is in it. Name an empty or a new folder`)
}

/** Errors: MoveError, MigrationError, MasterKeyError. */
async function requireUsed(connection: Connection, masterKey: Uint8Array): Promise<void> {
  const mark = await readMark(connection)
  if (mark !== undefined) await requireMigrated(connection)
  if (mark === undefined)
    throw new MoveError('the database holds no data of a server: see that "database.url" names the right one')
  if (!isSameMark(mark, masterKey))
    throw new MasterKeyError(
      'the configured master key is not the one that this database is used with',
      'set PROOFGATE_MASTER_KEY (setting "master_key") to the key of the servers. Nothing was changed',
    )
}

interface Filling extends Pick<MoveToFolder, 'masterKey' | 'now' | 'tell'> {
  /** None of them runs. */
  readonly processes: string
}

/** Of living processes and of those that were killed: whatever changes when one lives. */
async function readProcesses(connection: Connection): Promise<string> {
  const { rows } = await connection.runPlain(
    `SELECT coalesce(string_agg(id || ' ' || beats, ',' ORDER BY id), '') AS processes FROM live_processes`,
  )
  return (rows[0] as { readonly processes: string }).processes
}

/** Reads one moment, and keeps every server from starting until its transaction ends. Errors: MoveError. */
async function beginReading(connection: Connection, processes: string): Promise<void> {
  await connection.runPlain('BEGIN ISOLATION LEVEL REPEATABLE READ; LOCK TABLE live_processes IN SHARE MODE')
  if ((await readProcesses(connection)) !== processes)
    throw new MoveError('a server was started meanwhile: stop all servers, and run this again. Nothing was changed')
}

async function fillFile(connection: Connection, file: string, { masterKey, now, tell, processes }: Filling) {
  const db = openConnection({ file, cacheBytes: 64 * oneMiB, walLimitBytes: oneMiB })
  try {
    migrate(db, undefined, now)
    // The file is thrown away where its filling fails.
    db.run('PRAGMA journal_mode = OFF')
    db.run('PRAGMA synchronous = OFF')
    db.run('PRAGMA foreign_keys = OFF')
    db.run('BEGIN')
    const triggers = takeTriggers(db)
    await beginReading(connection, processes)
    const moved: MovedTable[] = []
    for (const shape of listShapes(db)) {
      const startedAt = performance.now()
      const rows = await copyTable(connection, db, shape)
      const one = {
        table: shape.name,
        rows,
        seconds: Math.round(performance.now() - startedAt) / 1000,
        wasThere: false,
      }
      moved.push(one)
      tell(one)
    }
    await connection.runPlain('COMMIT')
    for (const sql of triggers) db.run(sql)
    const broken = db.query('PRAGMA foreign_key_check').all().length
    if (broken > 0) throw new MoveError(`${broken} rows of the database have lost the row that they refer to`)
    db.run(`PRAGMA user_version = ${deriveMark(masterKey)}`)
    db.run('COMMIT')
    db.run('PRAGMA journal_mode = WAL')
    return moved
  } finally {
    db.close()
  }
}

/** The rows have had their effects already. Returns what makes the triggers again. */
function takeTriggers(db: Database): readonly string[] {
  const triggers = db
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid",
    )
    .all()
  for (const { name } of triggers) db.run(`DROP TRIGGER "${name}"`)
  return triggers.map(({ sql }) => sql)
}

/** Returns the number of rows. Errors: MoveError where they are not the same on both sides. */
async function copyTable(connection: Connection, db: Database, shape: TableShape): Promise<number> {
  // A new database has some rows of its own.
  db.run(`DELETE FROM "${shape.name}"`)
  const places = shape.columns.map((_, index) => `?${index + 1}`).join(', ')
  const insert = db.prepare(`INSERT INTO ${writeColumns(shape)} VALUES (${places})`)
  const expected = await digestServerTable(
    connection,
    shape,
    unpackRows(shape, (values) => void insert.run(...values)),
  )
  insert.finalize()
  const found = digestFolderTable(db, shape)
  if (found.rows !== expected.rows || found.sha256 !== expected.sha256)
    throw new MoveError(
      `the table ${shape.name} is not the same on both sides: the database has ${expected.rows} rows with the SHA-256 ${expected.sha256}, the folder ${found.rows} with ${found.sha256}. Run this again`,
    )
  return found.rows
}
