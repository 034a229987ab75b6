/** One call of the API: sends it, waits up to the time limit, and separates answers, refusals and missing answers. */
import { ProofgateError } from './error.ts'
import type { Client, ClientOptions } from './module.d.ts'

export type Send = Client['request']

/** Throws TypeError for an invalid url. */
export function makeSender({ url, headers = {}, fetch = globalThis.fetch, timeoutMs = 30_000 }: ClientOptions): Send {
  const { protocol, origin, pathname } = new URL(url)
  if (!/^https?:$/.test(protocol)) throw new TypeError(`not the address of a server: ${url}`)
  const base = origin + pathname.replace(/\/+$/, '')

  return async (method, path, { query = {}, body, headers: own, signal } = {}) => {
    // "@elsewhere" or ".elsewhere" would turn it into another server's address.
    if (path[0] !== '/') throw new TypeError(`not a path: ${path}`)
    // Lists are joined by commas on the way into text.
    const asked = Object.entries(query).filter(([, value]) => value != null) as [string, string][]
    const search = asked.length ? `${path.includes('?') ? '&' : '?'}${new URLSearchParams(asked)}` : ''
    const patience = AbortSignal.timeout(timeoutMs)
    const init: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(typeof headers === 'function' ? headers() : headers),
        ...own,
      },
      ...(body && { body: JSON.stringify(body) }),
      // The request authenticates its sender: it goes only to the named server, never to a redirect.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    }
    try {
      // A bare call: browsers refuse a fetch that is called as another object's method.
      return await readAnswer(await fetch(base + path + search, init), base)
    } catch (error) {
      if (error instanceof ProofgateError) throw error
      if (signal?.aborted) throw signal.reason
      const reason = patience.aborted ? `no answer within ${timeoutMs / 1000} seconds` : readReason(error)
      throw new ProofgateError(patience.aborted ? 'TIMEOUT' : 'NO_ANSWER', `no server answers at ${base} (${reason})`, {
        status: 0,
        cause: error,
      })
    }
  }
}

/** Node says "fetch failed", and the reason is in its cause. */
function readReason(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } }
  return (cause?.message || message || String(error)).split('. ')[0]!
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape; the caller of `request` says which
async function readAnswer(response: Response, base: string): Promise<any> {
  const { status, headers, type } = response
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const location = headers.get('location')
    throw new ProofgateError('REDIRECTED', `${base} answers with a redirect${location ? ` to ${location}` : ''}`, {
      status,
      retryable: false,
      details: { location },
    })
  }
  const text = await response.text()
  const answer = parseJson(text)
  if (response.ok && (answer?.success === true || !text)) return answer ?? { success: true }

  const { code, message, details, retryable }: Refusal = answer?.error ?? {}
  const wait = Number(headers.get('retry-after') ?? details?.retryAfterSeconds)
  // x402 puts the payment terms into a header.
  const paymentRequired = headers.get('payment-required')
  const facts = {
    status,
    details: { ...details, ...(paymentRequired && { paymentRequired }) },
    retryable,
    retryAfterSeconds: wait >= 0 ? wait : undefined,
    requestId: answer?.requestId,
  }
  throw code
    ? new ProofgateError(code, message ?? code, facts)
    : // A proxy in between, or a server outside the API, answers in another form
      new ProofgateError('NOT_PROOFGATE', `the server at ${base} is not Proofgate (status ${status})`, facts)
}

interface Refusal {
  readonly code?: string
  readonly message?: string
  readonly details?: Record<string, unknown>
  readonly retryable?: boolean
}

interface Answer {
  readonly success?: unknown
  readonly error?: Refusal
  readonly requestId?: string
}

/** Undefined for anything but a JSON object. */
function parseJson(text: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    return answer && typeof answer === 'object' ? answer : undefined
  } catch {
    return undefined
  }
}
