/** Processes that share one database, with steady clocks that the test moves. */
import { openConditions } from '../../src/conditions.ts'
import { type Db, openDb } from '../../src/db/db.ts'
import { makeLog } from '../../src/log.ts'
import { openProcesses } from '../../src/processes/open.ts'

export async function openSharedDb(): Promise<Db> {
  const db = await openDb({
    folder: undefined,
    writer: 'inline',
    cacheBytes: 1_048_576,
    walLimitBytes: 1_048_576,
    now: 1_767_225_600_000,
  })
  return { ...db, isShared: true }
}

/** The way of one process to the database: it can be cut, before or after what is asked is done there. */
function openRoad(db: Db) {
  const waiting: (() => void)[] = []
  let isCut = false
  const pass = (): Promise<void> => (isCut ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve())
  async function travel<T>(ask: () => Promise<T>): Promise<T> {
    await pass()
    const answer = await ask()
    await pass()
    return answer
  }
  const road: Db = {
    ...db,
    read: (query) => {
      const reads = db.read(query)
      return {
        get: (...params) => travel(() => reads.get(...params)),
        all: (...params) => travel(() => reads.all(...params)),
        scan: (visit, ...params) => travel(() => reads.scan(visit, ...params)),
      }
    },
    write: (...asked) => travel(() => db.write(...asked)),
  }
  return {
    road,
    isCut: () => isCut,
    cut: () => {
      isCut = true
    },
    /** What waits comes one gate further, or all the way once it is mended. */
    letThrough: () => waiting.shift()?.(),
    mend: () => {
      isCut = false
      for (const go of waiting.splice(0)) go()
    },
  }
}

export interface World {
  readonly db: Db
  /** Milliseconds that pass for all. */
  wait(ms: number): void
  /** `settings`: the mark of its settings. */
  startProcess(id: string, settings?: string | null): TestProcess
}

export type TestProcess = ReturnType<typeof startProcess>

function startProcess(db: Db, id: string, readTime: () => number, settings: string | null) {
  const way = openRoad(db)
  let slept = 0
  const lines: string[] = []
  const log = makeLog({ level: 'info', format: 'json', now: () => 0, write: (line) => void lines.push(line) })
  const conditions = openConditions({ log, now: () => 0 })
  const processes = openProcesses({
    db: way.road,
    log,
    conditions,
    readUptime: () => readTime() - slept,
    own: { id, startedAt: 0, version: '1.0.0', host: `host of ${id}`, settings },
  })
  return {
    id,
    ...way,
    processes,
    conditions,
    listEvents: () => lines.map((line) => (JSON.parse(line) as { event: string }).event),
    /** Its machine sleeps, and its clock does not count that. */
    sleepWithoutCounting: (ms: number) => {
      slept += ms
    },
  }
}

export async function openWorld(): Promise<World> {
  const db = await openSharedDb()
  let time = 1_000
  return {
    db,
    wait(ms) {
      time += ms
    },
    // Every process counts from a beginning of its own.
    startProcess: (id, settings = null) => {
      const origin = id.charCodeAt(0) * 1_000_000
      return startProcess(db, id, () => origin + time, settings)
    },
  }
}

/** Seconds pass, and each process beats and looks once in every one of them. */
export async function passSeconds(world: World, seconds: number, processes: readonly TestProcess[]): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    world.wait(1_000)
    for (const { processes: one } of processes) await one.look()
  }
}
