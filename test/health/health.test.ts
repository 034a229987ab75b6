import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'

describe('GET /api/v1/health', () => {
  test('says that the service works, since when, and in which version', async () => {
    const app = await startApp()
    app.wait(90_000)

    const { status, body } = await app.get('/api/v1/health')

    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        status: 'ok',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        timestamp: '2026-01-01T00:01:30.000Z',
        uptime: 90,
        services: { database: 'ok', storage: 'ok' },
        issues: [],
        lastCommit: null,
        waitingMs: 0,
        heartbeat: null,
        conditions: [],
      },
    })
  })

  test('ready and live have their own members at the top', async () => {
    const app = await startApp()
    expect((await app.get('/api/v1/health/ready')).body).toMatchObject({
      success: true,
      ready: true,
      timestamp: '2026-01-01T00:00:00.000Z',
    })
    expect((await app.get('/api/v1/health/live')).body).toMatchObject({ success: true, alive: true, uptime: 0 })
  })

  test('says only that the service is alive, not healthy and not ready, when it has no database', async () => {
    const app = await startApp()
    await app.close()

    for (const path of ['/api/v1/health', '/api/v1/health/ready']) {
      const { status, body, headers } = await app.get(path)
      expect(status).toBe(503)
      expect(headers.get('retry-after')).toBe('5')
      expect(body.error.code).toBe('SERVICE_UNAVAILABLE')
      expect(JSON.stringify(body)).not.toMatch(/sqlite|closed/i)
    }
    expect((await app.get('/api/v1/health/live')).status).toBe(200)
  })

  test('answers from memory, because a read of the database may wait for its disk', async () => {
    const app = await startApp()
    // After the start, only a check of the database reads this table, so its loss would show such a read.
    await app.parts.db.write([{ sql: 'DROP TABLE migrations', params: [] }])
    for (const path of ['/api/v1/health', '/api/v1/health/ready', '/api/v1/health/live'])
      expect((await app.get(path)).status).toBe(200)
  })

  test('is counted per client address, and answers again when the time is over', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_RATES_HEALTH: '3/1m' })
    for (let count = 0; count < 3; count++) expect((await app.get('/api/v1/health')).status).toBe(200)

    const refused = await app.get('/api/v1/health')
    expect(refused.status).toBe(429)
    expect(refused.body.error.code).toBe('RATE_LIMIT_EXCEEDED')
    app.wait(Number(refused.headers.get('retry-after')) * 1000)
    expect((await app.get('/api/v1/health')).status).toBe(200)
  })
})
