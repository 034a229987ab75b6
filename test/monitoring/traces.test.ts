/** Traces by OpenTelemetry: what is sent, to whom, and that nothing is where nobody asked for it. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createApp } from '../../src/app.ts'
import { openExporter } from '../../src/outside/traces/exporter.ts'
import { readTracing } from '../../src/tracing/otel-settings.ts'
import { findSpan, makeId } from '../../src/tracing/span.ts'
import { openTracer } from '../../src/tracing/tracer.ts'
import { startApp } from '../app.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { type Collector, startCollector } from '../parts/otlp-collector.ts'
import { alice } from '../wallets.ts'
import { readSamples } from './read-page.ts'
import { type MonitoredServer, startMonitored } from './server.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const collectors: Collector[] = []
const servers: MonitoredServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop('SIGKILL')
  for (const collector of collectors.splice(0)) collector.stop()
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const sampled = { traceparent: `00-${traceId}-${parentId}-01` }

function startOne(path?: string): Collector {
  const collector = startCollector(path)
  collectors.push(collector)
  return collector
}

/** The app in this process, and the spans that it finishes. */
async function start(env: Record<string, string> = {}, settings: Record<string, string> = {}) {
  const collector = startOne()
  const app = await startApp(settings)
  const tracing = readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env }).settings!
  const losses: string[] = []
  const sink = openExporter({ ...tracing, version: '1', tellLoss: ({ lost, why }) => losses.push(`${lost} ${why}`) })
  const tracer = openTracer({ ...tracing, now: Date.now, sink })
  const server = createApp({ ...app.parts, tracer })
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    server.handle(new Request(`http://localhost${path}`, init))
  return { app, collector, tracer, losses, ask, sink }
}

async function startServer(env: Record<string, string>): Promise<MonitoredServer> {
  const server = await startMonitored(newFolder(), env)
  servers.push(server)
  return server
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

describe('a request that is traced', () => {
  test('has a span of the request, with the verifier and its calls below it, in the trace that it names', async () => {
    const { app, ask, collector, tracer } = await start(
      {},
      {
        PROOFGATE_DNS_RESOLVERS: 'https://127.0.0.1:9/dns-query',
        PROOFGATE_OUTSIDE_ATTEMPTS: '1',
      },
    )
    const claim = { verifierIds: ['ownership-dns-txt'], data: { owner: alice.address, domain: 'example.com' } }
    const body = await app.signed(alice, claim)
    const answer = await ask('/api/v1/verification', post(body, { ...sampled, tracestate: 'vendor=1' }))
    expect(answer.status).toBe(503)
    await tracer.close()

    expect(collector.objections).toEqual([])
    const [request, verifier, call] = ['POST', 'verify', 'call'].map((name) =>
      collector.spans.find((span) => span.name.startsWith(name)),
    )
    expect(request).toMatchObject({
      traceId,
      parentSpanId: parentId,
      traceState: 'vendor=1',
      name: 'POST /api/v1/verification',
      kind: 2,
      flags: 0x301,
      status: { code: 2, message: 'HTTP 503' },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/verification',
        'http.response.status_code': '503',
        'proofgate.request_id': answer.headers.get('x-request-id'),
        'proofgate.caller': 'signature',
        'error.type': '503',
      },
    })
    expect(verifier).toMatchObject({
      traceId,
      parentSpanId: request!.spanId,
      name: 'verify ownership-dns-txt',
      kind: 1,
      attributes: { 'proofgate.verifier': 'ownership-dns-txt', 'proofgate.outcome': 'undecided' },
    })
    expect(call).toMatchObject({
      traceId,
      parentSpanId: verifier!.spanId,
      name: 'call dns.resolvers[0]',
      kind: 3,
      attributes: { 'proofgate.source': 'dns.resolvers[0]', 'error.type': 'unreachable' },
    })
    for (const span of [verifier!, call!]) {
      expect(BigInt(span.startTimeUnixNano) >= BigInt(request!.startTimeUnixNano) - 1_000_000n).toBe(true)
      expect(span.spanId).not.toBe(request!.spanId)
    }
  })

  test('tells no wallet, no path, no query, no header and no content', async () => {
    const { app, ask, collector, tracer } = await start()
    const body = await app.signed(alice, {
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: 'Private words' },
    })
    await ask('/api/v1/verification', post(body))
    await ask(`/api/v1/proofs/by-wallet/${alice.address}?secret=abc`, { headers: { authorization: 'Bearer npk_abc' } })
    await ask(`/nothing/${alice.address}`)
    await tracer.close()
    expect(collector.spans.map(({ name }) => name).sort()).toEqual([
      'GET',
      'GET /api/v1/proofs/by-wallet/:address',
      'POST /api/v1/verification',
      'verify ownership-basic',
    ])
    const written = JSON.stringify(collector.spans).toLowerCase()
    for (const kept of [alice.address.toLowerCase(), 'private words', 'secret', 'npk_', String(body.signature)])
      expect(written).not.toContain(kept)
  })

  test.each([
    ['no header', undefined],
    ['another form', `00-${traceId}-${parentId}`],
    ['an invalid version', `ff-${traceId}-${parentId}-01`],
    ['more than version 00 has', `00-${traceId}-${parentId}-01-more`],
    ['capital letters', `00-${traceId.toUpperCase()}-${parentId}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['a parent of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ])('with %s begins a trace of its own', async (_, traceparent) => {
    const { ask, collector, tracer } = await start()
    await ask('/api/v1/health', { headers: traceparent === undefined ? {} : { traceparent } })
    await tracer.close()
    expect(collector.spans).toHaveLength(1)
    expect(collector.spans[0]!.traceId).not.toBe(traceId)
    expect(collector.spans[0]!.parentSpanId).toBeUndefined()
  })

  test('with a later version of the header goes on with its trace', async () => {
    const { ask, collector, tracer } = await start()
    await ask('/api/v1/health', { headers: { traceparent: `01-${traceId}-${parentId}-01-more` } })
    await tracer.close()
    expect(collector.spans[0]).toMatchObject({ traceId, parentSpanId: parentId })
  })
})

describe('the sampler', () => {
  const unsampled = { traceparent: `00-${traceId}-${parentId}-00` }
  test.each([
    ['parentbased_always_on', undefined, undefined, true],
    ['parentbased_always_on', undefined, unsampled, false],
    ['parentbased_always_off', undefined, undefined, false],
    ['parentbased_always_off', undefined, sampled, true],
    ['always_on', undefined, unsampled, true],
    ['always_off', undefined, sampled, false],
    ['traceidratio', '0', sampled, false],
    ['traceidratio', '1', unsampled, true],
    ['parentbased_traceidratio', '0', sampled, true],
    ['parentbased_traceidratio', '0', undefined, false],
  ])('%s with %p decides of %p: %p', async (sampler, argument, headers, isTraced) => {
    const { ask, collector, tracer } = await start({
      OTEL_TRACES_SAMPLER: sampler,
      ...(argument === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: argument }),
    })
    await ask('/api/v1/health', { headers: headers ?? {} })
    await tracer.close()
    expect(collector.spans.length > 0).toBe(isTraced)
  })

  test('records a share of the traces', () => {
    const { sampler } = readTracing({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }).settings!
    const sink = { take: () => {}, figures: () => ({ sent: 0, dropped: 0 }), close: async () => {} }
    const tracer = openTracer({ sampler, readsParent: true, now: Date.now, sink })
    let traced = 0
    for (let count = 0; count < 4_000; count++) if (tracer.startRequest(new Request('http://localhost/'))) traced++
    expect(Math.abs(traced / 4_000 - 0.25)).toBeLessThan(0.05)
  })
})

describe('the queue of spans', () => {
  const span = () => ({
    traceId: makeId(16),
    spanId: makeId(8),
    parentSpanId: undefined,
    traceState: '',
    isParentRemote: false,
    name: 'GET',
    kind: 2 as const,
    startedAt: 1_790_000_000_000.25,
    endedAt: 1_790_000_000_001.5,
    attributes: {},
    failure: undefined,
  })

  test('is sent in batches, and its times keep their nanoseconds', async () => {
    const { sink, collector } = await start({ OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10' })
    for (let count = 0; count < 25; count++) sink.take(span())
    await sink.close()
    expect(collector.objections).toEqual([])
    expect(collector.requests).toHaveLength(3)
    expect(collector.spans).toHaveLength(25)
    expect(collector.spans[0]).toMatchObject({
      startTimeUnixNano: '1790000000000250000',
      endTimeUnixNano: '1790000000001500000',
    })
    expect(sink.figures()).toEqual({ sent: 25, dropped: 0 })
  })

  test('sends a batch again after 503, and not after 400', async () => {
    const { sink, collector, losses } = await start({ OTEL_BSP_SCHEDULE_DELAY: '20' })
    collector.answerNext(() => new Response(null, { status: 503, headers: { 'retry-after': '1' } }))
    sink.take(span())
    while (collector.spans.length === 0) await Bun.sleep(10)
    expect(losses).toEqual([])
    collector.answerNext(() => new Response(null, { status: 400 }))
    sink.take(span())
    while (losses.length === 0) await Bun.sleep(10)
    expect(losses).toEqual(['1 the collector answered 400'])
    await sink.close()
    expect(collector.spans).toHaveLength(1)
  })

  test('counts what the collector rejects of a batch', async () => {
    const { sink, collector, losses } = await start()
    collector.answerNext(() => Response.json({ partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } }))
    for (let count = 0; count < 5; count++) sink.take(span())
    await sink.close()
    expect([sink.figures(), losses]).toEqual([{ sent: 3, dropped: 2 }, ['2 the collector rejected spans']])
  })

  test('is bounded while a collector does not answer, and a stop waits for it only a moment', async () => {
    const { sink, collector } = await start({ OTEL_BSP_MAX_QUEUE_SIZE: '20', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5' })
    collector.answerNext(() => new Promise(() => {}))
    for (let count = 0; count < 100; count++) sink.take(span())
    expect(sink.figures().dropped).toBe(80)
    await sink.close()
    expect(sink.figures()).toEqual({ sent: 0, dropped: 100 })
  })
})

describe('the collector of these tests', () => {
  const valid = {
    traceId,
    spanId: parentId,
    name: 'GET',
    kind: 2,
    startTimeUnixNano: '1790000000000250000',
    endTimeUnixNano: '1790000000000250000',
    attributes: [{ key: 'a', value: { intValue: '1' } }],
    status: {},
  }
  test.each([
    ['nothing wrong', {}, 0],
    ['an id in capital letters', { traceId: traceId.toUpperCase() }, 1],
    ['an id of zeros', { spanId: '0'.repeat(16) }, 1],
    ['a time as a number', { startTimeUnixNano: 1_790_000_000_000 }, 1],
    ['a time in milliseconds', { startTimeUnixNano: '1790000000000' }, 1],
    ['an end before the start', { endTimeUnixNano: '1790000000000249999' }, 1],
    ['an unknown member', { duration: 1 }, 1],
    ['a whole number that is no text', { attributes: [{ key: 'a', value: { intValue: 1 } }] }, 1],
    ['a value of two types', { attributes: [{ key: 'a', value: { intValue: '1', stringValue: 'a' } }] }, 1],
    ['a kind that there is not', { kind: 9 }, 1],
  ])('objects to a span with %s', async (_, changes, objections) => {
    const collector = startOne()
    const body = { resourceSpans: [{ resource: {}, scopeSpans: [{ spans: [{ ...valid, ...changes }] }] }] }
    const answer = await fetch(`${collector.url}/v1/traces`, post(body))
    expect([collector.objections.length, answer.status]).toEqual([objections, objections === 0 ? 200 : 400])
  })
})

describe('a real server', () => {
  test('sends its spans as the variables say, and the last ones when it stops', async () => {
    const collector = startOne('/custom/path')
    const server = await startServer({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/custom/path`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=team%20a,authorization=Bearer%20abc',
      OTEL_SERVICE_NAME: 'proofs',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    })
    expect((await fetch(`${server.url}/api/v1/health`, { headers: sampled })).status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(collector.objections).toEqual([])
    expect(collector.spans).toHaveLength(1)
    expect(collector.spans[0]).toMatchObject({
      traceId,
      name: 'GET /api/v1/health',
      status: {},
      resource: {
        'service.name': 'proofs',
        'service.version': expect.any(String),
        'service.instance.id': expect.any(String),
        'deployment.environment.name': 'test',
      },
    })
    const { headers } = collector.requests[0]!
    expect([headers.get('x-tenant'), headers.get('authorization')]).toEqual(['team a', 'Bearer abc'])
  })

  test('goes on while its collector is away, and counts the spans that are lost', async () => {
    const server = await startServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
      PROOFGATE_LIMITS_ENABLED: 'false',
    })
    for (let count = 0; count < 30; count++) expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(200)
    expect((await readSamples(server.metricsUrl)).get('proofgate_trace_spans_total{result="dropped"}')).toBe(20)
    expect(await server.stop()).toBe(0)
    expect(await server.said).toContain('event=traces-lost')
  })

  test('calls nobody where OTEL_SDK_DISABLED is true, and says why a variable is not used', async () => {
    const collector = startOne()
    const disabled = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' })
    await fetch(`${disabled.url}/api/v1/health`)
    await disabled.stop()
    const other = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
    await fetch(`${other.url}/api/v1/health`)
    await other.stop()
    expect(collector.requests).toEqual([])
    expect(await other.said).toContain('event=tracing-misconfigured')
  })
})

describe('the guide', () => {
  const guide = readFileSync(new URL('../../src/guides/monitoring.md', import.meta.url), 'utf8')

  test('shows variables that are read without an objection', () => {
    const [, shown = ''] = /```text tracing\n([\s\S]*?)```/.exec(guide) ?? []
    const env = Object.fromEntries(
      shown
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    )
    expect(readTracing(env)).toMatchObject({
      settings: { endpoint: 'http://127.0.0.1:4318/v1/traces', sampler: { ratio: 0.1, followsParent: true } },
      problems: [],
    })
  })

  test('has every variable that is read, and no other', () => {
    const source = readFileSync(new URL('../../src/tracing/otel-settings.ts', import.meta.url), 'utf8')
    const listNames = (text: string): string[] =>
      [...new Set(text.match(/\bOTEL_[A-Z_]+[A-Z]\b/g) ?? [])].filter((name) => !/_OTLP(_TRACES)?$/.test(name)).sort()
    const read = new Set(listNames(source))
    for (const name of ['HEADERS', 'TIMEOUT']) read.add(`OTEL_EXPORTER_OTLP_TRACES_${name}`)
    expect(listNames(guide)).toEqual([...read].sort())
  })
})

describe('the variables', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

  test('trace nothing without an endpoint', async () => {
    expect(readTracing({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' })).toEqual({
      settings: undefined,
      problems: [],
    })
    const app = await startApp()
    expect(app.parts.tracer).toBeUndefined()
    let found: unknown = 'not asked'
    app.parts.conditions.end('disk-low')
    const seen = createApp({
      ...app.parts,
      now: () => {
        found = findSpan()
        return app.now()
      },
    })
    await seen.handle(new Request('http://localhost/api/v1/proofs/none'))
    expect(found).toBeUndefined()
  })

  test.each([
    [{}, 'http://collector:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base/' }, 'http://collector:4318/base/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other/x' }, 'https://other/x'],
  ])('%p send to %s', (env, url) => {
    expect(readTracing({ ...endpoint, ...env })).toMatchObject({ settings: { endpoint: url }, problems: [] })
  })

  test.each([
    [{ OTEL_TRACES_EXPORTER: 'none' }, false, 0],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, false, 1],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' }, false, 1],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, false, 1],
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, true, 1],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, true, 1],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '-1' }, true, 1],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, true, 1],
    [{ OTEL_SDK_DISABLED: 'false' }, true, 0],
  ])('%p: traced %p, with %d objections', (env, isTraced, objections) => {
    const { settings, problems } = readTracing({ ...endpoint, ...env })
    expect([settings !== undefined, problems.length]).toEqual([isTraced, objections])
  })

  test('that hold secrets are not repeated in an objection', () => {
    const { problems } = readTracing({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer secret%zz' })
    expect(problems.join()).not.toContain('secret')
  })
})
