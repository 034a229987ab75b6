import type { BearerFigures, BearerJob } from './bearer-check.ts'
import { emptyFolder, runApart } from './server.ts'

/** Measures the CPU time of checking an access token, in process and on one core. */

export const bearerGoalUs = 100

export async function measureBearerCheck(rounds: number): Promise<BearerFigures> {
  const job: BearerJob = { folder: emptyFolder('bearer'), rounds }
  const figures = await runApart<BearerFigures>(0, 'bearer-check.ts', job)
  emptyFolder('bearer')
  return figures
}
