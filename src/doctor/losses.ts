/** What a start of this build would take from the database of an earlier one, told before it does. */
import { SQLiteError } from 'bun:sqlite'
import type { Config } from '../config/load.ts'
import { findLosses } from '../db/former-losses.ts'
import { lookIntoFolder } from '../db/look.ts'
import type { Found } from './examine.ts'

export function examineLosses({ data }: Pick<Config, 'data'>, now: () => number): readonly Found[] {
  try {
    const losses = lookIntoFolder(data, (db) => findLosses(db, now())) ?? []
    return losses.map(({ says, mend }) => ({ setting: 'data', level: 'warn', says, mend }))
  } catch (error) {
    // The checks of the folder say more about a database that cannot be read.
    if (error instanceof SQLiteError) return []
    throw error
  }
}
