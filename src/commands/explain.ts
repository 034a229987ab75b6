/** Faults that a person can mend, as a sentence and an exit code. */
import { DatabaseUrlError } from '../config/database-url.ts'
import { ConfigError } from '../config/load.ts'
import { UnreachableError } from '../db/db.ts'
import { DataFolderError } from '../db/folder-state.ts'
import { LockedError } from '../db/lock.ts'
import { MasterKeyError } from '../db/master-key.ts'
import { MigrationError } from '../db/migrate.ts'
import { ListenError } from '../listen.ts'
import { OutsideError } from '../outside/failure.ts'
import { MinisignError } from '../release/minisign-text.ts'
import { ReleaseError } from '../release/release-list.ts'
import { CatalogError } from '../verifiers/index.ts'
import { exitCodes, UnavailableError, UsageError } from './command.ts'
import { SilentDiskError } from './disk-answers.ts'

export interface Explained {
  readonly exitCode: number
  readonly says: string
}

/** Undefined for a fault of the program. `name` is the command's. */
export function explainFault(error: unknown, name: string): Explained | undefined {
  if (error instanceof UsageError)
    return {
      exitCode: exitCodes.usage,
      says: `${error.message}${error.message.endsWith('?') ? '' : '.'} See proofgate ${name} --help`,
    }
  if (error instanceof ConfigError || error instanceof CatalogError)
    return {
      exitCode: exitCodes.configuration,
      // A finding begins with file:line, so each gets a line that editors and people can follow.
      says: `the configuration is wrong:\n${error.message}\nproofgate check-config shows what applies and where it was set`,
    }
  if (
    error instanceof UnavailableError ||
    error instanceof DataFolderError ||
    error instanceof LockedError ||
    error instanceof ListenError ||
    error instanceof MigrationError ||
    error instanceof MasterKeyError ||
    error instanceof DatabaseUrlError ||
    error instanceof MinisignError ||
    error instanceof ReleaseError
  )
    return { exitCode: exitCodes.unavailable, says: error.message }
  if (error instanceof UnreachableError)
    return {
      exitCode: exitCodes.unavailable,
      says: `${error.message}. Look at "database.url", at the database server, and at the network to it`,
    }
  if (error instanceof OutsideError)
    return { exitCode: exitCodes.unavailable, says: `${error.source} ${error.happened}: ${error.mend}` }
  if (error instanceof SilentDiskError) return { exitCode: exitCodes.storage, says: error.message }
  return undefined
}
