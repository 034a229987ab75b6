/**
 * The connection after an answer. It ends when the client asked for that, and when an unread body is not worth reading.
 * So no client can go on sending refused data.
 */

import { findScope, type RequestScope, runInScope } from '../request-scope.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { endRequestSpan } from './request-span.ts'

type Serve = (...input: unknown[]) => Response | Promise<Response>

/** Hears of each answer when it begins: a stream goes on after it. */
export type HearAnswer = (request: Request, scope: RequestScope, status: number, ms: number) => void

/**
 * Serves each request in a scope of its own, and ends its connection where that is due. A request that another one makes
 * of this server has no connection of its own.
 */
export const serveOnWire =
  (serve: Serve, listeners: Listeners): Serve =>
  (...input) =>
    findScope() ? serve(...input) : runInScope((scope) => answerOnWire(serve, input, scope, listeners))

interface Listeners {
  readonly hear: HearAnswer
  readonly tracer: Tracer | undefined
}

function answerOnWire(
  serve: Serve,
  input: readonly unknown[],
  scope: RequestScope,
  { hear, tracer }: Listeners,
): Response | Promise<Response> {
  const startedAt = performance.now()
  const request = input[0] as Request
  const span = tracer?.startRequest(request)
  const end = (response: Response): Response => {
    if (span) endRequestSpan(span, request, scope, response.status)
    hear(request, scope, response.status, performance.now() - startedAt)
    return endConnection(request, response)
  }
  const answer = span ? span.run(() => serve(...input)) : serve(...input)
  return answer instanceof Promise ? answer.then(end) : end(answer)
}

/** Requests whose body is refused in the middle, and read no further. */
const refusedBodies = new WeakSet<Request>()

/** Call it where a body is refused for what it is: its length, or its many chunks. */
export const stopReading = (request: Request): void => void refusedBodies.add(request)

/** An unread body up to this is skipped by the parser, and the connection goes on: cheaper than another connection. */
const mostSkippedBytes = 65_536

/** Adds `Connection: close` where the connection ends, which makes Bun end it behind the answer. */
export function endConnection(request: Request, response: Response): Response {
  const isUnread = leavesBodyUnread(request, response.status)
  if (!isUnread && !asksToClose(request)) return response
  response.headers.set('connection', 'close')
  return isUnread && response.body ? sendBeforeEnd(request, response, response.body) : response
}

const asksToClose = ({ headers }: Request): boolean =>
  headers
    .get('connection')
    ?.split(',')
    .some((option) => option.trim().toLowerCase() === 'close') ?? false

function leavesBodyUnread(request: Request, status: number): boolean {
  // As of nearly every request that has one.
  if (status !== 404 && request.bodyUsed) return refusedBodies.has(request)
  const { headers } = request
  const isLong = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > mostSkippedBytes
  // An address that is kept secret may have read the body, and must look like one that does not exist.
  if (status === 404) return isLong
  return isLong || refusedBodies.has(request)
}

/** How long the connection stays after the answer, at most, and how long when nothing more comes. */
const lingerMs = 2_000
const quietMs = 300
/** The number of bytes that are read in that time and dropped. */
const mostLingerBytes = 4_194_304

/**
 * Sends the answer at once, and ends it a moment later. Closing a connection while bytes arrive makes the system reset
 * it. A reset would take the answer from a client that is still sending.
 */
function sendBeforeEnd(request: Request, response: Response, answer: ReadableStream<Uint8Array>): Response {
  const { status, headers } = response
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for await (const chunk of answer) controller.enqueue(chunk)
      await discardBody(request)
      controller.close()
    },
  })
  return new Response(body, { status, headers })
}

async function discardBody({ body }: Request): Promise<void> {
  if (!body || body.locked) return
  const reader = body.getReader()
  const endsAt = performance.now() + lingerMs
  let bytesLeft = mostLingerBytes
  try {
    while (bytesLeft > 0) {
      const next = await Promise.race([reader.read(), Bun.sleep(Math.min(quietMs, endsAt - performance.now()))])
      if (!next || next.done) return
      bytesLeft -= next.value.length
    }
  } catch {
    // The client has closed the connection itself.
  }
}
