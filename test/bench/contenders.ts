import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { compileRecovery } from '../../src/build/recovery.ts'
import type { BodyKind } from './bodies.ts'
import { type Launch, root, workFolder } from './server.ts'

/** Lists the servers of the comparison, how each is started, and the required ratio between it and ours. */

export type ContenderId = 'a' | 'b' | 'c' | 'ours' | 'ceiling' | 'fallback'

export interface Contender extends Launch {
  readonly id: ContenderId
  readonly name: string
  readonly body: BodyKind
  /** How a folder gets proofs before a run (filled.ts). */
  readonly fill: 'ours' | 'peer-proof' | 'peer-siwe' | 'ceiling'
  /** Part of --requests that it gets, so that the slow ones do not take all the time. */
  readonly share: number
}

/** `who` is so many times as fast as `than`; a goal below 1 is a part of it. */
export interface Goal<Id extends string = ContenderId> {
  readonly who: Id
  readonly than: Id
  readonly factor: number
}

export const goals: readonly Goal[] = [
  { who: 'ours', than: 'a', factor: 15 },
  { who: 'ours', than: 'b', factor: 11 },
  { who: 'ours', than: 'c', factor: 6 },
  { who: 'ours', than: 'ceiling', factor: 0.7 },
]

/** CPU time of one proof. */
export interface CostGoal<Id extends string = ContenderId> {
  readonly who: Id
  readonly mostUs: number
}

export const costs: readonly CostGoal[] = [
  { who: 'ours', mostUs: 140 },
  { who: 'fallback', mostUs: 280 },
]

/** The limiter stays on, because its cost is part of ours; it only must not refuse. */
export const configFile = join(workFolder, 'proofgate.toml')
export const configText = `# Written by the benchmark.
[limits.rates]
api = "1000000/1s"
create = "1000000/1s"
reads = "1000000/1s"
health = "1000000/1s"
sessions = "1000000/1s"
token = "1000000/1s"
register = "1000000/1s"
mcp = "1000000/1s"
`

export const ours = (executable: string, env: Record<string, string> = {}): Launch => ({
  command: [executable, 'serve', '--config', configFile],
  env: (port, dataFolder) => ({ PROOFGATE_PORT: String(port), PROOFGATE_DATA: dataFolder, ...env }),
})

/** The same server without a build, for measuring during development. */
export const fromSource = (env: Record<string, string> = {}): Launch => ({
  ...ours('', env),
  command: [process.execPath, join(root, 'src/main.ts'), 'serve', '--config', configFile],
})

/** Also runs from source, and checks its database when told to. */
export const checking = (env: Record<string, string>): Launch => ({
  ...ours('', env),
  command: [process.execPath, join(import.meta.dir, 'checking-server.ts')],
})

export const peer = (runtime: string, file: string): Launch => ({
  command: [runtime, join(import.meta.dir, file)],
  env: (port, dataFolder) => ({ PORT: String(port), DATA: dataFolder }),
})

/**
 * Lists the servers in the order of a round. Servers that cannot run on this machine are left out, with a line that
 * says why.
 */
export function contenders(executable: string, say: (line: string) => void): Contender[] {
  const list: Contender[] = []
  const node = Bun.which('node')
  if (node) {
    const a = peer(node, 'peers/express-siwe-ethers.mjs')
    const b = peer(node, 'peers/hono-viem-node.mjs')
    list.push({
      ...a,
      id: 'a',
      name: '(a) Express + siwe + ethers + better-sqlite3, Node',
      body: 'siwe',
      fill: 'peer-siwe',
      share: 0.2,
    })
    list.push({
      ...b,
      id: 'b',
      name: '(b) Hono + viem + better-sqlite3, Node',
      body: 'proof',
      fill: 'peer-proof',
      share: 0.2,
    })
  } else say('Peers (a) and (b) are left out: there is no node here.')
  const c = peer(process.execPath, 'peers/hono-viem-bun.mjs')
  list.push({ ...c, id: 'c', name: '(c) Hono + viem + bun:sqlite, Bun', body: 'proof', fill: 'peer-proof', share: 0.2 })
  if (existsSync(executable))
    list.push({ ...ours(executable), id: 'ours', name: 'Proofgate', body: 'proof', fill: 'ours', share: 1 })
  else say(`Proofgate is left out: there is no ${executable.replace(`${root}/`, '')}.`)
  const ceiling = peer(process.execPath, 'ceiling.ts')
  mkdirSync(workFolder, { recursive: true })
  // The same recovery as in an executable that is built here.
  const { addon, note } = compileRecovery(workFolder)
  if (addon === undefined) say(`The ceiling recovers with the addon of the package: ${note}.`)
  const env: Launch['env'] = (...args) => ({ ...ceiling.env(...args), ...(addon ? { RECOVERY_ADDON: addon } : {}) })
  list.push({
    ...ceiling,
    env,
    id: 'ceiling',
    name: 'Ceiling (straight line, no framework)',
    body: 'proof',
    fill: 'ceiling',
    share: 1,
  })
  if (existsSync(executable)) {
    const fallback = ours(executable, { PROOFGATE_SIGNING_RECOVERY: 'wasm' })
    list.push({
      ...fallback,
      id: 'fallback',
      name: 'Proofgate, portable fallback (WASM)',
      body: 'proof',
      fill: 'ours',
      share: 1,
    })
  }
  return list
}
