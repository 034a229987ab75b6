/** Removes rows that were deleted for good from the tables, on a connection of its own: a write never waits for it. */
import type { Hold } from '../db.ts'
import { type Connection, type Login, openConnection, type Server } from './connection.ts'
import { locked } from './dead-rows.ts'
import { isLost, readState } from './errors.ts'
import type { Pool } from './pool.ts'
import { removeDeadRows } from './remove-dead-rows.ts'

export interface Vacuum {
  forgetDeleted(): Promise<boolean>
  whatHoldsDeleted(): Hold | undefined
  close(): void
}

const connectMs = 2_000
/** Its server is gone when the pool has found another one. */
const watchEveryMs = 1_000

/** Pauses while it works, as an autovacuum does, so that others have the disk. */
const settings = `
  SET statement_timeout = 0;
  SET vacuum_cost_delay = '2ms'`

export function openVacuum(pool: Pool, login: Login): Vacuum {
  let hold: Hold | undefined
  let working: Connection | undefined
  let isClosed = false

  async function use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const server = await pool.share(async (connection) => connection.server)
    const connection = await openConnection({ server, login, timeoutMs: connectMs })
    working = connection
    if (isClosed) connection.lose('the database is closed')
    const watching = setInterval(() => void loseWithServer(connection, server), watchEveryMs)
    try {
      await connection.runPlain(settings)
      return await work(connection)
    } finally {
      clearInterval(watching)
      working = undefined
      await connection.close()
    }
  }

  async function loseWithServer(connection: Connection, server: Server): Promise<void> {
    const now = await pool.share(async (one) => one.server).catch(() => undefined)
    if (now !== server) connection.lose('its server is not the one that takes writes any more')
  }

  return {
    async forgetDeleted() {
      if (isClosed) return false
      try {
        hold = await use(removeDeadRows)
        return hold === undefined
      } catch (error) {
        if (isClosed) return false
        // lock_not_available
        if (readState(error) === '55P03') hold = locked
        else if (!isLost(error)) throw error
        return false
      }
    },
    whatHoldsDeleted: () => hold,
    close() {
      isClosed = true
      working?.lose('the database is closed')
    },
  }
}
