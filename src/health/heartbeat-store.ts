/** SQL for the table `heartbeat`. */
import type { Statement } from '../db/db.ts'
import { pick, query } from '../db/query.ts'

export const moveHeartbeat = (now: number): Statement => ({
  sql: 'UPDATE heartbeat SET beaten_at = ? WHERE id = 1',
  params: [now],
})

export const readHeartbeat = query<[]>()`SELECT ${pick('heartbeat', 'beatenAt')} FROM heartbeat WHERE id = 1`
