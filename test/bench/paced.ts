import { readFileSync } from 'node:fs'
import type { Call } from './load.ts'

/**
 * Asks at a fixed rate, whatever the server does, in a process of its own. Each answer is timed from when its request
 * was due: a stall delays all later requests, which must show.
 *
 * Takes one PacedJob as JSON in argv, prints one PacedResult as JSON.
 */
export interface PacedJob {
  readonly port: number
  /** JSON: Call[], sent round and round. */
  readonly file: string
  readonly perSecond: number
  readonly seconds: number
}

export interface PacedResult {
  readonly answered: number
  readonly p50Ms: number
  readonly p99Ms: number
}

if (import.meta.main) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2]!) as PacedJob)))
  process.exit(0)
}

async function run({ port, file, perSecond, seconds }: PacedJob): Promise<PacedResult> {
  const calls = JSON.parse(readFileSync(file, 'utf8')) as Call[]
  const total = perSecond * seconds
  const latenciesMs = new Float64Array(total)
  const everyMs = 1000 / perSecond
  const startedAt = performance.now() + 100
  const answers: Promise<void>[] = []
  for (let at = 0; at < total; at++) {
    const dueAt = startedAt + at * everyMs
    // A timer would come up to a millisecond late; the loop has a core of its own.
    while (performance.now() < dueAt) await new Promise((resolve) => setImmediate(resolve))
    const { method, path } = calls[at % calls.length]!
    answers.push(
      fetch(`http://127.0.0.1:${port}${path}`, { method }).then(async (answer) => {
        const text = await answer.text()
        if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`)
        latenciesMs[at] = performance.now() - dueAt
      }),
    )
  }
  await Promise.all(answers)
  latenciesMs.sort()
  return {
    answered: total,
    p50Ms: latenciesMs[Math.floor(total * 0.5)]!,
    p99Ms: latenciesMs[Math.floor(total * 0.99)]!,
  }
}
