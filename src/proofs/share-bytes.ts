/**
 * The largest size that every row of a page may have so that all of them fit: small rows stay whole, and what they
 * leave over goes to the large ones.
 */
export function shareBytes(sizes: readonly number[], total: number): number {
  const ascending = [...sizes].sort((one, other) => one - other)
  let left = total
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (size > share) return share
    left -= size
  }
  return Number.MAX_SAFE_INTEGER
}
