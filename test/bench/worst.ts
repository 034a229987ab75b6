/**
 * `bun run bench --only worst` measures the worst known request of every route, for strangers and signed-in people. The
 * rule is a promise to operators (test/bench/README.md, "The worst requests"): a request above it fails the run.
 *
 * Each route gets hard requests made from its schemas (worst-generic.ts), and requests known to be hard
 * (worst-known-*.ts). A first look sends each once. The slowest of each route, and all known ones, are then measured in
 * CPU time.
 */
import type { Route } from '../fuzz/hard-request.ts'
import { emptyFolder, type Launch } from './server.ts'
import type { Sender, Stage, WorstCase } from './worst-case.ts'
import { genericCases, nameOf } from './worst-generic.ts'
import { knownGates } from './worst-known-gates.ts'
import { knownMcp } from './worst-known-mcp.ts'
import { knownPeople } from './worst-known-people.ts'
import { type KnownWorst, knownProofs } from './worst-known-proofs.ts'
import { type Measured, Meter } from './worst-meter.ts'
import { signIn } from './worst-people.ts'
import { fillWorstStore } from './worst-store.ts'

export const knownWorst: KnownWorst = { ...knownProofs, ...knownGates, ...knownPeople, ...knownMcp }

/** CPU time of one request at most, in ms. */
export const mostCpuMs: Readonly<Record<Sender, number>> = { stranger: 50, 'signed in': 100 }
/** Largest size of one answer, exports aside. */
export const mostAnswerBytes = 2 * 1024 * 1024

/** This number of the slowest generic requests is measured for each route and sender. */
const measuredEach = 2
/** Requests answered faster than this in the first look are no candidates. */
const quickMs = 5

export interface WorstLine extends Measured {
  readonly route: string
  readonly name: string
  readonly sender: Sender
  readonly isSliced: boolean
  /** For sliced actions: the longest time that another request had to wait. */
  readonly longestWaitMs?: number
  /** Why the run fails, or undefined. */
  readonly fault: string | undefined
}

export async function measureWorst(launchable: Launch, say: (line: string) => void): Promise<WorstLine[]> {
  const folder = emptyFolder('worst')
  say('filling a store that makes requests hard')
  const routes = await fillWorstStore(folder)
  const meter = await Meter.start(launchable, folder)
  try {
    const stage: Stage = { origin: meter.origin, credentials: await signIn(meter.origin) }
    const known = knownCases(routes, stage)
    await meter.measureIdle()
    const candidates = await findCandidates(meter, routes, stage, say)
    const lines: WorstLine[] = []
    for (const one of [
      ...candidates,
      ...known.filter(({ isFinal }) => !isFinal),
      ...known.filter(({ isFinal }) => isFinal),
    ])
      lines.push(await measured(meter, one, say))
    return lines.sort((a, b) => weightOf(b) - weightOf(a))
  } finally {
    await meter.stop()
    emptyFolder('worst')
  }
}

/** Every route of the app must have an entry, so that its worst request is considered. */
function knownCases(routes: readonly Route[], stage: Stage): WorstCase[] {
  const missing = routes.map(nameOf).filter((name) => !Object.hasOwn(knownWorst, name))
  const gone = Object.keys(knownWorst).filter((name) => !routes.some((route) => nameOf(route) === name))
  if (missing.length > 0 || gone.length > 0)
    throw new Error(
      `test/bench/worst-known-*.ts must name every route of the app. Missing: ${missing.join(', ') || 'none'}. Not routes: ${gone.join(', ') || 'none'}.`,
    )
  return Object.entries(knownWorst).flatMap(([route, cases]) => cases(stage).map((one) => ({ ...one, route })))
}

async function findCandidates(
  meter: Meter,
  routes: readonly Route[],
  stage: Stage,
  say: (line: string) => void,
): Promise<WorstCase[]> {
  const candidates: WorstCase[] = []
  let sent = 0
  for (const route of routes) {
    const cases = genericCases(route, stage)
    const looked: { readonly one: WorstCase; readonly wallMs: number }[] = []
    // The first requests to a route compile it.
    for (const one of cases.slice(-4)) await meter.send(one.request(0))
    for (const one of cases) {
      const answer = await meter.send(one.request(0))
      sent++
      looked.push({ one, wallMs: answer?.wallMs ?? Number.POSITIVE_INFINITY })
    }
    for (const sender of ['stranger', 'signed in'] as const) {
      const slowest = looked.filter(({ one }) => one.sender === sender).sort((a, b) => b.wallMs - a.wallMs)
      candidates.push(
        ...slowest
          .filter(({ wallMs }, at) => at === 0 || wallMs > quickMs)
          .slice(0, measuredEach)
          .map(({ one }) => one),
      )
    }
  }
  say(
    `looked at ${sent} requests to ${routes.length} routes; measuring ${candidates.length} of them and those that are known`,
  )
  return candidates
}

async function measured(meter: Meter, one: WorstCase, say: (line: string) => void): Promise<WorstLine> {
  const { route, name, sender, isSliced = false } = one
  if (isSliced) {
    const { longestWaitMs, ...sent } = await meter.measureWaits(one.request(0))
    const fault = longestWaitMs > mostCpuMs[sender] ? `others waited ${longestWaitMs.toFixed(0)} ms` : undefined
    return { route, name, sender, isSliced, ...sent, cpuMs: longestWaitMs, isCutOff: false, longestWaitMs, fault }
  }
  const figures = await measureAgain(meter, one)
  // An export may take its time, because it is sent in slices.
  const fault = isExport(route) ? undefined : findFault(figures, sender)
  if (fault) say(`${route}, ${name} (${sender}): ${fault}`)
  return { route, name, sender, isSliced, ...figures, fault }
}

const mostMeasures = 3
/** Requests of one measurement have other numbers than those of the next. */
const roundsApart = 1_000

/** A figure above the rule counts only if it repeats: load from neighbors on the host can double one. */
async function measureAgain(meter: Meter, { request, sender, isFinal = false }: WorstCase): Promise<Measured> {
  let least = await meter.measure(request, isFinal)
  for (let again = 1; again < mostMeasures && !isFinal && least.cpuMs > mostCpuMs[sender]; again++) {
    const next = await meter.measure((round) => request(round + again * roundsApart), isFinal)
    if (next.cpuMs < least.cpuMs) least = next
  }
  return least
}

/** Exports stream everything that a person owns, or that was logged. */
const isExport = (route: string): boolean => route.endsWith('/export')

function findFault({ cpuMs, bytes, status, isCutOff }: Measured, sender: Sender): string | undefined {
  const most = mostCpuMs[sender]
  if (isCutOff) return `no answer within ${cpuMs.toFixed(0)} ms`
  if (cpuMs > most) return `${cpuMs.toFixed(0)} ms of CPU, of ${most}`
  if (bytes > mostAnswerBytes) return `an answer of ${(bytes / 2 ** 20).toFixed(1)} MB`
  return status === 500 ? 'answered 500' : undefined
}

/** The largest share that a request takes of any limit: the worst comes first. */
const weightOf = ({ route, cpuMs, bytes, sender, isSliced }: WorstLine): number =>
  Math.max(cpuMs / mostCpuMs[sender], isSliced || isExport(route) ? 0 : bytes / mostAnswerBytes)
