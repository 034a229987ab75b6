/**
 * Times that a wrong clock stored in the database, which move when the clock is corrected. Otherwise their events would
 * come late after a fast clock, or at once after a slow one. Each folder declares its own tables: `update` is the
 * beginning of its statement, such as `UPDATE quotes`.
 */
import type { ClockJump } from './clock-jump.ts'
import type { Statement } from './db.ts'

/** A time in which the clock stood behind. */
export interface BehindTime {
  /** By the clock of that time, from beginning to end. */
  readonly from: number
  readonly to: number
  readonly behindMs: number
}

/** How the times of a table are moved. */
export interface MovedTimes {
  /**
   * For a jump back. `latest`: no row of a right clock is after it. Earlier rows stay unchanged after a wrong jump
   * back. So they do not end too early once the clock is right again.
   */
  readonly moveBack?: (jump: ClockJump, latest: number) => Statement
  /**
   * For a clock that was slow and is now right: a buyer's promise keeps its length from its beginning. Rows that the
   * right clock made at the same hours cannot be told apart, so they end later too.
   */
  readonly moveOn?: (behind: BehindTime) => Statement
}

/** The time of the next check. An early check is harmless. */
export const moveLook = (update: string, next: string): MovedTimes => ({
  moveBack: ({ at, sizeMs }) => ({
    sql: `${update} SET ${next} = max(?1, ${next} + ?2) WHERE ${next} > ?1`,
    params: [Math.floor(at), Math.round(sizeMs)],
  }),
})

/** A payment that is under way: with the promises, all that a buyer pays by. */
export const moveUnderWay = (update: string, end: string): MovedTimes => ({
  moveOn: ({ from, to, behindMs }) => ({
    sql: `${update} SET created_at = created_at + ?3, ${end} = ${end} + ?3 WHERE created_at BETWEEN ?1 AND ?2`,
    params: [Math.floor(from), Math.ceil(to), Math.round(behindMs)],
  }),
})

/** A promise to a buyer, from its beginning to its end. */
export const movePromise = (update: string, end: string): MovedTimes => ({
  ...moveUnderWay(update, end),
  moveBack: ({ sizeMs }, latest) => ({
    sql: `${update} SET created_at = created_at + ?2, ${end} = ${end} + ?2 WHERE created_at > ?1`,
    params: [Math.floor(latest), Math.round(sizeMs)],
  }),
})

/** When something was made that nothing may seem older than. */
export const moveOrigin = (update: string): MovedTimes => ({
  moveBack: ({ sizeMs }, latest) => ({
    sql: `${update} SET created_at = created_at + ?2 WHERE created_at > ?1`,
    params: [Math.floor(latest), Math.round(sizeMs)],
  }),
})

/** The longest of the steps of a sign-in: ten minutes (requestTtlMs, codeTtlMs, signInTtlMs). */
const longestStepMs = 600_000

/** A step of a sign-in. The limit for a session, a client or a network bounds its effect. */
export const moveStep = (update: string): MovedTimes => ({
  moveBack: ({ at }) => ({
    sql: `${update} SET expires_at = ?1 WHERE expires_at > ?1`,
    params: [Math.floor(at) + longestStepMs],
  }),
  // Only those that were not over when the clock was put right.
  moveOn: ({ to, behindMs }) => ({
    sql: `${update} SET expires_at = expires_at + ?3 WHERE expires_at > ?1 AND expires_at <= ?2`,
    params: [Math.floor(to), Math.ceil(to) + longestStepMs, Math.round(behindMs)],
  }),
})

export const listMovesBack = (all: readonly MovedTimes[], jump: ClockJump, latest: number): readonly Statement[] =>
  jump.sizeMs >= 0 ? [] : all.flatMap(({ moveBack }) => moveBack?.(jump, latest) ?? [])

export const listMovesOn = (all: readonly MovedTimes[], behind: BehindTime): readonly Statement[] =>
  all.flatMap(({ moveOn }) => moveOn?.(behind) ?? [])
