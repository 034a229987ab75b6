import { signBodies } from './bodies.ts'
import { filledQHash } from './fill.ts'
import type { RunningServer } from './server.ts'

/** How long others wait for their answers while something goes on in a server with a filled store. */

const readsPerSecond = 40
const createsPerSecond = 10

export interface Waiting {
  readonly answered: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly mostMs: number
}

export function summarize(latenciesMs: readonly number[]): Waiting {
  const sorted = latenciesMs.toSorted((one, other) => one - other)
  return {
    answered: sorted.length,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)]!,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)]!,
    mostMs: sorted.at(-1)!,
  }
}

/**
 * Reads and creates at a fixed rate while something happens. Each answer is timed from when its request was due, so
 * that a stall shows in all later ones. Returns the milliseconds of each.
 */
export function askAsOthers({ port }: RunningServer): (happens: () => Promise<void>) => Promise<number[]> {
  let windows = 0
  const everyMs = 1000 / (readsPerSecond + createsPerSecond)
  const createEach = Math.round((readsPerSecond + createsPerSecond) / createsPerSecond)
  return async (happens) => {
    // Signed anew each time: they are good for five minutes.
    const bodies = signBodies('proof', 3_000, `others ${++windows}`)
    const latenciesMs: number[] = []
    const answers: Promise<void>[] = []
    let isOver = false
    const happening = happens().finally(() => {
      isOver = true
    })
    const startedAt = performance.now()
    for (let at = 0; !isOver; at++) {
      const dueAt = startedAt + at * everyMs
      while (performance.now() < dueAt) await new Promise((resolve) => setTimeout(resolve, 0))
      const body = at % createEach === 0 ? bodies.pop() : undefined
      const path = body ? '/api/v1/verification' : `/api/v1/proofs/${filledQHash(2 * (at % 10_000) + 1)}`
      const init = body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body } : {}
      answers.push(
        fetch(`http://127.0.0.1:${port}${path}`, init).then(async (answer) => {
          const text = await answer.text()
          latenciesMs.push(performance.now() - dueAt)
          if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`)
        }),
      )
    }
    await Promise.all([...answers, happening])
    return latenciesMs
  }
}
