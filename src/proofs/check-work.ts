/**
 * The work of one request that checks proofs. One budget counts queries, rows and compared bytes of a request. Checks,
 * batches, explanations, trials and fulfillments share its rules. Reads are kept for the whole request, so each record
 * is parsed once and each value is normalized once.
 *
 * A spent budget ends the search. Its findings until then count, so the answer may be an incomplete no, but never a
 * wrong yes.
 */
import type { Evidence } from '../verifiers/verifier.ts'
import type { ProofRow } from './proof.ts'
import type { VerifiedRow } from './record.ts'

/** Counts work in units of about 10 ns. */
export interface WorkMeter {
  spent: number
}

/** About 25 to 35 ms: the rest of a request fits into the 50 ms limit of an anonymous request. */
export const mostWork = 2_000_000
/** Ids, explanations and projections of one answer, in bytes. */
export const mostAnswerBytes = 1_000_000

/** Prices in units of the meter. */
export const workPrices = {
  query: 500,
  /** A row without its record. */
  row: 250,
  /** A record, before its characters are counted. */
  record: 300,
  /** Reading and parsing. Long lists of small objects take the longest. */
  recordCharacter: 0.22,
  /** One proof against one set of criteria, before its conditions. */
  pair: 65,
  /** A verifier id or a tag of the criteria, looked for in one record. */
  name: 4,
  /** One unmet condition in one record, for an explanation. */
  shortfall: 4,
  /** The same with the value that contradicts the condition. */
  contradiction: 45,
  /** A tag of a record, before it can be looked up. */
  tag: 12,
  /** A value of a condition, before its characters are counted. */
  condition: 50,
  /** A gate, before the texts of its conditions are counted. */
  gate: 3_000,
} as const

export class CheckWork implements WorkMeter {
  spent = 0
  /** Whether the budget ended a search or cut the answer. */
  wasStopped = false
  /** Proofs by their id in the database. */
  readonly proofs = new Map<number, ProofRow>()
  /** Searches that several demands share, by everything that decides what they find. */
  readonly searches = new Map<string, SharedSearch>()
  readonly #remembered = new Map<string, Promise<unknown>>()
  readonly #publicEvidence = new Map<VerifiedRow, Evidence>()
  readonly #claims = new Map<string, number>()
  readonly #claimByRow = new Map<VerifiedRow, number>()
  #answerBytes = 0

  /** True once the budget is spent. Callers stop then. */
  isSpent(): boolean {
    const isSpent = this.spent >= mostWork || this.#answerBytes >= mostAnswerBytes
    if (isSpent) this.wasStopped = true
    return isSpent
  }

  /** Counts what is added to the answer. False when it does not fit any more. */
  takeAnswerBytes(bytes: number): boolean {
    if (this.#answerBytes + bytes > mostAnswerBytes) {
      this.wasStopped = true
      this.#answerBytes = mostAnswerBytes
      return false
    }
    this.#answerBytes += bytes
    return true
  }

  /** Look-ups that several parts of a request share, made once. */
  remember<Value>(key: string, lookUp: () => Promise<Value>): Promise<Value> {
    const known = this.#remembered.get(key) ?? lookUp()
    this.#remembered.set(key, known)
    return known as Promise<Value>
  }

  /** The evidence that strangers see of a row, made once. */
  findPublicEvidence(row: VerifiedRow, make: () => Evidence): Evidence {
    const known = this.#publicEvidence.get(row)
    if (known) return known
    const made = make()
    this.#publicEvidence.set(row, made)
    return made
  }

  /** A number that rows share when they are about the same claim. */
  numberClaim(row: VerifiedRow, describe: () => string): number {
    const known = this.#claimByRow.get(row)
    if (known !== undefined) return known
    const text = describe()
    const number = this.#claims.get(text) ?? this.#claims.size
    this.#claims.set(text, number)
    this.#claimByRow.set(row, number)
    return number
  }
}

/** A search that reads further only on demand. */
export interface SharedSearch {
  readonly read: ProofRow[]
  readonly rest: AsyncGenerator<ProofRow, boolean>
  /** The read that is under way. */
  reading?: Promise<void> | undefined
  isComplete: boolean | undefined
}
