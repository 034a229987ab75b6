/** A monitor is never rate-limited: a refusal would look like an outage. */
import { expect, test } from 'bun:test'
import { listen } from '../http/socket.ts'

const few = { PROOFGATE_LIMITS_RATES_HEALTH: '2/1m', PROOFGATE_LIMITS_RATES_API: '4/1m' }
const paths = ['', '/ready', '/live']

async function ask(env: Record<string, string>, headers: Record<string, string>): Promise<number[]> {
  const server = await listen({ ...few, ...env })
  const statuses: number[] = []
  for (let round = 0; round < 3; round++)
    for (const path of paths) statuses.push((await fetch(`${server.url}/api/v1/health${path}`, { headers })).status)
  await server.stop()
  return statuses
}

const all = new Array(9).fill(200)
const some = [200, 200, ...new Array(7).fill(429)]

test('a program on this machine', async () => {
  expect(await ask({}, {})).toEqual(all)
})

test('a monitor behind a configured proxy, and not its neighbour', async () => {
  const env = { PROOFGATE_PROXY_TRUSTED: '127.0.0.1', PROOFGATE_LIMITS_MONITORS: '192.0.2.0/30' }
  expect(await ask(env, { 'x-forwarded-for': '192.0.2.3' })).toEqual(all)
  expect(await ask(env, { 'x-forwarded-for': '192.0.2.4' })).toEqual(some)
})

test('a stranger behind an unconfigured proxy on this machine is limited', async () => {
  expect(await ask({}, { 'x-forwarded-for': '127.0.0.1' })).toEqual(some)
})

test('other requests of a monitor are limited too', async () => {
  const server = await listen(few)
  const statuses: number[] = []
  for (let round = 0; round < 5; round++) statuses.push((await fetch(`${server.url}/api/v1/auth/nonce`)).status)
  await server.stop()
  expect(statuses).toEqual([200, 200, 200, 200, 429])
})
