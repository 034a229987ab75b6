import { join } from 'node:path'
import { fillStore } from './fill.ts'
import { askAsOthers, summarize, type Waiting } from './others.ts'
import type { Launch } from './server.ts'
import { emptyFolder, launch, listening, type RunningServer, workFolder } from './server.ts'

/** Measures how long other requests wait while the slow check reads every database page at its usual pace. */

/** How much later the slowest hundredth of the answers may come because of it. */
export const checkGoalMs = 5
const stored = 200_000
const warmUpMs = 3_000

export interface CheckLine {
  readonly without: Waiting
  readonly during: Waiting
  /** For each turn: how much larger the p99 was during the check. */
  readonly differencesMs: readonly number[]
  readonly checkSeconds: number
}

/** Windows with the check and without take turns, so that a busy machine meets both. */
export async function measureCheck(checking: Launch, turns: number, say: (line: string) => void): Promise<CheckLine> {
  const folder = join(workFolder, 'check')
  emptyFolder('check')
  say(`filling a store with ${stored} proofs`)
  await fillStore(checking, folder, stored)
  const server = launch(checking, folder, false)
  try {
    await listening(server)
    const others = askAsOthers(server)
    await others(() => Bun.sleep(warmUpMs))
    const [without, during]: [number[], number[]] = [[], []]
    const differencesMs: number[] = []
    let checkMs = 0
    for (let turn = 1; turn <= turns; turn++) {
      const startedAt = performance.now()
      const checked = await others(() => check(server, turn))
      const lastedMs = performance.now() - startedAt
      const quiet = await others(() => Bun.sleep(lastedMs))
      differencesMs.push(summarize(checked).p99Ms - summarize(quiet).p99Ms)
      during.push(...checked)
      without.push(...quiet)
      checkMs += lastedMs
      say(`turn ${turn} of ${turns}: a check took ${(lastedMs / 1000).toFixed(0)} s`)
    }
    return {
      without: summarize(without),
      during: summarize(during),
      differencesMs,
      checkSeconds: checkMs / turns / 1000,
    }
  } finally {
    await server.stop('SIGKILL')
    emptyFolder('check')
  }
}

/** Ends when the check of this number has. */
async function check(server: RunningServer, number: number): Promise<void> {
  process.kill(server.pid, 'SIGUSR2')
  while (!server.log().includes(`check ${number} ended`)) await Bun.sleep(200)
}
