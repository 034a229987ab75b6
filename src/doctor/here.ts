/** The findings about this machine: for doctor and the operator's page. None needs a call. */
import { SQLiteError } from 'bun:sqlite'
import type { Config } from '../config/schema.ts'
import type { Reader } from '../db/db.ts'
import { lookIntoFolder } from '../db/look.ts'
import { examineMount, examineSqlite } from './database-ground.ts'
import { examineDisk } from './disk.ts'
import { examineModes } from './file-modes.ts'
import type { Found } from './found.ts'
import { examineLeftovers } from './leftovers.ts'
import { examineBackups, examineSigningKeys } from './routine.ts'
import { examineSyncSpeed } from './sync-speed.ts'

interface Machine {
  readonly config: Config
  readonly now: () => number
  /** The database of a running server. Without it the one in the folder is read, if there is one. */
  readonly db?: Reader
  /** The configuration file, where it holds secrets. */
  readonly secretFile?: string | undefined
}

/** Empty where everything is as it should be. Leaves nothing behind in the folder. */
export async function examineHere({ config, now, db, secretFile }: Machine): Promise<readonly Found[]> {
  const examineDatabase = async (reader: Reader) => [
    ...(await examineSigningKeys(reader, now)),
    ...(await examineBackups(reader, config, now)),
  ]
  return [
    ...examineSqlite(),
    ...examineDisk(config),
    ...examineMount(config),
    ...(await examineSyncSpeed(config)),
    ...examineModes(config, secretFile),
    ...examineLeftovers(config, now),
    ...(db ? await examineDatabase(db) : await readIfWhole(() => lookIntoFolder(config.data, examineDatabase))),
  ]
}

/** A database that cannot be read, or of an older build, is for other checks to report. */
async function readIfWhole(read: () => Promise<readonly Found[] | undefined>): Promise<readonly Found[]> {
  try {
    return (await read()) ?? []
  } catch (error) {
    if (error instanceof SQLiteError) return []
    throw error
  }
}
