/** The data folder, for a command beside a server that may be running on it. */

import { SQLiteError } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import { publicAddresses } from '../config/public-addresses.ts'
import { databaseFileIn, openGuestDb } from '../db/db.ts'
import { MasterKeyError, masterKey } from '../db/master-key.ts'
import { sealer } from '../db/seal.ts'
import { AppError } from '../errors.ts'
import { opensWithKey } from '../gates/same-key.ts'
import { openParts } from '../start.ts'
import { type Terminal, UnavailableError, UsageError } from './command.ts'

export type FolderParts = Awaited<ReturnType<typeof openParts>>['parts']

/** What a server of this configuration works with, over a database in memory: for looking at a file only. */
export async function withoutStore<T>(
  config: Config,
  { now }: Pick<Terminal, 'now'>,
  work: (parts: FolderParts) => Promise<T>,
): Promise<T> {
  const opened = await openParts(config, undefined, now)
  opened.setAddresses(publicAddresses(config, config.port))
  try {
    return await work(opened.parts)
  } finally {
    await opened.close()
  }
}

/**
 * The same over the database of the data folder, which a server has made: a new one would answer for a server that nobody
 * runs. Errors: UsageError for what is refused, UnavailableError.
 */
export async function withDataFolder<T>(
  config: Config,
  terminal: Pick<Terminal, 'now'>,
  work: (parts: FolderParts) => Promise<T>,
): Promise<T> {
  const folder = config.data
  requireDataFolder(folder)
  return withoutStore(config, terminal, async (parts) => {
    requireKeyOf(folder, config)
    const db = await openFolder(folder, config, terminal.now())
    try {
      const over = { ...parts, db, sealer: sealer(masterKey(config.masterKey, folder)) }
      if (!opensWithKey(over))
        throw new MasterKeyError(
          'the master key is not the one that this data folder was used with: give PROOFGATE_MASTER_KEY as the server has it',
        )
      return await work(over)
    } catch (error) {
      if (error instanceof AppError) throw new UsageError(error.message)
      throw error
    } finally {
      await db.close()
    }
  })
}

/** Errors: UnavailableError. */
function requireDataFolder(folder: string): void {
  try {
    statSync(databaseFileIn(folder))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // A folder that this user may not look into may well be one.
    if (code !== 'ENOENT') throw cannotUse(folder, message)
    throw new UnavailableError(
      `there is no data folder of a server at ${folder}: run this where the server runs, or name its data folder with PROOFGATE_DATA or its configuration with --config. A server makes the folder at its first start`,
    )
  }
}

const cannotUse = (folder: string, problem: string): UnavailableError =>
  new UnavailableError(
    `the data folder ${folder} cannot be used (${problem}): run this as the user of the server, or name another folder with PROOFGATE_DATA`,
  )

/** A key made here would seal rewards that the server, which was given another one, could never open. */
function requireKeyOf(folder: string, { masterKey: configured }: Config): void {
  if (configured === undefined && !existsSync(join(folder, 'master.key')))
    throw new MasterKeyError(
      `the server of ${folder} was given its master key, and this command was not: set PROOFGATE_MASTER_KEY as for the server`,
    )
}

const oneMiB = 1_048_576

async function openFolder(folder: string, { storage }: Config, now: number) {
  try {
    return await openGuestDb({ folder, cacheBytes: 4 * oneMiB, walLimitBytes: storage.walLimitMb * oneMiB, now })
  } catch (error) {
    const isOfSystem = error instanceof SQLiteError || (error as NodeJS.ErrnoException).syscall !== undefined
    if (!isOfSystem) throw error
    throw cannotUse(folder, (error as Error).message)
  }
}
