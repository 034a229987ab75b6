import { writeFileSync } from 'node:fs'
import { type BodyKind, signBodies } from './bodies.ts'
import { cpuSeconds } from './process.ts'

/**
 * The load generator, a process of its own so that it can have a core of its own. Keeps N raw connections busy, one
 * request in flight on each, every signed body sent once. Reads the CPU time of the server around the measured part.
 * Anything but a 200 ends the run: a peer that fails fast must not look fast.
 *
 * Takes one LoadJob as JSON in argv, prints one LoadResult as JSON.
 */
export interface LoadJob {
  readonly port: number
  readonly serverPid: number
  readonly connections: number
  readonly warmUp: number
  readonly requests: number
  /**
   * Signed bodies made here, a file of ready requests (JSON: Call[]) sent round and round, or a file of refresh tokens
   * (JSON: RefreshChains), each followed by the one that it was exchanged for. The last ones are written back there.
   */
  readonly source:
    | { readonly sign: BodyKind; readonly label: string }
    | { readonly replay: string }
    | { readonly refresh: string }
  /** When given, an answer of another length ends the run too. */
  readonly answerBytes?: number
}

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  /** Headers in place of `accept`, and beside the JSON content type. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface RefreshChains {
  readonly path: string
  /** The whole form but for the token, which comes last. */
  readonly form: string
  readonly tokens: readonly string[]
}

export interface LoadResult {
  readonly accepted: number
  readonly seconds: number
  /** All threads of the server, measured part only. Absent where the system does not tell. */
  readonly cpuSeconds: number | undefined
  readonly p50Ms: number
  readonly p99Ms: number
  readonly answerBytes: number
}

/** Work that a server puts off (checkpoints, say) is counted when it happens this soon after the last answer. */
const settleMs = 250

if (import.meta.main) {
  const job = JSON.parse(process.argv[2]!) as LoadJob
  try {
    console.log(JSON.stringify(await run(job)))
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
  process.exit(0)
}

async function run(job: LoadJob): Promise<LoadResult> {
  const { source, warmUp, requests, serverPid } = job
  const script = 'refresh' in source ? await refreshScript(source.refresh) : await wireScript(source, warmUp + requests)
  await drive(job, warmUp, script)

  const cpuBefore = cpuSeconds(serverPid)
  const measured = await drive(job, requests, script)
  await Bun.sleep(settleMs)
  const cpuAfter = cpuSeconds(serverPid)
  script.end?.()

  const latencies = measured.latenciesMs.sort()
  return {
    accepted: requests,
    seconds: measured.seconds,
    cpuSeconds: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)]!,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)]!,
    answerBytes: Math.round(measured.bytes / requests),
  }
}

/** The requests to send, in order. */
interface Script {
  next(): Buffer
  /** Gets every answer. Without it the bodies are not even put together. */
  answered?(body: string): void
  end?(): void
}

/** Requests are serialized before the clock starts, so that the generator is not measured. */
async function wireScript(source: WireSource, count: number): Promise<Script> {
  const wire = await wireRequests(source, count)
  let sent = 0
  return { next: () => wire[sent++ % wire.length]! }
}

type WireSource = Exclude<LoadJob['source'], { readonly refresh: string }>

async function wireRequests(source: WireSource, count: number): Promise<Buffer[]> {
  if ('replay' in source) return ((await Bun.file(source.replay).json()) as Call[]).map(serialize)
  const bodies = signBodies(source.sign, count, source.label)
  return bodies.map((body) => serialize({ method: 'POST', path: '/api/v1/verification', body }))
}

function serialize({ method, path, body, headers = { Accept: 'application/json' } }: Call): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const entity =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}${entity}\r\n${body ?? ''}`)
}

/** The token that lay longest goes first, so that no chain has two requests at once. */
async function refreshScript(file: string): Promise<Script> {
  const chains = (await Bun.file(file).json()) as RefreshChains
  const { path, form } = chains
  const tokens = [...chains.tokens]
  const head =
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n` +
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: '
  return {
    next: () => {
      const body = form + encodeURIComponent(tokens.shift()!)
      return Buffer.from(`${head}${body.length}\r\n\r\n${body}`)
    },
    answered: (body) => {
      const token = /"refresh_token":"([^"]+)"/.exec(body)?.[1]
      if (token === undefined || !body.includes('"access_token":"ey')) throw new Error(`a 200 without tokens: ${body}`)
      tokens.push(token)
    },
    end: () => writeFileSync(file, JSON.stringify({ ...chains, tokens })),
  }
}

interface Connection {
  sentAt: number
  /** Head of an answer that has not arrived whole. */
  head: Buffer | undefined
  /** Bytes of the body still to come. */
  missing: number
  /** Bytes that the socket has not accepted yet. */
  unsent: Buffer | undefined
  /** The body so far, kept only for scripts that read it. */
  body: string
}

interface Driven {
  readonly seconds: number
  readonly bytes: number
  readonly latenciesMs: Float64Array
}

async function drive({ port, connections, answerBytes }: LoadJob, count: number, script: Script): Promise<Driven> {
  const latenciesMs = new Float64Array(count)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let sent = 0
  let answered = 0
  let bytes = 0

  function sendNext(socket: Bun.Socket<Connection>): void {
    if (sent === count) return
    sent++
    const request = script.next()
    socket.data.sentAt = performance.now()
    const written = socket.write(request)
    if (written < request.length) socket.data.unsent = request.subarray(written)
  }

  function finishAnswer(socket: Bun.Socket<Connection>): void {
    latenciesMs[answered++] = performance.now() - socket.data.sentAt
    try {
      script.answered?.(socket.data.body)
    } catch (error) {
      reject(error)
      return
    }
    if (answered === count) resolve()
    else sendNext(socket)
  }

  function readHead(socket: Bun.Socket<Connection>, chunk: Buffer): void {
    const connection = socket.data
    const arrived = connection.head ? Buffer.concat([connection.head, chunk]) : chunk
    const end = arrived.indexOf('\r\n\r\n')
    connection.head = end < 0 ? Buffer.from(arrived) : undefined
    if (end < 0) return

    const head = arrived.toString('latin1', 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const isExpected = answerBytes === undefined || Number(length) === answerBytes
    if (!head.startsWith('HTTP/1.1 200') || length === undefined || !isExpected) {
      const shown = arrived.toString().slice(0, 800)
      reject(new Error(`request ${answered + 1} of ${count} was answered: ${shown}`))
      return
    }
    bytes += Number(length)
    if (script.answered) connection.body = arrived.toString('latin1', end + 4)
    connection.missing = Number(length) - (arrived.length - end - 4)
    if (connection.missing === 0) finishAnswer(socket)
  }

  const sockets = await Promise.all(
    Array.from({ length: Math.min(connections, count) }, () =>
      Bun.connect<Connection>({
        hostname: '127.0.0.1',
        port,
        data: { sentAt: 0, head: undefined, missing: 0, unsent: undefined, body: '' },
        socket: {
          data(socket, chunk) {
            if (socket.data.missing === 0) return readHead(socket, chunk)
            if (script.answered) socket.data.body += chunk.toString('latin1')
            socket.data.missing -= chunk.length
            if (socket.data.missing === 0) finishAnswer(socket)
          },
          drain(socket) {
            const { unsent } = socket.data
            if (!unsent) return
            const written = socket.write(unsent)
            socket.data.unsent = written < unsent.length ? unsent.subarray(written) : undefined
          },
          error: (_, error) => reject(error),
          close: () => reject(new Error(`the server closed a connection after ${answered} answers`)),
        },
      }),
    ),
  )

  const startedAt = performance.now()
  for (const socket of sockets) sendNext(socket)
  await promise
  const seconds = (performance.now() - startedAt) / 1000
  for (const socket of sockets) socket.end()
  return { seconds, bytes, latenciesMs }
}
