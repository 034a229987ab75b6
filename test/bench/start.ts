import { medianOf } from './median.ts'
import { rssMegabytes } from './process.ts'
import { emptyFolder, type Launch, launch } from './server.ts'

/** Measures the time from start to first answer on an empty data folder, and the memory held when idle. */

export const coldStartGoalMs = 60
export const idleMemoryGoalMb = 75

const starts = 11
const idleMs = 2000

export interface StartFigures {
  readonly firstAnswerMs: { readonly median: number; readonly slowest: number }
  readonly idleMemoryMb: number | undefined
}

export async function measureStart(ours: Launch): Promise<StartFigures> {
  const times: number[] = []
  const memory: number[] = []
  for (let start = 0; start < starts; start++) {
    // The executable unpacks its addon into the temporary folder: every start has to do that again.
    emptyFolder('tmp')
    const server = launch(ours, emptyFolder('start'), false)
    try {
      times.push(await firstAnswer(server))
      // The last three only: waiting each time would take half a minute.
      if (start >= starts - 3) {
        await Bun.sleep(idleMs)
        const rss = rssMegabytes(server.pid)
        if (rss !== undefined) memory.push(rss)
      }
    } finally {
      await server.stop('SIGKILL')
    }
  }
  return {
    firstAnswerMs: { median: medianOf(times), slowest: Math.max(...times) },
    idleMemoryMb: memory.length > 0 ? medianOf(memory) : undefined,
  }
}

/** Milliseconds from before the process was made. Asks once a millisecond, so it is late by as much at most. */
async function firstAnswer(server: ReturnType<typeof launch>): Promise<number> {
  const url = `http://127.0.0.1:${server.port}/api/v1/health`
  while (performance.now() - server.startedAt < 20_000) {
    const answer = await fetch(url).catch(() => undefined)
    const passed = performance.now() - server.startedAt
    if (answer?.ok) return passed
    if (answer) throw new Error(`health was answered ${answer.status}: ${await answer.text()}`)
    await Bun.sleep(1)
  }
  throw new Error(`no answer within 20 s:\n${server.log()}`)
}
