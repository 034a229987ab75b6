/** What must hold between gates, their versions, guests and rewards: SQL and nothing else. */
import type { StoreRule } from '../db/store-rule.ts'

export const gateRules: readonly StoreRule[] = [
  {
    name: 'newest version of a gate',
    sql: `SELECT 'gate ' || g.gate_id || ' has no version ' || g.version AS says
          FROM gates g LEFT JOIN gate_versions v ON v.gate = g.id AND v.version = g.version WHERE v.gate IS NULL`,
  },
  {
    name: 'guests of a gate',
    sql: `SELECT 'gate ' || g.gate_id || ' counts ' || g.guest_count || ' guests' AS says
          FROM gates g
          WHERE g.guest_count <> (SELECT count(*) FROM gate_guests l WHERE l.gate = g.id)`,
  },
  {
    name: 'given rewards of a gate',
    sql: `SELECT 'gate ' || g.gate_id || ' counts ' || g.fulfilled_count || ' given rewards, and more are on record' AS says
          FROM gates g
          WHERE g.fulfilled_count < (SELECT count(*) FROM fulfillments f WHERE f.gate = g.id AND f.state = 'granted')`,
  },
]
