/** Counts values in fixed buckets, as Prometheus reads histograms. Noting one costs some nanoseconds. */

export interface Distribution {
  /** The upper bounds of the buckets, in growing order. Everything above the last one is in a bucket of its own. */
  readonly bounds: readonly number[]
  /** How many values each bucket holds, not those below it. */
  readonly counts: Float64Array
  readonly sum: number
  note(value: number): void
}

/** Seconds from a read in memory to the limit of a slow look-up outside. */
export const secondBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25] as const
/** Seconds of one write to a disk. */
export const diskSecondBounds = [
  0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
] as const
export const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const

export function openDistribution(bounds: readonly number[]): Distribution {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    bounds,
    counts,
    get sum() {
      return sum
    },
    note(value) {
      let bucket = 0
      while (bucket < bounds.length && value > bounds[bucket]!) bucket++
      counts[bucket]!++
      sum += value
    },
  }
}
