import { describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { makeLog } from '../../src/log.ts'
import { openParts } from '../../src/start.ts'
import { startApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import { expectNoLeak, expectRefused } from './refused.ts'

const qHash = `0x${'ab'.repeat(32)}`
const signedBody = async () => {
  const now = Date.now()
  const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'Private words' } }
  const body = { walletAddress: alice.address, signedTimestamp: now, ...claim }
  const app = await startApp()
  const { signerString } = (await app.post('/api/v1/verification/standardize', body)).body.data
  return { ...body, signature: await alice.sign(signerString) }
}

/** The real app, its log in a list, and its database closed under it, or turned read-only. */
async function brokenApp(fault: 'closed' | 'read-only' = 'closed') {
  const config = await loadConfig({ env: { PROOFGATE_LOG_FORMAT: 'json' }, cwd: '/nonexistent' })
  const opened = await openParts(config, undefined, Date.now)
  opened.setAddresses({ baseUrl: 'http://localhost', authUrl: 'http://localhost', mcpUrl: 'http://localhost' })
  const lines: Record<string, unknown>[] = []
  const log = makeLog({ level: 'debug', format: 'json', now: Date.now, write: (line) => lines.push(JSON.parse(line)) })
  const app = createApp({ ...opened.parts, log })
  if (fault === 'closed') await opened.close()
  else await select(opened.parts.db, 'PRAGMA query_only = ON').get()
  const send = async (path: string, init?: RequestInit) => {
    const response = await app.handle(new Request(`http://localhost${path}`, init))
    return { status: response.status, headers: response.headers, body: (await response.json()) as never }
  }
  const post = (path: string, body: unknown) =>
    send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { lines, get: send, post }
}

describe('when the database is gone', () => {
  test.each([`/api/v1/proofs/${qHash}`, `/api/v1/proofs/by-wallet/${alice.address}`])(
    'GET %s is an opaque 500, and the log has the reason under the same requestId',
    async (path) => {
      const app = await brokenApp()
      const answer = await app.get(path)

      expectRefused(answer, 'INTERNAL_ERROR', /give the requestId to the operator/)
      expect(JSON.stringify(answer.body)).not.toMatch(/database|closed|sqlite/i)
      expect(app.lines).toEqual([
        {
          time: expect.any(String),
          level: 'error',
          event: 'request-failed',
          message: 'a request failed',
          mend: expect.stringContaining('report it'),
          requestId: (answer.body as { requestId: string }).requestId,
          method: 'GET',
          path,
          error: expect.stringMatching(/closed database/),
        },
      ])
    },
  )

  test('a proof cannot be stored: 503, Retry-After, and no part of the request in the log', async () => {
    const app = await brokenApp('read-only')
    const body = await signedBody()
    const answer = await app.post('/api/v1/verification', body)

    expectRefused(answer, 'SERVICE_UNAVAILABLE', /did not happen: try again/)
    expect(answer.headers.get('retry-after')).toBe('5')
    const written = JSON.stringify(app.lines)
    expect(written).not.toContain(body.signature)
    expect(written).not.toContain('Private words')
  })

  test('the operator finds out why a proof could not be stored', async () => {
    const app = await brokenApp('read-only')
    const answer = await app.post('/api/v1/verification', await signedBody())
    expect(app.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        requestId: (answer.body as { requestId: string }).requestId,
        error: expect.stringContaining('readonly'),
      }),
    )
  })

  test.each(['/api/v1/health', '/api/v1/health/ready'])('%s says so with 503', async (path) => {
    const answer = await (await brokenApp()).get(path)
    expectRefused(answer, 'SERVICE_UNAVAILABLE', /nothing can be stored any more/)
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  test('/api/v1/health/live still says that the process is alive', async () => {
    expect(await (await brokenApp()).get('/api/v1/health/live')).toMatchObject({ status: 200, body: { alive: true } })
  })
})

test('an internal fault is an opaque 500, whatever was thrown', async () => {
  const config = await loadConfig({ env: {}, cwd: '/nonexistent' })
  const opened = await openParts(config, undefined, Date.now)
  const lines: string[] = []
  const log = makeLog({ level: 'error', format: 'text', now: Date.now, write: (line) => lines.push(line) })
  // The addresses are never set, so a read that finds a proof throws: a real bug of a real caller.
  const app = createApp({ ...opened.parts, log })
  const response = await app.handle(
    new Request('http://localhost/api/v1/verification', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(await signedBody()),
    }),
  )

  const body = await response.json()
  expectRefused({ status: response.status, headers: response.headers, body }, 'INTERNAL_ERROR')
  expectNoLeak(body)
  expect(lines.join()).toContain('public addresses')
  expect(lines.join()).toContain((body as { requestId: string }).requestId)
})

test('an answer does not name the server software', async () => {
  const app = await startApp()
  for (const path of ['/api/v1/health', '/nothing', `/api/v1/proofs/${qHash}`]) {
    const { headers } = await app.get(path)
    expect(headers.get('server')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('request ids are never the same twice', async () => {
  const [one, other] = [await startApp(), await startApp()]
  const ids = new Set<string>()
  for (let turn = 0; turn < 50; turn++)
    for (const app of [one, other]) ids.add((await app.get('/nothing')).body.requestId)
  expect(ids.size).toBe(100)
})
