/** Checks an unpacked database as a whole: pages, indexes, constraints, foreign keys, rows, and the rules of the store. */
import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { closeKeepingLog, openConnection } from '../db/connection.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { nameLogFile } from '../db/file-names.ts'
import { logHeaderBytes, readFrameBytes } from '../db/log-frames.ts'
import { countRows } from './count-rows.ts'
import { readSchemaName } from './facts-store.ts'
import { DamagedBackupError } from './fault.ts'
import { type Manifest, readCount } from './format.ts'
import { storeRules } from './store-rules.ts'

type Expected = Pick<Manifest, 'counts' | 'header'>

/** Whether it is what its manifest says, and whole. Sentences, none where everything is right. */
export const findFaults = (folder: string, expected: Expected): readonly string[] =>
  look(folder, (db) => [...findDifferences(db, folder, expected), ...findDamage(db), ...breakRules(db)])

/** Without a look at each page. The log stays, so that more can be put to it. */
export const compareWithManifest = (folder: string, expected: Expected): readonly string[] =>
  look(folder, (db) => findDifferences(db, folder, expected), closeKeepingLog)

/** Of a database that was brought forward: no manifest says what it holds. */
export const findInnerFaults = (folder: string): readonly string[] =>
  look(folder, (db) => [...findDamage(db), ...breakRules(db)])

/** Errors: DamagedBackupError. */
export function requireNoFaults(faults: readonly string[]): void {
  if (faults.length > 0)
    throw new DamagedBackupError(
      `the database in the backup is not sound: ${faults.slice(0, 3).join('; ')}`,
      'use another backup. Nothing was changed',
    )
}

function look(
  folder: string,
  find: (db: Database) => readonly string[],
  close: (db: Database) => void = (db) => db.close(),
): readonly string[] {
  const file = locateDatabaseFile(folder)
  if (!existsSync(file)) return ['it holds no database']
  const db = openConnection({ file, cacheBytes: 64 * 1_048_576, walLimitBytes: 0 })
  try {
    return find(db)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    close(db)
  }
}

/** SQLite puts database and log together by its own recovery. */
function findDifferences(db: Database, folder: string, { counts, header }: Expected): readonly string[] {
  const logFile = nameLogFile(locateDatabaseFile(folder))
  const logBytes = existsSync(logFile) ? Bun.file(logFile).size : 0
  if (logBytes !== header.logBytes) return [`its log has ${logBytes} bytes, and the manifest says ${header.logBytes}`]
  // All of the log, or SQLite found a frame that is not right.
  const { log } = db.query<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)').get() ?? { log: 0 }
  const { page_size: pageBytes } = db.query<{ page_size: number }, []>('PRAGMA page_size').get()!
  const frames = header.logBytes === 0 ? 0 : (header.logBytes - logHeaderBytes) / readFrameBytes({ pageBytes })
  if (log !== frames) return [`SQLite recovers ${log} of the ${frames} frames of its log`]
  const schema = readSchemaName(db)
  if (schema !== header.schema) return [`its newest migration is "${schema}", and the manifest says "${header.schema}"`]
  return compareCounts(db, counts)
}

const findDamage = (db: Database): string[] => {
  const found = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check(10)').all()
  const orphans = db.query<{ table: string }, []>('PRAGMA foreign_key_check').all()
  return [
    ...found.flatMap(({ integrity_check: says }) => (says === 'ok' ? [] : [says])),
    ...(orphans.length > 0 ? [`${orphans.length} rows of ${orphans[0]!.table} are without their parent`] : []),
  ]
}

function compareCounts(db: Database, counts: Manifest['counts']): string[] {
  const here = countRows(db)
  return [...new Set([...Object.keys(here), ...Object.keys(counts)])].flatMap((table) =>
    here[table] === readCount(counts, table)
      ? []
      : [
          `table ${table} has ${here[table] ?? 'no'} rows, and the manifest says ${readCount(counts, table) ?? 'nothing of it'}`,
        ],
  )
}

/** Those of tables that a database of an older build does not have yet are left out. */
const breakRules = (db: Database): string[] =>
  storeRules.flatMap(({ sql }) => {
    try {
      return db
        .query<{ says: string }, []>(`${sql} LIMIT 5`)
        .all()
        .map(({ says }) => says)
    } catch (error) {
      if (error instanceof Error && /^no such (table|column)/.test(error.message)) return []
      throw error
    }
  })
