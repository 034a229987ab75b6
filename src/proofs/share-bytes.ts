/**
 * The largest row size with which all rows of a page fit. Small rows stay whole, and large ones get the remaining
 * space.
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
