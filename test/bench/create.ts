import { type Contender, ours } from './contenders.ts'
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

/** `cost of who` is at most `times` that of `than`: as the goals of the other parts, upside down. */
export const createGoals = [{ who: 'large', than: 'small', factor: 1 / createGrowthGoal }] as const

export const measureCreates = (
  list: readonly CreateServer[],
  rounds: number,
  requests: number,
  say: (line: string) => void,
): Promise<SpeedRuns<CreateId>> => inTurns(list, rounds, (server) => runSpeed(server, { ...server, requests }), say)
