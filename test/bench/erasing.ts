import { join } from 'node:path'
import { alice } from '../wallets.ts'
import { signBodies } from './bodies.ts'
import { filledQHash, fillStore, whale } from './fill.ts'
import { emptyFolder, type Launch, launch, listening, openDatabase, type RunningServer, workFolder } from './server.ts'

/** What others wait for while everything of a wallet with very many proofs is erased. */

/** Of everybody else's answers while the erasure runs. */
export const erasingGoalMs = 50
const readsPerSecond = 40
const createsPerSecond = 10
const before = 10

export interface Waiting {
  readonly answered: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly mostMs: number
}

export interface ErasingLine {
  readonly without: Waiting
  readonly during: Waiting
  readonly proofs: number
  readonly seconds: number
}

interface Erasure {
  readonly state: string
  readonly total: number
  readonly status: string
}

export async function measureErasing(ours: Launch, erased: number, say: (line: string) => void): Promise<ErasingLine> {
  // Every second proof of a filled store is the one wallet's.
  const stored = 2 * erased
  const folder = join(workFolder, 'erasing')
  emptyFolder('erasing')
  say(`filling a store with ${stored} proofs`)
  await fillStore(ours, folder, stored)
  const db = openDatabase(folder)
  db.run('UPDATE accounts SET address = ? WHERE address = ?', [alice.address.toLowerCase(), whale])
  db.close()
  const server = launch(ours, folder, false)
  try {
    await listening(server)
    const others = othersOf(server)
    await others(async () => Bun.sleep(2_000))
    const without = await others(async () => Bun.sleep(before * 1_000))
    let erasure: Erasure | undefined
    const startedAt = performance.now()
    const during = await others(async () => {
      erasure = await begin(server)
      while ((await ask(server, erasure.status)).state !== 'done') await Bun.sleep(200)
    })
    const seconds = (performance.now() - startedAt) / 1000
    say(`erased in ${seconds.toFixed(0)} s`)
    return { without, during, proofs: erasure!.total, seconds }
  } finally {
    await server.stop('SIGKILL')
    emptyFolder('erasing')
  }
}

async function begin({ port }: RunningServer): Promise<Erasure> {
  const action = {
    action: 'erase_all_proofs',
    audience: `127.0.0.1:${port}`,
    walletAddress: alice.address.toLowerCase(),
  }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/proofs/erase-all`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=0' },
    body: JSON.stringify(await alice.signAction(action, Date.now())),
  })
  return erasureIn(answer)
}

const ask = async ({ port }: RunningServer, path: string): Promise<Erasure> =>
  erasureIn(await fetch(`http://127.0.0.1:${port}${path}`))

async function erasureIn(answer: Response): Promise<Erasure> {
  if (!answer.ok) throw new Error(`the erasure was answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { erasure: Erasure }).erasure
}

/**
 * Reads and creates at a fixed rate while something happens. The time of an answer is counted from when its question was
 * due, so that a stall shows in all that come after.
 */
function othersOf({ port }: RunningServer): (happens: () => Promise<void>) => Promise<Waiting> {
  const bodies = signBodies('proof', 20_000, 'erasing')
  const everyMs = 1000 / (readsPerSecond + createsPerSecond)
  const createEach = Math.round((readsPerSecond + createsPerSecond) / createsPerSecond)
  return async (happens) => {
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
    const sorted = latenciesMs.toSorted((one, other) => one - other)
    return {
      answered: sorted.length,
      p50Ms: sorted[Math.floor(sorted.length * 0.5)]!,
      p99Ms: sorted[Math.floor(sorted.length * 0.99)]!,
      mostMs: sorted.at(-1)!,
    }
  }
}
