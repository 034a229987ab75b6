/**
 * One configured address that this server calls over HTTP. All requests of the server use this module. Each call passes the
 * address guard, a time limit, a size limit, the retry policy and the endpoint's breaker.
 *
 * Redirects are never followed: the target of a redirect was not configured. This module does not interpret answers.
 */

import { OutsideError } from '../failure.ts'
import type { Watch } from '../watch.ts'
import type { AddressGuard } from './address-guard.ts'
import { exchange, openConnections } from './exchange.ts'
import type { OutsideAnswer, OutsideRequest } from './message.ts'
import { makeRetryPolicy } from './retry-policy.ts'
import { readPause, requireUp, requireWelcome } from './status.ts'

export interface Endpoint {
  /** Path of the setting: `chains.base.rpc[0]`. */
  readonly setting: string
  /**
   * Returns any answer with a status, except those that mean "not now". These are OutsideErrors, as is a missing
   * answer. A request may be made twice unless it says `once`.
   */
  send(request: OutsideRequest): Promise<OutsideAnswer>
}

export interface CallPolicy {
  /** For one call: name, connection, headers and body together. */
  readonly timeoutMs: number
  /** The first call included. */
  readonly attempts: number
  readonly guard: AddressGuard
  /** Receives the outcome of each call. */
  readonly watch?: Watch
  /** The setting that holds the key, if the address does not. */
  readonly keySetting?: string
}

const standardMaxBytes = 1024 * 1024

export function makeEndpoint(setting: string, url: string, policy: CallPolicy): Endpoint {
  const configured = new URL(url)
  const connections = openConnections(configured)
  const retryPolicy = makeRetryPolicy(setting, policy)
  const watched = policy.watch?.over(setting, retryPolicy)

  async function send(request: OutsideRequest): Promise<OutsideAnswer> {
    const to = joinPath(configured, request.path)
    const maxBytes = request.maxBytes ?? standardMaxBytes
    const answer = await retryPolicy.call(
      async (timeoutMs) => {
        const limits = { maxBytes, timeoutMs, guard: policy.guard }
        return requireUp(setting, await exchange(setting, to, request, limits, connections))
      },
      request.once ? 1 : policy.attempts,
    )
    retryPolicy.choosePause(readPause(answer) ?? 0)
    return requireWelcome(setting, answer, policy.keySetting)
  }
  return { setting, send: (request) => (watched ? watched.around(() => send(request)) : send(request)) }
}

/**
 * The configured path stays in front, and a configured query, which may hold a key, stays unchanged. Errors: a plain
 * Error for a path to another host (`@host`) or out of the configured path (`/..`).
 */
function joinPath(configured: URL, path = ''): URL {
  const [, added = '', query] = /^([^?]*)\??(.*)$/s.exec(path) ?? []
  if (!/^(\/|$)/.test(added) || /[#\s\\]|\/(\.|%2e){1,2}(\/|$)/i.test(added))
    throw new Error('a path of ours is not escaped')
  const full = new URL(configured)
  if (added !== '') full.pathname = full.pathname.replace(/\/$/, '') + added
  full.search = [configured.search.slice(1), query].filter(Boolean).join('&')
  return full
}

const deepestJson = 64

/**
 * The JSON of an answer. Errors: OutsideError `malformed` for HTML, half a document, another encoding, or too deep
 * nesting.
 */
export function parseJson(setting: string, { body, status }: OutsideAnswer): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    requireShallow(value, deepestJson)
    return value
  } catch {
    throw new OutsideError(
      'malformed',
      setting,
      `answered ${status} with something that is not JSON`,
      'see whether the address is the one of the API',
    )
  }
}

function requireShallow(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return
  if (levels === 0) throw new RangeError('nested too deeply')
  for (const item of Object.values(value)) requireShallow(item, levels - 1)
}
