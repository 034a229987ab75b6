/** Every route refuses a query flag with an unknown value, and includePrivate without the owner. */
import { describe, expect, test } from 'bun:test'
import { listRoutes } from '../../src/app.ts'
import { flagWords } from '../../src/http/describe.ts'
import { startApp } from '../app.ts'
import { alice, bob } from '../wallets.ts'
import { expectRefused } from './refused.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const privateId = await app.prove(alice, { privacyLevel: 'private' })
const publicId = await app.prove(alice, { privacyLevel: 'public', publicDisplay: true }, { content: 'seen' })
const session = await app.signIn(alice)

const isFlag = (schema: { readonly enum?: readonly string[] }): boolean =>
  schema.enum?.length === flagWords.length && flagWords.every((word) => schema.enum?.includes(word))

const flags = listRoutes(app.parts).flatMap(({ method, path, shapes }) =>
  Object.entries<{ readonly enum?: readonly string[] }>(shapes.query?.properties ?? {}).flatMap(([name, schema]) =>
    isFlag(schema) ? [[method, path, name] as const] : [],
  ),
)

test('flags are found', () => expect(flags.length).toBeGreaterThan(20))

test.each(flags)('%s %s: %s must be a known word', async (method, path, name) => {
  const filled = path.replace(':qHash', privateId).replace(':address', alice.address).replace(/:\w+/, 'x')
  for (const value of ['maybe', 'TRUE', '2', 'on', '', 'true,false', '[true]', 'null']) {
    const query = new URLSearchParams({ address: alice.address, verifierId: 'ownership-basic', [name]: value })
    const init = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }
    const answer = await app.request(`${filled}?${query}`, { method, ...init })
    // A body is judged before the query.
    if (method !== 'GET' && answer.body.error.details.in === 'body') continue
    expectRefused(
      answer,
      'VALIDATION_ERROR',
      new RegExp(`^query parameter ${name}: must be one of 1, true, yes, 0, false, no$`),
    )
  }
})

describe('includePrivate without the owner', () => {
  const list = `/api/v1/proofs/by-wallet/${alice.address}`
  test.each(['1', 'true', 'yes'])('=%s is refused by a list, which says what to sign', async (value) => {
    for (const path of [list, `/api/v1/proofs/byWallet/${alice.address}`]) {
      const answer = await app.get(`${path}?includePrivate=${value}`)
      expectRefused(answer, 'WALLET_AUTH_REQUIRED', /sign the action access_private_proofs_by_wallet/)
    }
    const bobs = (await app.signIn(bob)).headers
    expectRefused(await app.get(`${list}?includePrivate=${value}`, bobs), 'WALLET_AUTH_REQUIRED', /not a wallet of/)
    expect((await app.get(`${list}?includePrivate=${value}`, session.headers)).body.data.proofs).toHaveLength(2)
  })

  test.each(['1', 'true', 'yes'])('=%s is refused for a private proof alone', async (value) => {
    const read = (qHash: string, headers = {}) => app.get(`/api/v1/proofs/${qHash}?includePrivate=${value}`, headers)
    expectRefused(await read(privateId), 'WALLET_AUTH_REQUIRED', /sign the action access_private_proof /)
    expect((await read(publicId)).status).toBe(200)
    expect((await read(privateId, session.headers)).body.data.verifiedVerifiers).toHaveLength(1)
  })

  test.each(['0', 'false', 'no'])('=%s asks for what everybody sees', async (value) => {
    expect((await app.get(`${list}?includePrivate=${value}`)).body.data.proofs).toHaveLength(1)
    expect((await app.get(`/api/v1/proofs/${privateId}?includePrivate=${value}`)).body.data.privacyLevel).toBe(
      'private',
    )
  })

  test.each(['0', 'false', 'no'])('=%s shows the owner what everybody sees', async (value) => {
    const { body } = await app.get(`${list}?includePrivate=${value}`, session.headers)
    expect(body.data.proofs.map(({ qHash }: { qHash: string }) => qHash)).toEqual([publicId])
    const read = async (headers = {}) =>
      (await app.get(`/api/v1/proofs/${privateId}?includePrivate=${value}`, headers)).body.data
    expect(await read(session.headers)).toEqual(await read())
  })

  test.each([
    'includePrivate=1&isPublicRead=1',
    'includePrivate=1&visibility=public',
    'visibility=owner&isPublicRead=1',
    'visibility=owner&includePrivate=0',
  ])('%s contradicts itself, for the owner too', async (query) => {
    for (const headers of [{}, session.headers])
      expectRefused(await app.get(`${list}?${query}`, headers), 'VALIDATION_ERROR', /send one of them$/)
  })
})
