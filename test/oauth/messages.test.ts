/** The texts of OAuth refusals, for every parameter of every endpoint. */
import { expect, test } from 'bun:test'
import { type Answer, startApp } from '../app.ts'
import { wrongTexts } from '../bad-input/broken-values.ts'
import { findInside } from '../bad-input/plain-message.ts'
import { authorizeParameters, callback, flowOf, resource } from './flow.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const flow = flowOf(app)

function expectPlain({ status, body, headers }: Answer): void {
  if (status < 300) return
  const location = headers.get('location')
  const returned = location === null ? undefined : new URL(location, 'http://localhost').searchParams
  const told: unknown = returned?.get('error_description') ?? body?.error_description ?? body?.error?.message
  if (typeof told !== 'string') return
  expect([told, findInside(told)]).toEqual([told, undefined])
}

const form = (path: string, fields: Readonly<Record<string, string>>): Promise<Answer> =>
  app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
  })

test('refusals of the token endpoint are plain', async () => {
  const code = flow.redeemParameters('ac_none') as Record<string, string>
  const refresh = {
    grant_type: 'refresh_token',
    refresh_token: 'rt_none',
    client_id: 'svc-cli',
    scope: 'svc:core',
    resource,
  }
  for (const base of [code, refresh])
    for (const name of Object.keys(base))
      for (const text of wrongTexts) expectPlain(await form('/api/v1/auth/mcp/token', { ...base, [name]: text }))
})

test.each(['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier', 'resource'])(
  'a refusal of a token request without %s names it',
  async (name) => {
    const { body } = await flow.redeem('ac_none', { [name]: undefined })
    expect(body.error_description).toContain(name)
  },
)

test('refusals of the authorization endpoint are plain', async () => {
  for (const name of Object.keys(authorizeParameters()))
    for (const text of [undefined, ...wrongTexts])
      expectPlain(await flow.authorize(authorizeParameters({ [name]: text })))
})

test('refusals of revocation are plain', async () => {
  for (const name of ['token', 'token_type_hint', 'client_id'])
    for (const text of wrongTexts)
      expectPlain(await form('/api/v1/auth/mcp/revoke', { token: 'rt_none', client_id: 'svc-cli', [name]: text }))
})

test('refusals of registration name the member', async () => {
  const valid = { client_name: 'A client', redirect_uris: [callback], grant_types: ['authorization_code'] }
  const values = [null, true, -1, '', 'é!', 'x'.repeat(5000), [], {}, [''], ['é!'], [5], Array(50).fill(callback)]
  for (const name of ['client_name', 'redirect_uris', 'grant_types', 'response_types'])
    for (const value of values) {
      const answer = await flow.register({ ...valid, [name]: value })
      expectPlain(answer)
      if (answer.status >= 400) expect(answer.body.error_description).toContain(name)
    }
})
