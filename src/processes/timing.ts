/** How soon processes notice each other. Each counts on its own steady clock: clocks of machines differ. */

export const beatEveryMs = 1_000
/** A counter that stood still for so long has no living process behind it. */
export const deadAfterMs = 10_000
/** A holder acts on its lease for so long after it asked for its last beat: well before another may take it. */
export const believedMs = 5_000
/**
 * Of the time between two looks no more counts. An observer that stood still itself, or whose database was away, has not
 * seen that the others did not beat meanwhile.
 */
export const longestGapMs = 2_000
