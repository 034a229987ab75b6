/** Sign-ins that wait, when one network starts as many as there is room for. */

import { afterAll, expect, test } from 'bun:test'
import { listen } from '../http/socket.ts'
import { oidcProvider, stopProviders, visitProvider } from '../parts/oidc-provider.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import { localSettings } from './person.ts'

afterAll(stopProviders)

test('a flood from one network evicts its own sign-ins, and the person of another comes back', async () => {
  const provider = await oidcProvider({ claims: (login) => ({ preferred_username: login }) })
  const server = await listen({
    ...localSettings(provider),
    PROOFGATE_BASE_URL: 'http://localhost:8787',
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32',
  })
  const start = async (address: string) => {
    const answer = await fetch(`${server.url}/api/v1/auth/oauth/start/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ walletAddress: alice.address }),
    })
    expect(answer.status).toBe(200)
    const { data } = (await answer.json()) as { data: { authorizationUrl: string; state: string } }
    return { ...data, cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]! }
  }
  const comeBack = async ({ authorizationUrl, cookie }: Awaited<ReturnType<typeof start>>) => {
    const { pathname, search } = await visitProvider(authorizationUrl)
    return (await fetch(`${server.url}${pathname}${search}`, { headers: { cookie } })).status
  }

  const person = await start('198.51.100.7')
  const first = await start('203.0.113.7')
  const { db } = server.parts
  await db.write([
    {
      sql: `${countTo(9_998)}
            INSERT INTO social_sign_ins (hash, stage, sealed, expires_at, network)
            SELECT ${randomHash}, 'started', 'x', ?1 + i, '203.0.113.0/24' FROM n`,
      params: [Date.now() + 600_000],
    },
  ])
  const last = await start('203.0.113.200')
  const { total } = (await select<{ total: number }>(db, 'SELECT count(*) AS total FROM social_sign_ins').get())!
  expect(total).toBe(10_000)
  expect(await comeBack(first)).not.toBe(200)
  expect(await comeBack(person)).toBe(200)
  expect(await comeBack(last)).toBe(200)
  await server.stop()
})
