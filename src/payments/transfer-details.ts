/** Details that a transfer may carry beside those of its method, and that decide who can use it. */

/** Of a transfer of the exact amount of a quote. */
export interface QuotedDetails {
  readonly quoteId?: string
}

/** Nobody can use the money that bought nothing: the seller alone makes it good. */
export interface SettledDetails {
  readonly onlySeller?: true
}
