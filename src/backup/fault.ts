/** A backup cannot be made or used. */
import { MendableError } from '../db/folder-state.ts'

export class BackupError extends MendableError {
  override readonly name = 'BackupError'
}

/** A file is no backup, or not a whole one: another backup may be good. */
export class DamagedBackupError extends BackupError {}

/** The backup is good, and what a continuous backup adds to it is not. */
export class BrokenChainError extends DamagedBackupError {}
