/** What an operator and Prometheus are told of the servers on one database, and of its standbys. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { hostname } from 'node:os'
import { families } from '../../../src/monitoring/families.ts'
import type { OpenedProcesses } from '../../../src/processes/open.ts'
import { startApp, type TestApp } from '../../app.ts'
import { type PostgresServer, startPostgres } from '../../parts/postgres.ts'
import { alice } from '../../wallets.ts'

setDefaultTimeout(120_000)

let server: PostgresServer
let standby: PostgresServer
let apps: TestApp[]
beforeAll(async () => {
  server = await startPostgres({ version: 15, isOwn: true })
  standby = await server.startStandby()
  const env = {
    PROOFGATE_DATABASE_URL: await server.createDatabase(),
    PROOFGATE_MASTER_KEY: 'a1'.repeat(32),
    PROOFGATE_OPERATOR_WALLETS: alice.address,
  }
  apps = [await startApp(env), await startApp(env)]
  for (const round of [1, 2])
    for (const { parts } of apps) await (parts.processes as OpenedProcesses).look().then(() => round)
})
afterAll(async () => {
  for (const app of apps) await app.close()
  await standby.stop()
  await server.stop()
})

async function readHealth(app: TestApp) {
  const { cookie } = await app.signIn(alice)
  const { status, body } = await app.get('/api/v1/operator/health', { cookie })
  expect(status).toBe(200)
  return body.data
}

test('health names the servers that live, and which of them answers', async () => {
  for (const app of apps) {
    const { processes } = await readHealth(app)
    expect(processes.map(({ run }: { run: string }) => run).toSorted()).toEqual(
      apps.map(({ parts }) => parts.run).toSorted(),
    )
    expect(processes.filter(({ isThis }: { isThis: boolean }) => isThis)).toEqual([
      {
        run: app.parts.run,
        host: hostname(),
        version: expect.any(String),
        startedAt: expect.any(Number),
        isThis: true,
      },
    ])
  }
})

test('health shows how far standbys are behind', async () => {
  await apps[0]!.prove(alice)
  const { standbys } = await readHealth(apps[0]!)
  expect(standbys).toEqual([{ name: 'walreceiver', lagMs: expect.any(Number) }])
  standby.freeze()
  await apps[0]!.prove(alice)
  // Nothing is applied meanwhile: what is known of the lag may be old, but it is not said to be none.
  expect((await readHealth(apps[0]!)).standbys[0].lagMs).not.toBe(0)
  standby.thaw()
})

test('metrics have the run, the servers, the work of this one and the standbys', async () => {
  const { parts } = apps[0]!
  await parts.processes.openLease('sweep').hold()
  const read = async (app: TestApp, name: string) => {
    const family = families.find((one) => one.name === name)
    return family && family.type !== 'histogram' ? family.read(app.parts as never) : undefined
  }
  expect(await read(apps[0]!, 'proofgate_run_info')).toEqual([
    { labels: { run: parts.run, host: hostname() }, value: 1 },
  ])
  expect(await read(apps[0]!, 'proofgate_live_processes')).toEqual([{ value: 2 }])
  const sweeps = (work: unknown): unknown[] =>
    (work as { readonly labels: { readonly work: string } }[]).filter(({ labels }) => labels.work === 'sweep')
  expect(sweeps(await read(apps[0]!, 'proofgate_work_held'))).toEqual([{ labels: { work: 'sweep' }, value: 1 }])
  expect(sweeps(await read(apps[1]!, 'proofgate_work_held'))).toEqual([{ labels: { work: 'sweep' }, value: 0 }])
  expect(await read(apps[1]!, 'proofgate_standby_lag_seconds')).toHaveLength(1)
})
