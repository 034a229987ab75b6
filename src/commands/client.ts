/**
 * Commands call a Proofgate through the client module, as any program would. Its errors become sentences for a
 * terminal, and an unreachable server differs from a refusal.
 */

import { type Client, createClient, ProofgateError } from '../client/client.ts'
import { joinSentences } from '../pattern-words.ts'
import { UnavailableError } from './command.ts'
import { escapeInvisible, shorten } from './escape-invisible.ts'
import { writeCall } from './program.ts'

/** The server answered in a way that the command cannot use. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** A request that was answered. */
export interface Call {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly status: number
}

export interface Calls {
  readonly client: Client
  /** The newest answered request. */
  last(): Call
  /** Maps an error of the client to UnavailableError or RefusedError; any other stays as it is. */
  told(error: unknown): unknown
}

const waitMs = 10_000

/** The alternative without the server, as the rest of a sentence. */
const withoutServer = 'or leave --url away: the demo then starts a server of its own'

/** `base` without a trailing slash. */
export function makeCalls(
  base: string,
  {
    otherwise = withoutServer,
    now,
    audience,
  }: { readonly otherwise?: string; readonly now?: () => number; readonly audience?: string | undefined } = {},
): Calls {
  let last: Call = { method: '', path: '', status: 0 }
  const client = createClient({
    url: base,
    timeoutMs: waitMs,
    now,
    audience,
    async fetch(url, init) {
      const response = await fetch(url, init)
      last = { method: init.method ?? 'GET', path: url.slice(base.length), status: response.status }
      return response
    },
  })
  return {
    client,
    last: () => last,
    told: (error) => (error instanceof ProofgateError ? describeError(error, last, otherwise) : error),
  }
}

function describeError({ code, message, status, details }: ProofgateError, last: Call, otherwise: string): Error {
  switch (code) {
    case 'NO_ANSWER':
    case 'TIMEOUT':
      return new UnavailableError(
        joinSentences(
          message,
          `Start a server there with "${writeCall('serve')}", give another address with --url${otherwise && `, ${otherwise}`}`,
        ),
      )
    case 'REDIRECTED':
    case 'NOT_PROOFGATE':
      return new UnavailableError(
        `${escapeInvisible(message)}: give ${details.location ? 'that address' : 'the address of the API'} with --url`,
      )
    case 'NOT_OURS':
      return new RefusedError(`the server does not behave as the interface says: ${message}`)
    default:
      return new RefusedError(
        `${last.method} ${shorten(last.path, 60)} was answered with ${status} ${escapeInvisible(code)}: ${escapeInvisible(message)}`,
      )
  }
}
