/** startDoh(): a real server for DNS over HTTPS (RFC 8484) on 127.0.0.1, for one test file. Written on dns2 and node:http2. */
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import dns2, { type Packet } from 'dns2'
import { answerOf, type Entry, type Zone } from './dns.ts'
import { certificate, certificateKey } from './dns-certificate.ts'

export interface Posted {
  readonly method: string
  readonly path: string
  readonly httpVersion: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
  /** SNI. */
  readonly serverName: unknown
  /** The message that would be the answer. */
  answer(change?: (packet: Packet) => void): Buffer
}

export interface Given {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Ends the connection after the body, before the answer is complete. */
  readonly breaksOff?: true
}

export interface DohServer {
  readonly port: number
  readonly asked: Posted[]
  /** Undefined lets the server be as servers are. `never` is no answer. */
  script: ((posted: Posted) => Given | 'never') | undefined
  stop(): Promise<void>
}

/** `h2`: HTTP/2 alone, as BIND and most public resolvers. `http/1.1`: with ALPN. `old`: HTTP/1.1 without ALPN. */
export type Speaks = 'h2' | 'http/1.1' | 'old'

export async function startDoh(
  speaks: Speaks,
  entries: Readonly<Record<string, readonly Entry[]>>,
): Promise<DohServer> {
  const zone: Zone = new Map(Object.entries(entries))
  const asked: Posted[] = []
  const doh: Omit<DohServer, 'port' | 'stop'> = { asked, script: undefined }

  async function serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const posted: Posted = {
      method: request.method ?? '',
      path: request.url ?? '',
      httpVersion: request.httpVersion,
      headers: request.headers,
      body,
      serverName: (request.socket as TLSSocket).servername,
      answer(change) {
        const packet = answerOf(dns2.Packet.parse(body), zone)
        change?.(packet)
        return packet.toBuffer()
      },
    }
    asked.push(posted)
    const given = doh.script?.(posted) ?? {}
    if (given === 'never') return
    const { status = 200, headers = { 'content-type': 'application/dns-message' }, body: out = posted.answer() } = given
    const length = Buffer.byteLength(out) + (given.breaksOff ? 10 : 0)
    response.writeHead(status, { 'content-length': String(length), ...headers })
    if (!given.breaksOff) return void response.end(out)
    response.write(out)
    setTimeout(() => request.socket.destroy(), 50)
  }

  const server = listening(speaks, (request, response) => void serve(request, response))
  const sockets = new Set<{ destroy(): void }>()
  server.on('secureConnection', (socket: { destroy(): void }) => sockets.add(socket))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return Object.assign(doh, {
    port: (server.address() as { readonly port: number }).port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise<unknown>((done) => server.close(done))
    },
  })
}

type Serve = (request: Http2ServerRequest, response: Http2ServerResponse) => void

function listening(speaks: Speaks, serve: Serve): Http2SecureServer {
  const identity = { key: certificateKey, cert: certificate }
  if (speaks === 'h2') return createSecureServer(identity, serve)
  const alpn = speaks === 'old' ? {} : { ALPNProtocols: ['http/1.1'] }
  // The two kinds of requests and responses have the members in common that are used here.
  return createServer({ ...identity, ...alpn }, serve as never) as never
}
