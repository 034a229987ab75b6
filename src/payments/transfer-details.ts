/** Details of a transfer besides those of its method, which decide who can use it. */

/** For a transfer of the exact amount of a quote. */
export interface QuotedDetails {
  readonly quoteId?: string
}

/** For unmatched money that no buyer can use: only the seller can settle it. */
export interface SettledDetails {
  readonly onlySeller?: true
}
