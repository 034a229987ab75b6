/** GET /api/v1/health/self: this server tells a holder of its master key what reached it. For all others it is not there. */
import { makeUnknownPathError } from '../http/refusal.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { version } from '../version.ts'
import { readSelfQuestion, selfPath, shortenHeader, writeSeen } from './self-question.ts'

/** Doctors that ask at the same moment: more would be somebody who repeats a question. */
const mostOpen = 8
/** A proxy that holds answers back lets the second question wait in vain. */
const heldMs = 3_000

export function selfRoutes(parts: Parts): readonly Route[] {
  const open = new Map<string, () => void>()
  return [
    route(
      {
        method: 'GET',
        path: selfPath,
        callers: ['anyone'],
        rate: 'health',
        surface: 'untimed',
        operation: 'hidden',
      },
      ({ request, server, set }) => {
        const { pathname, searchParams } = new URL(request.url)
        const question = readSelfQuestion(parts.sealer, searchParams, parts.now())
        if (!question) throw makeUnknownPathError(pathname)
        const { nonce, step } = question
        if (step === 'release') {
          open.get(nonce)?.()
          // Behind a balancer, another process may hold the answer open.
          return { success: true, isHere: open.has(nonce) }
        }
        if (open.size >= mostOpen || open.has(nonce)) throw makeUnknownPathError(pathname)
        const peer = server?.requestIP(request)?.address ?? ''
        const first = writeSeen(parts.sealer, nonce, {
          version,
          peer,
          isPeerTrusted: parts.isTrustedProxy(peer),
          host: request.headers.get('host')?.slice(0, 300) ?? '',
          forwardedFor: shortenHeader(request.headers.get('x-forwarded-for')),
          forwardedProto: shortenHeader(request.headers.get('x-forwarded-proto')),
        })
        // Only here: a refusal is that of an unknown address, to the last header.
        set.headers['cache-control'] = 'no-store, no-transform'
        set.headers['content-type'] = 'application/x-ndjson'
        return new Response(holdOpen(first, nonce, open))
      },
    ),
  ]
}

/** Ends with a line that says whether the first one had arrived: only whoever read it asks for the second. */
function holdOpen(first: string, nonce: string, open: Map<string, () => void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const end = Promise.withResolvers<'released' | 'late' | 'gone'>()
  open.set(nonce, () => end.resolve('released'))
  const timer = setTimeout(() => end.resolve('late'), heldMs)
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode(first))
      const ending = await end.promise
      clearTimeout(timer)
      open.delete(nonce)
      if (ending === 'gone') return
      controller.enqueue(encoder.encode(`${JSON.stringify({ released: ending === 'released' })}\n`))
      controller.close()
    },
    cancel: () => end.resolve('gone'),
  })
}
