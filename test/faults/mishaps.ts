/** Mishaps of a server: each begins, lets operations go on, and ends with everything mended. */
import { Database } from 'bun:sqlite'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { dataFolder, EIO, ENOSPC, type FaultyServer } from './faulty-server.ts'
import { cutPower } from './power-cut.ts'
import { giveUpSeconds, type World } from './world.ts'

/** Resolves after so many more operations, or when it has taken too long for them. */
export type LetWork = (operations: number) => Promise<void>
type Mishap = (world: World, letWork: LetWork) => Promise<void>

const oneHourMs = 3_600_000
/** Health has this long to notice. */
const noticedWithinMs = 5_000
/** Tolerance for times that are not promised to the second. */
const someRoomMs = 10_000

export const kill: Mishap = async (world) => {
  await world.replace((server) => server.kill())
}

export const cut: Mishap = async (world) => {
  await world.replace(
    (server) => server.kill(),
    () => {
      const { open, lost } = cutPower(world.stage.folder, world.random)
      world.note(`power cut: ${open} writes were not synced, ${lost} of them are lost`)
      world.count('writes that a power cut took', lost)
    },
  )
}

async function stopCleanly(world: World, server: FaultyServer): Promise<void> {
  const code = await server.stop()
  if (code !== 0) world.surprise(`a clean stop ended with ${code}`)
}

export const restart: Mishap = async (world) => {
  await world.replace((server) => stopCleanly(world, server))
}

const endings = { kill, 'power cut': cut, restart } as const
const pickEnding = (world: World) => world.pick(Object.entries(endings))

/** Works under a wrong clock, perhaps with a sweep or another end; then it is put right. */
const jumpClock: Mishap = async (world, letWork) => {
  const ms = world.pick([-26, -1, 1, 26]) * oneHourMs
  const sweeps = world.chance(0.25)
  if (sweeps) await restartBeforeSweep(world)
  world.note(`the clock jumps by ${ms / oneHourMs} h`)
  world.setClock(ms)
  if (sweeps) await awaitSweep(world)
  await letWork(4)
  if (world.chance(0.3)) {
    const [name, end] = pickEnding(world)
    world.count(`${name} with a wrong clock`)
    await end(world, letWork)
    await letWork(2)
  }
  world.note('the clock is put right')
  world.setClock(0)
  const answer = await world.get('health', '/health/ready')
  if (answer && answer.status !== 200 && !world.refusing())
    world.surprise(`health after a jump: ${answer.status} ${JSON.stringify(answer.body)}`)
  await letWork(3)
}

const sweepInMs = 2_500
/** Time stands a little before the minute at which the sweep is due; the log tells of it. */
async function restartBeforeSweep(world: World): Promise<void> {
  await world.replace(
    (server) => stopCleanly(world, server),
    () => world.approachMinute(sweepInMs),
    { PROOFGATE_LOG_LEVEL: 'debug' },
  )
}

async function awaitSweep(world: World): Promise<void> {
  const server = await world.server()
  const isSwept = (): boolean => server.log.some(({ message }) => message === 'swept')
  for (let waited = 0; waited < 4 * sweepInMs && !isSwept(); waited += 50) await Bun.sleep(50)
  world.note(isSwept() ? 'swept' : 'no sweep came')
  world.count(isSwept() ? 'sweeps' : 'sweeps that did not come')
}

const sweep: Mishap = async (world) => {
  await restartBeforeSweep(world)
  await awaitSweep(world)
}

/** Undefined: not in time. A machine on which everybody waits for a processor gives some time more, as much as it took. */
async function awaitReadiness(
  world: World,
  wanted: 200 | 503,
  withinMs = noticedWithinMs,
): Promise<number | undefined> {
  const began = performance.now()
  let lateMs = 0
  while (performance.now() - began < withinMs + Math.min(lateMs, someRoomMs)) {
    const answer = await world.get('health', '/health/ready')
    const tookMs = performance.now() - began
    if (answer?.status === wanted) return tookMs
    const before = performance.now()
    await Bun.sleep(50)
    // The server waits as well, and has several threads to wait for.
    lateMs += 4 * (performance.now() - before - 50)
  }
  return undefined
}

async function expectRecovery(world: World, name: string): Promise<void> {
  const tookMs = await awaitReadiness(world, 200, noticedWithinMs + someRoomMs)
  if (tookMs === undefined) world.surprise(`${name}: health does not recover`)
  else world.count(`health recovered within ${Math.ceil(tookMs / 1000)} s`)
}

const failDisk =
  (name: string, values: Parameters<World['faults']['set']>[0]): Mishap =>
  async (world, letWork) => {
    const server = await world.server()
    const before = server.log.length
    world.note(`the disk fails: ${name}`)
    world.allowRefusals(name)
    world.faults.set(values)
    await letWork(6)
    if (world.chance(0.3)) {
      // Health must notice the fault by itself, because no client may write just now.
      const tookMs = await awaitReadiness(world, 503)
      if (tookMs === undefined) world.surprise(`${name}: health goes on saying that it is ready`)
      else world.count(`health told a fault within ${Math.ceil(tookMs / 1000)} s`)
    }
    checkLog(world, server.log.slice(before), name)
    if (world.chance(0.4)) {
      const [ending, end] = world.pick(Object.entries({ kill, 'power cut': cut }))
      world.note(`${ending} while the disk fails`)
      world.count(`${ending} during a disk fault`)
      // The machine comes back with a whole disk.
      await world.replace(
        (old) => old.kill(),
        () => {
          if (end === cut) cutPower(world.stage.folder, world.random)
          world.faults.mendDisk()
        },
      )
    }
    world.note(`the disk is mended: ${name}`)
    world.faults.mendDisk()
    // A commit that failed just before may not be known yet: health must not be asked too early.
    await Bun.sleep(300)
    await expectRecovery(world, name)
    world.allowRefusals(undefined)
    await letWork(3)
  }

/** The log has one line for a lasting fault, and no stack for each request. */
function checkLog(world: World, lines: FaultyServer['log'], fault: string): void {
  const told = new Map<string, number>()
  for (const { level, message } of lines)
    if (level === 'error' || level === 'raw') told.set(message, (told.get(message) ?? 0) + 1)
  for (const [message, times] of told)
    if (times > 1) world.surprise(`${fault}: the log says ${times} times: ${message}`)
}

/** The disk is slow but in time, so no request may be refused. */
const slowDisk: Mishap = async (world, letWork) => {
  world.note('the disk is slow')
  world.faults.set({ syncDelayMs: 100 })
  await letWork(4)
  world.faults.mendDisk()
}

/** The server gives up, and ends with the exit code that says so. */
const hangDisk: Mishap = async (world, letWork) => {
  world.note('the disk hangs')
  world.allowRefusals('the disk hangs')
  const server = await world.server()
  world.faults.set({ syncDelayMs: 600_000 })
  await Promise.race([letWork(6), server.exited])
  if (giveUpSeconds === undefined) world.faults.mendDisk()
  else {
    // A request must make the server write.
    const ended = await Promise.race([server.exited, Bun.sleep(giveUpSeconds * 1_000 + 2 * someRoomMs)])
    if (ended !== 74) world.surprise(`a disk that hangs: exit code ${ended ?? 'none, it goes on'}`)
    world.count('disks that hung until the server ended')
    await world.replace(
      (old) => old.kill(),
      () => world.faults.mendDisk(),
    )
  }
  await expectRecovery(world, 'a disk that hung')
  world.allowRefusals(undefined)
}

/** A backup or a shell holds a snapshot as long as it likes, and no request waits for it. */
const holdSnapshot: Mishap = async (world, letWork) => {
  await world.server()
  const reader = new Database(locateDatabaseFile(dataFolder(world.stage.folder)), { readonly: true })
  try {
    reader.run('BEGIN')
    reader.query('SELECT count(*) FROM proofs').get()
    world.note('a reader holds a snapshot')
    world.expectAnswersWithin(4_000)
    await letWork(10)
  } finally {
    world.expectAnswersWithin(undefined)
    reader.close()
    world.note('the reader is gone')
  }
}

const everyMishap: readonly (readonly [name: string, weight: number, mishap: Mishap])[] = [
  ['kill', 4, kill],
  ['power cut', 6, cut],
  ['restart', 1, restart],
  ['clock jump', 5, jumpClock],
  ['sweep', 0.3, sweep],
  ['sync fails', 3, failDisk('EIO at fsync', { syncErrno: EIO })],
  ['write fails', 1.5, failDisk('EIO at write', { writeErrno: EIO })],
  ['disk full', 1.5, failDisk('ENOSPC', { writeErrno: ENOSPC })],
  ['disk slow', 1, slowDisk],
  ['disk hangs', 0.5, hangDisk],
  ['reader', 2, holdSnapshot],
]
export const mishapNames: readonly string[] = everyMishap.map(([name]) => name)

export function pickMishap(world: World, among = mishapNames): { readonly name: string; readonly run: Mishap } {
  const [name, , run] = world.weigh(
    everyMishap.filter(([one]) => among.includes(one)),
    ([, weight]) => weight,
  )
  return { name, run }
}

export const pickEnd = (world: World): Mishap => pickEnding(world)[1]
