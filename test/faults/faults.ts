#!/usr/bin/env bun
/**
 * Looks for a history after which something does not hold that was acknowledged, or happened twice.
 *
 * HISTORIES=10000 sets how many histories run, and WORKERS how many rounds run at once. SEED=… repeats one round, as
 * far as concurrency allows. MISHAPS='kill,power cut' allows only these mishaps; KNOWN='log says' ignores findings that
 * match its pattern. EXECUTABLE=dist/proofgate runs the built program, which starts three times as fast as the source.
 *
 * `bun run faults -- upgrades` restarts a server 50 times under load instead (upgrades.ts), and `bun run faults --
 * recovery` kills one 1,000 times while its log is shipped (recovery.ts). `bun run faults -- soak` has a server store 500
 * proofs a second for 30 minutes (soak.ts).
 */
import { availableParallelism } from 'node:os'
import { mishapNames } from './mishaps.ts'
import { tellRecovery } from './recovery.ts'
import { type RoundResult, runRound } from './round.ts'
import { tellSoak } from './soak.ts'
import { tellUpgrades } from './upgrades.ts'

/** Histories on one folder share a start, and later ones meet data of earlier ones. */
const perRound = 20
const told = 60
const progressEveryMs = 15_000

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)

if (process.argv[2] === 'worker') await work()
else if (process.argv[2] === 'upgrades') process.exitCode = await tellUpgrades()
else if (process.argv[2] === 'soak') process.exitCode = await tellSoak()
else if (process.argv[2] === 'recovery') process.exitCode = await tellRecovery()
else process.exitCode = await lead()

/** A process that runs the rounds whose seeds it is given, one in each line. */
async function work(): Promise<void> {
  for await (const line of console) {
    if (line === '') continue
    const { seed, histories } = JSON.parse(line)
    const { MISHAPS, KNOWN } = process.env
    const known = KNOWN ? new RegExp(KNOWN) : undefined
    console.log(JSON.stringify(await runRound({ seed, histories, mishaps: MISHAPS?.split(','), known })))
  }
}

async function lead(): Promise<number> {
  const one = process.env.SEED
  const histories = one === undefined ? number('HISTORIES', 200) : perRound
  const rounds = Math.ceil(histories / perRound)
  // Rounds wait for their servers a good part of their time.
  const workers = Math.min(rounds, number('WORKERS', 2 * availableParallelism()))
  const firstSeed = one === undefined ? Math.floor(Math.random() * 1e9) : Number(one)
  const began = performance.now()
  const totals = new Map<string, number>()
  const failures: RoundResult[] = []
  let next = 0
  let done = 0

  const progress = setInterval(() => {
    const minutes = (performance.now() - began) / 60_000
    console.log(`${done} of ${histories} histories, ${failures.length} rounds failed, ${minutes.toFixed(1)} minutes`)
  }, progressEveryMs)
  await Promise.all(Array.from({ length: workers }, () => runWorker()))
  clearInterval(progress)

  console.log(`\n${done} histories in ${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
  for (const [name, count] of [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1))) console.log(`  ${name}: ${count}`)
  for (const { seed, surprises } of failures) console.log(`FAILED: SEED=${seed}: ${surprises[0]}`)
  if (failures.length > 0) return 1
  const missed =
    process.env.MISHAPS || histories < 200 ? [] : mishapNames.filter((name) => !totals.has(`mishap: ${name}`))
  if (missed.length > 0 || done === 0) {
    console.log(`FAILED: nothing was tried of: ${missed.join(', ')}`)
    return 1
  }
  console.log('everything held')
  return 0

  async function runWorker(): Promise<void> {
    const worker = Bun.spawn([process.execPath, import.meta.path, 'worker'], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const lines = readLines(worker.stdout)
    // Enough is known after a few that failed.
    while (next < rounds && failures.length < 10) {
      const order = { seed: firstSeed + next++, histories: Math.min(perRound, histories) }
      worker.stdin.write(`${JSON.stringify(order)}\n`)
      await worker.stdin.flush()
      const { value } = await lines.next()
      if (value === undefined) throw new Error(`a worker ended: SEED=${order.seed}`)
      take(JSON.parse(value))
    }
    worker.stdin.end()
    await worker.exited
  }

  function take(result: RoundResult): void {
    for (const [name, count] of Object.entries(result.counts)) totals.set(name, (totals.get(name) ?? 0) + count)
    done += result.counts.histories ?? 0
    if (result.surprises.length === 0) return
    failures.push(result)
    console.log(`\nSEED=${result.seed} bun run faults\n${result.events.slice(-told).join('\n')}`)
    for (const surprise of result.surprises) console.log(`VIOLATION: ${surprise}`)
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  return undefined
}
