/** Who may see a proof, as it is stored: its wallet alone, whoever has its id, or whoever lists the wallet. */
export const visibilities = { private: 0, unlisted: 1, listed: 2 } as const
export type Visibility = (typeof visibilities)[keyof typeof visibilities]
