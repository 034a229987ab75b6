/** The operator's view of the rate limits: the emptiest buckets, and the refused clients. In memory only. */
import type { PolicyName, Rate } from './rate-policies.ts'

export interface BucketState {
  /** As the policy counts: a client address, a wallet. */
  readonly key: string
  /** Requests that are used up, of `count`. */
  readonly used: number
  /** Unix milliseconds: when all of them are back. */
  readonly fullAt: number
}

export interface RefusedState {
  readonly key: string
  readonly times: number
  readonly lastAt: number
}

export interface PolicyState {
  readonly policy: PolicyName
  readonly per: string
  /** Where the operator sets the rate. */
  readonly setting: string
  readonly unit: 'requests' | 'bytes'
  readonly count: number
  readonly windowMs: number
  /** How many are counted now. */
  readonly keys: number
  /** The buckets closest to a refusal first. */
  readonly busiest: readonly BucketState[]
  /** The latest first. */
  readonly refused: readonly RefusedState[]
}

const shown = 20
const mostRefused = 100

/** The buckets that are full again last. Looks at each once. */
export function listBusiest(
  fullAt: ReadonlyMap<string, number>,
  { count, windowMs }: Rate,
  now: number,
): BucketState[] {
  const found: [string, number][] = []
  let least = now
  // Without an array for each of a hundred thousand entries.
  fullAt.forEach((at, key) => {
    if (at <= least) return
    found.push([key, at])
    found.sort((one, other) => other[1] - one[1])
    if (found.length > shown) found.pop()
    if (found.length === shown) least = found.at(-1)![1]
  })
  return found.map(([key, at]) => ({
    key,
    used: Math.min(count, Math.ceil(((at - now) / windowMs) * count - 1e-6)),
    fullAt: Math.ceil(at),
  }))
}

/** Remembers who was refused last, and how often since it was remembered. */
export class Refusals {
  private readonly byKey = new Map<string, { times: number; lastAt: number }>()

  note(key: string, now: number): void {
    const times = (this.byKey.get(key)?.times ?? 0) + 1
    // To the end: the one that was refused longest ago goes first.
    this.byKey.delete(key)
    this.byKey.set(key, { times, lastAt: now })
    if (this.byKey.size > mostRefused) this.byKey.delete(this.byKey.keys().next().value!)
  }

  forget(key: string): boolean {
    return this.byKey.delete(key)
  }

  latest(): RefusedState[] {
    return [...this.byKey].map(([key, state]) => ({ key, ...state })).reverse()
  }
}
