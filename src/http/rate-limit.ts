/**
 * Rate limits: a surface, a counting key, and a rate. Buckets are in-process; nothing is written or shared. Several
 * servers on one database each allow a part of the rate.
 *
 * Each bucket is one number, the time at which it will be full again. This is GCRA, the "virtual scheduling" algorithm
 * of ITU-T I.371, so a thousand keys cost a thousand numbers. Times are uptimes, which cannot be set back or ahead. A
 * bucket is never further from full than one window.
 */

import { AppError } from '../errors.ts'
import { noteLimited } from '../request-scope.ts'
import { listBusiest, type PolicyState, Refusals } from './rate-limit-view.ts'
import { type PolicyName, policies, type Rate } from './rate-policies.ts'

export interface Taking {
  /** Units of the policy: 1 request by default, else bytes. */
  readonly cost?: number
  /** Units that must be left beside it, for what comes after and cannot be refused then. */
  readonly room?: number
  /** False counts what cannot be refused any more. The key then waits the longer, up to a window. */
  readonly mayRefuse?: boolean
}

export interface RateLimiter {
  /** Counts one request. Returns the response headers that tell the caller where it stands; throws when it is too many. */
  take(policy: PolicyName, key: string, taking?: Taking): RateHeaders
  /** Forgets the buckets that are full again. */
  sweep(): number
  /** How it stands with each policy: for the operator. Looks at every bucket. */
  view(): readonly PolicyState[]
  /** How often each policy has refused since the start. */
  countRefused(): ReadonlyMap<PolicyName, number>
  /** Gives a key its whole allowance back. False for one that had it. */
  forget(policy: PolicyName, key: string): boolean
}

export interface RateHeaders {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the whole allowance is back. */
  readonly reset: number
}

/** More keys than this per policy cannot be remembered; the oldest are forgotten first. */
const maxKeys = 100_000

/** `countServers`: how many share the rates. Each allows its part of them, and at least one request a window. */
export function rateLimiter(
  rates: Readonly<Record<PolicyName, Rate>>,
  readUptime: () => number,
  countServers: () => number = () => 1,
): RateLimiter {
  const buckets = new Map<PolicyName, Buckets>(
    (Object.keys(policies) as PolicyName[]).map((name) => [
      name,
      { fullAt: new Map(), nextScanAt: 0, refusals: new Refusals(), refused: 0 },
    ]),
  )

  return {
    take(policy, key, { cost = 1, room = 0, mayRefuse = true } = {}) {
      const now = readUptime()
      const { count, windowMs } = divideRate(rates[policy], countServers())
      const spacingMs = windowMs / count
      const bucket = buckets.get(policy)!
      const known = bucket.fullAt.get(key) ?? 0
      const before = Math.min(Math.max(known, now), now + windowMs)
      if (known > before) bucket.fullAt.set(key, before)
      const fullAt = before + spacingMs * cost
      const overMs = fullAt + spacingMs * room - now - windowMs
      if (overMs > 1e-6 && mayRefuse) {
        bucket.refusals.note(key, now)
        bucket.refused++
        noteLimited(policy)
        const retryAfter = Math.max(1, Math.ceil(overMs / 1000))
        throw new AppError(
          'RATE_LIMIT_EXCEEDED',
          writeExcessMessage(policy, { count, windowMs }, retryAfter),
          { policy, limit: count, windowSeconds: windowMs / 1000, retryAfterSeconds: retryAfter },
          {
            'retry-after': String(retryAfter),
            'ratelimit-limit': String(count),
            'ratelimit-remaining': '0',
            'ratelimit-reset': String(Math.ceil((before - now) / 1000)),
          },
        )
      }
      if (bucket.fullAt.size >= maxKeys && !bucket.fullAt.has(key)) makeRoom(bucket, now)
      bucket.fullAt.set(key, Math.min(fullAt, now + windowMs))
      return {
        limit: count,
        remaining: Math.max(0, Math.floor((windowMs - (fullAt - now)) / spacingMs + 1e-6)),
        reset: Math.ceil(Math.min(fullAt - now, windowMs) / 1000),
      }
    },

    sweep() {
      const now = readUptime()
      let forgotten = 0
      for (const { fullAt } of buckets.values()) forgotten += forgetFull(fullAt, now)
      return forgotten
    },

    view: () =>
      [...buckets].map(([policy, { fullAt, refusals }]) => ({
        policy,
        ...describePolicy(policy),
        ...divideRate(rates[policy], countServers()),
        keys: fullAt.size,
        busiest: listBusiest(fullAt, divideRate(rates[policy], countServers()), readUptime()),
        refused: refusals.latest(),
      })),

    countRefused: () => new Map([...buckets].map(([policy, { refused }]) => [policy, refused])),

    forget(policy, key) {
      const { fullAt, refusals } = buckets.get(policy)!
      const [wasCounted, wasRefused] = [fullAt.delete(key), refusals.forget(key)]
      return wasCounted || wasRefused
    },
  }
}

const divideRate = ({ count, windowMs }: Rate, servers: number): Rate => ({
  count: Math.max(1, Math.floor(count / servers)),
  windowMs,
})

function describePolicy(policy: PolicyName): Pick<PolicyState, 'per' | 'setting' | 'unit'> {
  const { per, setting }: { readonly per: string; readonly setting?: string } = policies[policy]
  return setting === undefined
    ? { per, setting: `limits.rates.${policy}`, unit: 'requests' }
    : { per, setting, unit: 'bytes' }
}

function writeExcessMessage(policy: PolicyName, { count, windowMs }: Rate, retryAfter: number): string {
  const { per, setting, unit } = describePolicy(policy)
  return unit === 'requests'
    ? `too many requests: ${count} per ${windowMs / 1000} s are allowed per ${per} here. Try again in ${retryAfter} s`
    : `too much was stored: ${count} bytes per ${formatWindow(windowMs)} are allowed per ${per} here. Try again in ${retryAfter} s; the operator sets the allowance with ${setting}`
}

const formatWindow = (windowMs: number): string =>
  windowMs % 3_600_000 === 0 ? `${windowMs / 3_600_000} h` : `${windowMs / 1000} s`

/** When each key's bucket is full again, in the order in which the keys came. */
interface Buckets {
  readonly fullAt: Map<string, number>
  nextScanAt: number
  readonly refusals: Refusals
  refused: number
}

function forgetFull(bucketOf: Map<string, number>, now: number): number {
  let forgotten = 0
  for (const [key, fullAt] of bucketOf) if (fullAt <= now && bucketOf.delete(key)) forgotten++
  return forgotten
}

/** Looks through all keys once a second at most: a flood of new ones must not cost a search each. */
function makeRoom(buckets: Buckets, now: number): void {
  const { fullAt } = buckets
  if (now >= buckets.nextScanAt) {
    buckets.nextScanAt = now + 1_000
    if (forgetFull(fullAt, now) > 0) return
  }
  const [oldest] = fullAt.keys()
  if (oldest !== undefined) fullAt.delete(oldest)
}

/** A limiter that counts nothing, for `limits.enabled = false`. */
export const unlimited: RateLimiter = {
  take: () => ({ limit: 0, remaining: 0, reset: 0 }),
  sweep: () => 0,
  view: () => [],
  countRefused: () => new Map(),
  forget: () => false,
}
