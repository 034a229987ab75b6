import { join } from 'node:path'
import { fillDifferent, filledQHash, whale } from './fill.ts'
import type { Call } from './load.ts'
import { medianOf } from './median.ts'
import type { PacedResult } from './paced.ts'
import { emptyFolder, type Launch, launch, listening, load, openDatabase, paced, workFolder } from './server.ts'

/**
 * Gate checks from stored proofs: a million of them, half of one wallet. Each kind is asked at a fixed rate and timed
 * from the moment it was due. Otherwise a slow server would be asked less, which would hide its delay. A second run
 * asks as fast as possible, to measure the CPU time.
 */

const proofs = 1_000_000
const connections = 32
const requests = 5_000
/** As many as it takes until the compilers are done. */
const warmUp = 10_000
export const gateCheckRate = 1_000
export const gateCheckGoalMs = 5
/** CPU time of the gate of two requirements. */
export const gateCheckGoalUs = 120
export const gateOfTwo = 'a gate of two requirements, the large wallet'
const seconds = 5

export interface GateCheckLine {
  readonly check: string
  readonly cpuUs: number | undefined
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Medians over the rounds. */
export async function measureGateChecks(
  ours: Launch,
  rounds: number,
  say: (line: string) => void,
): Promise<GateCheckLine[]> {
  const folder = emptyFolder('gate-check')
  say(`filling a store with ${proofs} proofs`)
  await fillDifferent(ours, folder, proofs)
  storeGate(folder, contentOf(proofs / 2))
  // At this start the server computes all facts, as with the store of an earlier version.
  const server = launch(ours, folder)
  try {
    await listening(server, 300_000)
    say(`gave them their facts in ${((performance.now() - server.startedAt) / 1000).toFixed(0)} s`)
    const lines: GateCheckLine[] = []
    for (const [check, calls] of kinds()) {
      const file = join(workFolder, 'gate-check.json')
      await Bun.write(file, JSON.stringify(calls))
      await paced(server, { file, perSecond: gateCheckRate, seconds: 2 })
      const runs: PacedResult[] = []
      for (let round = 0; round < rounds; round++)
        runs.push(await paced(server, { file, perSecond: gateCheckRate, seconds }))
      const p50Ms = medianOf(runs.map((run) => run.p50Ms))
      const p99Ms = medianOf(runs.map((run) => run.p99Ms))
      const { cpuSeconds } = await load(server, { connections, warmUp, requests, source: { replay: file } })
      lines.push({ check, cpuUs: cpuSeconds === undefined ? undefined : (cpuSeconds * 1e6) / requests, p50Ms, p99Ms })
      const each = runs.map((run) => run.p99Ms.toFixed(2)).join(', ')
      say(`${check}: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms at ${gateCheckRate}/s (${each})`)
    }
    return lines
  } finally {
    await server.stop('SIGKILL')
    emptyFolder('gate-check')
  }
}

/** The proof of an index, and the wallet it belongs to when the index is even. */
const contentOf = (index: number): string => filledQHash(index)
const spread = (count: number, of: (at: number) => string): Call[] =>
  Array.from({ length: count }, (_, at) => ({ method: 'GET', path: `/api/v1/proofs/check?${of(at)}` }))
const evenIndex = (at: number): number => ((at * 2_654_435_761) % (proofs / 2)) * 2

const kinds = (): readonly (readonly [string, Call[]])[] => [
  [
    'criteria with a subject, the large wallet',
    spread(2_000, (at) => `address=${whale}&verifierIds=ownership-basic&contentHash=${contentOf(evenIndex(at))}`),
  ],
  [
    'criteria with a subject, that it has not',
    spread(2_000, (at) => `address=${whale}&verifierIds=ownership-basic&contentHash=${contentOf(proofs + at)}`),
  ],
  [gateOfTwo, spread(1, () => `address=${whale}&gateId=gate_bench`)],
  [
    'a gate of two requirements, wallets that are unknown',
    spread(2_000, (at) => `address=0x${at.toString(16).padStart(40, '0')}&gateId=gate_bench`),
  ],
  [
    'a verifier alone, at most 20 proofs, the large wallet',
    spread(1, () => `address=${whale}&verifierIds=ownership-basic&limit=20`),
  ],
]

/** A gate of two requirements. `content` is the hash that one of them asks for. */
export function storeGate(folder: string, content: string): void {
  const db = openDatabase(folder)
  const definition = {
    gateId: 'gate_bench',
    name: 'Bench',
    requirements: [
      { verifierId: 'ownership-basic', minCount: 3 },
      { verifierId: 'ownership-basic', match: [{ path: 'contentHash', op: 'eq', value: content }] },
    ],
  }
  db.run(
    `INSERT INTO gates (gate_id, owner, status, version, created_at, updated_at) VALUES ('gate_bench', '${whale}', 'active', 1, 0, 0)`,
  )
  db.run(
    `INSERT INTO gate_versions (gate, version, definition, author, created_at) SELECT id, 1, ?, owner, 0 FROM gates`,
    [JSON.stringify(definition)],
  )
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
