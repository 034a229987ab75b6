import { afterAll, describe, expect, test } from 'bun:test'
import { expectRefused } from './refused.ts'
import { getRequest, listen } from './socket.ts'

// Names are free where others can reach the server; for loopback see test/http/page-access.test.ts.
const server = await listen({ PROOFGATE_HOST: '0.0.0.0' })
afterAll(() => server.stop())

const live = '/api/v1/health/live'

describe('the Host header', () => {
  test.each(['a', 'nas', 'localhost', 'localhost:8787', 'proofs.example.com', '127.0.0.1', '[::1]', '[::1]:80'])(
    '%p is a host, and the path alone decides what is reached',
    async (host) => {
      expect((await server.raw(getRequest(live, host))).body).toMatchObject({ alive: true })
      // A short host name once shifted the router's search for the path to the right.
      expectRefused(await server.raw(getRequest(`/x${live}`, host)), 'NOT_FOUND', /GET \/openapi.json/)
      expectRefused(await server.raw(getRequest('/v1/health/live', host)), 'NOT_FOUND')
    },
  )

  test.each([
    ['empty', ''],
    ['with a path', 'ab/cd'],
    ['with a path of the API', 'localhost/api/v1'],
    ['with a path that ends the real one', 'x/api/v1/health'],
    ['with a blank', 'a b'],
    ['with a query', 'a?b'],
    ['with a fragment', 'a#b'],
    ['with credentials', 'user@host'],
    ['with a backslash', 'a\\b'],
    ['with a port out of range', 'localhost:99999'],
    ['with an escaped zero', '%00'],
    ['not ASCII', 'ä'],
    ['a path upwards', 'a/../..'],
  ])('%s is refused, whatever the path', async (_, host) => {
    for (const path of [live, '/v1/health/live', '/', `/x${live}`])
      expectRefused(await server.raw(getRequest(path, host)), 'VALIDATION_ERROR', /Host header/)
  })

  test('two of them are refused', async () => {
    const answer = await server.raw(`GET ${live} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`)
    expectRefused(answer, 'VALIDATION_ERROR', /must be one host name/)
  })

  test('HTTP/1.0 without one is refused with the envelope', async () => {
    expectRefused(await server.raw(`GET ${live} HTTP/1.0\r\n\r\n`), 'VALIDATION_ERROR', /Host header/)
  })

  test('a full URL in the request line reaches only its path', async () => {
    const at = (target: string) => server.raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect((await at(`http://elsewhere${live}`)).body).toMatchObject({ alive: true })
    expectRefused(await at(`http://elsewhere/x${live}`), 'NOT_FOUND')
  })

  test('links in answers come from the configuration, never from the Host', async () => {
    const answer = await server.raw(getRequest('/api/v1/verification/verifiers', 'evil.example'))
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('evil.example')
    expect([...answer.headers.values()].join()).not.toContain('evil.example')
  })
})
