/** /metrics: its figures, who may read it, and what it leaves out. */
import { afterEach, describe, expect, test } from 'bun:test'
import { type MetricsPage, openMetricsPage } from '../../src/monitoring/page.ts'
import { startApp, type TestApp } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import { alice, bob } from '../wallets.ts'
import { readSamples, selectFamily } from './read-page.ts'

const newFolder = temporaryFolders()
const open: { page: MetricsPage; app: TestApp }[] = []
afterEach(async () => {
  for (const { page, app } of open.splice(0)) {
    await page.stop()
    await app.close()
  }
})

async function start(env: Record<string, string> = {}, folder?: string) {
  const app = await startApp({ PROOFGATE_METRICS_ENABLED: 'true', PROOFGATE_METRICS_PORT: '0', ...env }, folder)
  const page = await openMetricsPage(app.parts, { recovery: 'native' })
  open.push({ page, app })
  const read = async (family: string) => selectFamily(await readSamples(page.url), family)
  return { app, page, read }
}

const startIn = (folder: string) => start({ PROOFGATE_DATA: folder }, folder)

describe('the page of metrics', () => {
  test('counts answers by the pattern of their route, and unknown paths under one label', async () => {
    const { app, read } = await start()
    const qHash = await app.prove(alice)
    for (const path of [`/api/v1/proofs/${qHash}`, `/api/v1/proofs/0x${'00'.repeat(32)}`]) await app.get(path)
    for (const path of ['/none', `/none/${alice.address}`, '/api/v1/none']) await app.get(path)
    await app.request('/api/v1/health', { method: 'PROPFIND' })
    await app.request('/api/v1/health', { method: 'OPTIONS' })
    await app.request('/api/v1/health', { method: 'HEAD' })
    await app.request('/api/v1/health', { headers: { host: 'a,b' } })
    expect(await read('proofgate_http_requests_total')).toEqual({
      '{route="/api/v1/verification/standardize",method="POST",status="2xx"}': 1,
      '{route="/api/v1/verification",method="POST",status="2xx"}': 1,
      '{route="/api/v1/proofs/:qHash",method="GET",status="2xx"}': 1,
      '{route="/api/v1/proofs/:qHash",method="GET",status="4xx"}': 1,
      '{route="unknown",method="GET",status="4xx"}': 3,
      '{route="unknown",method="other",status="4xx"}': 1,
      '{route="preflight",method="OPTIONS",status="2xx"}': 1,
      '{route="/api/v1/health",method="HEAD",status="2xx"}': 1,
      '{route="refused",method="GET",status="4xx"}': 1,
    })
    const seconds = await read('proofgate_http_request_seconds_count')
    expect(seconds['{route="/api/v1/proofs/:qHash",method="GET"}']).toBe(2)
  })

  test('tells the verdicts of each verifier apart', async () => {
    // Nothing listens at this resolver.
    const { app, read } = await start({
      PROOFGATE_DNS_RESOLVERS: 'https://127.0.0.1:9/dns-query',
      PROOFGATE_OUTSIDE_PRIVATE_NETWORKS: '127.0.0.0/8',
      PROOFGATE_OUTSIDE_ATTEMPTS: '1',
    })
    await app.prove(alice)
    const basic = { verifierIds: ['ownership-basic'], data: { owner: bob.address, content: 'x' } }
    expect((await app.submit(alice, basic)).status).toBe(400)
    const domain = { verifierIds: ['ownership-dns-txt'], data: { owner: alice.address, domain: 'example.com' } }
    expect((await app.submit(alice, domain)).status).toBe(503)
    expect(await read('proofgate_verdicts_total')).toEqual({
      '{verifier="ownership-basic",outcome="holds"}': 1,
      '{verifier="ownership-dns-txt",outcome="undecided"}': 1,
    })
    expect((await read('proofgate_verdict_seconds_count'))['{verifier="ownership-dns-txt"}']).toBe(1)
    expect(await read('proofgate_source_calls_total')).toEqual({ '{source="dns.resolvers[0]",result="failed"}': 1 })
  })

  test('counts the groups, commits and bytes of a database on a disk', async () => {
    const { app, read } = await startIn(newFolder())
    const before = (await read('proofgate_write_group_size_count'))['']!
    await app.prove(alice)
    expect((await read('proofgate_write_group_size_count'))['']).toBeGreaterThan(before)
    expect(await read('proofgate_commit_seconds_count')).toEqual(await read('proofgate_write_group_size_count'))
    expect((await read('proofgate_commit_seconds_sum'))['']).toBeGreaterThan(0)
    for (const size of ['database', 'wal', 'disk_free', 'disk_size', 'disk_floor'])
      expect([size, (await read(`proofgate_${size}_bytes`))['']]).toEqual([size, expect.any(Number)])
    expect(await read('proofgate_write_queue_length')).toEqual({})
  })

  test('counts refusals of rate limits, standing conditions and sweeps', async () => {
    const { app, read } = await start({ PROOFGATE_LIMITS_RATES_HEALTH: '1/1m' })
    for (let request = 0; request < 3; request++) await app.get('/api/v1/health')
    expect(await read('proofgate_rate_limit_refusals_total')).toEqual({ '{policy="health"}': 2 })

    app.parts.conditions.begin({
      name: 'disk-low',
      level: 'warning',
      says: 'the disk is filling up',
      mend: 'free some',
    })
    expect(await read('proofgate_condition')).toEqual({ '{condition="disk-low",level="warning"}': 1 })
    app.parts.conditions.end('disk-low')
    expect(await read('proofgate_condition')).toEqual({})

    await app.sweep()
    expect(await read('proofgate_sweep_runs_total')).toEqual({ '{result="done"}': 1 })
    expect((await read('proofgate_sweep_last_run_timestamp_seconds'))['']).toBe(app.now() / 1000)
  })

  test('holds no wallet, no id of a proof and no path', async () => {
    const { app, page } = await start()
    const qHash = await app.prove(alice)
    await app.get(`/api/v1/proofs/${qHash}`)
    await app.get(`/api/v1/proofs/by-wallet/${alice.address}?secret=abc`)
    const text = (await (await fetch(page.url)).text()).toLowerCase()
    for (const personal of [alice.address.toLowerCase(), qHash, 'secret', 'example content'])
      expect(text).not.toContain(personal)
  })
})

describe('the port of the page', () => {
  test('asks for its token, where one is set', async () => {
    const token = 'a-token-of-thirty-characters-ok'
    const { page } = await start({ PROOFGATE_METRICS_TOKEN: token })
    const ask = async (authorization?: string) =>
      (await fetch(page.url, { headers: authorization ? { authorization } : {} })).status
    expect([
      await ask(),
      await ask('Bearer wrong'),
      await ask(`Bearer ${token}x`),
      await ask(`Bearer ${token}`),
    ]).toEqual([401, 401, 401, 200])
  })

  test('serves one path, and only for reading', async () => {
    const { page } = await start()
    expect((await fetch(new URL('/', page.url))).status).toBe(404)
    expect((await fetch(page.url, { method: 'DELETE' })).status).toBe(405)
    const head = await fetch(page.url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  })

  test('refuses a page in a browser that gave this machine a name of its own', async () => {
    const { page } = await start()
    expect((await fetch(page.url, { headers: { host: 'attacker.example' } })).status).toBe(403)
    expect((await fetch(page.url, { headers: { host: 'localhost:1' } })).status).toBe(200)
  })

  test('that is taken is named with its own settings', async () => {
    const { app, page } = await start()
    const { port } = new URL(page.url)
    const parts = {
      ...app.parts,
      config: { ...app.parts.config, metrics: { ...app.parts.config.metrics, port: Number(port) } },
    }
    expect(openMetricsPage(parts, { recovery: 'native' })).rejects.toThrow(
      new RegExp(`^cannot listen on 127.0.0.1:${port}.*PROOFGATE_METRICS_PORT \\(setting "metrics.port"\\)`),
    )
  })
})

test('nothing is counted by route while the page is not served', async () => {
  const { parts, close } = await startApp()
  expect(parts.traffic).toBeUndefined()
  await close()
})
