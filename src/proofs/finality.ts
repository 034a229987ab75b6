/**
 * Whether the blocks of a proof can still be replaced. `replaced`: a block was, and the claim did not hold when it was
 * read again. The proof then never counts, and returns if the claim holds again before that is final.
 */
export const finalities = { followed: 0, final: 1, replaced: 2 } as const
export type Finality = (typeof finalities)[keyof typeof finalities]
