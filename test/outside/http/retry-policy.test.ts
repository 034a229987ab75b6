/** The retry policy: when a call is repeated, when it is skipped, and when the endpoint is tried again. */
import { afterEach, describe, expect, setSystemTime, spyOn, test } from 'bun:test'
import { OutsideError } from '../../../src/outside/failure.ts'
import { makeRetryPolicy } from '../../../src/outside/http/retry-policy.ts'
import { type Answering, httpAnswer, rawServer, stopRawServers } from '../../parts/http-server.ts'
import { calling, failureOf, get } from './calling.ts'

afterEach(() => {
  stopRawServers()
  setSystemTime()
})

/** Answers in turn with these statuses, and with 200 afterwards. */
const inTurn =
  (...statuses: readonly number[]): Answering =>
  (socket, nth) =>
    socket.write(httpAnswer(statuses[nth - 1] ?? 200))

describe('a call is made again', () => {
  test.each([500, 502, 503, 504])('after %i', async (status) => {
    const server = await rawServer(inTurn(status, status))
    expect((await calling(server.url, { attempts: 3 }).send(get)).status).toBe(200)
    expect(server.requests).toHaveLength(3)
  })

  test('after a connection that broke', async () => {
    const server = await rawServer((socket, nth) => (nth < 3 ? socket.destroy() : socket.write(httpAnswer(200))))
    expect((await calling(server.url, { attempts: 3 }).send(get)).status).toBe(200)
    expect(server.requests).toHaveLength(3)
  })

  test('after a time limit', async () => {
    const server = await rawServer((socket, nth) => (nth < 2 ? undefined : socket.write(httpAnswer(200))))
    expect((await calling(server.url, { attempts: 2, timeoutMs: 200 }).send(get)).status).toBe(200)
  })

  test('as often as configured, the first call included, and the last failure is reported', async () => {
    const server = await rawServer(inTurn(500, 502, 503, 504))
    const failure = await failureOf(calling(server.url, { attempts: 3 }).send(get))
    expect(failure.happened).toBe('answered 503')
    expect(server.requests).toHaveLength(3)
  })

  test('with the rest of fifteen seconds', async () => {
    const limits: number[] = []
    const retryPolicy = makeRetryPolicy('test.url', { timeoutMs: 60_000, attempts: 3 })
    const call = retryPolicy.call(async (timeoutMs) => {
      limits.push(timeoutMs)
      throw new OutsideError('timeout', 'test.url', 'did not answer', 'wait')
    })
    await failureOf(call)
    const [first, second = 0, third = 0] = limits
    expect(limits).toHaveLength(3)
    expect(first).toBe(60_000)
    expect(second).toBeLessThanOrEqual(15_000)
    expect(third).toBeLessThanOrEqual(second)
  })
})

describe('a call is made once', () => {
  test('when the first took fifteen seconds', async () => {
    let time = 0
    const clock = spyOn(performance, 'now').mockImplementation(() => time)
    let calls = 0
    try {
      const retryPolicy = makeRetryPolicy('test.url', { timeoutMs: 60_000, attempts: 3 })
      const call = retryPolicy.call(async () => {
        calls++
        time += 15_000
        throw new OutsideError('timeout', 'test.url', 'did not answer', 'wait')
      })
      await failureOf(call)
    } finally {
      clock.mockRestore()
    }
    expect(calls).toBe(1)
  })

  test.each([200, 204, 400, 401, 403, 404, 408, 409, 422, 429, 302])('after %i', async (status) => {
    const server = await rawServer(inTurn(status, status, status))
    await calling(server.url, { attempts: 3 })
      .send(get)
      .catch(() => undefined)
    expect(server.requests).toHaveLength(1)
  })

  test.each<[string, string]>([
    ['is no HTTP', 'SSH-2.0\r\n'],
    ['is compressed', httpAnswer(200, 'x', { 'content-encoding': 'gzip' })],
    ['is too long', httpAnswer(200, 'x'.repeat(2_000_000))],
    ['asks for a pause', httpAnswer(503, '', { 'retry-after': '1' })],
  ])('after an answer that %s', async (_, answer) => {
    const server = await rawServer((socket) => socket.write(answer))
    await failureOf(calling(server.url, { attempts: 3 }).send(get))
    expect(server.requests).toHaveLength(1)
  })

  test('when it may not be made twice', async () => {
    const server = await rawServer(inTurn(500))
    await failureOf(calling(server.url, { attempts: 3 }).send({ ...get, once: true }))
    expect(server.requests).toHaveLength(1)
  })
})

describe('an endpoint that fails five times in a row', () => {
  const tenSecondsLater = (): void => {
    setSystemTime(Date.now() + 10_001)
  }
  async function broken(answer: Answering) {
    const server = await rawServer(answer)
    const endpoint = calling(server.url)
    for (let nth = 1; nth <= 5; nth++) await failureOf(endpoint.send(get))
    return { server, endpoint }
  }

  test('is left alone for ten seconds, and says how many of them are left', async () => {
    const { server, endpoint } = await broken(inTurn(500, 500, 500, 500, 500))
    expect(server.requests).toHaveLength(5)
    const failure = await failureOf(endpoint.send(get))
    expect([failure.fault, failure.happened, failure.retryAfterSeconds]).toEqual([
      'unreachable',
      'failed 5 times in a row and is left alone for 10 s more',
      10,
    ])
    await Bun.sleep(2100)
    const later = await failureOf(endpoint.send(get))
    expect([later.happened, later.retryAfterSeconds]).toEqual([
      'failed 5 times in a row and is left alone for 8 s more',
      8,
    ])
    expect(server.requests).toHaveLength(5)
  })

  test('is left alone too when it hangs or does not listen', async () => {
    const { server, endpoint } = await broken((socket, nth) => (nth === 1 ? undefined : socket.destroy()))
    stopRawServers()
    expect((await failureOf(endpoint.send(get))).happened).toContain('left alone')
    expect(server.requests).toHaveLength(5)
  })

  test('is tried again afterwards, and used when it answers', async () => {
    const { server, endpoint } = await broken(inTurn(500, 500, 500, 500, 500))
    tenSecondsLater()
    expect((await endpoint.send(get)).status).toBe(200)
    expect((await endpoint.send(get)).status).toBe(200)
    expect(server.requests).toHaveLength(7)
  })

  test('is tried with one call, which decides for those that came at the same time', async () => {
    const { server, endpoint } = await broken(inTurn(500, 500, 500, 500, 500, 500))
    tenSecondsLater()
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(endpoint.send(get))))
    expect(failures.map(({ happened }) => happened.replace(/ 5 times.*/, '')).sort()).toEqual([
      'answered 500',
      'failed',
      'failed',
    ])
    expect(server.requests).toHaveLength(6)
    tenSecondsLater()
    const answers = await Promise.all([1, 2, 3].map(() => endpoint.send(get)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('keeps no caller waiting longer than one call may take', async () => {
    const limits: number[] = []
    const retryPolicy = makeRetryPolicy('test.url', { timeoutMs: 1000, attempts: 1 })
    const down = new OutsideError('unreachable', 'test.url', 'is down', 'wait')
    for (let nth = 1; nth <= 5; nth++) await failureOf(retryPolicy.call(() => Promise.reject(down)))
    tenSecondsLater()
    const [tried, waiting] = [300, 0].map((takesMs) =>
      retryPolicy.call(async (timeoutMs) => {
        limits.push(timeoutMs)
        await Bun.sleep(takesMs)
      }),
    )
    await Promise.all([tried, waiting])
    expect(limits[0]).toBe(1000)
    expect(limits[1]).toBeLessThanOrEqual(700)
  })

  test('fails by not answering: the content of its answers is not counted, however wrong', async () => {
    const server = await rawServer((socket, nth) => socket.write(nth <= 6 ? 'SSH-2.0\r\n' : httpAnswer(200)))
    const endpoint = calling(server.url)
    for (let nth = 1; nth <= 6; nth++) expect((await failureOf(endpoint.send(get))).fault).toBe('malformed')
    expect((await endpoint.send(get)).status).toBe(200)
  })

  test('does not affect another endpoint', async () => {
    const { server } = await broken(inTurn(500, 500, 500, 500, 500))
    expect((await calling(server.url).send(get)).status).toBe(200)
  })

  test('counts anew after every answer', async () => {
    const server = await rawServer(inTurn(500, 500, 500, 500, 404, 500, 500, 500, 500, 401, 500, 500, 500, 500))
    const endpoint = calling(server.url)
    for (let nth = 1; nth <= 14; nth++) await endpoint.send(get).catch(() => undefined)
    expect((await endpoint.send(get)).status).toBe(200)
    expect(server.requests).toHaveLength(15)
  })
})

describe('an endpoint that asks for a pause', () => {
  test('is not called before it is over', async () => {
    const paused = async (status: number) => {
      const server = await rawServer((socket, nth) =>
        socket.write(nth === 1 ? httpAnswer(status, '', { 'retry-after': '1' }) : httpAnswer(200)),
      )
      const endpoint = calling(server.url)
      expect((await failureOf(endpoint.send(get))).fault).toBe('rate-limited')
      const failure = await failureOf(endpoint.send(get))
      expect([failure.fault, failure.happened, failure.retryAfterSeconds]).toEqual([
        'rate-limited',
        'asked to be left alone, and is called again in 1 s',
        1,
      ])
      expect(server.requests).toHaveLength(1)
      return endpoint
    }
    const endpoints = [await paused(429), await paused(503)]
    await Bun.sleep(1050)
    for (const endpoint of endpoints) expect((await endpoint.send(get)).status).toBe(200)
  })

  test('is left alone for a minute at most, and the first refusal says so already', async () => {
    const server = await rawServer((socket) => socket.write(httpAnswer(429, '', { 'retry-after': '3600' })))
    const endpoint = calling(server.url)
    expect((await failureOf(endpoint.send(get))).retryAfterSeconds).toBe(60)
    expect((await failureOf(endpoint.send(get))).retryAfterSeconds).toBe(60)
  })

  test('is called again when it gives no length', async () => {
    const server = await rawServer(inTurn(429))
    const endpoint = calling(server.url)
    expect((await failureOf(endpoint.send(get))).retryAfterSeconds).toBe(30)
    expect((await endpoint.send(get)).status).toBe(200)
  })

  test('stays in force when another answer comes later', async () => {
    const retryPolicy = makeRetryPolicy('test.url', { timeoutMs: 1000, attempts: 1 })
    retryPolicy.choosePause(30)
    retryPolicy.choosePause(0)
    expect((await failureOf(retryPolicy.call(async () => 'called'))).fault).toBe('rate-limited')
  })
})
