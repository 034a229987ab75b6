/** How an answer tells of traces after a deletion. PostgreSQL removes them by VACUUM, within some seconds. */
import { expect } from 'bun:test'
import { isOnPostgres } from '../parts/test-database.ts'

export const soonNoTraces = isOnPostgres
  ? expect.objectContaining({ pending: expect.any(Boolean) })
  : { pending: false }
export const soonDone = isOnPostgres ? expect.stringMatching(/^(done|traces-left)$/) : 'done'
