/** Removes the dead rows of every table, and proves that they are gone. */
import type { Hold } from '../db.ts'
import type { Connection } from './connection.ts'
import { compacting, describeHold, findHolder, listBehind, noRight, readBoundary } from './dead-rows.ts'

/** Writes that are under way end in a moment. */
const patienceMs = 3_000
const lookEveryMs = 50
/** A table may be passed while a write of before still runs, and is vacuumed again. */
const mostRounds = 3

/** Any number that no other program on the same database takes: one that vacuums or compacts at a time. */
const lockKey = 7_402_381_177

/** Every row, index and long value of a table: none is passed by because it is in use, or because there are few. */
const options = 'FREEZE, INDEX_CLEANUP ON'

/** Returns what keeps rows that were deleted before. Undefined: none is left. Errors: LostError, PostgresError. */
export async function removeDeadRows(connection: Connection): Promise<Hold | undefined> {
  if (!(await tryLock(connection))) return compacting
  const boundary = await readBoundary(connection)
  const until = performance.now() + patienceMs
  for (;;) {
    const holder = await findHolder(connection, boundary)
    if (!holder) break
    if (performance.now() >= until) return describeHold(holder)
    await Bun.sleep(lookEveryMs)
  }
  for (let round = 0; ; round++) {
    const behind = await listBehind(connection, boundary)
    if (behind.length === 0) return undefined
    if (behind.some(({ isOwn }) => !isOwn)) return noRight
    if (round === mostRounds) return describeHold(await findHolder(connection, boundary))
    await connection.runPlain(`VACUUM (${options}) ${behind.map(({ table }) => table).join(', ')}`)
  }
}

/** Kept until the connection ends. */
async function tryLock(connection: Connection): Promise<boolean> {
  const { rows } = await connection.runPlain(`SELECT pg_try_advisory_lock(${lockKey}) AS taken`)
  return (rows[0] as { taken: boolean }).taken
}
