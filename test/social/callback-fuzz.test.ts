/** Any address that a person returns to is answered with a page, and never with an internal fault. */
import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { startApp } from '../app.ts'
import { oidcProvider, stopProviders } from '../parts/oidc-provider.ts'
import { exchange, localSettings, start } from './person.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 300)

afterAll(stopProviders)

test('any query is answered with a page of 400, 403, 409 or 503, and its markup is escaped', async () => {
  const provider = await oidcProvider()
  const app = await startApp({
    ...localSettings(provider),
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_LOG_LEVEL: 'error',
  })
  const begun = await start(app)
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      begun.state,
      'A'.repeat(43),
      '<script>x</script>',
      'access_denied',
      provider.issuer,
      '\u0000',
      '%zz',
    ),
  )
  const name = fc.oneof(
    fc.constantFrom('state', 'code', 'error', 'iss', 'error_description', 'id_token', 'response'),
    odd,
  )
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, odd), { maxLength: 6 }), fc.boolean(), async (members, hasCookie) => {
      const query = new URLSearchParams(members).toString()
      const headers = hasCookie ? begun.browser.headers : {}
      const answer = await app.get(`/api/v1/auth/oauth/callback/local?${query}`, headers)
      seen.add(answer.status)
      expect([400, 403, 409, 503]).toContain(answer.status)
      expect(answer.headers.get('content-type')).toBe('text/html;charset=utf-8')
      expect(answer.body).not.toContain('<script>x')
    }),
    { numRuns: runs },
  )
  expect(seen.has(400)).toBe(true)
  const { status } = await exchange(app, begun)
  expect([400, 409, 503]).toContain(status)
  await app.close()
})
