import { join } from 'node:path'
import { alice } from '../wallets.ts'
import { fillStore, whale } from './fill.ts'
import { askAsOthers, summarize, type Waiting } from './others.ts'
import { emptyFolder, type Launch, launch, listening, openDatabase, type RunningServer, workFolder } from './server.ts'

/** Measures how long other requests wait while everything of a wallet with very many proofs is erased. */

/** The p99 of other requests must stay below this while the erasure runs. */
export const erasingGoalMs = 50
const before = 10

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
    const others = askAsOthers(server)
    await others(async () => Bun.sleep(2_000))
    const without = summarize(await others(async () => Bun.sleep(before * 1_000)))
    let erasure: Erasure | undefined
    const startedAt = performance.now()
    const latencies = await others(async () => {
      erasure = await begin(server)
      while ((await ask(server, erasure.status)).state !== 'done') await Bun.sleep(200)
    })
    const seconds = (performance.now() - startedAt) / 1000
    say(`erased in ${seconds.toFixed(0)} s`)
    return { without, during: summarize(latencies), proofs: erasure!.total, seconds }
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
