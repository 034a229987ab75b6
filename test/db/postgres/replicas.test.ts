/** Reads that may be old, with a standby that follows, lags, hangs, is away and is promoted. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { SQL } from 'bun'
import { examineDatabaseServers } from '../../../src/doctor/database-server.ts'
import { startApp, type TestApp } from '../../app.ts'
import { type PostgresServer, startPostgres } from '../../parts/postgres.ts'
import { alice } from '../../wallets.ts'

setDefaultTimeout(120_000)

let primary: PostgresServer
let standby: Awaited<ReturnType<PostgresServer['startStandby']>>
const apps: TestApp[] = []

beforeAll(async () => {
  primary = await startPostgres({ version: 15, isOwn: true })
  standby = await primary.startStandby()
})
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})
afterAll(async () => {
  await standby.stop()
  await primary.stop()
})

/** Its database is a new one, of which the standby gets a copy. */
async function startWithReplica(lagSeconds: number, replicaOf?: string): Promise<TestApp> {
  const url = await primary.createDatabase()
  const replica = (replicaOf ?? url).replace(String(primary.port), String(standby.port))
  const app = await startApp({
    PROOFGATE_DATABASE_URL: url,
    PROOFGATE_DATABASE_REPLICAS: replica,
    PROOFGATE_DATABASE_REPLICA_LAG_SECONDS: String(lagSeconds),
    PROOFGATE_DATABASE_CONNECTIONS: '5',
    PROOFGATE_MASTER_KEY: randomBytes(32).toString('hex'),
    PROOFGATE_LOG_LEVEL: 'error',
    PROOFGATE_LIMITS_ENABLED: 'false',
  })
  apps.push(app)
  return app
}

const readReplica = (app: TestApp) => app.parts.db.listReplicas!()[0]!

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20)
}

/** The standby has it as soon as it has followed so far. */
async function waitForDatabase(url: string): Promise<void> {
  const client = new SQL({ url, max: 1 })
  await until(() =>
    client.unsafe('SELECT 1').then(
      () => true,
      () => false,
    ),
  )
  await client.close()
}

const untilState = (app: TestApp, state: string): Promise<void> => until(() => readReplica(app).state === state)

/** The first reads of a replica go to the other server while its connection opens. */
async function untilAnswered(app: TestApp): Promise<void> {
  await untilState(app, 'used')
  const before = readReplica(app).answered
  await until(async () => {
    await listPublic(app)
    return readReplica(app).answered > before
  })
}

async function onStandby(sql: string): Promise<void> {
  const admin = new SQL({ url: standby.url, max: 1 })
  await admin.unsafe(sql)
  await admin.close()
}

const shown = { privacyLevel: 'public', publicDisplay: true }

async function listPublic(app: TestApp): Promise<string[]> {
  const { status, body } = await app.get(`/api/v1/proofs/by-wallet/${alice.address}`)
  expect(status).toBe(200)
  return body.data.proofs.map(({ qHash }: { qHash: string }) => qHash)
}

test('lists for strangers come from the replica, and everything else from the server that takes writes', async () => {
  const app = await startWithReplica(60)
  const first = await app.prove(alice, shown)
  await until(async () => (await listPublic(app)).length === 1)
  await untilAnswered(app)
  await onStandby('SELECT pg_wal_replay_pause()')
  try {
    const second = await app.prove(alice, shown)
    expect(await listPublic(app)).toEqual([first])

    expect((await app.get(`/api/v1/proofs/${second}`)).status).toBe(200)
    expect((await app.get(`/api/v1/verification/status/${second}`)).status).toBe(200)
    const check = await app.get(`/api/v1/proofs/check?address=${alice.address}&verifierIds=ownership-basic`)
    expect(JSON.stringify(check.body)).toContain(second)
    const { headers } = await app.signIn()
    const own = await app.get(`/api/v1/proofs/by-wallet/${alice.address}`, { cookie: headers.cookie })
    expect(own.body.data.proofs.map(({ qHash }: { qHash: string }) => qHash)).toEqual([second, first])

    // What the replica does not know may have been made since: its page is there.
    const page = await app.request(`/proof/${second}`, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
  } finally {
    await onStandby('SELECT pg_wal_replay_resume()')
  }
  await until(async () => (await listPublic(app)).length === 2)
})

test('a replica that is older than the bound is not read, and is read again once it has caught up', async () => {
  const app = await startWithReplica(2)
  const first = await app.prove(alice, shown)
  await until(async () => (await listPublic(app)).length === 1)
  await untilAnswered(app)
  await onStandby('SELECT pg_wal_replay_pause()')
  await untilState(app, 'behind')
  const second = await app.prove(alice, shown)
  expect(await listPublic(app)).toEqual([second, first])
  await onStandby('SELECT pg_wal_replay_resume()')
  await untilAnswered(app)
  expect(await listPublic(app)).toEqual([second, first])
})

test('a database in which nothing happens does not look like a replica that lags', async () => {
  const app = await startWithReplica(2)
  await untilState(app, 'used')
  const states = new Set<string>()
  for (let look = 0; look < 60; look++) {
    states.add(readReplica(app).state)
    await Bun.sleep(100)
  }
  expect([...states]).toEqual(['used'])
  expect(readReplica(app).lagMs).toBeLessThan(2_000)
})

test('the doctor tells whether a replica follows, is another database, takes writes, or is away', async () => {
  const app = await startWithReplica(2)
  await untilState(app, 'used')
  const { url, replicas } = app.parts.config.database
  const elsewhere = await primary.createDatabase()
  const examine = async (named: string) => {
    const found = await examineDatabaseServers({ url: url!, replicas: named, replicaLagSeconds: 2 })
    return found.filter(({ setting }) => setting === 'database.replicas').map(({ level, says }) => `${level} ${says}`)
  }
  const at = `127.0.0.1:${standby.port}`
  expect(await examine(replicas!)).toEqual([`ok ${at} answers: a standby that follows the server that takes writes`])
  await waitForDatabase(elsewhere.replace(String(primary.port), String(standby.port)))
  expect(await examine(elsewhere.replace(String(primary.port), String(standby.port)))).toEqual([
    `warn ${at} has not got what was stored 2 seconds ago: it is behind, or follows another server`,
  ])
  expect(await examine(url!)).toEqual([
    `warn 127.0.0.1:${primary.port} takes writes itself, so it answers no reads as a replica`,
  ])
  expect(await examine(url!.replace(String(primary.port), '1'))).toEqual([expect.stringMatching(/^warn 127.0.0.1:1\b/)])
})

test('no read fails or waits long while the replica hangs, is killed, or starts, and the operator is told', async () => {
  const app = await startWithReplica(3)
  const made = await app.prove(alice, shown)
  await until(async () => (await listPublic(app)).length === 1)
  await untilAnswered(app)
  const isTold = () => app.parts.conditions.list().some(({ name }) => name === 'replica-unused')
  let longestMs = 0
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const at = performance.now()
      expect(await listPublic(app)).toEqual([made])
      longestMs = Math.max(longestMs, performance.now() - at)
      await Bun.sleep(20)
    }
  })()

  standby.freeze()
  await untilState(app, 'away')
  standby.thaw()
  await untilState(app, 'used')
  await standby.kill()
  await untilState(app, 'away')
  await until(isTold)
  const [told] = app.parts.conditions.list().filter(({ name }) => name === 'replica-unused')
  expect(told!.level).toBe('warning')
  expect(told!.says).not.toContain(String(standby.port))
  expect(told!.mend).toContain(`127.0.0.1:${standby.port}`)
  expect((await app.get('/api/v1/health/ready')).status).toBe(200)
  await standby.restart()
  await untilAnswered(app)
  isOver = true
  await reading
  await until(() => !isTold())
  // A second for the replica that hangs, and what a busy machine adds.
  expect(longestMs).toBeLessThan(10_000)
})

test('the metrics tell how old a replica is and what it answered', async () => {
  const app = await startWithReplica(60)
  await app.prove(alice, shown)
  await until(async () => (await listPublic(app)).length === 1)
  await untilAnswered(app)
  const { replicaFamilies } = await import('../../../src/db/metric-families.ts')
  const values = Object.fromEntries(
    await Promise.all(replicaFamilies.map(async (family) => [family.name, await family.read(app.parts)] as const)),
  )
  const labels = { replica: `127.0.0.1:${standby.port}` }
  expect(values.proofgate_replica_used).toEqual([{ labels, value: 1 }])
  expect(values.proofgate_replica_reads_total).toEqual([{ labels, value: expect.any(Number) }])
  expect(values.proofgate_replica_lag_seconds).toEqual([{ labels, value: expect.any(Number) }])
})

test('another database under the name of a replica is never read', async () => {
  const other = await startWithReplica(60)
  const app = await startWithReplica(2, other.parts.config.database.url)
  await app.prove(alice, shown)
  await untilState(other, 'used')
  await untilState(app, 'behind')
  await Bun.sleep(3_000)
  expect(readReplica(app)).toMatchObject({ state: 'behind', answered: 0, lagMs: undefined })
  expect(await listPublic(app)).toHaveLength(1)
})

/** The last one: afterwards the standby follows nobody. */
test('a replica that was promoted is not read while the writes go elsewhere', async () => {
  const app = await startWithReplica(2)
  const first = await app.prove(alice, shown)
  await until(async () => (await listPublic(app)).length === 1)
  await untilAnswered(app)
  await standby.promote()
  await untilState(app, 'behind')
  const second = await app.prove(alice, shown)
  expect(await listPublic(app)).toEqual([second, first])
})
