/**
 * `bun run faults -- soak`: a server with the continuous backup stores 500 proofs a second for 30 minutes. Memory and
 * descriptors must stay as they are after the first third, and the log bounded. MINUTES and RATE set how long and how
 * fast. EXECUTABLE names the program.
 */
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rssMegabytes } from '../bench/process.ts'
import { firstLine } from '../db/child.ts'
import { program } from '../parts/program.ts'

export interface Sample {
  readonly rssMb: number
  readonly descriptors: number
  readonly logBytes: number
  readonly lagSeconds: number
}

export interface SoakReport {
  readonly stored: number
  readonly failed: readonly string[]
  readonly samples: readonly Sample[]
  readonly p50Ms: number
  readonly p99Ms: number
}

const medianOf = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0

export async function runSoak({
  minutes,
  rate,
  sampleEveryMs = 10_000,
  tell = () => {},
}: {
  readonly minutes: number
  readonly rate: number
  readonly sampleEveryMs?: number
  readonly tell?: (says: string) => void
}): Promise<SoakReport> {
  const home = mkdtempSync(join(tmpdir(), 'proofgate-soak-'))
  const data = join(home, 'data')
  const server = Bun.spawn([...program, 'serve', '--json'], {
    cwd: home,
    env: {
      PATH: process.env.PATH ?? '',
      PROOFGATE_DATA: data,
      PROOFGATE_PORT: '0',
      PROOFGATE_LIMITS_ENABLED: 'false',
      PROOFGATE_METRICS_ENABLED: 'true',
      PROOFGATE_METRICS_PORT: '0',
      PROOFGATE_BACKUP_TO: join(home, 'place'),
      PROOFGATE_BACKUP_PASSPHRASE: 'of the soak alone',
      PROOFGATE_BACKUP_CONTINUOUS: 'true',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { baseUrl, metricsUrl } = JSON.parse(await firstLine(server.stdout))
  const load = Bun.spawn([process.execPath, join(import.meta.dir, 'soak-load.ts'), baseUrl, String(rate)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const latenciesMs: number[] = []
  const failed: string[] = []
  let stored = 0
  const reading = readLines(load.stdout, (line) => {
    const told = JSON.parse(line)
    stored = told.stored
    failed.push(...told.failed)
    latenciesMs.push(...told.latenciesMs)
  })
  const samples: Sample[] = []
  try {
    const until = performance.now() + minutes * 60_000
    while (performance.now() < until) {
      await Bun.sleep(sampleEveryMs)
      const sample = await takeSample(server.pid, data, metricsUrl)
      samples.push(sample)
      tell(
        `${stored} stored, ${failed.length} failed, ${sample.rssMb.toFixed(0)} MB, ${sample.descriptors} descriptors, log ${(sample.logBytes / 1_048_576).toFixed(1)} MiB, ${sample.lagSeconds.toFixed(1)} s behind`,
      )
    }
    latenciesMs.sort((one, other) => one - other)
    return {
      stored,
      failed,
      samples,
      p50Ms: latenciesMs[latenciesMs.length >> 1] ?? 0,
      p99Ms: latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? 0,
    }
  } finally {
    load.kill('SIGKILL')
    server.kill('SIGTERM')
    await Promise.all([server.exited, load.exited, reading])
    rmSync(home, { recursive: true, force: true })
  }
}

async function takeSample(pid: number, data: string, metricsUrl: string): Promise<Sample> {
  const page = await (await fetch(metricsUrl)).text()
  return {
    rssMb: rssMegabytes(pid) ?? 0,
    descriptors: countFiles(pid),
    logBytes: statSync(join(data, 'proofgate.sqlite-wal')).size,
    lagSeconds: Number(/^proofgate_backup_lag_seconds (\S+)/m.exec(page)?.[1] ?? Number.NaN),
  }
}

/** Connections come and go with the load. */
const countFiles = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return !readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}

/** Of the last third against the second, as a part. The first third fills caches. */
const growthOf = (samples: readonly Sample[], read: (sample: Sample) => number): number => {
  const third = Math.floor(samples.length / 3)
  return medianOf(samples.slice(2 * third).map(read)) / medianOf(samples.slice(third, 2 * third).map(read)) - 1
}

export async function tellSoak(): Promise<number> {
  const minutes = Number(process.env.MINUTES ?? 30)
  const rate = Number(process.env.RATE ?? 500)
  const { stored, failed, samples, p50Ms, p99Ms } = await runSoak({ minutes, rate, tell: console.log })
  const memory = growthOf(samples, ({ rssMb }) => rssMb)
  const descriptors = growthOf(samples, ({ descriptors: count }) => count)
  const longestLog = Math.max(...samples.map(({ logBytes }) => logBytes))
  const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
  console.log(`
${minutes} minutes at ${rate} proofs a second: ${stored} stored, ${failed.length} failed
memory ${percent(memory)}, descriptors ${percent(descriptors)} from the second third to the last
the log at most ${(longestLog / 1_048_576).toFixed(1)} MiB, the place at most ${Math.max(...samples.map(({ lagSeconds }) => lagSeconds)).toFixed(1)} s behind
p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`)
  for (const one of failed.slice(0, 5)) console.log(`FAILED: ${one}`)
  // The log is copied back at 64 MiB.
  const isGood = failed.length === 0 && memory <= 0.05 && descriptors <= 0.05 && longestLog < 2 * 64 * 1_048_576
  return isGood ? 0 : 1
}
