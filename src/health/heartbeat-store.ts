/** SQL for the table `heartbeat`. */
import type { Statement } from '../db/db.ts'

export const moveHeartbeat = (now: number): Statement => ({
  sql: 'UPDATE heartbeat SET beaten_at = ? WHERE id = 1',
  params: [now],
})
