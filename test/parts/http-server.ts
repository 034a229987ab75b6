/** Servers on loopback that answer as no honest service would: the test writes the bytes. */
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

export interface RawServer {
  readonly port: number
  readonly url: string
  /** Number of connections, including those without a request. */
  connections(): number
  /** The heads of the requests so far, without bodies. */
  readonly requests: readonly string[]
  /** Ends every open connection. */
  hangUp(): void
}

/** Called once for each request without a body; `nth` counts from 1. */
export type Answering = (socket: Socket, nth: number) => void

const running: { readonly server: Server; readonly sockets: Set<Socket> }[] = []

/** Listens on 127.0.0.1, or on another loopback address. With a certificate it speaks TLS. */
export async function rawServer(
  answer: Answering,
  {
    host = '127.0.0.1',
    port = 0,
    tls,
  }: {
    readonly host?: string
    readonly port?: number
    readonly tls?: { readonly key: string; readonly cert: string }
  } = {},
): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const requests: string[] = []
  let connections = 0
  const serve = (socket: Socket): void => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Many tests hang up in the middle, which is no error.
    socket.on('error', () => undefined)
    let head = ''
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1')
      if (!head.endsWith('\r\n\r\n')) return
      requests.push(head)
      head = ''
      answer(socket, requests.length)
    })
  }
  const server = tls ? createTlsServer(tls, serve) : createServer(serve)
  running.push({ server, sockets })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as { readonly port: number }).port
  return {
    port: bound,
    url: `${tls ? 'https' : 'http'}://${host}:${bound}`,
    connections: () => connections,
    requests,
    hangUp: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Stops every server of this file, in `afterEach`. */
export function stopRawServers(): void {
  for (const { server, sockets } of running.splice(0)) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

/** An answer as bytes, with a length that fits unless the headers say another one. */
export function httpAnswer(status: number, body = '', headers: Readonly<Record<string, string>> = {}): string {
  const fields = { 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${body}`
}
