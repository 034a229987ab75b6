/**
 * `bun run faults -- recovery`: kills a process that stores 500 rows a second again and again while its log is shipped,
 * and looks for what was acknowledged and is gone: on the machine, and at the place after the machine is lost. Then it
 * restores random moments, and plants corruptions. KILLS, MOMENTS and CORRUPTIONS set how many of each.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseKeptBackup } from '../../src/backup/choose-backup.ts'
import { openFolderTarget } from '../../src/backup/targets/folder.ts'
import { keyMark, makeShippingPlace, passphrase, type Row } from '../backup/continuous-stage.ts'

export interface RecoveryOptions {
  readonly kills: number
  readonly moments: number
  readonly corruptions: number
  readonly rate: number
  /** After every so many kills the machine counts as lost. */
  readonly lostEvery: number
  readonly tell?: (says: string) => void
}

export interface RecoveryReport {
  readonly kills: number
  readonly acknowledged: number
  /** Acknowledged, and not there after a kill. */
  readonly missing: number
  /** What the place lacked when the machine was lost: milliseconds before the kill. */
  readonly lossMs: readonly number[]
  readonly chains: number
  readonly exactMoments: number
  readonly moments: number
  readonly restoreMs: readonly number[]
  readonly detected: number
  readonly corruptions: number
  readonly surprises: readonly string[]
}

const random = (below: number): number => Math.floor(Math.random() * below)

export async function runRecovery(options: RecoveryOptions): Promise<RecoveryReport> {
  const home = mkdtempSync(join(tmpdir(), 'proofgate-recovery-'))
  const world = new World(home, options)
  try {
    await world.kill()
    await world.restoreMoments()
    await world.corrupt()
    return world.report()
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

class World {
  private readonly place: ReturnType<typeof makeShippingPlace>
  private readonly rows = new Map<number, Row>()
  private readonly lossMs: number[] = []
  private readonly restoreMs: number[] = []
  private readonly surprises: string[] = []
  private missing = 0
  private exact = 0
  private detected = 0
  private firstBackupAt = Number.POSITIVE_INFINITY
  private chains = 0
  private readonly killedAts: number[] = []

  constructor(
    private readonly home: string,
    private readonly options: RecoveryOptions,
  ) {
    this.place = makeShippingPlace(home)
  }

  async kill(): Promise<void> {
    const { kills, lostEvery, tell } = this.options
    for (let killed = 1; killed <= kills; killed++) {
      // A chain that was begun anew needs a backup, which the server would see to.
      const needsBackup = killed === 1 || killed % 50 === 0 || this.countChains() !== this.chains
      const killedAt = await this.runOnce(needsBackup)
      if (killed % lostEvery === 0) await this.loseMachine(killedAt)
      if (killed % 50 === 0) tell?.(`${killed} kills, ${this.rows.size} rows, ${this.missing} missing`)
    }
    // What was acknowledged before the last kill.
    await this.runOnce(false)
  }

  private countChains(): number {
    return new Set(readdirSync(this.place.place).flatMap((name) => /^log-[^-]+-(\d+-[^-]+)-/.exec(name)?.[1] ?? []))
      .size
  }

  private async runOnce(needsBackup: boolean): Promise<number> {
    const child = Bun.spawn(
      [
        process.execPath,
        new URL('./recovery-writer.ts', import.meta.url).pathname,
        this.home,
        String(this.options.rate),
      ],
      { stdout: 'pipe', stderr: 'inherit' },
    )
    const ready = Promise.withResolvers<void>()
    const reading = this.readRows(child.stdout, ready.resolve)
    await ready.promise
    await Bun.sleep(200 + random(1_200))
    if (needsBackup) {
      const at = Date.now() + 1_000
      await Bun.sleep(1_000)
      await this.place.backUp()
      this.firstBackupAt = Math.min(this.firstBackupAt, at + 1_000)
      await Bun.sleep(random(500))
      this.chains = this.countChains()
    }
    const killedAt = Date.now()
    this.killedAts.push(killedAt)
    child.kill('SIGKILL')
    await Promise.all([child.exited, reading])
    return killedAt
  }

  private async readRows(stream: ReadableStream<Uint8Array>, ready: () => void): Promise<void> {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [id = '', askedAt, storedAt] = line.split(' ')
        if (id !== 'ready')
          this.rows.set(Number(id), { id: Number(id), askedAt: Number(askedAt), storedAt: Number(storedAt) })
        else {
          this.compare(Number(askedAt))
          ready()
        }
      }
    }
  }

  /** Rows are numbered on from the last that is stored, so one that is missing has a number above it. */
  private compare(last: number): void {
    for (const id of this.rows.keys()) {
      if (id <= last) continue
      this.missing++
      this.surprises.push(`row ${id} was acknowledged, and the database ends with ${last}`)
      this.rows.delete(id)
    }
  }

  /** The place as it is now is all that is left. */
  private async loseMachine(killedAt: number): Promise<void> {
    const copy = join(this.home, 'lost')
    cpSync(this.place.place, copy, { recursive: true })
    try {
      const { numbers, faults } = await this.restore(copy, undefined)
      for (const fault of faults) this.surprises.push(fault)
      const last = numbers.at(-1) ?? 0
      const firstLost = Math.min(
        killedAt,
        ...[...this.rows.values()].filter(({ id }) => id > last).map(({ storedAt }) => storedAt),
      )
      this.lossMs.push(killedAt - firstLost)
    } catch (error) {
      this.surprises.push(`after the machine was lost: ${error}`)
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }

  private async restore(
    from: string,
    until: number | undefined,
  ): Promise<{ numbers: readonly number[]; faults: readonly string[] }> {
    const target = openFolderTarget(from)
    const startedAt = performance.now()
    const { name } = (await chooseKeptBackup(target, { passphrase, keyMark, until, now: Date.now() })).chosen
    const { state, numbers, folder } = await this.place.restore(name, until, target)
    this.restoreMs.push(performance.now() - startedAt)
    rmSync(folder, { recursive: true, force: true })
    return { numbers, faults: state.faults }
  }

  async restoreMoments(): Promise<void> {
    const rows = [...this.rows.values()]
    const from = this.firstBackupAt
    const to = (this.killedAts.at(-1) ?? from) - 1_000
    for (let tried = 0; tried < this.options.moments; tried++) {
      const moment = from + random(to - from)
      try {
        const { numbers, faults } = await this.restore(this.place.place, moment)
        const there = new Set(numbers)
        const wrong = rows.filter(
          ({ id, askedAt, storedAt }) => (storedAt < moment && !there.has(id)) || (askedAt > moment && there.has(id)),
        )
        if (wrong.length === 0 && faults.length === 0) this.exact++
        else
          this.surprises.push(
            `at ${new Date(moment).toISOString()}: ${wrong.length} rows are wrong; ${faults.join('; ')}`,
          )
      } catch (error) {
        this.surprises.push(`at ${new Date(moment).toISOString()}: ${error}`)
      }
      if (tried % 20 === 19) this.options.tell?.(`${tried + 1} moments, ${this.exact} exact`)
    }
  }

  /** One bit, a piece that is cut out, or a file that is exchanged or gone: of all that the newest state needs. */
  async corrupt(): Promise<void> {
    const files = await this.listNeeded()
    for (let planted = 0, tried = 0; planted < this.options.corruptions && tried < 200; tried++) {
      const copy = join(this.home, 'corrupt')
      mkdirSync(copy)
      for (const file of files) cpSync(join(this.place.place, file), join(copy, file))
      const before = await this.countRestored(files[0]!, copy)
      const victim = files[tried % files.length]!
      const did = plant(copy, victim, files, tried)
      const after = await this.countRestored(files[0]!, copy)
      rmSync(copy, { recursive: true, force: true })
      // Nothing of that file is needed.
      if (after === before) continue
      planted++
      if (after === 'told') this.detected++
      else this.surprises.push(`${did} of ${victim}: ${after} of ${before} rows were restored`)
    }
  }

  private async countRestored(name: string, from: string): Promise<number | 'told'> {
    try {
      const { state, numbers, folder } = await this.place.restore(name, undefined, openFolderTarget(from))
      rmSync(folder, { recursive: true, force: true })
      return state.faults.length > 0 || state.rolled?.nextChainAt !== undefined ? 'told' : numbers.length
    } catch {
      return 'told'
    }
  }

  /** The newest backup, and the files of the log after it. The last one may be missing: then the state is older. */
  private async listNeeded(): Promise<readonly string[]> {
    const { name, at } = (
      await chooseKeptBackup(openFolderTarget(this.place.place), {
        passphrase,
        keyMark,
        until: undefined,
        now: Date.now(),
      })
    ).chosen
    const logs = readdirSync(this.place.place)
      .filter((file) => file.startsWith('log-'))
      .sort()
    const first = logs.findLastIndex((file) => Number(file.split('-')[6]) <= at)
    return [name, ...logs.slice(Math.max(0, first), -1)]
  }

  report(): RecoveryReport {
    const { kills, moments, corruptions } = this.options
    return {
      kills,
      acknowledged: this.rows.size,
      missing: this.missing,
      lossMs: this.lossMs.sort((one, other) => one - other),
      chains: this.countChains(),
      moments,
      exactMoments: this.exact,
      restoreMs: this.restoreMs.sort((one, other) => one - other),
      corruptions,
      detected: this.detected,
      surprises: this.surprises,
    }
  }
}

function plant(folder: string, victim: string, files: readonly string[], kind: number): string {
  const file = join(folder, victim)
  const bytes = readFileSync(file)
  const at = random(bytes.length)
  if (kind % 4 === 0) {
    bytes[at]! ^= 1 << random(8)
    writeFileSync(file, bytes)
    return `a bit at ${at}`
  }
  if (kind % 4 === 1) {
    writeFileSync(file, bytes.subarray(0, at))
    return `the end from ${at}`
  }
  if (kind % 4 === 2) {
    writeFileSync(file, Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + 64))]))
    return `64 bytes at ${at}`
  }
  const other = files.find((name) => name !== victim && name.startsWith('log-') && victim.startsWith('log-'))
  if (other) cpSync(join(folder, other), file)
  else writeFileSync(file, '')
  return 'the exchange'
}

export async function tellRecovery(): Promise<number> {
  const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)
  const report = await runRecovery({
    kills: number('KILLS', 1_000),
    moments: number('MOMENTS', 200),
    corruptions: number('CORRUPTIONS', 30),
    rate: 500,
    lostEvery: 10,
    tell: console.log,
  })
  const { lossMs, restoreMs } = report
  console.log(`
${report.kills} kills at 500 writes a second: ${report.acknowledged} acknowledged, ${report.missing} missing, ${report.chains} chains
machine lost ${lossMs.length} times: at most ${lossMs.at(-1) ?? 0} ms lost, in the middle ${lossMs[lossMs.length >> 1] ?? 0} ms
${report.moments} random moments: ${report.exactMoments} exact; a restore took ${Math.round(restoreMs[restoreMs.length >> 1] ?? 0)} ms, at most ${Math.round(restoreMs.at(-1) ?? 0)} ms
${report.corruptions} corruptions: ${report.detected} detected`)
  for (const surprise of report.surprises.slice(0, 20)) console.log(`VIOLATION: ${surprise}`)
  return report.surprises.length > 0 || (lossMs.at(-1) ?? 0) > 1_000 ? 1 : 0
}
