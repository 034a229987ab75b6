/** Prometheus itself reads the metrics of a real server, the alerts and the queries of the dashboard. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { families } from '../../src/monitoring/families.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { freePort } from '../parts/free-port.ts'
import { isMissing } from '../parts/optional.ts'
import { type MonitoredServer, startMonitored } from './server.ts'

setDefaultTimeout(120_000)
const newFolder = temporaryFolders()
const lacksPrometheus = isMissing(
  Bun.which('prometheus') !== null && Bun.which('promtool') !== null,
  'the metrics, read by Prometheus (apt-get install prometheus)',
)

const packaging = new URL('../../src/packaging/', import.meta.url)
const alertsFile = new URL('prometheus/alerts.yml', packaging).pathname

interface Rule {
  readonly alert: string
  readonly expr: string
}
const { groups } = Bun.YAML.parse(readFileSync(alertsFile, 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}
const dashboard = JSON.parse(readFileSync(new URL('grafana/proofgate.json', packaging), 'utf8')) as {
  readonly panels: readonly Panel[]
  readonly annotations: { readonly list: readonly { readonly expr: string }[] }
}
/** As Grafana would send them. */
const fill = (expr: string): string => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '20s')
const queries: readonly (readonly [string, string])[] = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }, index) => [`${title} ${index + 1}`, fill(expr)] as const),
  ),
  ...dashboard.annotations.list.map(({ expr }) => ['annotation', fill(expr)] as const),
]

/** Queries that have a result only where something is wrong, or that need a longer time. */
const mayBeEmpty = [
  'Lag of standbys 1',
  'Refused by rate limits 1',
  'Not offered 2',
  'Skipped sources 1',
  'Skipped sources 2',
  'Sweep 5',
  'annotation',
]

/** Names of metrics in a query. */
const listNames = (expr: string): string[] => [
  ...new Set(expr.replace(/"[^"]*"/g, '""').match(/\b(?:proofgate_|process_)[a-z_]+\b/g) ?? []),
]
const names = new Set(
  families.flatMap(({ name, type }) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  ),
)

async function promtool(
  args: readonly string[],
  input = '',
): Promise<{ readonly says: string; readonly code: number }> {
  const child = Bun.spawn(['promtool', ...args], { stdin: new Blob([input]), stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { says: (out + err).trim(), code }
}

describe('the alerts and the dashboard', () => {
  test('name only metrics of this build', () => {
    const used = [...rules.map(({ expr }) => expr), ...queries.map(([, expr]) => expr)].flatMap(listNames)
    expect(used.length).toBeGreaterThan(60)
    expect(used.filter((name) => !names.has(name))).toEqual([])
  })

  test('show every metric of this build', () => {
    const used = new Set([...rules.map(({ expr }) => expr), ...queries.map(([, expr]) => expr)].flatMap(listNames))
    const isUsed = ({ name }: { readonly name: string }): boolean => [...used].some((one) => one.startsWith(name))
    expect(families.filter((family) => !isUsed(family)).map(({ name }) => name)).toEqual([])
  })
})

describe.skipIf(lacksPrometheus)('promtool', () => {
  test('finds nothing wrong with the alerts', async () => {
    expect(await promtool(['check', 'rules', alertsFile])).toEqual({
      code: 0,
      says: expect.stringContaining(`SUCCESS: ${rules.length} rules found`),
    })
  })

  /** Series of one server, a value a minute, and the alerts that fire at the end. */
  const moments: readonly (readonly [
    what: string,
    series: Readonly<Record<string, string>>,
    fires: string | undefined,
  ])[] = [
    ['is down', { 'up{job="proofgate"}': '1 0x60' }, 'ProofgateDown'],
    ['is not ready', { 'proofgate_condition{condition="disk-full",level="failing"}': '0 1x60' }, 'ProofgateNotReady'],
    ['warns', { 'proofgate_condition{condition="disk-low",level="warning"}': '0 1x60' }, 'ProofgateWarning'],
    ['starts again and again', { 'process_start_time_seconds{job="proofgate"}': '0+1x60' }, 'ProofgateRestarts'],
    [
      'answers with 5xx',
      {
        'proofgate_http_requests_total{status="5xx"}': '0+5x60',
        'proofgate_http_requests_total{status="2xx"}': '0+95x60',
      },
      'ProofgateErrors',
    ],
    [
      'is slow',
      {
        'proofgate_http_request_seconds_bucket{le="1"}': '0x60',
        'proofgate_http_request_seconds_bucket{le="5"}': '0+9x60',
        'proofgate_http_request_seconds_bucket{le="+Inf"}': '0+9x60',
      },
      'ProofgateSlow',
    ],
    ['lets writes wait', { proofgate_write_queue_oldest_seconds: '0 9x60' }, 'ProofgateWritesWait'],
    [
      'has little room on its disk',
      { proofgate_disk_free_bytes: '1000x60', proofgate_disk_floor_bytes: '800x60' },
      'ProofgateDiskFills',
    ],
    [
      'fills its disk within a day',
      { proofgate_disk_free_bytes: '100000-10x60', proofgate_disk_floor_bytes: '800x60' },
      undefined,
    ],
    [
      'fills its disk within the hour',
      { proofgate_disk_free_bytes: '100000-100x60', proofgate_disk_floor_bytes: '800x60' },
      'ProofgateDiskFills',
    ],
    ['does not sweep', { proofgate_sweep_overdue_seconds: '0+300x60' }, 'ProofgateSweepFails'],
    ['skips a source', { 'proofgate_source_skipped{source="s"}': '1x60' }, 'ProofgateSourceSkipped'],
    ['has lost a provider', { 'proofgate_provider_ready{kind="chain",name="base"}': '0x60' }, 'ProofgateProviderDown'],
    [
      'cannot decide',
      {
        'proofgate_verdicts_total{verifier="v",outcome="undecided"}': '0+1x60',
        'proofgate_verdicts_total{verifier="v",outcome="holds"}': '0+1x60',
      },
      'ProofgateUndecided',
    ],
    ['loses lines of its log', { proofgate_log_lines_lost_total: '0+9x60' }, 'ProofgateLogLost'],
    [
      'is well',
      {
        'up{job="proofgate"}': '1x60',
        'proofgate_condition{condition="disk-full",level="failing"}': '0x60',
        'process_start_time_seconds{job="proofgate"}': '5x60',
        'proofgate_http_requests_total{status="5xx"}': '0x60',
        'proofgate_http_requests_total{status="2xx"}': '0+95x60',
        'proofgate_http_request_seconds_bucket{le="1"}': '0+9x60',
        'proofgate_http_request_seconds_bucket{le="+Inf"}': '0+9x60',
        proofgate_write_queue_oldest_seconds: '0x60',
        proofgate_disk_free_bytes: '9000x60',
        proofgate_disk_floor_bytes: '800x60',
        proofgate_sweep_overdue_seconds: '100x60',
        'proofgate_verdicts_total{verifier="v",outcome="undecided"}': '0x60',
        'proofgate_verdicts_total{verifier="v",outcome="holds"}': '0+1x60',
      },
      undefined,
    ],
  ]

  test.each(moments)('sees of a server that %s what the alerts say', async (_, series, fires) => {
    const folder = newFolder()
    const test = {
      rule_files: [alertsFile],
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          promql_expr_test: [
            {
              expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
              eval_time: '55m',
              exp_samples: fires === undefined ? [] : [{ labels: `{alertname="${fires}"}`, value: 1 }],
            },
          ],
        },
      ],
    }
    // JSON is YAML.
    writeFileSync(join(folder, 'alerts.test.yml'), JSON.stringify(test))
    expect(await promtool(['test', 'rules', join(folder, 'alerts.test.yml')])).toEqual({
      code: 0,
      says: expect.stringContaining('SUCCESS'),
    })
  })
})

describe.skipIf(lacksPrometheus)('a Prometheus that reads a server', () => {
  const folder = newFolder()
  let server: MonitoredServer
  let prometheus: Bun.Subprocess
  let base = ''

  const ask = async (path: string, parameters: Record<string, string> = {}) => {
    const response = await fetch(`${base}/api/v1/${path}?${new URLSearchParams(parameters)}`)
    return (await response.json()) as { status: string; error?: string; data: { result: unknown[] } & unknown[] }
  }
  const query = async (expr: string) => ask('query', { query: expr })

  beforeAll(async () => {
    const token = 'a-token-of-thirty-characters-ok'
    server = await startMonitored(folder, {
      PROOFGATE_METRICS_TOKEN: token,
      // A source that does not answer: nothing listens there.
      PROOFGATE_DNS_RESOLVERS: 'https://127.0.0.1:9/dns-query',
      PROOFGATE_BACKUP_TO: join(folder, 'backups'),
      PROOFGATE_BACKUP_WITHOUT_SECRETS: 'true',
      PROOFGATE_BACKUP_CONTINUOUS: 'true',
    })
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    // The configuration of the guide, for this server.
    const guide = readFileSync(new URL('../../src/guides/monitoring.md', import.meta.url), 'utf8')
    const [, shown = ''] = /```yaml prometheus\n([\s\S]*?)```/.exec(guide) ?? []
    const scrape = shown
      .replace('127.0.0.1:8788', new URL(server.metricsUrl).host)
      .replace('/etc/prometheus/proofgate-alerts.yml', alertsFile)
      .replace('job_name: proofgate', `job_name: proofgate\n    authorization: { credentials: ${token} }`)
    expect(scrape).toContain(token)
    writeFileSync(join(folder, 'prometheus.yml'), `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${scrape}`)
    prometheus = Bun.spawn(
      [
        'prometheus',
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdout: 'ignore', stderr: Bun.file(join(folder, 'prometheus.log')) },
    )
    for (let count = 0; count < 5; count++) await fetch(`${server.url}/api/v1/health`)
    const isReading = async (): Promise<boolean> => {
      const { data } = await query('count_over_time(up{job="proofgate"}[1m]) > 5').catch(() => ({
        data: { result: [] },
      }))
      return data.result.length > 0
    }
    while (!(await isReading())) {
      if (prometheus.exitCode !== null) throw new Error(readFileSync(join(folder, 'prometheus.log'), 'utf8'))
      await fetch(`${server.url}/api/v1/health`)
      await Bun.sleep(200)
    }
  })
  afterAll(async () => {
    prometheus?.kill()
    await prometheus?.exited
    await server?.stop()
  })

  test('reaches it', async () => {
    expect((await query('up{job="proofgate"} == 1')).data.result).toHaveLength(1)
    expect((await query('scrape_samples_scraped > 200')).data.result).toHaveLength(1)
  })

  test('has each family that the server can have by now', async () => {
    const { data } = await ask('label/__name__/values')
    const needsEvents = ['proofgate_source_', 'proofgate_task_last_run_', 'proofgate_standby_', 'proofgate_replica_']
    const missing = [...names].filter(
      (name) => !data.includes(name) && !needsEvents.some((one) => name.startsWith(one)),
    )
    expect(missing).toEqual([])
  })

  test.each(rules.map(({ alert, expr }) => [alert, expr]))('evaluates the alert %s', async (_, expr) => {
    expect(await query(expr)).toMatchObject({ status: 'success' })
  })

  test('has loaded all alerts, and none of them has begun', async () => {
    const { data } = (await ask('rules')) as unknown as {
      data: { groups: { rules: { name: string; health: string; state: string; lastError?: string }[] }[] }
    }
    const loaded = data.groups.flatMap((group) => group.rules)
    expect(loaded.map(({ name }) => name)).toEqual(rules.map(({ alert }) => alert))
    expect(loaded.filter(({ health }) => health === 'err')).toEqual([])
    expect(loaded.filter(({ state }) => state === 'firing')).toEqual([])
  })

  test.each(queries)('answers the query of the dashboard: %s', async (title, expr) => {
    const { status, error, data } = await query(expr)
    expect([status, error]).toEqual(['success', undefined])
    const isOfEvents = listNames(expr).some((name) => /^proofgate_(source|task_last|replica)_/.test(name))
    if (!mayBeEmpty.includes(title) && !isOfEvents) expect(data.result.length).toBeGreaterThan(0)
  })

  test('finds the page well formed', async () => {
    const page = await fetch(server.metricsUrl, {
      headers: { authorization: 'Bearer a-token-of-thirty-characters-ok' },
    })
    expect(await promtool(['check', 'metrics'], await page.text())).toEqual({ says: '', code: 0 })
  })
})
