/** Checks an unpacked database as a whole: pages, indexes, constraints, foreign keys, rows, and the rules of the store. */
import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { openConnection } from '../db/connection.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { nameLogFile } from '../db/name-log-file.ts'
import { countRows } from './count-rows.ts'
import { readSchemaName } from './facts-store.ts'
import { DamagedBackupError } from './fault.ts'
import { type Manifest, readCount } from './format.ts'
import { storeRules } from './store-rules.ts'

/** Sentences, none where everything is right. SQLite puts database and log together by its own recovery. */
export function findFaults(folder: string, { counts, header }: Pick<Manifest, 'counts' | 'header'>): readonly string[] {
  const file = locateDatabaseFile(folder)
  if (!existsSync(file)) return ['it holds no database']
  const logBytes = existsSync(nameLogFile(file)) ? Bun.file(nameLogFile(file)).size : 0
  const db = openConnection({ file, cacheBytes: 64 * 1_048_576, walLimitBytes: 0 })
  try {
    if (logBytes !== header.logBytes) return [`its log has ${logBytes} bytes, and the manifest says ${header.logBytes}`]
    // All of the log, or SQLite found a frame that is not right.
    const { log } = db.query<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)').get() ?? { log: 0 }
    const { page_size: pageBytes } = db.query<{ page_size: number }, []>('PRAGMA page_size').get()!
    const frames = header.logBytes === 0 ? 0 : (header.logBytes - 32) / (pageBytes + 24)
    if (log !== frames) return [`SQLite recovers ${log} of the ${frames} frames of its log`]
    const schema = readSchemaName(db)
    if (schema !== header.schema)
      return [`its newest migration is "${schema}", and the manifest says "${header.schema}"`]
    return [...findDamage(db), ...compareCounts(db, counts), ...breakRules(db)]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    db.close()
  }
}

/** Errors: DamagedBackupError. */
export function requireSoundBackup(folder: string, manifest: Manifest): void {
  const faults = findFaults(folder, manifest)
  if (faults.length > 0)
    throw new DamagedBackupError(
      `the database in the backup is not sound: ${faults.slice(0, 3).join('; ')}`,
      'use another backup. Nothing was changed',
    )
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
