/**
 * `bun run faults -- upgrades`: restarts a server again and again from one executable to the next, behind a retrying proxy
 * and under constant load, and counts the requests that failed. The first restart is an upgrade with a migration.
 *
 * UPGRADES=50 sets how many restarts, CLIENTS=8 how many clients ask at once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evmWallet, type TestWallet } from '../wallets.ts'
import { startRetryingProxy } from './retrying-proxy.ts'

export interface Upgrading {
  /** One after the other; the last one goes on for the remaining restarts. */
  readonly executables: readonly string[]
  readonly upgrades: number
  readonly clients: number
  /** How long each server runs before the next one takes over. */
  readonly runMs: number
  readonly tell?: (line: string) => void
}

export interface Upgraded {
  readonly requests: number
  readonly failed: readonly string[]
  /** Proofs that were acknowledged, and those of them that are not there at the end. */
  readonly proofs: number
  readonly lost: number
  readonly retries: number
  /** From the stop signal until the next server is ready. */
  readonly gapsMs: readonly number[]
  readonly latenciesMs: readonly number[]
}

export async function runUpgrades({
  executables,
  upgrades,
  clients,
  runMs,
  tell = () => {},
}: Upgrading): Promise<Upgraded> {
  const folder = mkdtempSync(join(tmpdir(), 'proofgate-upgrades-'))
  const port = await findPort()
  await using proxy = await startRetryingProxy(port)
  let server = await start(executables[0]!, folder, port)
  const load = startLoad(proxy.url, clients)
  const gapsMs: number[] = []
  try {
    for (let number = 1; number <= upgrades; number++) {
      await Bun.sleep(runMs)
      const since = performance.now()
      await stop(server)
      server = await start(executables[Math.min(number, executables.length - 1)]!, folder, port)
      gapsMs.push(performance.now() - since)
      tell(`${number} of ${upgrades}: ${load.requests()} requests, ${load.failed.length} failed`)
    }
    await Bun.sleep(runMs)
    await load.end()
    const lost = await countLost(proxy.url, load.proofs)
    return {
      requests: load.requests(),
      failed: load.failed,
      proofs: load.proofs.length,
      lost,
      retries: proxy.retries(),
      gapsMs,
      latenciesMs: load.latenciesMs,
    }
  } finally {
    await load.end()
    await stop(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

type Server = Bun.Subprocess<'ignore', 'pipe', 'inherit'>

/** A server that is ready. */
async function start(executable: string, folder: string, port: number): Promise<Server> {
  const server = Bun.spawn([executable, 'serve', '--json'], {
    cwd: folder,
    env: {
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: String(port),
      PROOFGATE_LIMITS_ENABLED: 'false',
      PROOFGATE_LOG_LEVEL: 'error',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await server.stdout.getReader().read()
  if (value === undefined) throw new Error(`${executable} does not start`)
  return server
}

async function stop(server: Server): Promise<void> {
  server.kill('SIGTERM')
  const code = await server.exited
  if (code !== 0) throw new Error(`a server ended with exit code ${code}`)
}

/** Every server has the same one, as behind a real proxy. */
async function findPort(): Promise<number> {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  await new Promise((resolve) => taken.close(resolve))
  return port
}

/** Clients that make a proof, read it, and look at the health of the server, without a pause. */
function startLoad(url: string, clients: number) {
  const failed: string[] = []
  const proofs: string[] = []
  const latenciesMs: number[] = []
  let requests = 0
  let isOver = false

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function ask(path: string, body?: object): Promise<any> {
    requests++
    const since = performance.now()
    const response = await fetch(
      `${url}${path}`,
      body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    )
    const answer = await response.text()
    latenciesMs.push(performance.now() - since)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${answer.slice(0, 200)}`)
    return JSON.parse(answer)
  }

  async function proveAndRead(wallet: TestWallet, content: string): Promise<void> {
    const claim = {
      walletAddress: wallet.address,
      verifierIds: ['ownership-basic'],
      data: { owner: wallet.address, content },
      options: { privacyLevel: 'public' },
      signedTimestamp: Date.now(),
    }
    const { data: prepared } = await ask('/api/v1/verification/standardize', claim)
    const signature = await wallet.sign(prepared.signerString)
    const { data: made } = await ask('/api/v1/verification', { ...claim, signature })
    proofs.push(made.qHash)
    const { data: read } = await ask(`/api/v1/proofs/${made.qHash}`)
    if (read.status !== 'verified') throw new Error(`${made.qHash} is ${read.status}`)
    await ask('/api/v1/health')
  }

  async function work(client: number): Promise<void> {
    const wallet = evmWallet(`0x${String(client + 1).padStart(64, '0')}`)
    for (let number = 0; !isOver; number++)
      try {
        await proveAndRead(wallet, `${client} ${number}`)
      } catch (error) {
        failed.push(String(error))
      }
  }
  const ended = Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  return {
    failed,
    proofs,
    latenciesMs,
    requests: () => requests,
    async end() {
      isOver = true
      await ended
    },
  }
}

async function countLost(url: string, proofs: readonly string[]): Promise<number> {
  let lost = 0
  for (const qHash of proofs) {
    const response = await fetch(`${url}/api/v1/verification/status/${qHash}`)
    await response.arrayBuffer()
    if (response.status !== 200) lost++
  }
  return lost
}

/** The command. Resolves to its exit code. */
export async function tellUpgrades(): Promise<number> {
  const { buildNext, findCurrent } = await import('../parts/build-copy.ts')
  const upgrades = Number(process.env.UPGRADES ?? 50)
  const clients = Number(process.env.CLIENTS ?? 8)
  const began = performance.now()
  const done = await runUpgrades({
    executables: [findCurrent(), buildNext()],
    upgrades,
    clients,
    runMs: 1000,
    tell: (line) => console.log(line),
  })
  const pick = (values: readonly number[], part: number): string => {
    const sorted = values.toSorted((one, other) => one - other)
    return `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)} ms`
  }
  const { requests, failed, proofs, lost, retries, gapsMs, latenciesMs } = done
  console.log(
    [
      '',
      `${upgrades} upgrades under ${clients} clients in ${((performance.now() - began) / 1000).toFixed(0)} s`,
      `  requests                 ${requests}, of which failed: ${failed.length}`,
      `  proofs acknowledged      ${proofs}, of which lost: ${lost}`,
      `  sent again by the proxy  ${retries}`,
      `  from stop to ready       median ${pick(gapsMs, 0.5)}, longest ${pick(gapsMs, 1)}`,
      `  answers                  median ${pick(latenciesMs, 0.5)}, p99 ${pick(latenciesMs, 0.99)}, longest ${pick(latenciesMs, 1)}`,
      ...failed.slice(0, 10).map((failure) => `FAILED: ${failure}`),
    ].join('\n'),
  )
  return failed.length + lost === 0 ? 0 : 1
}
