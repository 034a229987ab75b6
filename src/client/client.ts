/**
 * The client module: how programs call a Proofgate, in browsers, Node, Bun and Deno. Served at /client.js as one file
 * without dependencies; knows only the interface, and nothing of the server behind it.
 */
import { ProofgateError } from './error.ts'
import { type ClientOptions, type RequestOptions, type Send, sender } from './request.ts'

export type { ClientOptions, RequestOptions }
export { ProofgateError }

export interface Client {
  /** Any call of the API: the whole JSON answer. `path` begins with `/api/v1/`. Errors: ProofgateError. */
  readonly request: Send
}

/** A client of the server at `url`. Throws TypeError for a url that is none. */
export function createClient(options: ClientOptions): Client {
  const request = sender(options)
  return { request }
}
