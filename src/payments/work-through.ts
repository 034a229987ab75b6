/** What is due is looked at within bounds, so that a run ends, and the next one goes on. */
import { shareOfLane, type Work as WorkOfLane, workBatches } from '../lanes.ts'

export interface Work<Item> extends Pick<WorkOfLane<Item>, 'list'> {
  review(item: Item): Promise<void>
}

/** Until nothing is due, the bound is reached, or the signal comes. */
export const runDueWork = <Item>({ list, review }: Work<Item>, signal: AbortSignal | undefined): Promise<void> =>
  workBatches({ list, openLooks: () => review }, shareOfLane(1), signal)
