/** What the last servers of a data folder found of the clock of the machine. */
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
 * Nothing where no server ran, or where the clock was not set within a week and does not stand behind. Changes nothing
 * in the folder.
 */
export function examineClock({ data }: Pick<Config, 'data'>, now: () => number): readonly Found[] {
  try {
    const seen = lookIntoFolder(data, (db) => ({ stored: findStoredClock(db), jumps: listJumps(db) }))
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
    // A database of before clocks were kept, or one that the server says more about.
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
