/** The data folder of a server that has run once, without the time that a start takes. */
import { mkdirSync } from 'node:fs'
import { openConnection } from '../../src/db/connection.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { requireMasterKey } from '../../src/db/master-key.ts'
import { migrate } from '../../src/db/migrate.ts'

/** `hasOwnKey` false: as a server leaves it that was given its master key. */
export function makeDataFolder(folder: string, { hasOwnKey = true } = {}): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const db = openConnection({ file: locateDatabaseFile(folder), cacheBytes: 1_048_576, walLimitBytes: 1_048_576 })
  migrate(db, undefined, 1)
  db.close()
  if (hasOwnKey) requireMasterKey(undefined, folder)
}
