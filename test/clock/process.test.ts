/** A real server whose clock is set while it runs or is stopped: sign-in works, no token is used twice. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { doctor } from '../../src/commands/doctor.ts'
import { run } from '../commands/terminal.ts'
import { firstLine, src } from '../db/child.ts'
import { type FakeClock, missingFaketime, openFakeClock } from '../parts/faketime.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { freePort } from '../parts/free-port.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'

setDefaultTimeout(120_000)
const newFolder = temporaryFolders()
const hour = 3_600_000
const day = 24 * hour
const api = '/api/v1'
/** As `serve` does it. A signal sweeps at once, so that no test waits for the minute. */
const program = (schedule: string) => `
  import { loadConfig } from '${src('config/load.ts')}'
  import { startServer } from '${src('start.ts')}'
  import { sweepOnce } from '${src('sweep.ts')}'
  const loaded = await loadConfig({ env: process.env, cwd: '/' })
  const config = '${schedule}' ? { ...loaded, sweep: { ...loaded.sweep, schedule: '${schedule}' } } : loaded
  const server = await startServer(config, { folder: config.data })
  process.on('SIGUSR2', async () => {
    await sweepOnce(server.parts)
  })
  process.on('SIGTERM', async () => {
    await server.stop()
    process.exit(0)
  })
  console.log(JSON.stringify({ port: server.port }))`
const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any
}

/** One port for all runs, because signed texts name it. */
const port = await freePort()

class Server {
  log = ''
  #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  #url = ''
  constructor(
    readonly folder: string,
    readonly clock: FakeClock,
    /** A cron line, also one of each second, which the settings do not allow. */
    schedule = '',
  ) {
    this.#child = Bun.spawn([...endsWithUs, process.execPath, '-e', program(schedule)], {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        PROOFGATE_DATA: folder,
        PROOFGATE_PORT: String(port),
        PROOFGATE_LOG_LEVEL: 'debug',
        ...clock.env,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  async start(): Promise<this> {
    const decoder = new TextDecoder()
    void (async () => {
      for await (const bytes of this.#child.stderr) this.log += decoder.decode(bytes)
    })()
    const line = await firstLine(this.#child.stdout)
    if (!line.includes('"port":')) throw new Error(`the server did not start: ${this.log}`)
    this.#url = `http://127.0.0.1:${JSON.parse(line).port}`
    return this
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    expect(await this.#child.exited).toBe(0)
  }

  /** Waits for words in the log that come after this call. */
  async logs(words: string): Promise<void> {
    const from = this.log.length
    while (!this.log.includes(words, from)) {
      if (this.#child.exitCode !== null) throw new Error(`the server ended: ${this.log}`)
      await Bun.sleep(20)
    }
  }

  async sweep(): Promise<void> {
    const swept = this.logs('swept')
    this.#child.kill('SIGUSR2')
    await swept
  }

  async ask(path: string, body?: unknown): Promise<Answer> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${this.#url}${api}${path}`, {
      ...init,
      headers: { 'content-type': 'application/json' },
    })
    return { status: answer.status, body: await answer.json() }
  }

  async claim(wallet: TestWallet, content: string): Promise<object> {
    const claim = {
      walletAddress: wallet.address,
      signedTimestamp: this.clock.now(),
      verifierIds: ['ownership-basic'],
      data: { owner: wallet.address, content },
    }
    const { signerString } = (await this.ask('/verification/standardize', claim)).body.data
    return { ...claim, signature: await wallet.sign(signerString) }
  }

  signAction(wallet: TestWallet, action: object) {
    return wallet.signAction({ ...action, audience: new URL(this.#url).host }, this.clock.now())
  }

  /** The server works normally: health, sign-in and a new proof succeed. */
  async expectOpen(): Promise<void> {
    for (const path of ['/health', '/health/ready', '/auth/nonce'])
      expect([path, (await this.ask(path)).status]).toEqual([path, 200])
    const made = await this.ask('/verification', await this.claim(alice, `At ${Math.random()}`))
    expect([made.status, made.body.error?.message]).toEqual([200, undefined])
  }
}

/** Uses up everything that works only once. Returns the statuses of sending all of it again. */
async function useUp(server: Server): Promise<(on: Server) => Promise<number[]>> {
  const { message } = (await server.ask('/auth/nonce', { walletAddress: alice.address })).body.data
  const signIn = { message, signature: await alice.sign(message) }
  expect((await server.ask('/auth/verify', signIn)).status).toBe(200)

  const { qHash } = (await server.ask('/verification', await server.claim(alice, 'Shared'))).body.data
  const terms = { qHash, viewerWallet: bob.address }
  const { walletAddress, ...signed } = await server.signAction(alice, { action: 'grant_proof_access', ...terms })
  const grant = { ...terms, ownerWallet: walletAddress, ...signed }
  expect((await server.ask('/verification/access/grant', grant)).status).toBe(200)

  const body = await server.claim(bob, 'Gone soon')
  expect((await server.ask('/verification', body)).status).toBe(200)
  const erasing = { action: 'erase_all_proofs', walletAddress: bob.address.toLowerCase() }
  const erased = await server.ask('/proofs/erase-all', await server.signAction(bob, erasing))
  expect([erased.body.error, erased.body.erasedCount]).toEqual([undefined, 1])

  return async (on) => [
    (await on.ask('/auth/verify', signIn)).status,
    (await on.ask('/verification/access/grant', grant)).status,
    (await on.ask('/verification', body)).status,
  ]
}

const look = (folder: string, now: () => number) =>
  run(doctor, ['--json'], { env: { PROOFGATE_DATA: folder }, cwd: folder, now })
const filesIn = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => [name, statSync(join(folder, name)).size, statSync(join(folder, name)).mtimeMs])
const saysIn = (json: { findings: { says: string }[] }): string => json.findings.map(({ says }) => says).join('\n')

if (missingFaketime.length === 0) describe('a server whose clock is set', withFakeTime)
else {
  const complaint = `Clocks that jump were NOT tested with a real server: ${missingFaketime.join(', ')} missing. Install it: apt-get install faketime`
  // CI must install it; a local run without it continues with a note.
  if (process.env.CI)
    test('libfaketime is installed', () => {
      throw new Error(complaint)
    })
  else console.error(`\n*** ${complaint} ***\n`)
}

function withFakeTime(): void {
  test('goes on, tells each jump, and accepts nothing twice', async () => {
    const folder = newFolder()
    const clock = openFakeClock(newFolder())
    let server = await new Server(folder, clock).start()
    const sendAgain = await useUp(server)
    await server.expectOpen()
    expect(await sendAgain(server)).toEqual([409, 409, 409])

    clock.set(2 * day)
    await server.logs('the clock of this machine was set ahead by 2 d')
    await server.sweep()
    await server.expectOpen()
    clock.set(0)
    await server.logs('the clock of this machine was set back by 2 d')
    expect(await sendAgain(server)).toEqual([409, 409, 409])
    await server.expectOpen()

    clock.set(-hour)
    await server.logs('the clock of this machine was set back by 1 h')
    await server.expectOpen()
    expect((await server.ask('/health')).body.data.issues.join()).toContain('was set back by 1 h')
    const seen = await look(folder, clock.now)
    expect(saysIn(seen.json)).toContain('was set ahead by 2 d')
    expect(saysIn(seen.json)).toMatch(/stands (1 h|59 min)/)
    await server.stop()

    clock.set(2 * day)
    server = await new Server(folder, clock).start()
    await server.sweep()
    await server.expectOpen()
    await server.stop()
    clock.set(0)
    server = await new Server(folder, clock).start()
    await server.expectOpen()
    expect(await sendAgain(server)).toEqual([409, 409, 409])
    expect(server.log).toContain('the clock of this machine was set back by')
    await server.stop()

    const before = filesIn(folder)
    const { json } = await look(folder, clock.now)
    expect(saysIn(json)).toContain('was set ahead by 2 d')
    expect(json.ok).toBe(true)
    expect(filesIn(folder)).toEqual(before)
  })

  test('goes on sweeping by its schedule after the clock was a month ahead', async () => {
    const clock = openFakeClock(newFolder())
    const server = await new Server(newFolder(), clock, '* * * * * *').start()
    await server.logs('swept')
    for (const ahead of [30 * day, 0, -hour, 0]) {
      clock.set(ahead)
      await server.logs('the clock of this machine was set')
      await server.logs('swept')
      await server.logs('swept')
    }
    await server.stop()
  })
}
