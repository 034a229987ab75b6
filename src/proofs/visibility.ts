/**
 * The stored visibility of a proof: its wallet alone, any caller with its id, or any list of the wallet.
 */
export const visibilities = { private: 0, unlisted: 1, listed: 2 } as const
export type Visibility = (typeof visibilities)[keyof typeof visibilities]

/** As requests and signed texts name it. */
export type VisibilityName = keyof typeof visibilities
export const visibilityNames = ['private', 'unlisted', 'listed'] as const satisfies readonly VisibilityName[]

export const nameVisibility = (visibility: Visibility): VisibilityName => visibilityNames[visibility]
