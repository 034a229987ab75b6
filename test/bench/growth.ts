import { join } from 'node:path'
import { filledQHash, fillStore, whale } from './fill.ts'
import type { Call } from './load.ts'
import { medianOf } from './median.ts'
import { emptyFolder, type Launch, launch, listening, load, type RunningServer, workFolder } from './server.ts'

/** Compares what a read costs with ten thousand and with a million proofs, half of them of one wallet. */

const sizes = [10_000, 1_000_000] as const
export type Size = (typeof sizes)[number]

export const growthGoal = 1.5

/** CPU time of one read at the largest size, where a goal is set. */
export const readGoalsUs: Readonly<Record<string, number>> = {
  'list page, first': 260,
  'list page, deep': 260,
  'status-batch of 100': 300,
}

const connections = 32
/** As many as it takes until the compilers are done. */
const warmUp = 5_000

export interface ReadRun {
  readonly cpuUs: number | undefined
  readonly p50Ms: number
}

export interface GrowthLine {
  readonly read: string
  readonly small: ReadRun
  readonly large: ReadRun
  /** Median over the rounds of large / small within a round: CPU time where it is measured, else the median latency. */
  readonly ratio: number
}

interface Store {
  readonly server: RunningServer
  readonly reads: readonly Read[]
}

interface Read {
  readonly name: string
  readonly requests: number
  readonly file: string
}

export async function measureGrowth(ours: Launch, rounds: number, say: (line: string) => void): Promise<GrowthLine[]> {
  const stores: Store[] = []
  try {
    for (const size of sizes) {
      say(`filling a store with ${size} proofs`)
      stores.push(await openStore(ours, size))
    }
    const [small, large] = stores as [Store, Store]
    const lines: GrowthLine[] = []
    for (const [at, { name }] of small.reads.entries()) {
      const pairs: { small: ReadRun; large: ReadRun }[] = []
      for (let round = 0; round < rounds; round++)
        pairs.push({ small: await runRead(small, at), large: await runRead(large, at) })
      lines.push(lineOf(name, pairs))
      say(`${name}: ${lines.at(-1)!.ratio.toFixed(2)} times the cost at ${sizes[1]}`)
    }
    return lines
  } finally {
    for (const { server } of stores) await server.stop('SIGKILL')
    for (const size of sizes) emptyFolder(`growth-${size}`)
  }
}

function lineOf(read: string, pairs: readonly { small: ReadRun; large: ReadRun }[]): GrowthLine {
  const middle = (runs: readonly ReadRun[]): ReadRun => ({
    cpuUs: runs.every(({ cpuUs }) => cpuUs !== undefined) ? medianOf(runs.map(({ cpuUs }) => cpuUs!)) : undefined,
    p50Ms: medianOf(runs.map(({ p50Ms }) => p50Ms)),
  })
  const cost = ({ cpuUs, p50Ms }: ReadRun) => cpuUs ?? p50Ms
  return {
    read,
    small: middle(pairs.map(({ small }) => small)),
    large: middle(pairs.map(({ large }) => large)),
    ratio: medianOf(pairs.map(({ small, large }) => cost(large) / cost(small))),
  }
}

async function runRead({ server, reads }: Store, at: number): Promise<ReadRun> {
  const { requests, file } = reads[at]!
  const result = await load(server, { connections, warmUp, requests, source: { replay: file } })
  return {
    cpuUs: result.cpuSeconds === undefined ? undefined : (result.cpuSeconds * 1e6) / requests,
    p50Ms: result.p50Ms,
  }
}

async function openStore(ours: Launch, size: Size): Promise<Store> {
  const folder = emptyFolder(`growth-${size}`)
  await fillStore(ours, folder, size)
  const server = launch(ours, folder)
  try {
    await listening(server)
    const list = `/api/v1/proofs/by-wallet/${whale}?limit=50`
    const cursors = await deepCursors(server, size / 2)
    const reads: [name: string, requests: number, calls: Call[]][] = [
      ['point read', 30_000, spread(size, 2000).map((qHash) => get(`/api/v1/proofs/${qHash}`))],
      ['list page, first', 5000, [get(list)]],
      ['list page, deep', 5000, cursors.map((cursor) => get(`${list}&cursor=${encodeURIComponent(cursor)}`))],
      ['status-batch of 100', 2000, Array.from({ length: 200 }, (_, at) => statusBatch(spread(size, 100, at)))],
    ]
    const written = reads.map(async ([name, requests, calls], at) => {
      const file = join(workFolder, `growth-${size}-${at}.json`)
      await Bun.write(file, JSON.stringify(calls))
      return { name, requests, file }
    })
    return { server, reads: await Promise.all(written) }
  } catch (error) {
    await server.stop('SIGKILL')
    throw error
  }
}

const get = (path: string): Call => ({ method: 'GET', path })

const statusBatch = (qHashes: readonly string[]): Call => ({
  method: 'POST',
  path: '/api/v1/verification/status-batch',
  body: JSON.stringify({ qHashes }),
})

/** `count` proofs from all over the store, the same ones in every run. */
const spread = (size: number, count: number, seed = 0): string[] =>
  Array.from({ length: count }, (_, at) =>
    filledQHash(Number((BigInt(seed * count + at) * 2_654_435_761n) % BigInt(size))),
  )

interface ListAnswer {
  readonly data: { readonly proofs: readonly unknown[]; readonly nextCursor: string | null }
}

/** Walks to the middle of the whale's list in great steps, then notes the cursors of twenty pages of 50. */
async function deepCursors(server: RunningServer, whaleProofs: number): Promise<string[]> {
  const steps = [...Array<number>(Math.floor(whaleProofs / 2 / 1000)).fill(1000), ...Array<number>(20).fill(50)]
  const cursors: string[] = []
  let cursor: string | undefined
  for (const limit of steps) {
    const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/proofs/by-wallet/${whale}?limit=${limit}${from}`)
    if (!answer.ok) throw new Error(`a list page was answered ${answer.status}: ${await answer.text()}`)
    const { data } = (await answer.json()) as ListAnswer
    if (data.proofs.length !== limit || !data.nextCursor)
      throw new Error(`a page of ${limit} in the middle of the list has ${data.proofs.length} proofs`)
    cursor = data.nextCursor
    if (limit === 50) cursors.push(cursor)
  }
  return cursors
}
