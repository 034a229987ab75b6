/** Rows that end at a time, made by SQL: ?1 is when they begin, ?2 when they end. */

/** `end`: the column of the time. */
export type TimedRow = readonly [table: string, end: string, insert: string]

export const hash = 'zeroblob(32)'

/** Rows promised to a buyer, which no job looks at before they end. */
export const promises: readonly TimedRow[] = [
  [
    'reservations',
    'expires_at',
    `INSERT INTO reservations (gate, wallet, q_hash, version, method, created_at, expires_at)
     VALUES (1, '0xa', ${hash}, 1, 'card', ?1, ?2)`,
  ],
  [
    'unpaid_places',
    'ends_at',
    `INSERT INTO unpaid_places (gate, wallet, holds, created_at, ends_at) VALUES (1, '0xa', 1, ?1, ?2)`,
  ],
  [
    'quotes',
    'expires_at',
    `INSERT INTO quotes (quote_id, gate, q_hash, wallet, version, usd_micros, recipient, suffix, created_at, expires_at)
     VALUES ('x', 1, ${hash}, '0xa', 1, 1, '0xb', 1, ?1, ?2)`,
  ],
]

/** Rows that are watched until they end. */
export const watched: readonly TimedRow[] = [
  [
    'settlements',
    'ends_at',
    `INSERT INTO settlements (identity, gate, q_hash, wallet, version, usd_micros, details, created_at, ends_at, watch_at)
     VALUES ('x', 1, ${hash}, '0xa', 1, 1, '{}', ?1, ?2, ?2)`,
  ],
  [
    'checkouts',
    'expires_at',
    `INSERT INTO checkouts (session_id, gate, q_hash, amount_cents, currency, created_at, expires_at, watch_at)
     VALUES ('x', 1, ${hash}, 1, 'usd', ?1, ?2, ?2)`,
  ],
]
