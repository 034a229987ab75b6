import { join } from 'node:path'
import { signBodies } from './bodies.ts'
import type { Contender, ContenderId } from './contenders.ts'
import { copyFilled } from './filled.ts'
import type { LoadResult } from './load.ts'
import { rssMegabytes } from './process.ts'
import { countProofs, launch, listening, load, type RunningServer, workFolder } from './server.ts'

/** The main job at 64 connections: peers, us, the ceiling and our fallback, in turns, round after round. */

const connections = 64
/**
 * Sends at least this many, and several times as many as are measured: before V8 and JavaScriptCore finish compiling,
 * servers look slower. Ours compiles until about 15,000 requests, with 83 us of CPU each for the first 10,000.
 */
const warmUpAtLeast = 2000
const warmUpTimes = 3

/** What the store holds in the middle of the measured part, unless the run names another number. */
export const comparedSize = 20_000

export interface SpeedRun extends LoadResult {
  readonly cpuUs: number | undefined
  readonly perSecond: number
  readonly rssMb: number | undefined
}

export type SpeedRuns<Id extends string = ContenderId> = Map<Id, SpeedRun[]>

export function speedRun(result: LoadResult, rssMb: number | undefined): SpeedRun {
  const cpuUs = result.cpuSeconds === undefined ? undefined : (result.cpuSeconds * 1e6) / result.accepted
  return { ...result, cpuUs, perSecond: result.accepted / result.seconds, rssMb }
}

/** Everyone in turns, round after round, so that a slow minute of the machine is everybody's. */
export async function inTurns<One extends { readonly id: string; readonly name: string }>(
  list: readonly One[],
  rounds: number,
  runOne: (one: One) => Promise<SpeedRun>,
  say: (line: string) => void,
): Promise<SpeedRuns<One['id']>> {
  const runs: SpeedRuns<One['id']> = new Map(list.map(({ id }) => [id, []]))
  for (let round = 1; round <= rounds; round++)
    for (const one of list) {
      const run = await runOne(one).catch((error) => {
        throw new Error(`${one.name}: ${error instanceof Error ? error.message : error}`)
      })
      runs.get(one.id)!.push(run)
      const cpu = run.cpuUs === undefined ? 'CPU not measured' : `${run.cpuUs.toFixed(1)} us CPU each`
      say(`round ${round}  ${one.name.padEnd(52)} ${run.perSecond.toFixed(0).padStart(6)}/s  ${cpu}`)
    }
  return runs
}

export const measureSpeed = (
  list: readonly Contender[],
  rounds: number,
  requests: number,
  say: (line: string) => void,
): Promise<SpeedRuns> =>
  inTurns(list, rounds, (contender) => runSpeed(contender, { requests: Math.ceil(requests * contender.share) }), say)

interface SpeedJob {
  readonly requests: number
  /** What the store holds in the middle of the measured part. */
  readonly size?: number
  readonly onOneCore?: boolean
  /** Runs beside the measured part. */
  readonly watch?: (server: RunningServer) => () => Promise<void>
}

export async function runSpeed(
  contender: Omit<Contender, 'id'> & { readonly id: string },
  { requests, size = comparedSize, onOneCore = true, watch }: SpeedJob,
): Promise<SpeedRun> {
  const folder = join(workFolder, contender.id)
  const warmUp = Math.max(warmUpAtLeast, Math.min(warmUpTimes * requests, comparedSize - requests / 2))
  const filled = Math.max(0, Math.round(size - warmUp - requests / 2))
  await copyFilled(contender, folder, filled)
  const server = launch(contender, folder, onOneCore)
  try {
    await listening(server)
    const probed = await probe(server, contender)
    const source = (label: string) => ({ sign: contender.body, label })
    // A profile holds only the measured part.
    if (watch) await load(server, { connections, warmUp: warmUp - 2, requests: 1, source: source('warm') })
    const end = watch?.(server)
    const job = { connections, warmUp: watch ? 1 : warmUp, requests, source: source('sheet') }
    const result = await load(server, job)
    await end?.()
    const rssMb = rssMegabytes(server.pid)

    // The server is killed without warning, and must still have every acknowledged proof once.
    await server.stop('SIGKILL')
    const expected = filled + probed + warmUp + requests
    const found = countProofs(folder)
    if (found !== expected) throw new Error(`${expected} proofs were acknowledged, ${found} are stored`)

    return speedRun(result, rssMb)
  } finally {
    await server.stop('SIGKILL')
  }
}

/**
 * Checks that each server does the work. It gets two good requests, one of them twice, and one whose content changed
 * after signing, all at once. The bad one must be refused, alone; the double one stored once. Returns the number
 * stored.
 */
async function probe(server: RunningServer, contender: Pick<Contender, 'body'>): Promise<number> {
  const [first = '', second = '', third = ''] = signBodies(contender.body, 3, 'probe')
  const forged = third.replace('agree to a millimetre', 'agree to an inch')
  const post = (body: string) =>
    fetch(`http://127.0.0.1:${server.port}/api/v1/verification`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  const answers = await Promise.all([first, forged, second, first].map(post))
  const again = await post(second)
  const statuses = [...answers, again].map((answer) => answer.status)
  if (statuses.join() !== '200,401,200,200,200')
    throw new Error(`a good, a forged, a good and twice a repeated request were answered ${statuses.join(', ')}`)

  const ids = await Promise.all([...answers.filter(({ ok }) => ok), again].map(readQHash))
  if (ids[0] !== ids[2] || ids[1] !== ids[3]) throw new Error('the same request got two ids')
  return 2
}

async function readQHash(answer: Response): Promise<string> {
  const { success, data } = (await answer.json()) as { success: boolean; data: { qHash: string } }
  if (!success || !/^0x[0-9a-f]{64}$/.test(data.qHash)) throw new Error('a 200 without a qHash')
  return data.qHash
}
