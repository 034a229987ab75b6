/**
 * SQLite up to 3.51.2 can lose committed pages where a checkpoint resets the log while another connection writes.
 * Executables bring a newer one. On macOS the system's library may be in use.
 */
import { Database } from 'bun:sqlite'
import { DataFolderError } from './folder-state.ts'

const firstSafe = [3, 51, 3] as const

export function readSqliteVersion(): string {
  const db = new Database(':memory:')
  try {
    return db.query<{ version: string }, []>('SELECT sqlite_version() AS version').get()?.version ?? ''
  } finally {
    db.close()
  }
}

/** Throws DataFolderError for a version that can damage a database. */
export function requireSafeSqlite(version = readSqliteVersion()): void {
  if (isSafe(version)) return
  throw new DataFolderError(
    `this program runs with SQLite ${version}, and SQLite up to 3.51.2 can damage a database when it resets the write-ahead log`,
    'start the released executable, which brings a newer SQLite, or bring the SQLite library of this system to 3.51.3 or later',
  )
}

function isSafe(version: string): boolean {
  const parts = version.split('.').map(Number)
  const differing = firstSafe.findIndex((part, index) => parts[index] !== part)
  return differing === -1 || (parts[differing] ?? 0) > firstSafe[differing]!
}
