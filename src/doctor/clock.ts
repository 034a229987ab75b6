/** The findings of a data folder's last servers about the machine's clock. */
import { SQLiteError } from 'bun:sqlite'
import { formatSpan } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { findStoredClock, listJumps } from '../db/clock-store.ts'
import { lookIntoFolder } from '../db/look.ts'
import type { Found } from './found.ts'

const setting = 'data'
const tellForMs = 7 * 86_400_000
const toleratedLagMs = 60_000

/**
 * Empty when no server ran, or when the clock is right and was not set within a week. Changes nothing in the folder.
 */
export async function examineClock({ data }: Pick<Config, 'data'>, now: () => number): Promise<readonly Found[]> {
  try {
    const seen = await lookIntoFolder(data, async (db) => ({
      stored: await findStoredClock(db),
      jumps: await listJumps(db),
    }))
    if (!seen) return []
    const at = now()
    const lagMs = (seen.stored?.steadyAt ?? at) - at
    return [
      ...(lagMs > toleratedLagMs
        ? [tellClock(`the clock of this machine stands ${formatSpan(lagMs)} behind the time that has passed`)]
        : []),
      ...seen.jumps
        .filter((jump) => Math.abs(at - jump.at) < tellForMs)
        .map((jump) =>
          tellClock(
            `the clock of this machine was set ${jump.sizeMs < 0 ? 'back' : 'ahead'} by ${formatSpan(jump.sizeMs)}; it then showed ${new Date(jump.at).toISOString()}`,
          ),
        ),
    ]
  } catch (error) {
    // A database from before clocks were kept, or one that the server reports on.
    if (error instanceof SQLiteError) return []
    throw error
  }
}

const tellClock = (says: string): Found => ({
  setting,
  level: 'warn',
  says,
  mend: 'see whether the time is right now, and what sets it (timedatectl, chronyc tracking)',
})
