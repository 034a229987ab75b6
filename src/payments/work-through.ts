/** What is due is looked at within bounds, so that a run ends, and the next one goes on. */

const batch = 100
/** One run ends after so many looks. */
const mostLooks = 2_000
/** Looks that are under way at the same time: endpoints count calls. */
const atOnce = 8

export interface Work<Item> {
  /** What is due now, at most so many. Whatever was looked at must not be due any more. */
  list(limit: number): Item[]
  lookAt(item: Item): Promise<void>
}

/** Until nothing is due, the bound is reached, or the signal comes. */
export async function workThrough<Item>({ list, lookAt }: Work<Item>, signal: AbortSignal | undefined): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += batch) {
    const due = list(batch)
    const waiting = [...due]
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !signal?.aborted; next = waiting.shift()) await lookAt(next)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    if (due.length < batch || signal?.aborted) return
  }
}
