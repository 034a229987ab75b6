/**
 * A proxy as it stands before a server that is restarted: it holds a request back while nothing listens, and sends it
 * again where the connection ended without an answer. Clients never see the restart.
 */
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RetryingProxy extends AsyncDisposable {
  readonly url: string
  /** How often a request was sent again. */
  readonly retries: () => number
}

const pauseMs = 25
/** Longer than any start takes. */
const givesUpAfterMs = 30_000

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

export async function startRetryingProxy(port: number): Promise<RetryingProxy> {
  let retries = 0

  async function forward(request: IncomingMessage): Promise<Answer> {
    const body = await readAll(request)
    const endsAt = performance.now() + givesUpAfterMs
    for (;;)
      try {
        const answer = await sendOnce(port, request, body)
        // A server that stops may still answer that it does.
        if (answer.status !== 503 || performance.now() > endsAt) return answer
        retries++
        await Bun.sleep(pauseMs)
      } catch (error) {
        if (performance.now() > endsAt) throw error
        retries++
        await Bun.sleep(pauseMs)
      }
  }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    forward(request).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      (error) => response.writeHead(502).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    retries: () => retries,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendOnce(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (response) =>
      readAll(response).then(
        (whole) =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? 'text/plain',
            body: whole,
          }),
        reject,
      ),
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
