import { expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { expectRefused, leavesNothing } from './refused.ts'

test('a request that leaves data behind is noticed', async () => {
  const app = await startApp()
  let noticed = false
  try {
    await leavesNothing(app.parts, () => app.prove())
  } catch {
    noticed = true
  }
  expect(noticed).toBe(true)
})

test('an answer without the envelope is noticed', async () => {
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': 'req_1' })
  const body = {
    success: false,
    error: { code: 'NOT_FOUND', message: 'not here', type: 'not_found', details: {} },
    timestamp: '2026-01-01T00:00:00.000Z',
    requestId: 'req_1',
  }
  expectRefused({ status: 404, body, headers }, 'NOT_FOUND')
  for (const change of [{ requestId: undefined }, { timestamp: 5 }, { error: 'not here' }, { stack: 'at x (/a.ts:1)' }])
    expect(() => expectRefused({ status: 404, body: { ...body, ...change }, headers }, 'NOT_FOUND')).toThrow()
})
