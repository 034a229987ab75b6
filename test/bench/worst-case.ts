/** A request that is known, or thought, to be the worst of its route. */
import type { HardRequest } from '../fuzz/hard-request.ts'
import type { Browser, Credentials } from './worst-people.ts'

/** The sender of a request. The rule allows a signed-in person twice the work of a stranger. */
export type Sender = 'stranger' | 'signed in'

export interface WorstCase {
  /** `GET /api/v1/proofs/check`, as the app registers it. */
  readonly route: string
  readonly name: string
  readonly sender: Sender
  /** An action over everything that somebody owns: it works in slices, and only these must be short. */
  readonly isSliced?: boolean
  /** Can be sent only once, because it deletes its target. Final cases come last. */
  readonly isFinal?: boolean
  /** `round` tells repeated requests apart. */
  readonly request: (round: number) => HardRequest
}

export interface Stage {
  readonly credentials: Credentials
  readonly origin: string
}

const json = { 'content-type': 'application/json' }

export const bytesOf = ({ body, path }: HardRequest): number => Buffer.byteLength(body ?? '') + path.length

export const get = (path: string, headers: Record<string, string> = {}): HardRequest => ({
  method: 'GET',
  path,
  headers,
  body: undefined,
})

export const post = (path: string, body: unknown, headers: Record<string, string> = {}): HardRequest => ({
  method: 'POST',
  path,
  headers: { ...json, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

export const form = (path: string, body: string, headers: Record<string, string> = {}): HardRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body,
})

export const byCookie = ({ cookie, csrf }: Browser): Record<string, string> => ({ cookie, 'x-csrf-token': csrf })

export const by = (headers: Record<string, string>, request: HardRequest): HardRequest => ({
  ...request,
  headers: { ...headers, ...request.headers },
})
