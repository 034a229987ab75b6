/** The measured quantities, and the interface through which the program measures them. */
import type { Surface } from '../http/surfaces.ts'

/** The quantities that are measured by the day and by the hour, and their subjects. */
export const kinds = {
  /** Proofs that were made; by verifier. */
  proofs: 'verifier',
  /** Passed checks of a gate; by gate. */
  gate_passes: 'gate',
  gate_refusals: 'gate',
  /** Rewards that were handed out; by gate. */
  fulfillments: 'gate',
  /** Payments that arrived and bought nothing; by method. */
  unmatched_payments: 'method',
  /** Payments that bought nothing and were refunded by this server; by gate. */
  refunds: 'gate',
} as const

export type Kind = keyof typeof kinds

export interface Metrics {
  /** Once for all, and once for each subject. */
  count(kind: Kind, subjects: readonly string[]): void
  /** How long a request took. */
  took(surface: Surface, ms: number): void
  /** Puts what was counted into the database. Never fails: what could not be stored is tried again. */
  flush(): Promise<void>
}

/** What is counted of a kind and a subject in one day or hour. */
export interface Counted {
  readonly kind: Kind
  /** Days of UTC, or hours, since 1970. */
  readonly at: number
  readonly subject: string
  readonly count: number
}
