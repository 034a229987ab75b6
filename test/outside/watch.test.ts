import { afterEach, describe, expect, test } from 'bun:test'
import { openResolver } from '../../src/outside/dns/resolver.ts'
import { OutsideError } from '../../src/outside/failure.ts'
import { makeGuard } from '../../src/outside/http/address-guard.ts'
import { makeEndpoint } from '../../src/outside/http/endpoint.ts'
import { openWatch, type Watch } from '../../src/outside/watch.ts'

let time = 1_000_000
const now = () => time
let server: ReturnType<typeof Bun.serve> | undefined
afterEach(() => server?.stop(true))

const endpointAt = (url: string, watch: Watch) =>
  makeEndpoint('test.url', url, { timeoutMs: 2000, attempts: 1, guard: makeGuard(['127.0.0.0/8']), watch })

const ask = (endpoint: ReturnType<typeof endpointAt>) => endpoint.send({ method: 'GET' }).catch((error) => error)

describe('the statistics of a source', () => {
  test('are empty before the first call', () => {
    const watch = openWatch(now)
    endpointAt('http://127.0.0.1:9', watch)
    expect(watch.states()).toEqual([
      {
        setting: 'test.url',
        circuit: 'closed',
        pausedUntil: null,
        lastSuccessAt: null,
        lastFailure: null,
        lastHour: { calls: 0, failures: 0 },
      },
    ])
  })

  test('is shown with the last answer, the last failure, and the requested pause', async () => {
    let status = 200
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('{}', { status, headers: status === 429 ? { 'retry-after': '30' } : {} }),
    })
    const watch = openWatch(now)
    const endpoint = endpointAt(server.url.href, watch)
    await ask(endpoint)
    const answeredAt = time
    time += 1000
    status = 429
    expect(await ask(endpoint)).toBeInstanceOf(OutsideError)
    const [state] = watch.states()
    expect(state).toMatchObject({
      circuit: 'closed',
      lastSuccessAt: answeredAt,
      lastFailure: { at: time, fault: 'rate-limited' },
      lastHour: { calls: 2, failures: 1 },
    })
    expect(state!.pausedUntil! - time).toBeGreaterThan(25_000)
  })

  test('says that it is left alone after five failures, and forgets an hour that is over', async () => {
    const watch = openWatch(now)
    const endpoint = endpointAt('http://127.0.0.1:9', watch)
    for (let count = 0; count < 6; count++) await ask(endpoint)
    expect(watch.states()[0]).toMatchObject({ circuit: 'open', lastHour: { calls: 6, failures: 6 } })
    time += 3_600_000
    expect(watch.states()[0]!.lastHour).toEqual({ calls: 0, failures: 0 })
  })

  test('never holds an address, which may hold a key', async () => {
    const watch = openWatch(now)
    await ask(endpointAt('http://127.0.0.1:9/v2/secret-key', watch))
    expect(JSON.stringify(watch.states())).not.toContain('secret-key')
  })

  test('name servers that come and go count under one setting', async () => {
    const watch = openWatch(now)
    const refusing = async () => {
      throw new OutsideError('malformed', 'dns.resolvers[0]', 'answered nonsense', 'mend it')
    }
    for (let count = 0; count < 40; count++)
      await openResolver('dns.resolvers[0]', refusing, { timeoutMs: 100, attempts: 1, watch })
        .ask({ name: 'a', type: 'TXT' })
        .catch(() => {})
    expect(watch.states()).toHaveLength(1)
    expect(watch.states()[0]!.lastHour).toEqual({ calls: 40, failures: 40 })
  })
})
