/** Durations in buckets that grow by a fifth each: what is read back is off by a tenth at most. */

const firstMs = 0.05
const growth = 1.2
const perStep = 1 / Math.log(growth)
/** The last one holds everything from 36 seconds on. */
export const bucketCount = 76

export function findBucket(ms: number): number {
  if (!(ms > firstMs)) return 0
  return Math.min(bucketCount - 1, 1 + Math.floor(Math.log(ms / firstMs) * perStep))
}

/** The middle of a bucket, in milliseconds. */
const findMiddle = (bucket: number): number => (bucket === 0 ? firstMs : firstMs * growth ** (bucket - 0.5))

/** The duration that this share of all stay below; undefined for none. `share` is 0.95 for p95. */
export function computePercentile(buckets: ArrayLike<number>, share: number): number | undefined {
  const all = Array.from(buckets)
  const total = all.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let below = 0
  const bucket = all.findIndex((count) => {
    below += count
    return below >= share * total
  })
  return Number(findMiddle(bucket).toPrecision(2))
}

/** As it stands in the database: only what is not zero. */
export const writeBuckets = (buckets: Uint32Array): string =>
  JSON.stringify(Object.fromEntries([...buckets.entries()].filter(([, count]) => count > 0)))

export function addBuckets(sum: Uint32Array, text: string): void {
  for (const [bucket, count] of Object.entries(JSON.parse(text) as Record<string, number>))
    if (Number(bucket) < bucketCount) sum[Number(bucket)]! += count
}
