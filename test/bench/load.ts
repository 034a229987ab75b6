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
  /** Signed bodies made here, or a file of ready requests (JSON: Call[]) sent round and round. */
  readonly source: { readonly sign: BodyKind; readonly label: string } | { readonly replay: string }
}

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
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

async function run({ source, warmUp, requests, connections, port, serverPid }: LoadJob): Promise<LoadResult> {
  const wire = await wireRequests(source, warmUp + requests)
  await drive(port, connections, wire.slice(0, warmUp))

  const cpuBefore = cpuSeconds(serverPid)
  const measured = await drive(port, connections, wire.slice(warmUp))
  await Bun.sleep(settleMs)
  const cpuAfter = cpuSeconds(serverPid)

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

/** Serialised before the clock starts: the generator must not be what is measured. */
async function wireRequests(source: LoadJob['source'], count: number): Promise<Buffer[]> {
  if ('sign' in source) {
    const bodies = signBodies(source.sign, count, source.label)
    return bodies.map((body) => serialise({ method: 'POST', path: '/api/v1/verification', body }))
  }
  const calls = ((await Bun.file(source.replay).json()) as Call[]).map(serialise)
  return Array.from({ length: count }, (_, index) => calls[index % calls.length]!)
}

function serialise({ method, path, body }: Call): Buffer {
  const entity =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n${entity}\r\n${body ?? ''}`,
  )
}

interface Connection {
  sentAt: number
  /** Head of an answer that has not arrived whole. */
  head: Buffer | undefined
  /** Bytes of the body still to come. */
  missing: number
  /** What the socket did not take at once. */
  unsent: Buffer | undefined
}

interface Driven {
  readonly seconds: number
  readonly bytes: number
  readonly latenciesMs: Float64Array
}

async function drive(port: number, connections: number, wire: Buffer[]): Promise<Driven> {
  const latenciesMs = new Float64Array(wire.length)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let sent = 0
  let answered = 0
  let bytes = 0

  function sendNext(socket: Bun.Socket<Connection>): void {
    const request = wire[sent++]
    if (!request) return
    socket.data.sentAt = performance.now()
    const written = socket.write(request)
    if (written < request.length) socket.data.unsent = request.subarray(written)
  }

  function finishAnswer(socket: Bun.Socket<Connection>): void {
    latenciesMs[answered++] = performance.now() - socket.data.sentAt
    if (answered === wire.length) resolve()
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
    if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
      const shown = arrived.toString().slice(0, 800)
      reject(new Error(`request ${answered + 1} of ${wire.length} was answered: ${shown}`))
      return
    }
    bytes += Number(length)
    connection.missing = Number(length) - (arrived.length - end - 4)
    if (connection.missing === 0) finishAnswer(socket)
  }

  const sockets = await Promise.all(
    Array.from({ length: Math.min(connections, wire.length) }, () =>
      Bun.connect<Connection>({
        hostname: '127.0.0.1',
        port,
        data: { sentAt: 0, head: undefined, missing: 0, unsent: undefined },
        socket: {
          data(socket, chunk) {
            if (socket.data.missing === 0) return readHead(socket, chunk)
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
