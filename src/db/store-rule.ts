/** A rule of the store that SQLite does not hold by itself: counters agree with the rows that they count. */
export interface StoreRule {
  readonly name: string
  /** Selects a row with `says` for each violation. */
  readonly sql: string
}
