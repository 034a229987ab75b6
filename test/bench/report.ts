import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { bearerGoalUs } from './bearer.ts'
import type { BearerFigures } from './bearer-check.ts'
import { type CheckLine, checkGoalMs } from './check.ts'
import type { CostGoal, Goal } from './contenders.ts'
import type { DashboardLine } from './dashboard.ts'
import { type ErasingLine, erasingGoalMs } from './erasing.ts'
import { type GateCheckLine, gateCheckGoalMs, gateCheckGoalUs, gateCheckRate, gateOfTwo } from './gate-check.ts'
import { type GrowthLine, growthGoal, readGoalsUs } from './growth.ts'
import { medianOf } from './median.ts'
import type { Waiting } from './others.ts'
import { type RestoreLine, restoreGoalSeconds } from './restore.ts'
import { pinning, workFolder } from './server.ts'
import type { SeveralLine } from './several.ts'
import type { SpeedRun, SpeedRuns } from './speed.ts'
import { coldStartGoalMs, idleMemoryGoalMb, type StartFigures } from './start.ts'

/** The tables for README.md of this folder. */

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly kernel: string
  readonly bun: string
  readonly node: string
  readonly fsyncMs: number
  readonly pinned: boolean
  readonly date: string
}

export function describeMachine(): Machine {
  const node = Bun.which('node')
  return {
    cpu: cpus()[0]?.model.trim() || processorName(),
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()}`,
    bun: Bun.version,
    node: node ? Bun.spawnSync([node, '--version']).stdout.toString().trim().slice(1) : 'absent',
    fsyncMs: fsyncMs(),
    pinned: pinning,
    date: new Date().toISOString().slice(0, 10),
  }
}

function processorName(): string {
  try {
    return /model name\s*: (.+)/.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? 'unknown processor'
  } catch {
    return 'unknown processor'
  }
}

/** Measures one durable write on this disk, because it decides how much sharing a commit gains. */
function fsyncMs(): number {
  const file = join(workFolder, 'fsync')
  const handle = openSync(file, 'w')
  const page = new Uint8Array(4096)
  const times = Array.from({ length: 101 }, () => {
    const before = performance.now()
    writeSync(handle, page)
    fsyncSync(handle)
    return performance.now() - before
  })
  closeSync(handle)
  rmSync(file)
  return medianOf(times)
}

export const machineText = (machine: Machine): string =>
  `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.kernel}, fsync ${machine.fsyncMs.toFixed(2)} ms; ` +
  `Bun ${machine.bun}, Node ${machine.node}; ${machine.date}. ` +
  (machine.pinned
    ? 'Server pinned to one core, load generator to another.'
    : 'Not pinned to cores: the load generator takes time from the server.')

const cell = (value: number | undefined, digits = 0): string =>
  value === undefined
    ? 'not measured'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const middle = (runs: readonly SpeedRun[], of: (run: SpeedRun) => number | undefined): number | undefined => {
  const values = runs.map(of)
  return values.every((value) => value !== undefined) ? medianOf(values) : undefined
}

interface Named<Id extends string> {
  readonly id: Id
  readonly name: string
}

export function speedTable<Id extends string>(
  list: readonly Named<Id>[],
  runs: SpeedRuns<Id>,
  { one, many }: { readonly one: string; readonly many: string },
): string {
  const rows = list.map(({ id, name }) => {
    const own = runs.get(id)!
    return [
      name,
      cell(middle(own, (run) => run.cpuUs)),
      cell(middle(own, (run) => run.perSecond)),
      cell(
        middle(own, (run) => run.p50Ms),
        1,
      ),
      cell(
        middle(own, (run) => run.p99Ms),
        1,
      ),
      cell(middle(own, (run) => run.rssMb)),
      cell(middle(own, (run) => run.answerBytes)),
    ]
  })
  return table(['', `CPU µs per ${one}`, `${many}/s`, 'p50 ms', 'p99 ms', 'memory MB', 'answer bytes'], rows)
}

export interface Ratio {
  readonly median: number
  readonly least: number
  readonly most: number
}

export interface GoalResult {
  readonly goal: string
  readonly wanted: number
  readonly cpu: Ratio | undefined
  readonly throughput: Ratio | undefined
}

/** Ratios are taken within a round, whose runs lie seconds apart, and only then their median: the machine drifts. */
export function judgeGoals<Id extends string>(
  goals: readonly Goal<Id>[],
  list: readonly Named<Id>[],
  runs: SpeedRuns<Id>,
): GoalResult[] {
  const nameOf = (id: Id) =>
    /^[abc]$/.test(id) ? `(${id})` : (list.find((contender) => contender.id === id)?.name ?? id)
  return goals.map(({ who, than, factor }) => {
    const mine = runs.get(who) ?? []
    const theirs = runs.get(than) ?? []
    const ratio = (of: (mine: SpeedRun, theirs: SpeedRun) => number | undefined): Ratio | undefined => {
      const ratios = mine.map((run, round) => of(run, theirs[round]!))
      if (ratios.length === 0 || !ratios.every((value) => value !== undefined)) return undefined
      return { median: medianOf(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
    }
    const comparable = mine.length > 0 && theirs.length === mine.length
    return {
      goal: `${nameOf(who)} against ${nameOf(than)}`,
      wanted: factor,
      cpu: comparable ? ratio((own, other) => own.cpuUs && other.cpuUs && other.cpuUs / own.cpuUs) : undefined,
      throughput: comparable ? ratio((own, other) => own.perSecond / other.perSecond) : undefined,
    }
  })
}

const met = (isMet: boolean): string => (isMet ? 'met' : '**not met**')

/** `goal`: at most. */
const judgeCost = (us: number | undefined, goal: number | undefined): string =>
  us === undefined || goal === undefined ? cell(us) : `${cell(us)} (goal ≤ ${goal}), ${met(us <= goal)}`

export function goalTable(results: readonly GoalResult[], one: string): string {
  const shown = (ratio: Ratio | undefined, wanted: number): string => {
    if (!ratio) return 'not measured'
    const times = (value: number) => (wanted < 1 ? `${(value * 100).toFixed(0)} %` : `${value.toFixed(1)}×`)
    return `${times(ratio.median)} (${times(ratio.least)} to ${times(ratio.most)}), ${met(ratio.median >= wanted)}`
  }
  return table(
    ['Ratio', 'goal', `CPU time per ${one}`, 'throughput'],
    results.map(({ goal, wanted, cpu, throughput }) => [
      goal,
      wanted < 1 ? `${(wanted * 100).toFixed(0)} %` : `${wanted}×`,
      shown(cpu, wanted),
      shown(throughput, wanted),
    ]),
  )
}

export const costTable = <Id extends string>(
  goals: readonly CostGoal<Id>[],
  list: readonly Named<Id>[],
  runs: SpeedRuns<Id>,
): string =>
  table(
    ['CPU time per proof', 'goal', 'measured'],
    goals.map(({ who, mostUs }) => {
      const us = middle(runs.get(who) ?? [], (run) => run.cpuUs)
      const shown = us === undefined ? 'not measured' : `${cell(us)} µs, ${met(us <= mostUs)}`
      return [list.find(({ id }) => id === who)?.name ?? who, `≤ ${mostUs} µs`, shown]
    }),
  )

export const growthTable = (lines: readonly GrowthLine[]): string =>
  table(
    [
      'Read',
      'CPU µs, 10,000 stored',
      'CPU µs, 1,000,000',
      'p50 ms, 10,000',
      'p50 ms, 1,000,000',
      `ratio (goal ≤ ${growthGoal})`,
    ],
    lines.map(({ read, small, large, ratio }) => [
      read,
      cell(small.cpuUs),
      judgeCost(large.cpuUs, readGoalsUs[read]),
      cell(small.p50Ms, 2),
      cell(large.p50Ms, 2),
      `${ratio.toFixed(2)}, ${met(ratio <= growthGoal)}`,
    ]),
  )

export const restoreTable = ({ proofs, databaseMb, placeMb, seconds }: RestoreLine): string =>
  `A restore of ${proofs.toLocaleString('en')} proofs (a database of ${Math.round(databaseMb)} MB, ${Math.round(placeMb)} MB at the place), with all checks: ${seconds.toFixed(1)} s, ${met(seconds <= restoreGoalSeconds)}.`

export const erasingTable = ({ without, during, proofs, seconds }: ErasingLine): string =>
  waitingTable([
    ['nothing is erased', without, ''],
    [`${proofs} proofs are erased, in ${seconds.toFixed(0)} s`, during, `, ${met(during.p99Ms < erasingGoalMs)}`],
  ])

export function checkTable({ without, during, differencesMs, checkSeconds }: CheckLine): string {
  const moreMs = during.p99Ms - without.p99Ms
  const turns = differencesMs.map((ms) => ms.toFixed(1)).join(', ')
  const shown = waitingTable([
    ['nothing is checked, 200,000 proofs', without, ''],
    [`every page is checked, in ${checkSeconds.toFixed(0)} s`, during, ''],
  ])
  return `${shown}\n\np99 with the check: ${moreMs.toFixed(1)} ms more (goal: at most ${checkGoalMs}), ${met(moreMs <= checkGoalMs)}. By turns: ${turns} ms.`
}

const waitingTable = (lines: readonly (readonly [name: string, waiting: Waiting, judged: string])[]): string =>
  table(
    ['Others', 'answers', 'p50 ms', 'p99 ms', 'most ms'],
    lines.map(([name, { answered, p50Ms, p99Ms, mostMs }, judged]) => [
      name,
      String(answered),
      cell(p50Ms, 1),
      `${cell(p99Ms, 1)}${judged}`,
      cell(mostMs, 1),
    ]),
  )

export const gateCheckTable = (lines: readonly GateCheckLine[]): string =>
  table(
    [
      'Gate check, 1,000,000 proofs, half of one wallet',
      'CPU µs',
      `p50 ms at ${cell(gateCheckRate)}/s`,
      `p99 ms at ${cell(gateCheckRate)}/s (goal < ${gateCheckGoalMs})`,
    ],
    lines.map(({ check, cpuUs, p50Ms, p99Ms }) => [
      check,
      judgeCost(cpuUs, check === gateOfTwo ? gateCheckGoalUs : undefined),
      cell(p50Ms, 2),
      `${cell(p99Ms, 2)}, ${met(p99Ms < gateCheckGoalMs)}`,
    ]),
  )

export const severalTable = (lines: readonly SeveralLine[]): string =>
  table(
    [
      'Servers and generators on the same cores',
      'work',
      'a second',
      'p50 ms',
      'p99 ms',
      'CPU µs, servers',
      'CPU µs, PostgreSQL',
      'WAL bytes',
    ],
    lines.map(({ setting, work, perSecond, p50Ms, p99Ms, serverUs, databaseUs, walBytes }) => [
      setting,
      work,
      cell(perSecond),
      cell(p50Ms, 1),
      cell(p99Ms, 1),
      cell(serverUs),
      cell(databaseUs),
      cell(walBytes),
    ]),
  )

export const bearerTable = ({ wholeUs, lookUpUs }: BearerFigures): string =>
  table(
    ['Bearer check, 100,000 tokens stored', 'goal', 'CPU µs'],
    [
      ['whole', `< ${bearerGoalUs}`, `${cell(wholeUs)}, ${met(wholeUs < bearerGoalUs)}`],
      ['of it, the look-up', '', cell(lookUpUs)],
    ],
  )

export const startTable = ({ firstAnswerMs, idleMemoryMb }: StartFigures): string =>
  table(
    ['Start and idle', 'goal', 'measured'],
    [
      [
        'first answer on an empty data folder',
        `< ${coldStartGoalMs} ms`,
        `${cell(firstAnswerMs.median, 1)} ms (slowest ${cell(firstAnswerMs.slowest, 1)}), ${met(firstAnswerMs.median < coldStartGoalMs)}`,
      ],
      [
        'idle memory',
        `< ${idleMemoryGoalMb} MB`,
        idleMemoryMb === undefined
          ? 'not measured'
          : `${cell(idleMemoryMb)} MB, ${met(idleMemoryMb < idleMemoryGoalMb)}`,
      ],
    ],
  )

export const pageTable = (title: string, lines: readonly DashboardLine[]): string =>
  table(
    [title, 'goal', 'ms', 'slowest'],
    lines.map(({ what, goalMs, medianMs, slowestMs }) => [
      what,
      goalMs === undefined ? '' : `< ${goalMs} ms, ${met(medianMs < goalMs)}`,
      cell(medianMs),
      cell(slowestMs),
    ]),
  )
