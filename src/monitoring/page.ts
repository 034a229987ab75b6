/** Serves /metrics on a port of its own, away from the addresses that strangers reach. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isLoopbackHost } from '../http/loopback.ts'
import { makeListenError } from '../listen.ts'
import type { Parts } from '../parts.ts'
import { families } from './families.ts'
import { watchLoop } from './process-families.ts'
import { contentType, writeFamilies } from './text.ts'

export interface MetricsPage {
  readonly url: string
  stop(): Promise<void>
}

const path = '/metrics'

/** Errors: ListenError. */
export async function openMetricsPage(parts: Parts, { recovery }: { readonly recovery: string }): Promise<MetricsPage> {
  const { host, port, token } = parts.config.metrics
  const loop = watchLoop()
  const startedAtSeconds = Math.round(parts.now() / 1000 - process.uptime())
  const source = { ...parts, loopLag: loop.lag, recovery, startedAtSeconds }
  let writing: Promise<string> | undefined
  /** Requests that come meanwhile share the answer: a scrape costs the database some reads. */
  const write = (): Promise<string> =>
    (writing ??= writeFamilies(families, source, (family, error) => tellFailure(parts, family, error)).finally(() => {
      writing = undefined
    }))

  async function answer(request: Request): Promise<Response> {
    if (!isAskedByOwnName(request, host)) return refuse(403, 'this Host header names another machine')
    if (new URL(request.url).pathname !== path) return refuse(404, `there is nothing here: ask for ${path}`)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'use GET', { allow: 'GET, HEAD' })
    if (token !== undefined && !isToken(request, token))
      return refuse(401, 'send the token of metrics.token as Authorization: Bearer', { 'www-authenticate': 'Bearer' })
    return new Response(await write(), { headers: { 'content-type': contentType, 'cache-control': 'no-store' } })
  }

  const server = await listenOn(host, port, answer).catch((error) => {
    loop.stop()
    throw error
  })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}${path}`,
    async stop() {
      loop.stop()
      await server.stop(true)
    },
  }
}

async function listenOn(hostname: string, port: number, answer: (request: Request) => Promise<Response>) {
  try {
    return Bun.serve({
      hostname,
      port,
      reusePort: false,
      development: false,
      maxRequestBodySize: 0,
      fetch: answer,
      error: () => refuse(500, 'the metrics could not be read'),
    })
  } catch (error) {
    throw await makeListenError(error, { host: hostname, port, settings: 'metrics' })
  }
}

/** A page in a browser on this machine could reach the port under a name of its own (DNS rebinding). */
function isAskedByOwnName(request: Request, host: string): boolean {
  if (!isLoopbackHost(host)) return URL.canParse(request.url)
  const asked = URL.parse(request.url)
  return asked !== null && isLoopbackHost(asked.hostname)
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

const isToken = ({ headers }: Request, token: string): boolean =>
  timingSafeEqual(hash(headers.get('authorization') ?? ''), hash(`Bearer ${token}`))

const refuse = (status: number, says: string, headers: Record<string, string> = {}): Response =>
  new Response(`${says}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } })

const tellFailure = ({ log }: Parts, family: string, error: unknown): void =>
  log.count({
    level: 'warn',
    event: 'metric-unread',
    message: 'a metric could not be read and is left out of the page',
    kind: family,
    error,
    fields: { family, mend: 'look at the lines before this one; the other metrics are on the page' },
  })
