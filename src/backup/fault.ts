/** A backup cannot be made or used. */
import { joinMend } from '../db/folder-state.ts'

export class BackupError extends Error {
  override readonly name = 'BackupError'

  constructor(
    readonly happened: string,
    readonly mend: string,
  ) {
    super(joinMend(happened, mend))
  }
}
