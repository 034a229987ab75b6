import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AppError } from '../../src/errors.ts'
import { rateLimiter, type Taking, unlimited } from '../../src/http/rate-limit.ts'
import { type PolicyName, policies, type Rate } from '../../src/http/rate-policies.ts'

const minute = 60_000
const rates = (rate: Rate) =>
  Object.fromEntries(Object.keys(policies).map((name) => [name, rate])) as Record<PolicyName, Rate>
/** The same limiter, with the reading of its clock given at each call. */
function limiterOf(count: number, windowMs: number) {
  let uptime = 0
  const limiter = rateLimiter(rates({ count, windowMs }), () => uptime)
  const at = <Result>(now: number, call: () => Result): Result => {
    uptime = now
    return call()
  }
  return {
    take: (policy: PolicyName, key: string, now: number, taking?: Taking) =>
      at(now, () => limiter.take(policy, key, taking)),
    sweep: (now: number) => at(now, () => limiter.sweep()),
    view: (now: number) => at(now, () => limiter.view()),
    forget: limiter.forget,
  }
}

function refusal(run: () => unknown): AppError {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('not refused')
}

describe('a bucket', () => {
  test('lets a whole allowance through at once, and not one more', () => {
    const limiter = limiterOf(3, minute)
    expect([1, 2, 3].map(() => limiter.take('api', 'a', 0))).toEqual([
      { limit: 3, remaining: 2, reset: 20 },
      { limit: 3, remaining: 1, reset: 40 },
      { limit: 3, remaining: 0, reset: 60 },
    ])
    expect(refusal(() => limiter.take('api', 'a', 0))).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'too many requests: 3 per 60 s are allowed per client address here. Try again in 20 s',
      details: { policy: 'api', limit: 3, windowSeconds: 60, retryAfterSeconds: 20 },
      headers: {
        'retry-after': '20',
        'ratelimit-limit': '3',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '60',
      },
    })
  })

  test('a refused request costs nothing: Retry-After is kept to the second', () => {
    const limiter = limiterOf(3, minute)
    for (let turn = 0; turn < 3; turn++) limiter.take('api', 'a', 0)
    for (let turn = 0; turn < 100; turn++) refusal(() => limiter.take('api', 'a', 19_999))
    expect(refusal(() => limiter.take('api', 'a', 19_999)).headers['retry-after']).toBe('1')
    expect(limiter.take('api', 'a', 20_000)).toMatchObject({ remaining: 0 })
  })

  test('refills evenly, one request per part of the window', () => {
    const limiter = limiterOf(3, minute)
    for (let turn = 0; turn < 3; turn++) limiter.take('api', 'a', 0)
    expect(limiter.take('api', 'a', 40_000)).toMatchObject({ remaining: 1 })
    expect(limiter.take('api', 'a', 40_000)).toMatchObject({ remaining: 0 })
    refusal(() => limiter.take('api', 'a', 40_000))
  })

  test('is full again after a whole window, and never fuller', () => {
    const limiter = limiterOf(3, minute)
    for (let turn = 0; turn < 3; turn++) limiter.take('api', 'a', 0)
    const later = 100 * minute
    for (let turn = 0; turn < 3; turn++) limiter.take('api', 'a', later)
    refusal(() => limiter.take('api', 'a', later))
  })

  test('belongs to one key of one policy', () => {
    const limiter = limiterOf(1, minute)
    limiter.take('api', 'a', 0)
    refusal(() => limiter.take('api', 'a', 0))
    limiter.take('api', 'b', 0)
    limiter.take('reads', 'a', 0)
  })

  test('even a clock that went back refuses for a window at most', () => {
    const limiter = limiterOf(2, minute)
    limiter.take('api', 'a', 600 * minute)
    limiter.take('api', 'a', 600 * minute)
    expect(refusal(() => limiter.take('api', 'a', 0)).headers['ratelimit-reset']).toBe('60')
    limiter.take('api', 'a', minute / 2)
    limiter.take('api', 'a', minute)
  })

  test('keeps later requests waiting for a window at most, even when it may not refuse', () => {
    const limiter = limiterOf(2, minute)
    expect(limiter.take('api', 'a', 0, { cost: 1000, mayRefuse: false })).toMatchObject({ remaining: 0, reset: 60 })
    refusal(() => limiter.take('api', 'a', minute / 2 - 1))
    limiter.take('api', 'a', minute / 2)
  })

  test('never lets more than an allowance and its refill through, whenever the requests come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1_000, max: 3_600_000 }),
        fc.array(fc.integer({ min: 0, max: 120_000 }), { minLength: 1, maxLength: 200 }),
        (count, windowMs, gapsMs) => {
          const limiter = limiterOf(count, windowMs)
          const passed: number[] = []
          let now = 0
          for (const gapMs of gapsMs) {
            now += gapMs
            try {
              const { remaining, limit, reset } = limiter.take('api', 'a', now)
              expect(remaining).toBeWithin(0, limit)
              expect(reset * 1000).toBeWithin(0, windowMs + 1001)
              passed.push(now)
            } catch (error) {
              const seconds = Number((error as AppError).headers['retry-after'])
              expect(seconds).toBeWithin(1, Math.ceil(windowMs / 1000) + 1)
            }
          }
          for (const start of passed) {
            const inWindow = passed.filter((at) => at >= start && at < start + windowMs).length
            expect(inWindow).toBeLessThanOrEqual(2 * count)
          }
          expect(passed.length).toBeLessThanOrEqual(count + Math.floor((now * count) / windowMs + 1e-6))
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('memory', () => {
  test('the sweep forgets full buckets only', () => {
    const limiter = limiterOf(2, minute)
    limiter.take('api', 'a', 0)
    limiter.take('api', 'b', 20_000)
    expect(limiter.sweep(30_000)).toBe(1)
    expect(limiter.take('api', 'b', 30_000)).toMatchObject({ remaining: 0 })
    expect(limiter.sweep(10 * minute)).toBe(1)
    expect(limiter.sweep(10 * minute)).toBe(0)
  })

  test('beyond 100,000 keys the oldest is forgotten, the others still count', () => {
    const limiter = limiterOf(1, 3_600_000)
    for (let key = 0; key < 100_000; key++) limiter.take('api', `k${key}`, 0)
    limiter.take('api', 'one more', 0)
    limiter.take('api', 'k0', 0)
    refusal(() => limiter.take('api', 'k99999', 0))
    refusal(() => limiter.take('api', 'one more', 0))
  })

  test('a flood of new keys costs no search through all of them each time', () => {
    const limiter = limiterOf(1, 3_600_000)
    for (let key = 0; key < 100_000; key++) limiter.take('api', `k${key}`, 0)
    const started = performance.now()
    for (let key = 0; key < 2_000; key++) limiter.take('api', `flood ${key}`, 1)
    expect(performance.now() - started).toBeLessThan(1_500)
  })
})

test('a limiter without limits refuses no request and writes no headers', () => {
  for (let turn = 0; turn < 10_000; turn++) unlimited.take('create', 'a')
  expect(unlimited.take('create', 'a')).toEqual({ limit: 0, remaining: 0, reset: 0 })
})

describe('several servers that share a rate', () => {
  test('each allow their part, and the whole again when the others are gone', () => {
    let servers = 3
    const limiter = rateLimiter(
      rates({ count: 9, windowMs: minute }),
      () => 0,
      () => servers,
    )
    expect([1, 2, 3].map(() => limiter.take('api', 'a').remaining)).toEqual([2, 1, 0])
    expect(refusal(() => limiter.take('api', 'a')).message).toContain('3 per 60 s')
    servers = 1
    expect([1, 2, 3].map(() => limiter.take('api', 'b').limit)).toEqual([9, 9, 9])
  })

  test('each allow at least one request in a window', () => {
    const limiter = rateLimiter(
      rates({ count: 2, windowMs: minute }),
      () => 0,
      () => 5,
    )
    expect(limiter.take('api', 'a').remaining).toBe(0)
    refusal(() => limiter.take('api', 'a'))
  })
})
