/**
 * A round: some histories on one data folder, one after the other, each with clients and wallets of its own. The
 * answers they got are compared with the stored data after each history, and for all at the end.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from '../db/store.ts'
import { brokenRules } from '../durability/sound.ts'
import { type Actor, newActor } from './actor.ts'
import { dataFolder } from './faulty-server.ts'
import { checkClaims, checkGate, claim, type Gate, openGate } from './gate-steps.ts'
import { type LetWork, pickEnd, pickMishap } from './mishaps.ts'
import { forgetIfSynced } from './power-cut.ts'
import * as proofs from './proof-steps.ts'
import { randomFrom } from './random.ts'
import * as sessions from './session-steps.ts'
import { makeSigner } from './signer.ts'
import { openWorld, type World } from './world.ts'

export interface RoundResult {
  readonly seed: number
  readonly histories: number
  /** Empty: everything held. */
  readonly surprises: readonly string[]
  /** The last ones, when something did not. */
  readonly events: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

export interface RoundOptions {
  readonly seed: number
  readonly histories: number
  /** Names of mishaps; all by default. */
  readonly mishaps?: readonly string[] | undefined
  /** Pattern of known findings, which are ignored. */
  readonly known?: RegExp | undefined
  /** Damage that a checker must notice: done at the start, or just before the comparison. */
  readonly sabotage?: { readonly atStart?: (world: World) => void; readonly beforeCheck?: (world: World) => void }
}

const oneGiB = 2 ** 30
/** The folder is in memory where there is room: power-cut.ts decides what a power cut takes, not the disk. */
function makeFolder(): string {
  const memory = '/dev/shm'
  const hasRoom = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > oneGiB
  return mkdtempSync(join(hasRoom ? memory : tmpdir(), 'proofgate-faults-'))
}

export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const { seed, histories, known, sabotage } = options
  const folder = makeFolder()
  let world: World
  try {
    world = await openWorld(folder, randomFrom(seed), known)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    return { seed, histories: options.histories, surprises: [String(error)], events: [], counts: {} }
  }
  const everybody: Actor[] = []
  const gates: Gate[] = []
  try {
    sabotage?.atStart?.(world)
    for (let number = 0; number < histories && world.surprises.length === 0; number++) {
      const { actors, gate } = await runHistory(world, number, options)
      everybody.push(...actors)
      gates.push(gate)
      world.count('histories')
    }
    if (world.surprises.length === 0) await finish(world, everybody, gates)
  } catch (error) {
    world.surprise(`the round broke off: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
  } finally {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const { surprises, events } = world
  return { seed, histories, surprises, events, counts: Object.fromEntries(world.counts) }
}

type Step = (actor: Actor, gate: Gate) => Promise<void>
const steps: readonly (readonly [weight: number, step: Step])[] = [
  [8, proofs.create],
  [3, proofs.createAgain],
  [3, proofs.revoke],
  [1, proofs.readContent],
  [1, proofs.grant],
  [1, proofs.withdraw],
  [0.7, proofs.eraseAll],
  [4, claim],
  [2, sessions.signIn],
  [1.5, sessions.signInAgain],
  [0.7, sessions.signOut],
  [1, sessions.makeKey],
  [0.7, sessions.revokeKey],
  [1, sessions.keepSecret],
  [0.5, sessions.dropSecret],
  [0.7, sessions.connect],
  [1.5, sessions.refresh],
  [0.4, sessions.stealToken],
]
const pickStep = (world: World): Step => world.weigh(steps, ([weight]) => weight)[1]

const seedBytes = (world: World): Uint8Array => Uint8Array.from({ length: 32 }, () => Math.floor(world.random() * 256))
const longestWorkMs = 1_500

async function runHistory(
  world: World,
  number: number,
  { mishaps: among, sabotage }: RoundOptions,
): Promise<{ actors: Actor[]; gate: Gate }> {
  const stranger = makeSigner(seedBytes(world))
  const names = ['Ann', 'Ben', 'Cem', 'Dot'].slice(0, 2 + Math.floor(world.random() * 3))
  const actors = names.map((name) => newActor(world, `${number}.${name}`, makeSigner(seedBytes(world)), stranger))
  const gate = await openGate(actors[0]!, `gate_${number}`, 1 + Math.floor(world.random() * 2))

  const operations = 10 + Math.floor(world.random() * 30)
  const howMany = world.weigh([1, 2, 3], (length) => 6 / length ** 2)
  const mishaps = Array.from({ length: howMany }, () => ({
    ...pickMishap(world, among),
    after: 3 + Math.floor(world.random() * (operations - 3)),
  })).toSorted((one, other) => one.after - other.after)

  let done = 0
  let isOver = false
  const letWork: LetWork = async (more) => {
    const until = done + more
    const deadline = performance.now() + longestWorkMs
    while (done < until && performance.now() < deadline) await Bun.sleep(2)
  }
  const work = async (actor: Actor): Promise<void> => {
    while (!isOver || done < operations) {
      if (world.surprises.length > 0) return
      await pickStep(world)(actor, gate)
      done++
      // While something lasts there are more of them than planned; then slowly.
      if (done >= operations) await Bun.sleep(60)
    }
  }
  const happen = async (): Promise<void> => {
    try {
      for (const { name, run, after } of mishaps) {
        while (done < Math.min(after, operations) && world.surprises.length === 0) await Bun.sleep(4)
        if (world.surprises.length > 0) return
        world.count(`mishap: ${name}`)
        await run(world, letWork)
      }
    } finally {
      isOver = true
    }
  }
  await Promise.all([happen(), ...actors.map(work)])
  world.count('operations', done)
  sabotage?.beforeCheck?.(world)
  await check(world, actors, [gate])
  forgetIfSynced(world.stage.folder)
  return { actors, gate }
}

async function check(world: World, actors: readonly Actor[], gates: readonly Gate[]): Promise<void> {
  if (world.surprises.length > 0) return
  world.note('check')
  await Promise.all(
    actors.map(async (actor) => {
      await proofs.checkAgain(actor, 0.4)
      await proofs.checkProofs(actor)
      await proofs.checkContents(actor)
      await proofs.checkGrants(actor)
      await checkClaims(actor)
      await sessions.checkSignIns(actor, 0.5)
      await sessions.checkSessions(actor)
      await sessions.checkSecrets(actor)
      await sessions.refresh(actor)
    }),
  )
  for (const gate of gates) checkGate(world, gate)
}

/**
 * Lists the broken rules that sound.ts finds. It knows nothing of texts that a sweep forgets: those signed by a clock
 * that was set back by days.
 */
function findUnsound(world: World, everybody: readonly Actor[]): Readonly<Record<string, unknown>> {
  const signedAt = new Map(everybody.flatMap(({ proofs }) => proofs.map(({ qHash, signedAt: at }) => [qHash, at])))
  return inspect(dataFolder(world.stage.folder), (db) => {
    const broken = brokenRules(db)
    const isForgotten = (id: number): boolean => {
      const row = db.query<{ qHash: string }, [number]>(
        "SELECT '0x' || lower(hex(q_hash)) AS qHash FROM proofs WHERE id = ?",
      )
      return (signedAt.get(row.get(id)?.qHash ?? '') ?? Number.POSITIVE_INFINITY) < world.now() - oneDayMs
    }
    const unspent = broken[unspentRule] as { id: number }[] | undefined
    if (unspent?.every(({ id }) => isForgotten(id))) delete broken[unspentRule]
    return broken
  })
}

const unspentRule = 'a signed text made a proof without being spent'
const oneDayMs = 86_400_000

async function finish(world: World, everybody: readonly Actor[], gates: readonly Gate[]): Promise<void> {
  await pickEnd(world)(world, async () => {})
  await check(world, everybody, gates)
  const server = await world.server()
  const code = await server.stop()
  if (code !== 0) world.surprise(`the last stop ended with ${code}`)
  const broken = findUnsound(world, everybody)
  if (Object.keys(broken).length > 0) world.surprise(`the database is not sound: ${JSON.stringify(broken)}`)
}
