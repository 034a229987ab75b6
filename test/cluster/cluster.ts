/** Three servers on one database, behind HAProxy. */

import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { startApp } from '../app.ts'
import { rules } from '../durability/sound.ts'
import { putGate, type StageGate } from '../gates/fulfill-stage.ts'
import { freePort } from '../parts/free-port.ts'
import { type Balancer, startBalancer } from '../parts/haproxy.ts'
import { masterKey, type Proofgate, startProofgate } from './proofgate.ts'

export interface Cluster {
  /** Of the balancer. */
  readonly url: string
  readonly servers: readonly Proofgate[]
  readonly balancer: Balancer
  putGates(gates: readonly (StageGate & { readonly gateId: string })[]): Promise<void>
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly database: string
  /** Where each server finds the database: by its own way, in place of `database`. */
  readonly ways?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Lines of proofgate.toml. */
  readonly config?: readonly string[]
}

export const readyPath = '/api/v1/health/ready'

export async function startCluster({ database, ways, env, config = [] }: ClusterOptions): Promise<Cluster> {
  const port = await freePort()
  const folders: string[] = []
  const start = async (way: string): Promise<Proofgate> => {
    const folder = mkdtempSync(join(tmpdir(), 'proofgate-cluster-'))
    folders.push(folder)
    writeFileSync(join(folder, 'proofgate.toml'), config.join('\n'))
    return startProofgate({
      database: way,
      folder,
      port: await freePort(),
      env: { PROOFGATE_BASE_URL: `http://127.0.0.1:${port}`, ...env },
    })
  }
  const servers = await Promise.all((ways ?? [database, database, database]).map(start))
  const ports = servers.map((server) => server.port)
  const balancer = await startBalancer(port, ports, readyPath)
  return {
    url: balancer.url,
    servers,
    balancer,
    async putGates(gates) {
      const env = { PROOFGATE_DATABASE_URL: database, PROOFGATE_MASTER_KEY: masterKey }
      const app = await startApp(env, undefined, Date.now())
      for (const gate of gates) await putGate(app.parts, gate)
      await app.close()
    },
    async stop() {
      await balancer.stop()
      for (const server of servers) {
        server.thaw()
        await server.stop()
      }
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The database itself, past the servers. */
export const openSql = (url: string): SQL =>
  new SQL({ url, max: 1, connection: { search_path: 'proofgate,pg_catalog' } })

/** The rules of the data that are broken, each with its first rows. */
export async function findBrokenRules(url: string): Promise<Record<string, unknown[]>> {
  const sql = openSql(url)
  const broken: Record<string, unknown[]> = {}
  for (const [rule, query] of Object.entries(rules)) {
    const rows = [...(await sql.unsafe(`${query.replaceAll('CROSS JOIN', 'JOIN')} LIMIT 5`))]
    if (rows.length > 0) broken[rule] = rows
  }
  await sql.close()
  return broken
}

/** Whether a server says that it is ready, and why not. */
export async function askReady(url: string): Promise<{ readonly isReady: boolean; readonly condition?: string }> {
  const response = await fetch(url + readyPath, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
  if (!response) return { isReady: false }
  const { error } = (await response.json()) as { error?: { details?: { condition?: string } } }
  return { isReady: response.ok, ...(error?.details?.condition ? { condition: error.details.condition } : {}) }
}

/** Milliseconds until the server says so. */
export async function waitForReady(url: string, wanted: boolean): Promise<number> {
  const since = performance.now()
  while ((await askReady(url)).isReady !== wanted) await Bun.sleep(20)
  return performance.now() - since
}
