/** Whether servers run on a database. */
import type { Connection } from '../postgres/connection.ts'
import { findLiving } from '../postgres/living.ts'
import { MoveError } from './move-error.ts'

/** Errors: MoveError. */
export async function requireNoProcess(connection: Connection): Promise<void> {
  const living = await findLiving(connection)
  if (living)
    throw new MoveError(
      `a server runs on the database, on the machine ${living.host}: stop all servers, and run this again. Nothing was changed`,
    )
}
