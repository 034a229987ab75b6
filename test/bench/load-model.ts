/**
 * What to buy for a number of gate checks a second, and what limits first.
 *
 *   bun test/bench/load-model.ts                   the table of the guide "More than one machine"
 *   bun test/bench/load-model.ts --checks 5000 --proofs 20   for a load of your own
 *
 * The model adds up what one request costs on the machine of the bench, and divides by what parts of a larger installation
 * have. It knows no wait for a lock: checks take none, and proofs of different wallets share no row.
 */
import { parseArgs } from 'node:util'

/** CPU time in microseconds, from `npm run bench`: with 1,000,000 proofs in the folder, and 100,000 in PostgreSQL. */
export const inputs = {
  machine: 'AMD EPYC, 2 cores, Linux 6.18, PostgreSQL 15, 2026-11-28',
  folder: { checkUs: 230, proofUs: 469 },
  postgres: {
    check: { serverUs: 298, databaseUs: 137 },
    proof: { serverUs: 592, databaseUs: 1_036, logBytes: 2_957 },
  },
  /** Of a check, with the heads of HTTP: request and answer. */
  checkBytes: 1_300,
  proofBytes: { sent: 3_100, kept: 1_400 },
} as const

/** No part is busier, so that a burst or the loss of a server finds room. */
const mostBusy = 0.6
/** What can be bought as one machine without asking. */
const most = { databaseCores: 64, connections: 400, networkMbits: 10_000 } as const
/** Of a process. Its checks wait for the database about as long as the database works, and for the network. */
const leastConnections = 4
const secondsOfYear = 365 * 86_400

export interface Load {
  readonly checks: number
  readonly proofs: number
}

interface Limit {
  readonly name: string
  /** 1: nothing is left. */
  readonly used: number
}

export interface Answer {
  readonly load: Load
  readonly engine: 'data folder' | 'PostgreSQL'
  readonly servers: number
  readonly serverCores: number
  readonly databaseCores: number
  readonly logMegabytes: number
  readonly networkMbits: number
  readonly gigabytesOfYear: number
  /** Of the time in a server, by the formula of one queue (M/M/1). */
  readonly p99Ms: number
  /** The fullest first. */
  readonly limits: readonly Limit[]
}

/** Cores that are busy all the time. */
const addUp = ({ checks, proofs }: Load, checkUs: number, proofUs: number): number =>
  (checks * checkUs + proofs * proofUs) / 1e6

const measureNetwork = ({ checks, proofs }: Load): number =>
  ((checks * inputs.checkBytes + proofs * inputs.proofBytes.sent) * 8) / 1e6

/** The 99th of 100 waits and is served for so long, where one server is busy for that part of its time. */
const estimateP99 = (serviceUs: number, busy: number): number =>
  busy < 1 ? ((serviceUs / (1 - busy)) * Math.log(100)) / 1_000 : Number.POSITIVE_INFINITY

const sortLimits = (limits: readonly Limit[]): Limit[] => [...limits].sort((one, other) => other.used - one.used)

/** One process, whose requests share one thread. */
export function planFolder(load: Load): Answer {
  const { checkUs, proofUs } = inputs.folder
  const cores = addUp(load, checkUs, proofUs)
  return {
    load,
    engine: 'data folder',
    servers: 1,
    serverCores: cores,
    databaseCores: 0,
    logMegabytes: 0,
    networkMbits: measureNetwork(load),
    gigabytesOfYear: (load.proofs * inputs.proofBytes.kept * secondsOfYear) / 1e9,
    p99Ms: estimateP99(checkUs, cores),
    limits: sortLimits([
      { name: 'the one thread that answers requests', used: cores / mostBusy },
      { name: 'the network', used: measureNetwork(load) / most.networkMbits },
    ]),
  }
}

/** As many servers as are needed, one more for the loss of one, and at least two. */
export function planPostgres(load: Load): Answer {
  const { check, proof } = inputs.postgres
  const serverCores = addUp(load, check.serverUs, proof.serverUs)
  const databaseCores = addUp(load, check.databaseUs, proof.databaseUs)
  const servers = Math.ceil(serverCores / mostBusy) + 1
  return {
    load,
    engine: 'PostgreSQL',
    servers,
    serverCores,
    databaseCores,
    logMegabytes: (load.proofs * proof.logBytes) / 1e6,
    networkMbits: measureNetwork(load),
    gigabytesOfYear: (load.proofs * inputs.proofBytes.kept * secondsOfYear) / 1e9,
    p99Ms: estimateP99(check.serverUs + check.databaseUs, serverCores / servers),
    limits: sortLimits([
      { name: 'the cores of the primary', used: databaseCores / mostBusy / most.databaseCores },
      { name: 'connections of the primary', used: (servers * leastConnections) / most.connections },
      { name: 'the network', used: measureNetwork(load) / most.networkMbits },
    ]),
  }
}

/** The rates of the guide, with one proof for a hundred checks. */
export const guideLoads: readonly Load[] = [10, 1_000, 100_000].map((checks) => ({ checks, proofs: checks / 100 }))

const round = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value >= 10 ? value.toFixed(0) : value.toPrecision(1)

/** Cores to buy: those that are busy, with room. */
const buyCores = (busy: number): number => Math.max(2, Math.ceil(busy / mostBusy))

function describePurchase({ engine, servers, serverCores, databaseCores, limits }: Answer): string {
  if (limits[0]!.used > 1) return 'not possible'
  if (engine === 'data folder') return 'one machine with 2 cores'
  return servers <= 3
    ? `3 machines with ${Math.max(2, buyCores(serverCores / 2 + databaseCores))} cores, each with a server and a PostgreSQL`
    : `${servers} servers with a core each (${round(serverCores)} busy), 3 PostgreSQL with ${buyCores(databaseCores)} cores, ${servers * leastConnections} connections`
}

/** Markdown. */
export function writeTable(answers: readonly Answer[]): string {
  const rows = answers.map((answer) => {
    const { load, engine, p99Ms, logMegabytes, networkMbits, gigabytesOfYear, limits } = answer
    const [first] = limits
    const isPossible = first!.used <= 1
    return [
      round(load.checks),
      engine,
      describePurchase(answer),
      `${first!.name} (${round(first!.used * 100)} %)`,
      isPossible ? round(p99Ms) : '',
      engine === 'PostgreSQL' ? round(logMegabytes * 1_000) : '',
      round(networkMbits),
      round(gigabytesOfYear),
    ]
  })
  const heads = [
    'Checks a second',
    'Kept in',
    'What to buy',
    'What limits first, and how much of it is used',
    'p99 ms',
    'WAL kB/s',
    'Network Mbit/s',
    'GB a year',
  ]
  return [heads, ['---:', '---', '---', '---', '---:', '---:', '---:', '---:'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { checks: { type: 'string' }, proofs: { type: 'string' } } })
  const checks = Number(values.checks ?? Number.NaN)
  const own = Number.isNaN(checks) ? undefined : { checks, proofs: Number(values.proofs ?? checks / 100) }
  const loads = own === undefined ? guideLoads : [own]
  process.stdout.write(`${writeTable(loads.flatMap((load) => [planFolder(load), planPostgres(load)]))}\n`)
}
