/** "Did you mean …": the most likely name behind a typo. */

/** Undefined when nothing is near enough: a far-fetched guess misleads more than none. */
export function suggestNearest(typed: string, names: readonly string[]): string | undefined {
  const wanted = readLetters(typed)
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const name of names) {
    const distance = editDistance(wanted, readLetters(name))
    if (distance >= bestDistance) continue
    best = name
    bestDistance = distance
  }
  return best
}

/** Case and separators are what people get wrong most: `hubChainId` and `hub-chain-id` are `hub_chain_id`. */
const readLetters = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 100)

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      let cost = Math.min(replaced, last[column]! + 1, current[column - 1]! + 1)
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[to.length]!
}
