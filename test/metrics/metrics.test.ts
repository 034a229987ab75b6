/** The metrics: their events, their buckets, and how they survive restarts and failures. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { listRoutes } from '../../src/app.ts'
import { StorageError } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { makeRouteTable } from '../../src/http/route-table.ts'
import type { Surface } from '../../src/http/surfaces.ts'
import { bucketCount, computePercentile, findBucket } from '../../src/metrics/histogram.ts'
import type { Kind } from '../../src/metrics/measure.ts'
import { openMetrics, readDay, readHour } from '../../src/metrics/metrics.ts'
import { counts, listLatencies } from '../../src/metrics/store.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { apply, definitionOf } from '../gates/gate.ts'
import { alice, bob } from '../wallets.ts'

const listDayCounts = async ({ parts }: TestApp, kind: Kind) =>
  (await counts.day.list(parts.db, kind, 0)).map(({ at, subject, count }) => [
    at - readDay(startOfTime),
    subject,
    count,
  ])

describe('the metrics', () => {
  test('count proofs by verifier and day, once each', async () => {
    const app = await startApp()
    await app.prove(alice)
    await app.prove(bob)
    const body = await app.signed(alice, {
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: 'x' },
    })
    await app.post('/api/v1/verification', body)
    expect((await app.post('/api/v1/verification', body)).status).toBe(200)
    await app.parts.metrics.flush()
    app.wait(86_400_000)
    await app.prove(alice)
    await app.parts.metrics.flush()
    expect(await listDayCounts(app, 'proofs')).toEqual([
      [0, '', 3],
      [0, 'ownership-basic', 3],
      [1, '', 1],
      [1, 'ownership-basic', 1],
    ])
  })

  test('count by the hour as well', async () => {
    const app = await startApp()
    app.parts.metrics.count('gate_passes', ['gate_a'])
    app.wait(3_600_000)
    app.parts.metrics.count('gate_passes', ['gate_a'])
    await app.parts.metrics.flush()
    app.parts.metrics.count('gate_passes', ['gate_b'])
    await app.parts.metrics.flush()
    const hours = await counts.hour.list(app.parts.db, 'gate_passes', 0)
    expect(hours.map(({ at, subject, count }) => [at - readHour(startOfTime), subject, count])).toEqual([
      [0, '', 1],
      [0, 'gate_a', 1],
      [1, '', 2],
      [1, 'gate_a', 1],
      [1, 'gate_b', 1],
    ])
    expect(await listDayCounts(app, 'gate_passes')).toEqual([
      [0, '', 3],
      [0, 'gate_a', 2],
      [0, 'gate_b', 1],
    ])
  })

  test('keep the numbers of a day that ends between two flushes', async () => {
    const app = await startApp()
    app.parts.metrics.count('gate_passes', ['gate_a'])
    app.wait(86_400_000)
    app.parts.metrics.count('gate_passes', ['gate_b'])
    await app.parts.metrics.flush()
    expect(await listDayCounts(app, 'gate_passes')).toEqual([
      [0, '', 1],
      [0, 'gate_a', 1],
      [1, '', 1],
      [1, 'gate_b', 1],
    ])
  })

  test('count checks of a gate by their outcome, and no checks of criteria alone', async () => {
    const app = await startApp()
    await apply(app, definitionOf({ gateId: 'gate_counted', requirements: [{ verifierId: 'ownership-basic' }] }))
    await app.prove(alice, { privacyLevel: 'public' })
    for (const wallet of [alice, bob, bob])
      await app.get(`/api/v1/proofs/check?address=${wallet.address}&gateId=gate_counted`)
    await app.get(`/api/v1/proofs/check?address=${alice.address}&verifierIds=ownership-basic`)
    await app.parts.metrics.flush()
    expect(await listDayCounts(app, 'gate_passes')).toEqual([
      [0, '', 1],
      [0, 'gate_counted', 1],
    ])
    expect(await listDayCounts(app, 'gate_refusals')).toEqual([
      [0, '', 2],
      [0, 'gate_counted', 2],
    ])
  })

  test('count gates above the limit together only', async () => {
    const app = await startApp()
    for (let gate = 0; gate < 1500; gate++) app.parts.metrics.count('gate_passes', [`gate_${gate}`])
    await app.parts.metrics.flush()
    expect(await counts.day.listTotals(app.parts.db, 'gate_passes', 0)).toEqual([
      { at: readDay(startOfTime), count: 1500 },
    ])
    expect(await counts.day.list(app.parts.db, 'gate_passes', 0)).toHaveLength(500)
  })

  test('count requests by surface, refused ones too, and no health checks, files and unknown addresses', async () => {
    const app = await startApp()
    await app.get('/api/v1/health')
    await app.get('/api/v1/nothing')
    await app.get('/assets/nothing')
    await app.get('/api/v1/proofs/by-wallet/none')
    await app.prove(alice)
    await app.parts.metrics.flush()
    const counted = (await listLatencies(app.parts.db, 0)).map(({ surface, buckets }) => [
      surface,
      Object.values(JSON.parse(buckets) as Record<string, number>).reduce((sum, count) => sum + count, 0),
    ])
    expect(counted.sort()).toEqual([
      ['create', 1],
      ['prepare', 1],
      ['proofs', 1],
    ])
  })
})

describe('a flush', () => {
  test('writes nothing when nothing happened', async () => {
    const { parts } = await startApp()
    let writes = 0
    const write: typeof parts.db.write = (statements) => {
      writes++
      return parts.db.write(statements)
    }
    const metrics = openMetrics({ ...parts, db: { ...parts.db, write } })
    await metrics.flush()
    metrics.count('proofs', ['a'])
    await metrics.flush()
    await metrics.flush()
    expect(writes).toBe(1)
  })

  test('makes up for a failed one, without counting twice', async () => {
    const { parts } = await startApp()
    let failure: StorageError | undefined = new StorageError('the disk is full')
    const metrics = openMetrics({
      ...parts,
      log: { ...parts.log, warn: () => {} },
      db: { ...parts.db, write: (write) => (failure ? Promise.reject(failure) : parts.db.write(write)) },
    })
    metrics.count('proofs', ['a'])
    metrics.took('create', 3)
    await metrics.flush()
    failure = undefined
    metrics.count('proofs', ['a'])
    await metrics.flush()
    expect((await counts.day.listTotals(parts.db, 'proofs', 0))[0]!.count).toBe(2)
    expect(await listLatencies(parts.db, 0)).toHaveLength(1)
    failure = new StorageError('the writer ended', true)
    metrics.count('proofs', ['a'])
    await metrics.flush()
    failure = undefined
    await metrics.flush()
    expect((await counts.day.listTotals(parts.db, 'proofs', 0))[0]!.count).toBe(2)
  })

  test('adds up with another run in the same ten minutes, and writes a span with all its values', async () => {
    const { parts } = await startApp()
    const first = openMetrics({ ...parts, run: 'one' })
    const second = openMetrics({ ...parts, run: 'two' })
    for (const metrics of [first, second, first]) {
      metrics.took('mcp', 1)
      metrics.count('proofs', ['a'])
      await metrics.flush()
    }
    const latencies = (await listLatencies(parts.db, 0)).map(({ buckets }) => Object.values(JSON.parse(buckets)))
    expect(latencies).toEqual([[2], [1]])
    expect((await counts.day.listTotals(parts.db, 'proofs', 0))[0]!.count).toBe(3)
  })
})

test('the sweep keeps 400 days, and two days of latencies and hours', async () => {
  const app = await startApp()
  app.parts.metrics.count('proofs', ['a'])
  app.parts.metrics.took('create', 1)
  await app.parts.metrics.flush()
  app.wait(3 * 86_400_000)
  await app.sweep()
  expect(await listLatencies(app.parts.db, 0)).toEqual([])
  expect(await counts.hour.list(app.parts.db, 'proofs', 0)).toEqual([])
  expect(await counts.day.listTotals(app.parts.db, 'proofs', 0)).toHaveLength(1)
  app.wait(398 * 86_400_000)
  await app.sweep()
  expect(await counts.day.listTotals(app.parts.db, 'proofs', 0)).toEqual([])
})

test('an older database is counted by the migration', async () => {
  const db = new Database(':memory:', { strict: true })
  migrate(db, migrations.slice(0, 5))
  db.run("INSERT INTO accounts (id, address) VALUES (1, '0xaa')")
  const insert = db.prepare(
    `INSERT INTO proofs (id, q52, q_hash, account_id, scope52, status, visibility, chain_id, signed_timestamp, created_at, updated_at, record)
     VALUES (?1, ?1, randomblob(32), 1, ?1, 'verified', 0, 1, 1, ?2, ?2, ?3)`,
  )
  const rows = (...ids: string[]) => JSON.stringify({ rows: ids.map((verifierId) => ({ verifierId, verified: true })) })
  insert.run(1, startOfTime, rows('ownership-basic'))
  insert.run(2, startOfTime, rows('ownership-basic', 'nft-ownership'))
  insert.run(3, startOfTime - 500 * 86_400_000, rows('ownership-basic'))
  migrate(db)
  const day = readDay(startOfTime)
  expect(db.query('SELECT kind, day, subject, count FROM daily_numbers ORDER BY subject').values()).toEqual([
    ['proofs', day, '', 2],
    ['proofs', day, 'nft-ownership', 1],
    ['proofs', day, 'ownership-basic', 2],
  ])
  expect(db.query('SELECT accounts, proofs FROM totals').values()).toEqual([[1, 3]])
  db.run('DELETE FROM proofs WHERE id = 3')
  expect(db.query('SELECT accounts, proofs FROM totals').values()).toEqual([[1, 2]])
  db.close()
})

describe('durations', () => {
  test('are read back within a tenth', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.06, max: 30_000, noNaN: true }), (ms) => {
        const buckets = new Uint32Array(bucketCount)
        buckets[findBucket(ms)]!++
        expect(Math.abs(computePercentile(buckets, 0.5)! / ms - 1)).toBeLessThan(0.16)
      }),
    )
  })

  test.each([Number.NaN, -1, 0, 1e12, Number.POSITIVE_INFINITY])('%p falls into a bucket', (ms) => {
    expect(findBucket(ms)).toBeGreaterThanOrEqual(0)
    expect(findBucket(ms)).toBeLessThan(bucketCount)
  })

  test('have no percentile before the first request', () => {
    expect(computePercentile(new Uint32Array(bucketCount), 0.99)).toBeUndefined()
  })

  test('p99 of a hundred is the slowest but one', () => {
    const buckets = new Uint32Array(bucketCount)
    for (let count = 0; count < 99; count++) buckets[findBucket(1)]!++
    buckets[findBucket(1000)]!++
    expect(computePercentile(buckets, 0.99)).toBeLessThan(1.2)
    expect(computePercentile(buckets, 1)).toBeGreaterThan(900)
  })
})

test.each([
  ['/api/v1/verification', 'create'],
  ['/api/v1/proofs/:qHash', 'proofs'],
  ['/api/v1/proofs/check', 'checks'],
  ['/api/v1/gates/:gateId/fulfill', 'fulfill'],
  ['/api/v1/auth/mcp/token', 'oauth'],
  ['/api/v1/auth/me', 'sessions'],
  ['/mcp', 'mcp'],
  ['/', 'pages'],
  ['/operator', undefined],
  ['/api/v1/operator/health', undefined],
  ['/api/v1/health/live', undefined],
  ['/assets/:name', undefined],
])('%s is timed as %s', async (route, surface) => {
  const { surfaces } = makeRouteTable(listRoutes((await startApp()).parts))
  expect(surfaces.get(route)).toBe(surface as Surface | undefined)
})
