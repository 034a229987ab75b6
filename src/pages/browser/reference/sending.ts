/** Sends a request to the server of this page, and returns its answer. */
import { type Asked, buildAddress, listHeaders } from './asked.ts'

/**
 * The credentials of a request. `nobody` omits the cookie only if a session exists, because signing in sets a cookie.
 */
export type As =
  | { readonly by: 'nobody'; readonly isSignedIn: boolean }
  | { readonly by: 'session'; readonly csrf: string }
  | { readonly by: 'key'; readonly key: string }

export interface Came {
  readonly status: number
  readonly statusText: string
  readonly ms: number
  readonly bytes: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The unchanged text of the answer. */
  readonly text: string
  /** The text formatted over several lines if it is JSON, else undefined. */
  readonly json: unknown
  readonly isJson: boolean
}

export type Outcome = { readonly came: Came } | { readonly failed: string }

const waitMs = 60_000

export async function send(asked: Asked, as: As): Promise<Outcome> {
  const { method } = asked.operation
  const startedAt = performance.now()
  try {
    const headers = new Headers()
    for (const [name, value] of listHeaders(asked)) headers.set(name, value)
    if (as.by === 'key') headers.set('authorization', `Bearer ${as.key}`)
    if (as.by === 'session' && method !== 'GET') headers.set('x-csrf-token', as.csrf)
    const response = await fetch(buildAddress(asked), {
      method,
      headers,
      ...(asked.body === undefined ? {} : { body: asked.body }),
      credentials: as.by === 'key' || (as.by === 'nobody' && as.isSignedIn) ? 'omit' : 'same-origin',
      cache: 'no-store',
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMs),
    })
    const text = await response.text()
    const json = parseAnswer(text)
    return {
      came: {
        status: response.status,
        statusText: response.statusText,
        ms: performance.now() - startedAt,
        bytes: new TextEncoder().encode(text).length,
        headers: [...response.headers],
        text,
        json,
        isJson: json !== undefined,
      },
    }
  } catch (error) {
    return { failed: readReason(error) }
  }
}

function readReason(error: unknown): string {
  const { name, message } = error as Error
  if (name === 'TimeoutError') return `Nothing came within ${waitMs / 1000} seconds.`
  // The browser refuses invalid header values before it sends anything.
  if (/header/i.test(message)) return `This cannot be sent: ${message}`
  return 'The server did not answer: it is stopped, or the connection is gone. Nothing is known of what became of the request.'
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
