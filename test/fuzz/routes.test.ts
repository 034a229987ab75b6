/**
 * Every route of the app gets random input. It must not fail internally, answer without the envelope, take long, or
 * store anything. FUZZ_RUNS=100000 runs longer; fast-check prints the seed of a failure.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { createApp, listRoutes } from '../../src/app.ts'
import { errorKinds } from '../../src/errors.ts'
import { makeRouteTable } from '../../src/http/route-table.ts'
import { startApp } from '../app.ts'
import { expectNoLeak, rowCounts } from '../http/refused.ts'
import { alice, sol } from '../wallets.ts'
import { type FuzzedRequest, requestTo } from './arbitraries.ts'

setDefaultTimeout(60_000)

const runs = Number(process.env.FUZZ_RUNS ?? 1_000)
const slowestMs = 3_000

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const api = createApp(app.parts)
const { findRefusalFormat } = makeRouteTable(listRoutes(app.parts))
afterAll(() => app.close())
for (const wallet of [alice, sol])
  for (const options of [{}, { privacyLevel: 'public', publicDisplay: true, meta: { tags: ['x', 'y'], title: 'T' } }])
    await app.prove(wallet, options)
// The first question for the signing keys makes one.
await app.get('/.well-known/jwks.json')
const before = await rowCounts(app.parts)

/** Returns the fault of the answer to a request, or undefined. */
async function faultOf({ method, path, headers, body }: FuzzedRequest): Promise<string | undefined> {
  const started = performance.now()
  const request = new Request(`http://localhost${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const response = await api.handle(request)
  const text = await response.text()
  const tookMs = performance.now() - started

  if (tookMs > slowestMs) return `took ${tookMs} ms`
  if (response.status >= 500) return `${response.status}: ${text}`
  if (!response.headers.get('x-request-id')) return 'no request id'
  if (method === 'HEAD' || response.status < 400) return response.status < 200 ? `status ${response.status}` : undefined
  if (response.headers.get('content-type')?.startsWith('text/html')) return undefined
  // The MCP endpoint refuses in JSON-RPC, and its tests say how.
  if (new URL(request.url).pathname.startsWith('/mcp')) return undefined
  const { success, error, requestId, timestamp } = JSON.parse(text)
  if (requestId !== response.headers.get('x-request-id') || Number.isNaN(Date.parse(timestamp))) return `ids: ${text}`
  expectNoLeak(JSON.parse(text))
  if (findRefusalFormat(new URL(request.url).pathname) === 'oauth')
    return success === false && /^[a-z_]+$/.test(error) ? undefined : `no OAuth error: ${text}`
  const kind = errorKinds[error.code as keyof typeof errorKinds]
  if (success !== false || kind?.status !== response.status || kind.type !== error.type) return `no envelope: ${text}`
  if (typeof error.message !== 'string' || error.message.length < 5 || error.message.length > 1_000)
    return `message: ${error.message}`
  return undefined
}

describe('every route of the app', () => {
  test(
    `survives ${runs} requests of every kind`,
    async () => {
      await fc.assert(
        fc.asyncProperty(requestTo(api.routes), async (request) => {
          expect(await faultOf(request)).toBeUndefined()
        }),
        { numRuns: runs },
      )
      expect(await rowCounts(app.parts)).toEqual(before)
    },
    60_000 + runs * 20,
  )

  test('after all that, a proof can be made, and prototypes are unchanged', async () => {
    expect(await app.prove(alice)).toMatch(/^0x/)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as Record<string, unknown>).walletAddress).toBeUndefined()
  })
})

test('the requests reach beyond the first check of a body', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(requestTo(api.routes), async ({ method, path, headers, body }) => {
      const response = await api.handle(
        new Request(`http://localhost${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
      )
      const text = await response.text()
      const isRefusal = response.status >= 400 && method !== 'HEAD' && text.startsWith('{')
      const { error } = isRefusal ? JSON.parse(text) : { error: String(response.status) }
      const code = typeof error === 'string' ? error : error.code
      seen.set(code, (seen.get(code) ?? 0) + 1)
    }),
    { numRuns: 3_000, seed: 1 },
  )
  for (const code of ['200', 'VALIDATION_ERROR', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE'])
    expect([...seen.keys()]).toContain(code)
  for (const code of ['INVALID_VERIFIER_DATA', 'INVALID_WALLET_ADDRESS', 'SIGNATURE_INVALID', 'WALLET_AUTH_REQUIRED'])
    expect([...seen.keys()]).toContain(code)
})
