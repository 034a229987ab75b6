import { type Contender, type CostGoal, type Goal, ours } from './contenders.ts'
import { findNoProfiler, makeFolderForCode, notingCode, startProfile } from './profile.ts'
import { comparedSize, inTurns, runSpeed, type SpeedRuns } from './speed.ts'

/**
 * What a created proof costs as the store grows, and how much of it the place of the writer is: on a thread of its own
 * (the default) or inline, and with one core or with all of them.
 */

export type CreateId = 'small' | 'middle' | 'large' | 'inline' | 'unpinned'

interface CreateServer extends Omit<Contender, 'id'> {
  readonly id: CreateId
  readonly size: number
  readonly onOneCore: boolean
}

/** A create at the largest size costs at most so many times what it costs at the compared one. */
export const createGrowthGoal = 1.5

export function createServers(executable: string): CreateServer[] {
  const make = (id: CreateId, name: string, more: Partial<CreateServer> = {}): CreateServer => ({
    ...ours(executable),
    id,
    name,
    body: 'proof',
    fill: 'ours',
    share: 1,
    size: comparedSize,
    onOneCore: true,
    ...more,
  })
  return [
    make('small', '20,000 stored'),
    make('middle', '200,000 stored', { size: 200_000 }),
    make('large', '1,000,000 stored', { size: 1_000_000 }),
    make('inline', '20,000 stored, writer inline', ours(executable, { PROOFGATE_STORAGE_WRITER: 'inline' })),
    make('unpinned', '20,000 stored, on all cores', { onOneCore: false }),
  ]
}

/** As the goals of the other parts, upside down: the small store is so much of the cost of the large one. */
export const createGoals: readonly Goal<CreateId>[] = [{ who: 'large', than: 'small', factor: 1 / createGrowthGoal }]
export const createCosts: readonly CostGoal<CreateId>[] = [{ who: 'small', mostUs: 140 }]

export const measureCreates = (
  list: readonly CreateServer[],
  rounds: number,
  requests: number,
  say: (line: string) => void,
): Promise<SpeedRuns<CreateId>> => inTurns(list, rounds, (server) => runSpeed(server, { ...server, requests }), say)

/** A run of its own, because sampling costs time. */
export async function profileCreates(
  executable: string,
  requests: number,
  file: string,
  say: (line: string) => void,
): Promise<void> {
  const missing = findNoProfiler()
  if (missing !== undefined) return say(`No profile: ${missing}.`)
  makeFolderForCode()
  const server = {
    ...ours(executable),
    name: 'profiled',
    id: 'profiled',
    body: 'proof',
    fill: 'ours',
    share: 1,
  } as const
  await runSpeed({ ...server, ...notingCode(server) }, { requests, watch: (running) => startProfile(running, file) })
  say(`Wrote a flame graph to ${file}.`)
}
