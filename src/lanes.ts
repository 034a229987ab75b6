/**
 * Due work that waits for other services, in lanes: one for each possibly slow service, such as a chain. Every lane has
 * its own pace, with one pass at a time. The due items are in the database, so a pass may end at any moment.
 */

export interface Work<Item> {
  /** The due items, at most `limit`. An examined item must not be due any more. */
  list(limit: number): Promise<Item[]>
  /** The item for this process, or undefined where another one looks at it. */
  claim(item: Item): Promise<Item | undefined>
  /** Made anew for each batch, so that the looks of one batch can share what they asked. */
  openLooks(): (item: Item) => Promise<void>
}

export interface LaneWork<Item> {
  /** Names of the lanes in which something is due. */
  listDue(): Promise<readonly string[]>
  openWork(lane: string): Work<Item>
  /** Looks that are under way at the same time in one lane. */
  readonly atOnce: number
}

export interface Lanes {
  /**
   * Starts a pass in each lane that has none under way, and ends with all running passes. So a slow lane delays this
   * call, and no other lane. Errors: those of listing.
   */
  runOnce(signal?: AbortSignal): Promise<void>
}

const batch = 100
/** One pass ends after this number of checks, and the next one continues. */
const mostLooks = 2_000

/** Looks of all lanes together, as long as there are fewer lanes than this. */
const atOnceInAll = 32
const mostAtOnce = 8

/** The number of parallel checks for each lane: endpoints limit calls, and no lane takes from another. */
export const shareOfLane = (lanes: number): number =>
  Math.max(1, Math.min(mostAtOnce, Math.floor(atOnceInAll / Math.max(1, lanes))))

export function openLanes<Item>({ listDue, openWork, atOnce }: LaneWork<Item>): Lanes {
  const passes = new Map<string, Promise<void>>()
  return {
    async runOnce(signal) {
      for (const lane of await listDue())
        if (!passes.has(lane))
          passes.set(
            lane,
            workBatches(openWork(lane), atOnce, signal).finally(() => passes.delete(lane)),
          )
      await Promise.all(passes.values())
    },
  }
}

/** Until nothing is due, the bound is reached, or the signal comes. */
export async function workBatches<Item>(
  { list, claim, openLooks }: Work<Item>,
  atOnce: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += batch) {
    const due = await list(batch)
    const waiting = [...due]
    const look = openLooks()
    const runWorker = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !signal?.aborted; next = waiting.shift()) {
        const claimed = await claim(next)
        if (claimed) await look(claimed)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, runWorker))
    if (due.length < batch || signal?.aborted) return
  }
}
