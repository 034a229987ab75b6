/** A backup cannot be made or used. */
import { MendableError } from '../db/folder-state.ts'

export class BackupError extends MendableError {
  override readonly name = 'BackupError'
}
