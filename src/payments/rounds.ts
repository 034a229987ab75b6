/**
 * Rounds of looks at due rows: bounded (work-through.ts), with one message for each outage. The database holds the due
 * rows, so a round may end at any moment.
 */
import type { Work as WorkOfLane } from '../lanes.ts'
import { shareOfLane, workBatches } from '../lanes.ts'
import type { Parts } from '../parts.ts'
import { openTeller } from './tell-once.ts'
import type { Watch } from './watch.ts'

interface RoundsOptions<Row> {
  /** In the words of the log: `checkouts`. */
  readonly named: string
  /** Rows that are due, the ones that have waited longest first. */
  list(limit: number): Promise<Row[]>
  /** The row for this process, or undefined where another one looks at it. */
  claim(row: Row): Promise<Row | undefined>
  review(row: Row): Promise<void>
  /** The look failed: the row is to be looked at later. */
  postpone(row: Row): Promise<void>
}

export function openRounds<Row>(
  parts: Pick<Parts, 'log' | 'now'>,
  { named, list, claim, review, postpone }: RoundsOptions<Row>,
): Watch {
  const tell = openTeller(parts, { outage: `${named} cannot be looked at`, fault: `a look at ${named} failed` })
  let running: Promise<void> | undefined

  async function tryLook(row: Row): Promise<void> {
    try {
      await review(row)
    } catch (error) {
      tell(error)
      await postpone(row)
    }
  }

  return {
    runOnce(signal) {
      running ??= runDueWork({ list, claim, review: tryLook }, signal).finally(() => {
        running = undefined
      })
      return running
    },
  }
}

export interface Work<Item> extends Pick<WorkOfLane<Item>, 'claim' | 'list'> {
  review(item: Item): Promise<void>
}

/** Until nothing is due, the bound is reached, or the signal comes. */
export const runDueWork = <Item>({ list, claim, review }: Work<Item>, signal: AbortSignal | undefined): Promise<void> =>
  workBatches({ list, claim, openLooks: () => review }, shareOfLane(1), signal)
