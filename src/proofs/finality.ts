/**
 * Whether the blocks that a proof was read at can still be replaced. `replaced`: one was, and the claim did not hold when it
 * was read again; the proof counts nowhere, and comes back if the claim holds again before that is final.
 */
export const finalities = { followed: 0, final: 1, replaced: 2 } as const
export type Finality = (typeof finalities)[keyof typeof finalities]
