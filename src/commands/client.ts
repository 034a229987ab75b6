/** Calls a Proofgate over HTTP, as any client would. Tells "nobody is there" from "it said no". */
import { UnavailableError } from './command.ts'
import { callOf } from './program.ts'
import { shortened, visible } from './visible.ts'

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape; each command looks at what it needs
  readonly body: any
}

/** The server answered, and not as the command needs it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

export interface Client {
  readonly base: string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  post(path: string, body: object): Promise<Reply>
}

const patienceMs = 10_000

/** What a command can do without the server, as the rest of a sentence. */
const withoutServer = 'or leave --url away: the demo then starts a server of its own'

/** `base` without a slash at its end. Its calls throw UnavailableError and RefusedError. */
export function clientOf(base: string, otherwise = withoutServer): Client {
  async function call(method: string, path: string, init: RequestInit): Promise<Reply> {
    const response = await answerTo(`${base}${path}`, { method, ...init }, otherwise)
    const body = await jsonOf(response, base)
    if (response.status === 200 && body.success === true) return { status: 200, body }
    const { code = 'no code', message = 'no message' } = (body.error ?? {}) as { code?: string; message?: string }
    throw new RefusedError(
      `${method} ${shortened(path, 60)} was answered with ${response.status} ${visible(String(code))}: ${visible(String(message))}`,
    )
  }
  return {
    base,
    get: (path, headers = {}) => call('GET', path, { headers: { accept: 'application/json', ...headers } }),
    post: (path, body) =>
      call('POST', path, {
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}

async function answerTo(url: string, init: RequestInit, otherwise: string): Promise<Response> {
  const { origin } = new URL(url)
  let response: Response
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    const reason = isLate
      ? `no answer within ${patienceMs / 1000} seconds`
      : error instanceof Error
        ? error.message.split('. ')[0]
        : error
    throw new UnavailableError(
      `nothing answers at ${origin} (${reason}). Start a server there with "${callOf('serve')}", give another address with --url${otherwise && `, ${otherwise}`}`,
    )
  }
  const location = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && location !== null)
    throw new UnavailableError(
      `${origin} answers with a redirect to ${visible(location)}: give that address with --url`,
    )
  return response
}

async function jsonOf(response: Response, base: string): Promise<Record<string, unknown>> {
  try {
    const body = (await response.json()) as unknown
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  } catch {
    // Told below, with what to do about it.
  }
  throw new UnavailableError(
    `what answers at ${base} is not Proofgate (status ${response.status}, no JSON): give the address of the API with --url`,
  )
}
