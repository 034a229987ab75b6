/** The window in which a signed timestamp is accepted (CAIP-380): a little past, and a little future for fast clocks. */
export interface FreshnessWindow {
  readonly maxAgeMs: number
  readonly maxAheadMs: number
  /** When this server was restored: what was signed before may have been used already. Unix milliseconds. */
  readonly restoredAt?: number | undefined
}

export const isFresh = (signedTimestamp: number, now: number, { maxAgeMs, maxAheadMs }: FreshnessWindow): boolean =>
  now - signedTimestamp <= maxAgeMs && signedTimestamp - now <= maxAheadMs

/** The fault of a timestamp, as a sentence; undefined when it is fresh. */
export function findStaleness(signedTimestamp: number, now: number, window: FreshnessWindow): string | undefined {
  const ageMs = now - signedTimestamp
  if (ageMs > window.maxAgeMs)
    return `the signature is ${Math.ceil(ageMs / 1000)} s old and may be at most ${window.maxAgeMs / 1000} s: sign again with a new signedTimestamp`
  if (-ageMs > window.maxAheadMs)
    return `signedTimestamp lies ${Math.ceil(-ageMs / 1000)} s in the future (at most ${window.maxAheadMs / 1000} s): set the clock right, and give Unix milliseconds`
  if (window.restoredAt !== undefined && signedTimestamp < window.restoredAt)
    return 'this text was signed before the server was restored, and may have been used then: sign again with a new signedTimestamp'
  return undefined
}
