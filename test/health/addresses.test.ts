/** Health where monitors look for it: beside every address of the server, and the whole of it for operators. */
import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { getRequest, listen } from '../http/socket.ts'
import { openStage } from '../operator/stage.ts'
import { alice } from '../wallets.ts'

const detailed = '/api/v1/health/detailed'

describe('at the top of every address', () => {
  test.each(['', '/ready', '/live'])('/health%s gives the same answer as /api/v1/health%s', async (path) => {
    const app = await startApp()
    const [short, long] = [await app.get(`/health${path}`), await app.get(`/api/v1/health${path}`)]
    expect(short.status).toBe(200)
    expect(short.body).toEqual(long.body)
  })

  test('an unready server is reported there, too', async () => {
    const app = await startApp()
    await app.close()
    for (const path of ['/health', '/health/ready']) expectRefused(await app.get(path), 'SERVICE_UNAVAILABLE')
    expect((await app.get('/health/live')).status).toBe(200)
  })

  test('on loopback the host of the API, of sign-in and of MCP reach it, and an unknown one does not', async () => {
    const server = await listen({
      PROOFGATE_HOST: '127.0.0.1',
      PROOFGATE_BASE_URL: 'https://api.example',
      PROOFGATE_AUTH_URL: 'https://sign-in.example',
      PROOFGATE_MCP_URL: 'https://mcp.example',
    })
    for (const host of ['api.example', 'sign-in.example', 'mcp.example'])
      for (const path of ['/health', '/health/ready', '/health/live'])
        expect((await server.raw(getRequest(path, host))).status).toBe(200)
    expectRefused(await server.raw(getRequest('/health', 'evil.example')), 'FORBIDDEN')
    await server.stop()
  })

  test('is counted like the longer paths, and not for a monitor', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_RATES_HEALTH: '2/1m' })
    expect((await app.get('/health')).status).toBe(200)
    expect((await app.get('/api/v1/health')).status).toBe(200)
    expectRefused(await app.get('/health/live'), 'RATE_LIMIT_EXCEEDED')

    const server = await listen({ PROOFGATE_LIMITS_RATES_HEALTH: '2/1m', PROOFGATE_LIMITS_RATES_API: '4/1m' })
    for (let count = 0; count < 6; count++) expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.stop()
  })
})

describe(`GET ${detailed}`, () => {
  test('shows an operator the same as the dashboard', async () => {
    const { app, operator } = await openStage()
    const { status, body, headers } = await app.get(detailed, operator.headers)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toContain('no-store')
    const page = (await app.get('/api/v1/operator/health', operator.headers)).body.data
    const { memory, database, lastCommit, ...data } = body.data
    expect(page).toMatchObject(data)
    expect(data).toMatchObject({ status: 'ok', uptimeSeconds: 0, conditions: [], counts: { proofs: 0 } })
  })

  test('names a condition with its remedy', async () => {
    const { app, operator } = await openStage()
    app.parts.conditions.begin({ name: 'disk-low', level: 'warning', says: 'The disk is low', mend: 'Free some space' })
    const { body } = await app.get(detailed, operator.headers)
    expect(body.data.conditions).toMatchObject([{ name: 'disk-low', mend: 'Free some space', count: 1 }])
  })

  test('a missing credential, a wrong cookie and an access key get 401, which says how an operator is known', async () => {
    const { app, operator } = await openStage()
    const { key } = (
      await app.post('/api/v1/auth/profile-keys', { name: 'A program', scopes: ['core'] }, operator.headers)
    ).body.data
    for (const headers of [{}, { cookie: 'svc_session=none' }, { authorization: `Bearer ${key}` }]) {
      const answer = await app.get(detailed, headers as Record<string, string>)
      expectRefused(
        answer,
        'WALLET_AUTH_REQUIRED',
        /sign in at http:\/\/localhost:8787\/login .*operator\.wallets.*cookie/,
      )
      expect(JSON.stringify(answer.body)).not.toMatch(/residentBytes|conditions/)
    }
  })

  test('another signed-in person gets 403', async () => {
    const { app, stranger } = await openStage()
    expectRefused(await app.get(detailed, stranger.headers), 'FORBIDDEN', /operator/)
    const nobody = await startApp()
    expectRefused(await nobody.get(detailed, (await nobody.signIn(alice)).headers), 'FORBIDDEN')
  })
})
