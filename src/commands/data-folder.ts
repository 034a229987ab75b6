/** The data folder, for a command that may run beside a server on it. */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backUpBeforeUpgrade } from '../backup/before-upgrade.ts'
import { buildPublicAddresses } from '../config/public-addresses.ts'
import type { Config } from '../config/schema.ts'
import { locateDatabaseFile, openGuestDb } from '../db/db.ts'
import { requireWholeFolder } from '../db/folder-state.ts'
import { findMasterKey, hasKeyMark, refuseKey } from '../db/key-mark.ts'
import { MasterKeyError } from '../db/master-key.ts'
import { requireLocks } from '../db/prove-locks.ts'
import { makeSealer } from '../db/seal.ts'
import { AppError } from '../errors.ts'
import { isOpenedByKey } from '../gates/master-key-check.ts'
import { openParts } from '../start.ts'
import { version } from '../version.ts'
import { type Terminal, UnavailableError, UsageError } from './command.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault, requireUsableFolder } from './folder-fault.ts'

export type FolderParts = Awaited<ReturnType<typeof openParts>>['parts']

/** The parts of a server of this configuration, over a database in memory: only for looking at a file. */
export async function runWithoutStore<T>(
  config: Config,
  { now }: Pick<Terminal, 'now'>,
  work: (parts: FolderParts) => Promise<T>,
): Promise<T> {
  const opened = await openParts({ ...config, database: { connections: 1, replicaLagSeconds: 5 } }, undefined, now)
  opened.setAddresses(buildPublicAddresses(config, config.port))
  try {
    return await work(opened.parts)
  } finally {
    await opened.close()
  }
}

/**
 * The same over the database of the data folder, which a server has made. A new one would describe a server that does
 * not exist. Errors: UsageError for refusals, UnavailableError, SilentDiskError.
 */
export async function useDataFolder<T>(
  config: Config,
  terminal: Pick<Terminal, 'now'>,
  work: (parts: FolderParts) => Promise<T>,
): Promise<T> {
  if (config.database.url !== undefined) return useDatabase(config, terminal, work)
  const folder = config.data
  await requireAnswer(config, { forWriting: true })
  requireDataFolder(folder)
  return runWithoutStore(config, terminal, async (parts) => {
    requireFolderKey(folder, config)
    const db = await openFolder(folder, config, terminal.now())
    try {
      const over = { ...parts, db, sealer: makeSealer(await findMasterKey(db, config.masterKey, folder)) }
      if (!(await hasKeyMark(db)) && !(await isOpenedByKey(over)))
        throw refuseKey(config.masterKey, join(folder, 'master.key'))
      return await work(over)
    } catch (error) {
      if (error instanceof AppError) throw new UsageError(error.message)
      throw error
    } finally {
      await db.close()
    }
  })
}

/** The parts over the database of a server, wherever it keeps its data. Errors: those of useDataFolder. */
async function useDatabase<T>(
  config: Config,
  { now }: Pick<Terminal, 'now'>,
  work: (parts: FolderParts) => Promise<T>,
): Promise<T> {
  const opened = await openParts(config, undefined, now)
  opened.setAddresses(buildPublicAddresses(config, config.port))
  try {
    return await work(opened.parts)
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(error.message)
    throw error
  } finally {
    await opened.close()
  }
}

/** For commands about the files of a data folder. Errors: UsageError. */
export function requireFolderStore({ database }: Pick<Config, 'database'>): void {
  if (database.url !== undefined)
    throw new UsageError(
      'this works on the database file of a data folder, and with "database.url" everything is in PostgreSQL, which has means of its own for it (pg_dump, pg_basebackup)',
    )
}

/** Errors: UnavailableError; DataFolderError where a part of a used folder is missing. */
export function requireDataFolder(folder: string): void {
  requireDatabase(folder)
  requireUsableFolder(folder)
}

/** The same for a command that changes nothing. */
export function requireDatabase(folder: string): void {
  requireWholeFolder(folder)
  try {
    statSync(locateDatabaseFile(folder))
  } catch (error) {
    // A folder that this user cannot read may be a data folder.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw explainFolderFault(error, folder) ?? error
    throw new UnavailableError(
      `there is no data folder of a server at ${folder}: run this where the server runs, or name its data folder with PROOFGATE_DATA or its configuration with --config. A server makes the folder at its first start`,
    )
  }
}

/** A key made here would seal rewards that the server, which has another key, could never open. */
function requireFolderKey(folder: string, { masterKey: configured }: Config): void {
  if (configured === undefined && !existsSync(join(folder, 'master.key')))
    throw new MasterKeyError(
      `the server of ${folder} was given its master key, and this command was not`,
      `set PROOFGATE_MASTER_KEY as for the server. If the key stood in ${join(folder, 'master.key')}, restore that file from a backup`,
    )
}

const oneMiB = 1_048_576

async function openFolder(folder: string, { storage, backup }: Config, now: number) {
  try {
    await requireLocks(folder, storage)
    if (backup.beforeUpgrade) await backUpBeforeUpgrade(folder, { now: () => now, version, tell: () => {} })
    return await openGuestDb({
      folder,
      cacheBytes: 4 * oneMiB,
      walLimitBytes: storage.walLimitMb * oneMiB,
      keepsLog: backup.continuous,
      now,
    })
  } catch (error) {
    throw explainFolderFault(error, folder) ?? error
  }
}
