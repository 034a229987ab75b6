/**
 * Times in the database that were stored by a clock that was wrong, and are moved with it when it is put right. Else what
 * waits for them would wait as long as the clock was ahead, or be over at once where it was behind.
 */
import type { ClockJump } from './clock-jump.ts'
import type { Statement } from './db.ts'

/** When something is looked at again. Too early is one look more. */
const looks = [
  ['payments', 'watch_at'],
  ['settlements', 'watch_at'],
  ['checkouts', 'watch_at'],
  ['unmatched_payments', 'next_at'],
  ['followed_blocks', 'look_at'],
] as const

/** What is promised to a buyer from its beginning to its end. */
const promises = [
  ['reservations', 'expires_at'],
  ['unpaid_places', 'ends_at'],
  ['quotes', 'expires_at'],
] as const

/** Payments that are under way. With the promises, all that a buyer pays by. */
const underWay = [
  ['checkouts', 'expires_at'],
  ['settlements', 'ends_at'],
] as const

/** Steps of a sign-in. As many as a session, a client or a network may have under way stand in nobody's way for longer. */
const steps = ['oauth_requests', 'oauth_codes', 'social_sign_ins']
/** The longest of them: ten minutes (requestTtlMs, codeTtlMs, signInTtlMs). */
const longestStepMs = 600_000

/**
 * Of a jump back. `latest`: nothing that was made by a right clock is after it. What was made before a clock was wrongly
 * set back stands as it is, so that nothing is over too early once the clock is right again.
 */
export const moveTimes = ({ at, sizeMs }: ClockJump, latest: number): readonly Statement[] =>
  sizeMs >= 0
    ? []
    : [
        ...looks.map(([table, next]) => ({
          sql: `UPDATE ${table} SET ${next} = max(?1, ${next} + ?2) WHERE ${next} > ?1`,
          params: [Math.floor(at), Math.round(sizeMs)],
        })),
        ...promises.map(([table, end]) => ({
          sql: `UPDATE ${table} SET created_at = created_at + ?2, ${end} = ${end} + ?2 WHERE created_at > ?1`,
          params: [Math.floor(latest), Math.round(sizeMs)],
        })),
        // A transfer pays the price of its time: no gate is to seem younger than the transfers for it.
        ...['gates', 'gate_versions'].map((table) => ({
          sql: `UPDATE ${table} SET created_at = created_at + ?2 WHERE created_at > ?1`,
          params: [Math.floor(latest), Math.round(sizeMs)],
        })),
        ...steps.map((table) => ({
          sql: `UPDATE ${table} SET expires_at = ?1 WHERE expires_at > ?1`,
          params: [Math.floor(at) + longestStepMs],
        })),
        // The sessions that were used last are kept: a new one must not seem older than all of them.
        { sql: 'UPDATE sessions SET seen_at = ?1 WHERE seen_at > ?1', params: [Math.floor(at)] },
      ]

/** A time in which the clock stood behind. */
export interface BehindTime {
  /** By the clock of then, from beginning to end. */
  readonly from: number
  readonly to: number
  readonly behindMs: number
}

/**
 * For a clock that was behind and is right now: what a buyer was promised meanwhile ends as long after its beginning as it
 * was promised. What was made at the same hours before, by the right clock, cannot be told from it and ends later too.
 */
export const listMoves = ({ from, to, behindMs }: BehindTime): readonly Statement[] => [
  ...[...promises, ...underWay].map(([table, end]) => ({
    sql: `UPDATE ${table} SET created_at = created_at + ?3, ${end} = ${end} + ?3 WHERE created_at BETWEEN ?1 AND ?2`,
    params: [Math.floor(from), Math.ceil(to), Math.round(behindMs)],
  })),
  // Only those that were not over when the clock was put right.
  ...steps.map((table) => ({
    sql: `UPDATE ${table} SET expires_at = expires_at + ?3 WHERE expires_at > ?1 AND expires_at <= ?2`,
    params: [Math.floor(to), Math.ceil(to) + longestStepMs, Math.round(behindMs)],
  })),
]
